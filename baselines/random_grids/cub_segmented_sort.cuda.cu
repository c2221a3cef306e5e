// What a user of a library writes: a random key for each site, CUB's segmented sort with a segment a board, the sites
// of the k smallest keys occupied (reference_cpu/random_grids/random_keys.hpp). For the GPU alone, since CUB is.
//
// Bytes a board: 8 a site written, sorted (read and written in several passes) and read back. Words: two a site.

#include <cub/device/device_segmented_sort.cuh>

#include "common/random_grids/grid_case.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/ceil_div.hpp"
#include "reference_cpu/random_grids/random_keys.hpp"

namespace lockstep::random_grids::cuda {

namespace {

constexpr std::uint64_t max_keys = std::uint64_t{1} << 28;
constexpr unsigned block = 256;

unsigned blocks_for(std::uint64_t threads) { return static_cast<unsigned>(simt::ceil_div(threads, block)); }

}  // namespace

// Segment s = stream * length + board holds one key a site.
template <class Engine>
__global__ void draw_keys(__grid_constant__ GridParameters const p, unsigned long long* const keys,
                          unsigned* const ends) {
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    unsigned const sites = p.width * p.height;
    Engine engine = Engine::stream(p.seed, p.first_unit + stream, 0);
    for (unsigned board = 0; board < p.length; ++board) {
        unsigned long long const segment = stream * p.length + board;
        for (unsigned site = 0; site < sites; ++site)
            keys[segment * sites + site] = random_key(engine, site);
        ends[segment + 1] = static_cast<unsigned>((segment + 1) * sites);
        if (segment == 0)
            ends[0] = 0;
    }
}

// A thread for each site of each board: those of the k smallest keys set their bit.
__global__ void occupy(__grid_constant__ GridParameters const p, unsigned long long const* const keys,
                       unsigned* const results) {
    unsigned const sites = p.width * p.height;
    unsigned long long const index = global_thread();
    unsigned long long const segment = index / sites;
    if (segment >= p.streams * p.length)
        return;
    Occupied const occupied_sites(p, p.first_unit + segment / p.length);
    if (index % sites >= occupied_sites(p, static_cast<unsigned>(segment % p.length), 0))
        return;
    unsigned const site = site_of(keys[index]);
    unsigned const column = site % p.width;
    unsigned const word = site / p.width * p.words_per_row + column / 32;
    atomicOr(&results[segment * p.height * p.words_per_row + word], 1u << column % 32);
}

namespace {

class SegmentedSortCase : public bench::cuda::StoredCase {
public:
    explicit SegmentedSortCase(bench::Problem const& problem)
        : StoredCase(problem, read_workload(problem.axes).words_per_unit(1)),
          workload_(read_workload(problem.axes)),
          parameters_(grid_parameters(problem, workload_)),
          segments_(problem.units * workload_.length),
          keys_(segments_ * workload_.shape.sites()),
          sorted_(keys_.size()),
          ends_(segments_ + 1),
          scratch_(scratch_bytes()) {}

    void run(simt::Stream stream) override {
        if (segments_ == 0)
            return;
        auto const queue = static_cast<cudaStream_t>(stream.handle);
        with_engine(workload_.engine, [&]<class Engine>() {
            draw_keys<Engine>
                <<<blocks_for(parameters_.streams), block, 0, queue>>>(parameters_, keys_.data(), ends_.data());
        });
        std::size_t bytes = scratch_.size();
        check(sort(scratch_.data(), bytes, queue), "cub::DeviceSegmentedSort::SortKeys");
        check(cudaMemsetAsync(output().data(), 0, output().bytes(), queue), "cudaMemsetAsync");
        occupy<<<blocks_for(keys_.size()), block, 0, queue>>>(parameters_, sorted_.data(), output().data());
        check(cudaGetLastError(), "launch of random keys and segmented sort");
    }

    bench::Work work() const override {
        bench::Work work = work_of(workload_, parameters_.streams, 1, Method::random_keys);
        work.bytes += 4.0 * sizeof(unsigned long long) * static_cast<double>(keys_.size());
        return work;
    }

private:
    cudaError_t sort(void* scratch, std::size_t& bytes, cudaStream_t queue) {
        return cub::DeviceSegmentedSort::SortKeys(scratch, bytes, keys_.data(), sorted_.data(),
                                                  static_cast<int>(keys_.size()), static_cast<int>(segments_),
                                                  ends_.data(), ends_.data() + 1, queue);
    }

    std::size_t scratch_bytes() {
        std::size_t bytes = 1;
        if (segments_ != 0)
            check(sort(nullptr, bytes, nullptr), "cub::DeviceSegmentedSort::SortKeys");
        return bytes;
    }

    Workload workload_;
    GridParameters parameters_;
    std::uint64_t segments_;
    simt::cuda::Buffer<unsigned long long> keys_;
    simt::cuda::Buffer<unsigned long long> sorted_;
    simt::cuda::Buffer<unsigned> ends_;
    simt::cuda::Buffer<unsigned char> scratch_;
};

std::string why_not_sorted(bench::Axes const& axes) {
    Workload const workload = read_workload(axes);
    if (workload.planes() > 1)
        return "it draws one colour";
    if (workload.output == Output::folded)
        return "it stores its sets";
    std::uint64_t const boards = static_cast<std::uint64_t>(axes.integer("streams")) * workload.length;
    return boards > max_keys / workload.shape.sites() ? "its keys are 16 bytes a site, and at most 2^28 sites" : "";
}

}  // namespace

void add_cub_segmented_sort(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cuda::make_variant(
        "cub_segmented_sort", bench::Role::baseline, "random_keys",
        "random keys, CUB's segmented sort, the k smallest occupied: what a library's user writes",
        [](bench::Problem const& problem) { return std::make_unique<SegmentedSortCase>(problem); }, why_not_sorted));
}

}  // namespace lockstep::random_grids::cuda
