#pragma once
// Runs planned cases: verify, time, verify. Writes one row per case as soon as the case is finished.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/plan.hpp"
#include "harness/bench/provenance.hpp"
#include "harness/bench/record.hpp"
#include "harness/bench/verification.hpp"

namespace lockstep::bench {

// Receives the events of a run; the command line uses it to show progress.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    virtual void begun(std::size_t cases) { static_cast<void>(cases); }
    // Before the first case: the code of the cases is compiled on all cores, unless the cache has it.
    virtual void compiling(std::size_t texts) { static_cast<void>(texts); }
    virtual void started(PlannedCase const& planned) { static_cast<void>(planned); }
    virtual void finished(CaseRecord const& record) { static_cast<void>(record); }
};

struct RunOptions {
    std::filesystem::path output;  // the folder that holds <device>/<experiment>.json, or <experiment>.shard0of4.json
    Provenance provenance;
    ReferenceBudget budget;
    double cpu_limit = 0.25;    // seconds: a CPU case above this is measured at fewer units
    double cpu_target = 0.1;    // target seconds of such a case
    bool only_missing = false;  // skip cases that the results already have from this commit
};

struct RunSummary {
    std::size_t finished = 0;
    std::size_t left_out = 0;  // skipped: already in the results
    std::size_t failures = 0;  // failed, disagreeing or unverified cases
    bool interrupted = false;
    std::string lost_device;     // the case and the reason for which the run ended early
    int signal = 0;              // that interrupted the run
    PhaseSeconds phase_seconds;  // of the finished cases
    std::vector<std::filesystem::path> files;
    int exit_code() const { return interrupted ? 128 + signal : failures != 0 ? 1 : 0; }
};

// Why a case does not run.
struct Refusal {
    Status status;
    std::string reason;
};
std::optional<Refusal> why_not_run(PlannedCase const& planned);

// Runs one case. Throws Interrupted; every other exception becomes a status.
class CaseRunner {
public:
    explicit CaseRunner(RunOptions const& options);
    ~CaseRunner();
    CaseRecord run(PlannedCase const& planned);
    // Records of earlier cases that later cases verify: see WholeDigests.
    std::vector<CaseRecord> take_changed();

private:
    struct State;
    std::unique_ptr<State> state_;
};

RunSummary run_cases(std::vector<PlannedCase> const& cases, RunOptions const& options, RunObserver& observer);

}  // namespace lockstep::bench
