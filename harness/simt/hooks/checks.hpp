#pragma once
// Checks of a program whose kernels are compiled with the options of target lockstep::simt_hooks (-fsanitize=thread, at
// compile time only) and which is linked with that target in place of ThreadSanitizer's runtime.
//
//   hooks::Checks checks;                 // from here on launches are checked, on one CPU thread
//   launch(...);
//   for (auto const& report : checks.reports()) std::puts(report.text().c_str());
//
// A report is made once per kind and pair of lines. What would end the program (null, unmapped or freed memory,
// division by zero, a stack that is full) stops the launch, which throws simt::Error with the report's text. After all
// other reports the launch goes on.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/hooks/counters.hpp"
#include "harness/simt/hooks/memory.hpp"

namespace lockstep::simt::hooks {

enum class Problem {
    race,
    unset_memory,
    out_of_bounds,
    not_device_memory,  // a host pointer
    null_pointer,
    freed_memory,
    constant_written,
    division_by_zero,
    stack_overflow,
    bad_address,
    insufficient_scope,     // of an atomic between blocks; with emulator::Options::weak_memory
    device_memory_on_host,  // with Settings::host_accesses
};

// Where an instruction comes from. The line is 0 if the program has no debug information (-g).
struct Place {
    std::string function;
    std::string file;
    unsigned line = 0;

    friend bool operator==(Place const&, Place const&) = default;
};

struct LanePlace {
    emulator::Index block;
    emulator::Index thread;
    unsigned warp = 0;
    unsigned lane = 0;
    Place at;
};

struct Report {
    Problem problem;
    std::string what;    // problem (why)
    std::string kernel;  // empty for the host's code, only `where.at` is known
    LanePlace where;
    bool has_other = false;
    LanePlace other;  // of a race: the earlier access

    // One line: what, kernel, block, thread, warp, lane, file:line.
    std::string text() const;
};

struct Settings {
    bool memory = true;  // unset, bounds, host pointers, null, freed
    bool races = true;
    bool counters = false;
    bool host_accesses = false;                      // those of instrumented host code to device memory are reported
    std::size_t max_reports = 100;                   // further ones are dropped
    std::function<void(Report const&)> on_report{};  // called at once, on the CPU thread of the launch
};

class Checker;
class TypeAlignments;

// At most one exists at a time. Created and destroyed between launches.
class Checks {
public:
    explicit Checks(Settings settings = {});
    ~Checks();
    Checks(Checks const&) = delete;
    Checks& operator=(Checks const&) = delete;

    std::vector<Report> const& reports() const;
    // Counters of all launches so far (Settings::counters).
    Counters counters() const;
    // With accesses of global memory joined where the structs' alignments allow it.
    Counters counters(TypeAlignments const& alignments) const;

private:
    std::unique_ptr<Checker> checker_;
};

}  // namespace lockstep::simt::hooks
