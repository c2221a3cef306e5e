#pragma once
// The vocabulary of an experiment: axes, problems, cases, variants and references. Knows no paper.
// CONTRIBUTING.md, "Units, variants, sweeps, verification, timing", states the rules.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/metric.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::bench {

using simt::Machine;

// The role of a variant in the comparison.
enum class Role { reference, contender, baseline, paper, ours };

std::string_view to_string(Role role);

// One axis of an experiment, in the user's words (`occupied`, `grid`, `draws` ...).
struct Axis {
    enum class Kind { integer, real, text };
    std::string name;
    Kind kind = Kind::integer;
    std::string default_value;
    std::string description;
    double minimum = 0;                // integer and real axes
    double maximum = 1e18;             // inclusive
    std::vector<std::string> allowed;  // text axes; if empty, the experiment's `check` decides
};

// One value per axis, as the user wrote it. Getters throw bench::Error for an unknown axis or a value that does not
// parse.
class Axes {
public:
    void set(std::string const& name, std::string value) { values_[name] = std::move(value); }
    bool has(std::string const& name) const { return values_.count(name) != 0; }
    std::string const& text(std::string const& name) const;
    std::int64_t integer(std::string const& name) const;
    double real(std::string const& name) const;
    std::map<std::string, std::string> const& values() const { return values_; }
    friend bool operator==(Axes const&, Axes const&) = default;

private:
    std::map<std::string, std::string> values_;
};

// The input of a case: an axis tuple, a seed, and the units [first_unit, first_unit + units). A shard is a sub-range.
// The result of a unit depends only on (seed, unit) and the axes.
struct Problem {
    Axes axes;
    std::uint64_t seed = 0;
    std::uint64_t first_unit = 0;
    std::uint64_t units = 0;
    // True if the case will run many times, which repays a choice by measurement (fastest_case.hpp).
    bool repeated = false;
    // True if the units are a shard of a larger problem. All shards must then choose alike where the results depend on
    // the choice.
    bool is_shard = false;
};

// The result of one unit of work, as 32-bit words. Real results are stored as bit patterns.
using UnitResult = std::vector<std::uint32_t>;

// The work of one run of a case, for rates and for the ratio to the device's limits.
struct Work {
    double items = 0;       // of the experiment's item (grids, rewrites, ...)
    double bytes = 0;       // lower bound of the bytes read and written in device memory
    double operations = 0;  // of the limiting kind, which the experiment names
};

struct Variant;

// One variant on one machine with one problem, including its memory. Order of calls: the constructor allocates and
// uploads; then for each sample reset() (poison outputs, restore consumed inputs; not timed), run() (timed), and
// results() or digest().
class Case {
public:
    virtual ~Case() = default;
    virtual void reset() = 0;
    virtual void run(simt::Stream stream) = 0;
    // Results of the named units (absolute numbers), in that order. The stream is idle.
    virtual std::vector<UnitResult> results(std::span<std::uint64_t const> units) = 0;
    // Sum over all units of unit_digest(unit, result). Sums commute, so digests of shards add up.
    virtual std::uint64_t digest();
    virtual Work work() const = 0;
    virtual std::vector<simt::KernelAttributes> kernels() const { return {}; }
    // True if run() may be called again without reset(), so that a sample can consist of several short launches.
    virtual bool repeatable() const { return true; }
    // True if the host takes part in run(): it waits, copies, or starts work on streams of its own. Events on the
    // stopwatch's stream do not see all of such a run, so the steady clock times it.
    virtual bool is_host_driven() const { return false; }
    // Metrics of the last run (steps, words consumed ...), stored in the case's row.
    virtual Metrics metrics() const { return {}; }
    // The variant that does the work and names the reference, if a measurement chose it for this case
    // (choosing_variant.hpp). Null: the variant that made this case, or the one that `Variant::chosen` returns.
    virtual Variant const* chosen_variant() const { return nullptr; }

protected:
    explicit Case(Problem const& problem) : problem_(problem) {}
    Problem const& problem() const { return problem_; }

private:
    Problem problem_;
};

// hash(unit, result): 64 bits, the same function as the device digest in harness/bench/digest.hpp.
std::uint64_t unit_digest(std::uint64_t unit, std::span<std::uint32_t const> result);

// The executable specification of a family of variants: the result of one unit, on one thread.
struct Reference {
    std::string name;
    std::function<UnitResult(Problem const&, std::uint64_t unit)> unit;
    // Returns an empty string if the reference can compute the expected results, else the reason why not (for example,
    // a unit would take an hour). Such a case is "not verified" and gets no time.
    std::function<std::string(Problem const&)> unsupported_reason = [](Problem const&) { return std::string(); };
    // Axes on which its results do not depend. Results are computed once for all values of these axes.
    std::vector<std::string> ignored_axes = {};
    // Units u with equal u / units_per_group are computed together: each costs as much as the whole group, unless a
    // thread asks for the units of a group one after another.
    std::uint64_t units_per_group = 1;
    // The first unit also does work that all units share, such as the simulation of all objects.
    bool first_unit_prepares = false;
};

// Compares a unit with its reference. Returns an empty string if they agree, else the difference. If unset, the words
// must be equal.
using Compare = std::function<std::string(UnitResult const& expected, UnitResult const& actual)>;

// Code that a case compiles when it is made, unless a cache has it.
struct Compilation {
    std::string text;           // compilations of the same text are one
    std::function<void()> run;  // makes the cache have the code; any thread may call it
};

struct Variant {
    std::string name;
    Role role = Role::paper;
    Machine machine = Machine::cpu;
    std::string reference;    // name of its Reference; empty: not verified, never timed
    bool timed = true;        // false: the variant only counts, and its time has no meaning
    std::string description;  // one line that cites the paper's section or slide
    std::string source = {};  // stem of the file that adds it; variants of another file are written independently
    std::function<std::unique_ptr<Case>(Problem const&)> make;
    // Returns an empty string if the variant supports these axes, else the reason why not ("48x48 needs ...").
    std::function<std::string(Axes const&)> unsupported_reason = [](Axes const&) { return std::string(); };
    Compare compare;
    // The code that make() compiles if it takes seconds, so that a run of many cases compiles it on all cores first. A
    // variant that chooses another one has none.
    std::function<std::vector<Compilation>(Problem const&)> compilations = {};
    // Set in a variant that only chooses another one (choosing_variant.hpp): returns the one that it takes without
    // trials. Then `reference` is empty.
    std::function<Variant const&(Axes const&)> chosen = {};
};

// The variant that does the work and names the reference, the chosen one or `variant` itself, unless trials choose
// another one (Case::chosen_variant).
inline Variant const& worker(Variant const& variant, Axes const& axes) {
    return variant.chosen ? variant.chosen(axes) : variant;
}

struct Experiment {
    std::string name;
    std::string title;
    std::string paper;  // full citation
    std::string unit;   // what one unit of work is
    std::string item;   // what a rate counts: "grids"
    std::vector<Axis> axes;
    std::function<std::uint64_t(Axes const&)> units;              // units of an axis tuple
    std::function<void(Axes const&)> check = [](Axes const&) {};  // throws bench::Error for meaningless tuples
    std::vector<Reference> references;
    std::vector<Variant> variants;

    Reference const& reference(std::string const& name) const;  // throws bench::Error
};

}  // namespace lockstep::bench
