// Where and when blocks run (section 2.3): one warp per replication, and each block records its multiprocessor and its
// first and last moment. `beside` keeps a second kernel beside ours, which the paper's steps are explained by: the
// device is said to save resources for one.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/cuda/check.hpp"
#include "harness/simt/devices.hpp"
#include "kernels/replications/block_trace_case.hpp"

namespace lockstep::replications::cuda {

namespace {

using bench::Metric;

// Of all blocks, how many run on another multiprocessor in the second launch.
double moved(BlockTrace const& first, BlockTrace const& second) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
        count += first[i].multiprocessor != second[i].multiprocessor ? 1 : 0;
    return static_cast<double>(count) / static_cast<double>(first.size());
}

// Of all pairs of consecutive blocks, how many run on consecutive multiprocessors.
double consecutive(BlockTrace const& trace) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < trace.size(); ++i) {
        count += trace[i].multiprocessor == trace[i - 1].multiprocessor + 1 ? 1 : 0;
    }
    return trace.size() < 2 ? 0 : static_cast<double>(count) / static_cast<double>(trace.size() - 1);
}

// Nanoseconds from the end of a block to the begin of the next one on its multiprocessor, the median over blocks that
// began after some block of theirs had ended; negative where there is none.
double replacement(BlockTrace const& trace) {
    std::map<unsigned long long, std::vector<BlockRecord>> by_multiprocessor;
    for (BlockRecord const& record : trace)
        by_multiprocessor[record.multiprocessor].push_back(record);
    std::vector<double> gaps;
    for (auto& [multiprocessor, blocks] : by_multiprocessor) {
        std::vector<unsigned long long> ends;
        for (BlockRecord const& record : blocks)
            ends.push_back(record.end);
        std::sort(ends.begin(), ends.end());
        for (BlockRecord const& record : blocks) {
            auto const after = std::upper_bound(ends.begin(), ends.end(), record.begin);
            if (after != ends.begin())
                gaps.push_back(static_cast<double>(record.begin - *(after - 1)));
        }
    }
    if (gaps.empty())
        return -1;
    std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
    return gaps[gaps.size() / 2];
}

unsigned long long begin_of(BlockTrace const& trace) {
    unsigned long long first = ~0ull;
    for (BlockRecord const& record : trace)
        first = std::min(first, record.begin);
    return first;
}

double duration(BlockTrace const& trace) {
    unsigned long long last = 0;
    for (BlockRecord const& record : trace)
        last = std::max(last, record.end);
    return static_cast<double>(last - begin_of(trace));
}

class DispatchCase : public BlockTraceCase {
public:
    using BlockTraceCase::BlockTraceCase;

    // Of a hundred launches one after the other.
    bench::Metrics metrics() const override {
        auto& self = const_cast<DispatchCase&>(*this);  // launches again, with the same results
        BlockTrace const first = trace();
        double sum = 0;
        for (int launch = 0; launch < 100; ++launch) {
            self.run({});
            simt::cuda::synchronize({});
            sum += moved(first, trace());
        }
        bench::Metrics all = {{"dispatch_consecutive", Metric::varying(consecutive(first))},
                              {"dispatch_moved", Metric::varying(sum / 100)},
                              {"replacement_nanoseconds", Metric::varying(replacement(first))}};
        for (std::size_t i = 0; i < std::min<std::size_t>(first.size(), 264); ++i) {
            all["multiprocessor_of_block_" + std::to_string(i)] =
                Metric::varying(static_cast<double>(first[i].multiprocessor));
        }
        add_moments(all, first);
        return all;
    }

private:
    // When blocks begin and end, of at most 264 of them, in nanoseconds from the first begin on.
    static void add_moments(bench::Metrics& all, BlockTrace const& trace) {
        unsigned long long const start = begin_of(trace);
        std::size_t const each = simt::ceil_div(trace.size(), 264u);
        for (std::size_t i = 0; i < trace.size(); i += each) {
            all["begin_of_block_" + std::to_string(i)] = Metric::varying(static_cast<double>(trace[i].begin - start));
            all["end_of_block_" + std::to_string(i)] = Metric::varying(static_cast<double>(trace[i].end - start));
        }
    }
};

// Our kernel, and a second of one one-warp block a multiprocessor that is queued on another stream right behind it.
// The time is that of our kernel alone.
class BesideCase : public BlockTraceCase {
public:
    BesideCase(TracedKernel kernel, unsigned block, Job const& job, unsigned multiprocessors)
        : BlockTraceCase(kernel, block, job), second_(kernel, 32, second_job(job, multiprocessors)) {}

    bench::Metrics metrics() const override {
        auto& self = const_cast<BesideCase&>(*this);  // launches again, with the same results
        double const alone = duration(trace());
        Streams const streams;
        self.run(streams.first());
        self.second_.run(streams.second());
        simt::cuda::synchronize(streams.first());
        simt::cuda::synchronize(streams.second());
        BlockTrace const ours = trace();
        BlockTrace const theirs = second_.trace();
        double const together = duration(ours);
        unsigned long long const start = begin_of(ours);
        double const first = static_cast<double>(begin_of(theirs)) - static_cast<double>(start);
        double mean = 0;
        for (BlockRecord const& record : theirs)
            mean +=
                (static_cast<double>(record.begin) - static_cast<double>(start)) / static_cast<double>(theirs.size());
        std::set<unsigned long long> used;
        for (BlockRecord const& record : ours)
            used.insert(record.multiprocessor);
        return {{"multiprocessors_used", Metric::varying(static_cast<double>(used.size()))},
                {"second_begins_share", Metric::varying(first / together)},
                {"second_mean_begin_share", Metric::varying(mean / together)},
                {"beside_over_alone", Metric::varying(together / alone)}};
    }

private:
    class Streams {
    public:
        Streams() {
            for (cudaStream_t& stream : streams_)
                simt::cuda::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                                  "cudaStreamCreateWithFlags");
        }
        ~Streams() {
            for (cudaStream_t const stream : streams_)
                cudaStreamDestroy(stream);
        }
        Streams(Streams const&) = delete;
        Streams& operator=(Streams const&) = delete;
        simt::Stream first() const { return {streams_[0]}; }
        simt::Stream second() const { return {streams_[1]}; }

    private:
        cudaStream_t streams_[2] = {};
    };

    static Job second_job(Job job, unsigned multiprocessors) {
        job.replications = multiprocessors;
        return job;
    }

    BlockTraceCase second_;
};

TracedKernel kernel_of(Job const& job) {
    return with_model_and_engine(job.model, job.engine,
                                 [&]<class M, class E>() -> TracedKernel { return noted_warps<M, E>; });
}

unsigned multiprocessors_here() {
    simt::DeviceList const list = simt::cuda_devices();
    return list.devices.empty() ? 1 : static_cast<unsigned>(list.devices.front().multiprocessors);
}

}  // namespace

void add_dispatch(bench::Experiment& experiment);

void add_dispatch(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "dispatch", bench::Role::paper, "a warp a replication that notes where and when each block runs (section 2.3)",
        [](Job const& job, bench::Axes const& axes) -> std::unique_ptr<bench::Case> {
            return std::make_unique<DispatchCase>(kernel_of(job), block_of(axes, 32), job);
        }));
    experiment.variants.push_back(job_variant(
        "beside", bench::Role::paper, "a warp a replication with a second kernel beside it (section 6.2)",
        [](Job const& job, bench::Axes const& axes) -> std::unique_ptr<bench::Case> {
            return std::make_unique<BesideCase>(kernel_of(job), block_of(axes, 32), job, multiprocessors_here());
        }));
}

}  // namespace lockstep::replications::cuda
