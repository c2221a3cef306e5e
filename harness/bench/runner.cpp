#include "harness/bench/runner.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <utility>

#include "harness/bench/compile_ahead.hpp"
#include "harness/bench/expected_cache.hpp"
#include "harness/bench/extrapolation.hpp"
#include "harness/bench/failure.hpp"
#include "harness/bench/interrupt.hpp"
#include "harness/bench/measure.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/bench/stopwatch.hpp"
#include "harness/bench/whole_digests.hpp"

namespace lockstep::bench {

namespace {

CaseRecord described(PlannedCase const& planned) {
    CaseRecord record;
    record.name = planned.name;
    record.experiment = planned.experiment->name;
    record.variant = planned.variant->name;
    record.role = to_string(planned.variant->role);
    record.machine = simt::to_string(planned.variant->machine);
    record.reference = worker(*planned.variant, planned.problem.axes).reference;
    record.axes = planned.problem.axes;
    record.seed = planned.problem.seed;
    record.first_unit = planned.problem.first_unit;
    record.units = planned.problem.units;
    record.measured_units = planned.problem.units;
    record.units_total = planned.problem.units;
    record.sweeps = planned.sweeps;
    record.shard = std::to_string(planned.shard.index) + "/" + std::to_string(planned.shard.count);
    record.item = planned.experiment->item;
    record.cache = planned.cache;
    return record;
}

// Shards run concurrently and a file has only one writer, so each shard writes a separate file.
std::string file_name(PlannedCase const& planned) {
    std::string const shard = planned.shard.count > 1 ? ".shard" + label_of(planned.shard) : "";
    return planned.experiment->name + shard + ".json";
}

// Returns the difference between the current output and the verified output with this digest; empty if there is none.
// If the reference covers every unit, that digest is the reference's own, so an exact result with the same digest is
// correct.
std::string since_verified(Case& subject, Variant const& variant, Expected const& expected,
                           std::uint64_t const digest) {
    bool const exact = !variant.compare;
    bool const same = exact && subject.digest() == digest;
    if (same && expected.complete)
        return {};
    std::string const difference = disagreement(subject, variant, expected);
    return difference.empty() && exact && !same ? "the digest is not that of the verified run" : difference;
}

class Lap {
public:
    // Seconds since the last call, or since construction.
    double operator()() {
        Clock::time_point const now = Clock::now();
        return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_ = Clock::now();
};

void finish(CaseRecord& record, Status const status, std::string reason) {
    record.status = status;
    record.reason = std::move(reason);
}

// Returns true if a part of the units takes its share of the time. Where the units share work, a part may do none of
// it. Where the first unit only makes tables for all, the case is timed whole, too.
bool is_proportional(PlannedCase const& planned) {
    std::string const& reference = worker(*planned.variant, planned.problem.axes).reference;
    return !planned.experiment->reference(reference).first_unit_prepares;
}

std::string why_not_verified(Reference const& reference, Problem const& problem) {
    std::string const unable = reference.unsupported_reason(problem);
    return unable.empty() ? unable : "the reference cannot compute this: " + unable;
}

}  // namespace

std::optional<Refusal> why_not_run(PlannedCase const& planned) {
    Variant const& variant = *planned.variant;
    std::string reason = variant.unsupported_reason(planned.problem.axes);
    if (!reason.empty())
        return Refusal{Status::refused, std::move(reason)};
    if (planned.problem.units == 0)
        return Refusal{Status::refused, "there are no units"};
    std::string const& reference = worker(variant, planned.problem.axes).reference;
    if (reference.empty())
        return Refusal{Status::not_verified, "the variant names no reference"};
    std::string unable = why_not_verified(planned.experiment->reference(reference), planned.problem);
    if (!unable.empty())
        return Refusal{Status::not_verified, std::move(unable)};
    return std::nullopt;
}

struct CaseRunner::State {
    RunOptions options;
    ExpectedCache cache;
    WholeDigests digests;
    std::unique_ptr<ClockMonitor> clock_monitor;  // of the GPU; null without NVML
    std::array<std::unique_ptr<Stopwatch>, 3> stopwatches;

    Stopwatch& stopwatch(Machine const machine) {
        auto& entry = stopwatches[static_cast<std::size_t>(machine)];
        if (!entry)
            entry = make_stopwatch(machine);
        return *entry;
    }

