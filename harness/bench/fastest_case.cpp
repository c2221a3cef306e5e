#include "harness/bench/fastest_case.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/bench/failure.hpp"
#include "harness/bench/forwarding_case.hpp"
#include "harness/bench/measure.hpp"
#include "harness/stats/summary.hpp"

namespace lockstep::bench {

namespace {

constexpr double max_loading_seconds = 2;  // of a kernel, with a wide margin
constexpr double gain = 0.99;              // of the best time so far, below which another candidate replaces it
constexpr SampleRule few_samples = {.minimum = 6, .maximum = 20, .noise = 0.003, .seconds = 0.005};

double seconds_of_first_run(Case& subject, Stopwatch& stopwatch) {
    subject.reset();
    stopwatch.synchronize();
    return stopwatch.host_seconds([&] { subject.run(stopwatch.stream()); }, 1, Stopwatch::End::idle);
}

double median_seconds(Case& subject, Stopwatch& stopwatch) {
    MeasureOptions options;
    options.name = "trial";
    options.samples = few_samples;
    options.check_digest = false;
    return stats::summarize(measure(subject, stopwatch, options).seconds).median;
}

// A case that a clock chose. Another run may choose another candidate, whose metrics differ.
class ChosenCase : public ForwardingCase {
public:
    explicit ChosenCase(std::unique_ptr<Case> chosen) : ForwardingCase(std::move(chosen)) {}

    Metrics metrics() const override {
        Metrics metrics = ForwardingCase::metrics();
        for (auto& [name, metric] : metrics)
            metric = Metric::varying(metric.value);
        return metrics;
    }
};

// A first run includes what the first use of a kernel costs, so a long one is repeated, unless it is too long for that.
bool is_short(Case& subject, Stopwatch& stopwatch, double const max_run_seconds) {
    double const first = seconds_of_first_run(subject, stopwatch);
    return first < max_run_seconds ||
           (first < max_loading_seconds && seconds_of_first_run(subject, stopwatch) < max_run_seconds);
}

// A candidate whose run takes longer by the host's clock, which includes the launch, is not timed.
double hopeless_seconds(double const best_seconds, double const max_run_seconds) {
    constexpr double launch_seconds = 100e-6;
    return std::min(max_run_seconds, 2 * best_seconds + launch_seconds);
}

struct Trial {
    std::unique_ptr<Case> subject;  // null: too slow, or no memory for it beside the best one so far
    double seconds = 0;
};

Trial try_beside_another(CaseMaker const& make, Stopwatch& stopwatch, double const max_run_seconds) {
    try {
        std::unique_ptr<Case> subject = make();
        if (!is_short(*subject, stopwatch, max_run_seconds))
            return {};
        double const seconds = median_seconds(*subject, stopwatch);
        return {std::move(subject), seconds};
    } catch (std::exception const& error) {
        if (failure_of(error.what()) != Failure::memory)
            throw;
        return {};
    }
}

}  // namespace

std::unique_ptr<Case> fastest_case(Stopwatch& stopwatch, std::span<CaseMaker const> const candidates,
                                   double const max_run_seconds) {
    if (candidates.empty())
        throw std::logic_error("fastest_case() has no candidate");
    std::unique_ptr<Case> best = candidates.front()();
    if (candidates.size() == 1)
        return best;
    // The clock also decides whether there are trials.
    if (!is_short(*best, stopwatch, max_run_seconds))
        return std::make_unique<ChosenCase>(std::move(best));
    double best_seconds = median_seconds(*best, stopwatch);
    for (CaseMaker const& make : candidates.subspan(1)) {
        Trial trial = try_beside_another(make, stopwatch, hopeless_seconds(best_seconds, max_run_seconds));
        if (trial.subject != nullptr && trial.seconds < gain * best_seconds) {
            best = std::move(trial.subject);
            best_seconds = trial.seconds;
        }
    }
    return std::make_unique<ChosenCase>(std::move(best));
}

std::unique_ptr<Case> fastest_case(Problem const& problem, Machine const machine,
                                   std::span<CaseMaker const> const candidates, double const max_run_seconds) {
    if (candidates.empty())
        throw std::logic_error("fastest_case() has no candidate");
    if (!problem.repeated || machine != Machine::cuda || candidates.size() == 1)
        return candidates.front()();
    return fastest_case(*make_stopwatch(machine), candidates, max_run_seconds);
}

}  // namespace lockstep::bench
