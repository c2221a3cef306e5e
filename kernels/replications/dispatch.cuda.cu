// Where and when blocks run (section 2.3): a warp a replication, and each block notes its multiprocessor and its first
// and last moment. Hardware alone can say it, so the emulator has no such variant; it needs %smid and %globaltimer,
// which are PTX.

#include <algorithm>
#include <map>
#include <vector>

#include "kernels/replications/for_each_replication.hpp"
#include "kernels/replications/job_case.hpp"

namespace lockstep::replications::cuda {

struct BlockNote {
    unsigned long long begin, end;  // nanoseconds
    unsigned long long multiprocessor;
};

__device__ inline unsigned long long moment() {
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    noted_warps(__grid_constant__ JobParameters const p, BlockNote* const notes, unsigned* const results) {
    unsigned long long const begin = moment();
    for_each_replication(p.size, [&](unsigned long long index) { run_replication<Model, Engine>(p, index, results); });
    __syncthreads();
    if (simt::cuda::thread_rank() == 0) {
        unsigned multiprocessor = 0;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
        notes[simt::cuda::block_rank()] = {begin, moment(), multiprocessor};
    }
}

namespace {

using NotedKernel = void (*)(JobParameters, BlockNote*, unsigned*);
using Notes = std::vector<BlockNote>;

// Of all blocks, how many run on another multiprocessor in the second launch.
double moved(Notes const& first, Notes const& second) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
        count += first[i].multiprocessor != second[i].multiprocessor ? 1 : 0;
    return static_cast<double>(count) / static_cast<double>(first.size());
}

// Of all pairs of consecutive blocks, how many run on consecutive multiprocessors.
double consecutive(Notes const& notes) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < notes.size(); ++i) {
        count += notes[i].multiprocessor == notes[i - 1].multiprocessor + 1 ? 1 : 0;
    }
    return notes.size() < 2 ? 0 : static_cast<double>(count) / static_cast<double>(notes.size() - 1);
}

// Nanoseconds from the end of a block to the begin of the next one on its multiprocessor, the median over blocks that
// began after some block of theirs had ended; negative where there is none.
double replacement(Notes const& notes) {
    std::map<unsigned long long, std::vector<BlockNote>> by_place;
    for (BlockNote const& note : notes)
        by_place[note.multiprocessor].push_back(note);
    std::vector<double> gaps;
    for (auto& [place, blocks] : by_place) {
        std::vector<unsigned long long> ends;
        for (BlockNote const& note : blocks)
            ends.push_back(note.end);
        std::sort(ends.begin(), ends.end());
        for (BlockNote const& note : blocks) {
            auto const after = std::upper_bound(ends.begin(), ends.end(), note.begin);
            if (after != ends.begin())
                gaps.push_back(static_cast<double>(note.begin - *(after - 1)));
        }
    }
    if (gaps.empty())
        return -1;
    std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
    return gaps[gaps.size() / 2];
}

class DispatchCase : public JobCase {
public:
    DispatchCase(NotedKernel kernel, unsigned block, Job const& job)
        : JobCase(job), kernel_(kernel), notes_(blocks(job, block)) {
        shape_.block.x = block;
        shape_.grid.x = static_cast<unsigned>(notes_.size());
    }

    void run(simt::Stream stream) override {
        simt::cuda::launch("noted_warps", kernel_, shape_, stream, parameters(), notes_.data(), JobCase::results());
    }
    using JobCase::results;

    std::vector<simt::KernelAttributes> kernels() const override {
        return {simt::cuda::attributes("noted_warps", kernel_, shape_)};
    }

    // Of a hundred launches one after the other.
    std::map<std::string, double> figures() const override {
        auto& self = const_cast<DispatchCase&>(*this);  // launches again, with the same results
        Notes const first = notes_.to_vector();
        double sum = 0;
        for (int launch = 0; launch < 100; ++launch) {
            self.run({});
            simt::cuda::synchronize({});
            sum += moved(first, notes_.to_vector());
        }
        std::map<std::string, double> all = {{"dispatch_consecutive", consecutive(first)},
                                             {"dispatch_moved", sum / 100},
                                             {"replacement_nanoseconds", replacement(first)}};
        for (std::size_t i = 0; i < std::min<std::size_t>(first.size(), 264); ++i) {
            all["multiprocessor_of_block_" + std::to_string(i)] = static_cast<double>(first[i].multiprocessor);
        }
        return all;
    }

private:
    static std::size_t blocks(Job const& job, unsigned block) {
        std::uint64_t const warps = block / 32;
        return static_cast<std::size_t>(std::max<std::uint64_t>(1, (job.size() + warps - 1) / warps));
    }

    NotedKernel kernel_;
    simt::cuda::Buffer<BlockNote> notes_;
    simt::LaunchShape shape_;
};

}  // namespace

void add_dispatch(bench::Experiment& experiment);

void add_dispatch(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "dispatch", bench::Role::paper, "a warp a replication that notes where and when each block runs (section 2.3)",
        [](Job const& job, bench::Axes const& axes) -> std::unique_ptr<bench::Case> {
            NotedKernel const kernel = with_model_and_engine(
                job.model, job.engine, [&]<class M, class E>() -> NotedKernel { return noted_warps<M, E>; });
            return std::make_unique<DispatchCase>(kernel, block_of(axes, 32), job);
        }));
}

}  // namespace lockstep::replications::cuda