    ReferenceBudget budget_of(PlannedCase const& planned) const;
    MeasureOptions measure_options(PlannedCase const& planned, double warm_run_seconds) const;
    // Sets `ran` if the case chooses the variant that does the work.
    void verify_time_verify(PlannedCase const& planned, Variant const*& ran, CaseRecord& record);
    void time(Case& subject, MeasureOptions const& measure_options, PlannedCase const& planned,
              Expected const& expected, std::uint64_t digest, CaseRecord& record);
};

ReferenceBudget CaseRunner::State::budget_of(PlannedCase const& planned) const {
    ReferenceBudget budget = options.budget;
    if (planned.verify_every_unit) {
        budget.seconds = std::numeric_limits<double>::infinity();
        budget.bytes = std::max(budget.bytes, std::size_t{32} << 30);
    }
    return budget;
}

MeasureOptions CaseRunner::State::measure_options(PlannedCase const& planned, double const warm_run_seconds) const {
    bool const on_gpu = planned.variant->machine == Machine::cuda;
    MeasureOptions measure_options;
    measure_options.name = planned.name;
    measure_options.warm_run_seconds = warm_run_seconds;
    measure_options.repetitions = planned.repetitions;
    measure_options.max_seconds = planned.max_seconds;
    measure_options.exact_repetitions = planned.exact_repetitions;
    measure_options.cold = planned.cache == "cold";
    measure_options.check_digest = !planned.variant->compare;
    measure_options.clock_monitor = on_gpu ? clock_monitor.get() : nullptr;
    return measure_options;
}

// Precondition: the case has been verified. Times it, verifies it again, and only then stores the time in the record.
void CaseRunner::State::time(Case& subject, MeasureOptions const& measure_options, PlannedCase const& planned,
                             Expected const& expected, std::uint64_t const digest, CaseRecord& record) {
    Variant const& variant = *planned.variant;
    Lap lap;
    Measurement measurement = measure(subject, stopwatch(variant.machine), measure_options);
    record.phase_seconds.timing = lap();
    std::string const difference = since_verified(subject, variant, expected, digest);
    record.phase_seconds.verification += lap();
    if (!difference.empty())
        return finish(record, Status::disagrees, "after timing: " + difference);
    double const scale = static_cast<double>(record.units) / static_cast<double>(record.measured_units);
    record.extrapolated = record.units != record.measured_units;
    record.time = summarise_times(measurement.seconds, scale);
    record.repetitions = static_cast<int>(measurement.seconds.size());
    record.launches_per_sample = measurement.launches_per_sample;
    record.timer = to_string(measurement.timer);
    record.discarded_samples = measurement.discarded;
    record.noise = noise_of(measurement.seconds);
    record.clock = summarise_clocks(measurement.clocks);
    record.timing_document = std::move(measurement.document);
    finish(record, Status::ok, {});
}

void CaseRunner::State::verify_time_verify(PlannedCase const& planned, Variant const*& ran, CaseRecord& record) {
    Variant const& variant = *planned.variant;
    Stopwatch& watch = stopwatch(variant.machine);
    Lap lap;
    Problem problem = planned.problem;
    problem.repeated = true;
    problem.is_shard = planned.shard.count > 1;
    if (variant.machine == Machine::cpu && is_proportional(planned)) {
        // With a number of repetitions of the user's, digests are compared, and only a whole case has one.
        double const limit = planned.exact_repetitions ? std::max(options.cpu_limit, 10.0) : options.cpu_limit;
        problem.units = affordable_units(variant, problem, watch, limit, options.cpu_target);
        record.measured_units = problem.units;
        record.units_total = problem.units;
    }
    auto const subject = variant.make(problem);
    if (Variant const* const chosen = subject->chosen_variant()) {
        ran = chosen;
        record.reference = chosen->reference;
    }
    record.phase_seconds.preparing = lap();
    if (interrupt_requested())
        throw Interrupted();
    Reference const& reference = planned.experiment->reference(record.reference);
    if (std::string const unable = why_not_verified(reference, problem); !unable.empty())
        return finish(record, Status::not_verified, unable);
    Expected const& expected = cache.get(planned.experiment->name, reference, problem, budget_of(planned));
    record.phase_seconds.reference = lap();
    record.verified_units = expected.units.size();
    if (interrupt_requested())
        throw Interrupted();

    subject->reset();
    watch.synchronize();
    Lap run_lap;
    subject->run(watch.stream());
    watch.synchronize();
    double const run_seconds = run_lap();
    std::string const difference = disagreement(*subject, variant, expected);
    if (!difference.empty())
        return finish(record, Status::disagrees, "before timing: " + difference);
    record.verified = expected.complete ? verified_every_unit : verified_sample;
    std::uint64_t const digest = subject->digest();
    record.phase_seconds.verification = lap();
    if (record.units == record.measured_units)
        record.digest = digest;
    double const scale = static_cast<double>(record.units) / static_cast<double>(record.measured_units);
    Work const work = subject->work();
    record.work = {work.items * scale, work.bytes * scale, work.operations * scale};
    record.kernels = subject->kernels();
    record.metrics = subject->metrics();
    if (variant.machine == Machine::emulator) {
        return finish(record, Status::not_timed, "the emulator verifies; its times have no meaning");
    }
    if (!variant.timed) {
        return finish(record, Status::not_timed, "the variant only counts; its time has no meaning");
    }
    time(*subject, measure_options(planned, run_seconds), planned, expected, digest, record);
}

CaseRunner::CaseRunner(RunOptions const& options) : state_(std::make_unique<State>()) {
    state_->options = options;
    if (options.provenance.gpu)
        state_->clock_monitor = make_clock_monitor(options.provenance.gpu->uuid);
}
CaseRunner::~CaseRunner() = default;

CaseRecord CaseRunner::run(PlannedCase const& planned) {
    CaseRecord record = described(planned);
    Variant const& variant = *planned.variant;
    try {
        if (std::optional<Refusal> refusal = why_not_run(planned)) {
            finish(record, refusal->status, std::move(refusal->reason));
            return record;
        }
        Variant const* ran = &worker(variant, planned.problem.axes);
        state_->verify_time_verify(planned, ran, record);
        if (record.status == Status::ok || record.status == Status::not_timed) {
            std::string difference = state_->digests.add(planned, *ran, record);
            if (!difference.empty())
                finish(record, Status::disagrees, std::move(difference));
        }
    } catch (Interrupted const&) {
        throw;
    } catch (Disagreement const& problem) {
        finish(record, Status::disagrees, problem.what());
    } catch (std::exception const& problem) {
        finish(record, Status::failed, explained(problem));
    }
    if (record.status == Status::disagrees || record.status == Status::failed)
        record.verified.clear();
    if (record.status != Status::ok) {
        record.time.reset();
        record.timing_document.clear();
    }
    return record;
}

std::vector<CaseRecord> CaseRunner::take_changed() { return state_->digests.take_changed(); }

namespace {

// Returns the seconds that this takes.
double compile_code_of(std::vector<PlannedCase const*> const& cases, RunObserver& observer) {
    Lap lap;
    std::vector<Compilation> const compilations = compilations_of(cases);
    if (!compilations.empty()) {
        observer.compiling(compilations.size());
        compile_ahead(compilations, cases.front()->shard);
    }
    return lap();
}

}  // namespace

RunSummary run_cases(std::vector<PlannedCase> const& cases, RunOptions const& options, RunObserver& observer) {
    InterruptScope const scope;
    RunSummary summary;
    std::filesystem::path const folder = options.output / options.provenance.device_slug;
    Limits const limits = read_limits(folder / "limits.json");
    // Opened before the first case runs, so that a file of another schema is rejected immediately and not after an
    // hour.
    std::map<std::string, std::unique_ptr<ResultsFile>> files;
    for (PlannedCase const& planned : cases) {
        auto& file = files[planned.experiment->name];
        if (file)
            continue;
        file = std::make_unique<ResultsFile>(folder / file_name(planned), options.provenance);
        file->set_limits(limits);
        summary.files.push_back(file->path());
    }
    std::vector<PlannedCase const*> wanted;
    for (PlannedCase const& planned : cases) {
        ResultsFile& file = *files.at(planned.experiment->name);
        if (!options.only_missing || !file.has(planned.name, planned.problem.seed, planned.sweeps))
            wanted.push_back(&planned);
    }
    summary.left_out = cases.size() - wanted.size();
    CaseRunner runner(options);
    observer.begun(wanted.size());
    summary.phase_seconds.preparing += compile_code_of(wanted, observer);
    for (PlannedCase const* const next : wanted) {
        PlannedCase const& planned = *next;
        observer.started(planned);
        try {
            if (interrupt_requested())
                throw Interrupted();
            CaseRecord const record = runner.run(planned);
            ResultsFile& file = *files.at(planned.experiment->name);
            file.put(record);
            for (CaseRecord const& changed : runner.take_changed())
                file.put(changed);
            ++summary.finished;
            summary.phase_seconds += record.phase_seconds;
            if (is_failure(record.status))
                ++summary.failures;
            observer.finished(record);
            if (record.status == Status::failed && failure_of(record.reason) == Failure::lost_device) {
                // Every later case would fail and replace the row that it has.
                summary.lost_device = record.name + ": " + record.reason;
                break;
            }
        } catch (Interrupted const&) {
            summary.interrupted = true;
            break;
        }
    }
    for (auto const& [name, file] : files)
        file->flush();
    summary.signal = interrupting_signal();
    summary.interrupted = summary.interrupted || summary.signal != 0;
    return summary;
}

}  // namespace lockstep::bench
