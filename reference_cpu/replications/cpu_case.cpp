#include "reference_cpu/replications/cpu_case.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "common/replications/statistics.hpp"
#include "harness/bench/stored_output.hpp"
#include "reference_cpu/replications/models.hpp"
#include "reference_cpu/replications/streams.hpp"

namespace lockstep::replications {

namespace {

bench::Problem problem_of(Job const& job) { return {{}, job.seed, job.first_replication, job.size()}; }

class CpuCase : public bench::Case {
public:
    CpuCase(Job const& job, unsigned threads)
        : Case(problem_of(job)),
          job_(job),
          threads_(threads == 0 ? std::max(1u, std::thread::hardware_concurrency()) : threads),
          output_(problem(), words_per_result(job.model)) {}

    void reset() override { output_.poison(); }

    void run(simt::Stream) override {
        std::uint64_t const replications = job_.size();
        std::atomic<std::uint64_t> next = 0;
        auto const work = [&] {
            for (std::uint64_t i = next++; i < replications; i = next++) {
                bench::UnitResult const result = run_replication(job_, i);
                std::copy(result.begin(), result.end(), output_.data() + i * result.size());
            }
        };
        std::vector<std::jthread> helpers;
        for (std::uint64_t i = 1; i < std::min<std::uint64_t>(threads_, replications); ++i)
            helpers.emplace_back(work);
        work();
    }

    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return output_.results(units);
    }
    std::uint64_t digest() override { return output_.digest(); }
    bench::Work work() const override { return work_of(job_); }
    bench::Metrics metrics() const override {
        std::vector<std::uint64_t> units;
        for (std::uint64_t i = 0; i < job_.size(); ++i)
            units.push_back(job_.first_replication + i);
        return statistics_of(job_, output_.results(units));
    }

private:
    Job job_;
    unsigned threads_;
    bench::cpu::StoredOutput output_;
};

}  // namespace

bench::UnitResult run_replication(Job const& job, std::uint64_t index) {
    std::uint64_t const point = index / job.replications;
    return with_stream(job.engine, job.seed, job.first_replication + index % job.replications,
                       static_cast<unsigned>(point),
                       [&](auto& stream) { return run_model(job.model, job.points[point], stream); });
}

std::unique_ptr<bench::Case> make_cpu_case(Job const& job, unsigned threads) {
    return std::make_unique<CpuCase>(job, threads);
}

}  // namespace lockstep::replications
