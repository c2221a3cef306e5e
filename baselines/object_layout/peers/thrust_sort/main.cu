// Job arrays (Algorithm 1) as a user writes them with Thrust: `thrust_sort ELEMENTS TYPES`. A stable sort by class tag,
// the bounds of each class by binary search, a scan of the padded counts, and a scatter. Temporary memory comes from a
// cache, so that cudaMalloc is outside the time.

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <map>
#include <random>

#include "baselines/peers/device_samples.hpp"

namespace {

using namespace lockstep::peers;

constexpr unsigned no_job = 0xffffffffu;

// Keeps freed blocks and gives them to later requests of the same size.
class CachingAllocator {
public:
    using value_type = char;

    char* allocate(std::ptrdiff_t bytes) {
        auto const found = free_.find(bytes);
        char* memory = nullptr;
        if (found != free_.end()) {
            memory = found->second;
            free_.erase(found);
        } else {
            check(cudaMalloc(&memory, static_cast<std::size_t>(bytes)), "cudaMalloc");
        }
        used_[memory] = bytes;
        return memory;
    }
    void deallocate(char* memory, std::size_t) {
        free_.emplace(used_.at(memory), memory);
        used_.erase(memory);
    }

private:
    std::multimap<std::ptrdiff_t, char*> free_;
    std::map<char*, std::ptrdiff_t> used_;
};

struct PaddedCount {
    __host__ __device__ unsigned operator()(unsigned begin, unsigned end) const { return (end - begin + 31) / 32 * 32; }
};

struct Place {
    unsigned const *keys, *indices, *begins, *starts;
    unsigned* jobs;

    __device__ void operator()(unsigned i) const {
        unsigned const tag = keys[i];
        jobs[starts[tag] + (i - begins[tag])] = indices[i];
    }
};

struct Jobs {
    Jobs(std::vector<unsigned> const& host_tags, unsigned class_count)
        : tags(host_tags.begin(), host_tags.end()),
          keys(tags.size()),
          indices(tags.size()),
          begins(class_count),
          ends(class_count),
          starts(class_count),
          jobs(tags.size() + 31 * class_count),
          types(class_count) {}

    void build(CachingAllocator& memory) {
        auto const on = thrust::cuda::par_nosync(memory);
        thrust::counting_iterator<unsigned> const zero(0);
        thrust::copy(on, tags.begin(), tags.end(), keys.begin());
        thrust::sequence(on, indices.begin(), indices.end());
        thrust::stable_sort_by_key(on, keys.begin(), keys.end(), indices.begin());
        thrust::lower_bound(on, keys.begin(), keys.end(), zero, zero + types, begins.begin());
        thrust::upper_bound(on, keys.begin(), keys.end(), zero, zero + types, ends.begin());
        thrust::transform(on, begins.begin(), begins.end(), ends.begin(), starts.begin(), PaddedCount());
        thrust::exclusive_scan(on, starts.begin(), starts.end(), starts.begin());
        thrust::fill(on, jobs.begin(), jobs.end(), no_job);
        thrust::for_each_n(on, zero, static_cast<unsigned>(tags.size()),
                           Place{pointer(keys), pointer(indices), pointer(begins), pointer(starts), pointer(jobs)});
    }

    static unsigned* pointer(thrust::device_vector<unsigned>& vector) {
        return thrust::raw_pointer_cast(vector.data());
    }

    thrust::device_vector<unsigned> tags, keys, indices, begins, ends, starts, jobs;
    unsigned types;
};

// The job array by counting, on one thread. Entries behind it hold no_job.
std::vector<unsigned> expected_jobs(std::vector<unsigned> const& tags, unsigned types, std::size_t size) {
    std::vector<std::size_t> next(types + 1);
    for (unsigned const tag : tags)
        ++next[tag + 1];
    for (unsigned type = 0; type < types; ++type)
        next[type + 1] = next[type] + (next[type + 1] + 31) / 32 * 32;
    std::vector<unsigned> jobs(size, no_job);
    for (std::size_t i = 0; i < tags.size(); ++i)
        jobs[next[tags[i]]++] = static_cast<unsigned>(i);
    return jobs;
}

}  // namespace

int main(int count, char** arguments) {
    return guarded([&] {
        require(count == 3, "usage: thrust_sort ELEMENTS TYPES");
        print_version("Thrust", THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION, THRUST_SUBMINOR_VERSION);
        unsigned const types = static_cast<unsigned>(std::stoul(arguments[2]));
        std::vector<unsigned> tags(std::stoul(arguments[1]));
        std::mt19937 engine(1);
        std::uniform_int_distribution<unsigned> uniform(0, types - 1);
        for (unsigned& tag : tags)
            tag = uniform(engine);
        Jobs job_array(tags, types);
        CachingAllocator memory;
        EventTimer const timer;
        print_samples([&] { return timer([&] { job_array.build(memory); }); }, 10);
        std::vector<unsigned> found(job_array.jobs.size());
        thrust::copy(job_array.jobs.begin(), job_array.jobs.end(), found.begin());
        require(found == expected_jobs(tags, types, found.size()), "the job array differs from Algorithm 1");
        std::printf("check every entry of the job array\n");
    });
}
