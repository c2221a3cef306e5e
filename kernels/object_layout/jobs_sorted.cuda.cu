// Job reordering on the GPU, which the paper leaves to future work: CUB sorts (class tag, index) with a stable radix
// sort, and then the indices of each class move to a multiple of the warp size. CUB needs hardware, so the emulator
// does not have this variant.

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <memory>
#include <numeric>

#include "common/object_layout/job_elements.hpp"
#include "common/object_layout/parameters.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::object_layout::cuda {

// Converts the tags to 16 bits, which halves the key bytes that the sort moves.
__global__ void narrow_tags(unsigned const* const tags, unsigned size, unsigned short* const narrow) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) {
        narrow[i] = static_cast<unsigned short>(tags[i]);
    }
}

// Finds the start and end of each class among the sorted tags. Classes without elements keep 0, 0.
__global__ void find_classes(unsigned short const* const sorted, unsigned size, unsigned* const begins,
                             unsigned* const ends) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) {
        return;
    }
    unsigned const tag = sorted[i];
    if (i == 0 || sorted[i - 1] != tag) {
        begins[tag] = i;
    }
    if (i + 1 == size || sorted[i + 1] != tag) {
        ends[tag] = i + 1;
    }
}

__global__ void pad_counts(unsigned const* const begins, unsigned const* const ends, unsigned types,
                           unsigned* const padded) {
    unsigned const type = blockIdx.x * blockDim.x + threadIdx.x;
    if (type < types) {
        padded[type] = simt::round_up(ends[type] - begins[type], 32u);
    }
}

__global__ void place_jobs(unsigned short const* const sorted, unsigned const* const indices, unsigned size,
                           unsigned const* const begins, unsigned const* const starts, unsigned* const jobs) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) {
        unsigned const tag = sorted[i];
        jobs[starts[tag] + (i - begins[tag])] = indices[i];
    }
}

// Writes no_job to the padding of each class, with a warp per class.
__global__ void place_no_jobs(unsigned const* const begins, unsigned const* const ends, unsigned types,
                              unsigned const* const starts, unsigned* const jobs) {
    unsigned const type = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (type < types) {
        unsigned const count = ends[type] - begins[type];
        unsigned const position = count / 32 * 32 + threadIdx.x % 32;
        if (count % 32 != 0 && position >= count) {
            jobs[starts[type] + position] = no_job;
        }
    }
}

namespace {

template <class T>
using Buffer = simt::cuda::Buffer<T>;

class SortedJobs : public bench::Case {
public:
    explicit SortedJobs(bench::Problem const& problem)
        : Case(problem),
          tags_(element_tags(problem)),
          size_(static_cast<unsigned>(tags_.size())),
          types_(static_cast<unsigned>(problem.axes.integer("types"))),
          bits_(std::max(1, static_cast<int>(std::bit_width(types_ - 1)))),
          job_count_(padded_jobs(tags_, types_, 32)),
          device_tags_(size_),
          narrow_(size_),
          sorted_(size_),
          indices_(size_),
          sorted_indices_(size_),
          classes_(3 * std::size_t{types_}),
          starts_(types_),
          jobs_(job_count_) {
        device_tags_.upload(tags_);
        std::vector<unsigned> indices(size_);
        std::iota(indices.begin(), indices.end(), 0u);
        indices_.upload(indices);
        std::size_t sort_bytes = 0;
        std::size_t scan_bytes = 0;
        simt::cuda::check(sort(nullptr, sort_bytes, nullptr), "cub::DeviceRadixSort");
        simt::cuda::check(scan(nullptr, scan_bytes, nullptr), "cub::DeviceScan");
        temporary_bytes_ = std::max(sort_bytes, scan_bytes);
        temporary_ = Buffer<unsigned char>(temporary_bytes_);
    }

    void reset() override {
        jobs_.fill_bytes(0xA5);
        positions_.clear();
    }

