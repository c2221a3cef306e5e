// Where and when blocks run (section 2.3): a warp per replication, where each block records its multiprocessor and its
// start and end times.

#include <algorithm>
#include <map>
#include <vector>

#include "harness/simt/ceil_div.hpp"
#include "kernels/replications/block_trace_case.hpp"

namespace lockstep::replications::cuda {

namespace {

using bench::Metric;

// Share of blocks that run on a different multiprocessor in the second launch.
double moved(BlockTrace const& first, BlockTrace const& second) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
        count += first[i].multiprocessor != second[i].multiprocessor ? 1 : 0;
    return static_cast<double>(count) / static_cast<double>(first.size());
}

// Share of pairs of consecutive blocks that run on consecutive multiprocessors.
double consecutive(BlockTrace const& trace) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < trace.size(); ++i) {
        count += trace[i].multiprocessor == trace[i - 1].multiprocessor + 1 ? 1 : 0;
    }
    return trace.size() < 2 ? 0 : static_cast<double>(count) / static_cast<double>(trace.size() - 1);
}

// Median time, in nanoseconds, from the end of a block to the start of the next one on the same multiprocessor, over
// the blocks that began after another block of their multiprocessor had ended. Negative if there are none.
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

class DispatchCase : public BlockTraceCase {
public:
    using BlockTraceCase::BlockTraceCase;

    // Metrics of the measured launch; dispatch_moved is the mean over a hundred further launches.
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
    // The start and end times of at most 264 blocks, in nanoseconds since the first start.
    static void add_moments(bench::Metrics& all, BlockTrace const& trace) {
        unsigned long long const start = begin_of(trace);
        std::size_t const each = simt::ceil_div(trace.size(), 264u);
        for (std::size_t i = 0; i < trace.size(); i += each) {
            all["begin_of_block_" + std::to_string(i)] = Metric::varying(static_cast<double>(trace[i].begin - start));
            all["end_of_block_" + std::to_string(i)] = Metric::varying(static_cast<double>(trace[i].end - start));
        }
    }
};

}  // namespace

void add_dispatch(bench::Experiment& experiment) {
    experiment.variants.push_back(
        job_variant("dispatch", bench::Role::paper,
                    "a warp per replication, recording where and when each block runs (section 2.3)",
                    [](Job const& job, bench::Axes const& axes) -> std::unique_ptr<bench::Case> {
                        return std::make_unique<DispatchCase>(traced_kernel_of(job), block_of(axes, 32), job);
                    }));
}

}  // namespace lockstep::replications::cuda
