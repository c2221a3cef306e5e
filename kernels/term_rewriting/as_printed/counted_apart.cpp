#include "kernels/term_rewriting/as_printed/counted_apart.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/bench/measure.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

constexpr std::size_t digest_words = 2;  // at the front of a result (unit_result())

bool same_normal_form(bench::UnitResult const& a, bench::UnitResult const& b) {
    return a.size() >= digest_words && b.size() >= digest_words &&
           std::equal(a.begin(), a.begin() + digest_words, b.begin());
}

bool is_count_of_redexes(std::string const& metric) {
    return metric == "rewrites" || metric == "max_redexes" || metric.rfind("pass_redexes_", 0) == 0;
}

class CountedApart : public bench::Case {
public:
    CountedApart(bench::Problem const& problem, MakeCase const& counted, MakeCase const& timed) : Case(problem) {
        count(*counted());
        timed_ = timed();
    }

    void reset() override { timed_->reset(); }
    void run(simt::Stream stream) override { timed_->run(stream); }

    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        std::vector<bench::UnitResult> results = timed_->results(units);
        check_passes();
        for (bench::UnitResult& result : results) {
            if (same_normal_form(result, counted_))
                result = counted_;
        }
        return results;
    }

    bench::Work work() const override { return work_; }
    std::vector<simt::KernelAttributes> kernels() const override { return timed_->kernels(); }
    bool repeatable() const override { return timed_->repeatable(); }
    bool is_host_driven() const override { return timed_->is_host_driven(); }

    bench::Metrics metrics() const override {
        bench::Metrics metrics = timed_->metrics();
        for (auto const& [name, value] : metrics_) {
            if (is_count_of_redexes(name))
                metrics.insert_or_assign(name, value);
        }
        return metrics;
    }

private:
    // The workload is one unit.
    void count(bench::Case& counted) {
        counted.reset();
        counted.run({});
        std::uint64_t const unit = problem().first_unit;
        counted_ = counted.results(std::span(&unit, 1)).at(0);
        work_ = counted.work();
        metrics_ = counted.metrics();
    }

    void check_passes() const {
        bench::Metrics const metrics = timed_->metrics();
        auto const made = static_cast<std::uint64_t>(metrics.at("iterations").value);
        auto const expected = static_cast<std::uint64_t>(metrics_.at("iterations").value);
        if (made != expected)
            throw bench::Disagreement("the program without counts makes " + std::to_string(made) +
                                      " passes and the program with counts " + std::to_string(expected));
    }

    std::unique_ptr<bench::Case> timed_;
    bench::UnitResult counted_;
    bench::Work work_;
    bench::Metrics metrics_;
};

}  // namespace

std::unique_ptr<bench::Case> make_case_counted_apart(bench::Problem const& problem, MakeCase const& counted,
                                                     MakeCase const& timed) {
    return std::make_unique<CountedApart>(problem, counted, timed);
}

}  // namespace lockstep::term_rewriting::as_printed
