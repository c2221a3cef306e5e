#pragma once
// Applies the rules of a file to states: the library behind `lockstep interpret --rules-file`.
//
//   RuleFile const file = read_rule_file("life.rules");
//   Results const results = run_rules(file, {.states = 100, .passes = 50});
//
// A rule file is compiled and run as code: run only files that you trust.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "experiments/rule_interpreter/adaptive_choice.hpp"
#include "experiments/rule_interpreter/rule_file_geometry.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::rule_interpreter::rule_file {

using Files = std::map<std::string, std::string>;  // a path per column

struct Work {
    simt::Machine machine = simt::Machine::cpu;
    bool sequential = false;   // on the CPU: the specification, on one core, with checked indices
    std::uint64_t states = 0;  // 0: as in the files of columns, else 1
    std::uint64_t seed = 1;
    Settings settings = {};
    Files columns = {};   // read from files; the others have the initial values of the rule file
    Files out = {};       // written at the end
    unsigned passes = 1;  // their number, or the limit on the way to a fixed point
    bool to_fixed_point = false;
    std::uint64_t batch = 0;  // states in memory at a time; 0: as many as fit

    // On a GPU and in the emulator.
    KernelChoice kernels = KernelChoice::either;
    std::optional<Geometry> geometry = {};  // instead of the planned one
    Clock clock = {};                       // of trials; without one, the emulator makes none

    bool is_checked = false;  // the specification has run them before
};

struct Results {
    std::string variant;
    std::uint64_t values = 0;                // of all columns and states
    std::vector<std::uint64_t> digests;      // per state: independent of machine, batch and part
    std::vector<std::uint32_t> last_change;  // per state, on the way to a fixed point: the last pass that changed it
    double setup_seconds = 0;                // of the states, with reading them from files
    double seconds = 0;                      // of the rules, without compiling and without files
    // On a GPU and in the emulator: what the last states kept, after so many trials, and a sample of all instances.
    std::optional<Geometry> geometry;
    unsigned trials = 0;
    Counted counted;
};

// A job whose files are open and whose rules are compiled.
class RuleJob {
public:
    // Throws bench::Error for a mistake in the rule file, the settings or the files.
    RuleJob(RuleFile const& file, Work const& work);
    ~RuleJob();

    std::uint64_t states() const;
    // Runs states first .. first + states - 1. Columns are written to files only if these are all states. Throws
    // bench::Error.
    Results run(std::uint64_t first, std::uint64_t states);

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

Results run_rules(RuleFile const& file, Work const& work);

// The digest of states first, first + 1 ...: digests of parts add up to that of the whole.
std::uint64_t digest_of(std::vector<std::uint64_t> const& digests, std::uint64_t first);

}  // namespace lockstep::rule_interpreter::rule_file
