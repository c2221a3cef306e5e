#pragma once
// A machine with the compiled rules of a file: its memory, and what it does with states in that memory.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/rule_interpreter/rule_file/arguments.hpp"
#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "experiments/rule_interpreter/adaptive_choice.hpp"
#include "experiments/rule_interpreter/rule_file_geometry.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::rule_interpreter::rule_file {

// What a run tells about itself. The CPU has nothing to tell.
struct RunReport {
    std::optional<Geometry> geometry;  // the one that was kept
    unsigned trials = 0;
    Counted counted;
};

class Runner {
public:
    Runner() = default;
    Runner(Runner const&) = delete;
    Runner& operator=(Runner const&) = delete;
    virtual ~Runner() = default;

    virtual std::string variant() const = 0;
    virtual simt::Machine machine() const = 0;
    // True for the specification: every column needs memory for waiting stores, and the values of a state have writers.
    virtual bool defers_all() const { return false; }

    virtual std::uint64_t free_memory() const = 0;
    virtual void* allocate(std::uint64_t bytes) = 0;  // null if there is not enough
    virtual void release(void* memory) noexcept = 0;
    virtual void upload(void* to, void const* from, std::uint64_t bytes) = 0;
    virtual void download(void* to, void const* from, std::uint64_t bytes) = 0;
    virtual void copy(void* to, void const* from, std::uint64_t bytes) = 0;
    virtual void clear(void* to, std::uint64_t bytes) = 0;

    // Compiles what run() needs for these states beyond what every job needs.
    virtual void prepare(Arguments const&) {}

    // Sets column a.column of all states in a.initialised, applies all rules in all passes, and sets a.digests. They
    // return when that is done.
    virtual void initialise(Arguments const& a) = 0;
    virtual RunReport run(Arguments const& a) = 0;
    virtual void digest(Arguments const& a) = 0;
};

struct KernelOptions {
    KernelChoice kernels = KernelChoice::either;
    std::optional<Geometry> geometry = {};  // instead of the planned one
    Clock clock = {};                       // of trials; without one, the emulator makes none
};

// Compile the rules, and throw bench::Error with the line of the file if that fails.
std::unique_ptr<Runner> make_kernel_runner(RuleFile const& file, simt::Machine machine, KernelOptions const& options);
// `is_checked`: --check is given.
std::unique_ptr<Runner> make_cpu_runner(RuleFile const& file, bool sequential, bool is_checked);

}  // namespace lockstep::rule_interpreter::rule_file