    void run(simt::Stream stream) override {
        if (size_ == 0)
            return;
        cudaStream_t const on = static_cast<cudaStream_t>(stream.handle);
        unsigned* const begins = classes_.data();
        unsigned* const ends = begins + types_;
        simt::cuda::launch("narrow_tags", narrow_tags, shape(size_), stream, device_tags_.data(), size_,
                           narrow_.data());
        std::size_t bytes = temporary_bytes_;
        simt::cuda::check(sort(temporary_.data(), bytes, on), "cub::DeviceRadixSort");
        simt::cuda::check(cudaMemsetAsync(begins, 0, 2 * sizeof(unsigned) * types_, on), "cudaMemsetAsync");
        simt::cuda::launch("find_classes", find_classes, shape(size_), stream, sorted_.data(), size_, begins, ends);
        simt::cuda::launch("pad_counts", pad_counts, shape(types_), stream, begins, ends, types_, ends + types_);
        bytes = temporary_bytes_;
        simt::cuda::check(scan(temporary_.data(), bytes, on), "cub::DeviceScan");
        simt::cuda::launch("place_jobs", place_jobs, shape(size_), stream, sorted_.data(), sorted_indices_.data(),
                           size_, begins, starts_.data(), jobs_.data());
        simt::cuda::launch("place_no_jobs", place_no_jobs, shape(32ull * types_), stream, begins, ends, types_,
                           starts_.data(), jobs_.data());
    }

    // Folds the positions of each unit's elements. Throws if a job is not the index of an element.
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        if (positions_.empty())
            find_positions();
        std::vector<bench::UnitResult> found;
        for (std::uint64_t const unit : units)
            found.push_back(folded_positions(positions_, unit));
        return found;
    }
    bench::Work work() const override {
        double const elements = size_;
        return {elements, 8 * elements, elements};
    }
    bench::Metrics metrics() const override { return {{"no_job_lanes", static_cast<double>(job_count_) - size_}}; }

private:
    static simt::LaunchShape shape(unsigned long long lanes) {
        return {.grid = {static_cast<unsigned>(simt::ceil_div(lanes, 256u))}, .block = {256}};
    }
    cudaError_t sort(void* temporary, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceRadixSort::SortPairs(temporary, bytes, narrow_.data(), sorted_.data(), indices_.data(),
                                               sorted_indices_.data(), size_, 0, bits_, stream);
    }
    cudaError_t scan(void* temporary, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceScan::ExclusiveSum(temporary, bytes, classes_.data() + 2 * std::size_t{types_},
                                             starts_.data(), static_cast<int>(types_), stream);
    }
    void find_positions() {
        std::vector<unsigned> const jobs = jobs_.to_vector();
        positions_.assign(size_, no_job);
        for (std::size_t position = 0; position < jobs.size(); ++position) {
            if (jobs[position] == no_job)
                continue;
            if (jobs[position] >= size_)
                throw simt::Error("the job array has an invalid index (position " + std::to_string(position) + ")");
            positions_[jobs[position]] = static_cast<unsigned>(position);
        }
    }

    std::vector<unsigned> tags_;
    unsigned size_;
    unsigned types_;
    int bits_;
    std::size_t job_count_;
    Buffer<unsigned> device_tags_;
    Buffer<unsigned short> narrow_, sorted_;
    Buffer<unsigned> indices_, sorted_indices_;
    Buffer<unsigned> classes_;  // begins, ends, padded counts
    Buffer<unsigned> starts_;
    Buffer<unsigned> jobs_;
    Buffer<unsigned char> temporary_;
    std::size_t temporary_bytes_ = 0;
    std::vector<unsigned> positions_;
};

}  // namespace

void add_jobs_sorted(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cuda::make_variant(
        "jobs_sorted", bench::Role::ours, "job_places",
        "Algorithm 1 on the GPU: CUB's stable radix sort of the class tags",
        [](bench::Problem const& problem) {
            positions_of_unit(problem, 0);
            return std::make_unique<SortedJobs>(problem);
        },
        jobs_unsupported_reason));
}

}  // namespace lockstep::object_layout::cuda
