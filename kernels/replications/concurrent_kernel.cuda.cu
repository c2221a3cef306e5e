// A second kernel that runs at the same time as ours (section 6.2). The paper attributes the steps in its curves to
// such kernels: it states that the device reserves resources for them.

#include <algorithm>
#include <set>

#include "harness/simt/cuda/streaming.hpp"
#include "harness/simt/devices.hpp"
#include "kernels/replications/block_trace_case.hpp"

namespace lockstep::replications::cuda {

namespace {

using bench::Metric;

// Runs our kernel, and a second kernel that is queued on another stream immediately after it and has one block of one
// warp per multiprocessor. The reported time is that of our kernel alone.
class ConcurrentCase : public BlockTraceCase {
public:
    ConcurrentCase(TracedKernel kernel, unsigned block, Job const& job, unsigned multiprocessors)
        : BlockTraceCase(kernel, block, job), second_(kernel, 32, second_job(job, multiprocessors)) {}

    bench::Metrics metrics() const override {
        auto& self = const_cast<ConcurrentCase&>(*this);  // launches again, with the same results
        double const alone = duration(trace());
        simt::cuda::OwnStream const first_stream;
        simt::cuda::OwnStream const second_stream;
        self.run(first_stream.get());
        self.second_.run(second_stream.get());
        simt::cuda::synchronize(first_stream.get());
        simt::cuda::synchronize(second_stream.get());
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
                {"concurrent_over_alone", Metric::varying(together / alone)}};
    }

private:
    static Job second_job(Job job, unsigned multiprocessors) {
        job.replications = multiprocessors;
        return job;
    }

    BlockTraceCase second_;
};

unsigned multiprocessors_here() {
    return std::max(1u, static_cast<unsigned>(simt::current_device_info().multiprocessors));
}

}  // namespace

void add_concurrent_kernel(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "concurrent_kernel", bench::Role::paper, "a warp per replication while a second kernel runs (section 6.2)",
        [](Job const& job, bench::Axes const& axes) -> std::unique_ptr<bench::Case> {
            return std::make_unique<ConcurrentCase>(traced_kernel_of(job), block_of(axes, 32), job,
                                                    multiprocessors_here());
        }));
}

}  // namespace lockstep::replications::cuda
