#include "reference_cpu/replications/cpu_case.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "common/replications/statistics.hpp"
#include "harness/bench/cpu_clones.hpp"
#include "harness/bench/stored_case.hpp"
#include "harness/threads/pool.hpp"
#include "reference_cpu/replications/models.hpp"
#include "reference_cpu/replications/streams.hpp"

namespace lockstep::replications {

namespace {

class CpuCase : public bench::cpu::StoredCase {
public:
    CpuCase(Job const& job, unsigned threads)
        : StoredCase({{}, job.seed, job.first_replication, job.size()}, words_per_result(job.model)),
          job_(job),
          threads_(threads == 0 ? threads::shared_pool().width() : threads) {}

    void reset() override {
        StoredCase::reset();
        if (threads_ > 1)
            threads::shared_pool().rouse();
    }

    void run(simt::Stream) override {
        std::uint64_t const replications = job_.size();
        std::atomic<std::uint64_t> next = 0;
        auto const work = [&] {
            for (std::uint64_t i = next++; i < replications; i = next++)
                store(i, run_replication(job_, i));
        };
        threads::shared_pool().run(std::min<std::uint64_t>(threads_, replications), [&](std::size_t) { work(); });
    }

    bench::Work work() const override { return work_of(job_); }
    bench::Metrics metrics() const override {
        std::vector<std::uint64_t> units;
        for (std::uint64_t i = 0; i < job_.size(); ++i)
            units.push_back(job_.first_replication + i);
        return statistics_of(job_, output().results(units));
    }

private:
    Job job_;
    std::size_t threads_;
};

}  // namespace

LOCKSTEP_CPU_CLONES bench::UnitResult run_replication(Job const& job, std::uint64_t index) {
    std::uint64_t const point = index / job.replications;
    return with_stream(job.engine, job.seed, job.first_replication + index % job.replications,
                       static_cast<unsigned>(point),
                       [&](auto& stream) { return run_model(job.model, job.points[point], stream); });
}

std::unique_ptr<bench::Case> make_cpu_case(Job const& job, unsigned threads) {
    return std::make_unique<CpuCase>(job, threads);
}

}  // namespace lockstep::replications
