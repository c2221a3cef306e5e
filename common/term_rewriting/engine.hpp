#pragma once
// What rewrites a term: the interface that the command, the tests and the experiment see, and the list of engines,
// which experiments/term_rewriting/engines.cpp defines. An engine for another machine is one more entry in that list.

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "common/term_rewriting/language/print.hpp"
#include "common/term_rewriting/language/system.hpp"
#include "harness/bench/metric.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::term_rewriting {

struct Limits {
    std::uint64_t rewrites = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t memory = std::uint64_t{16} << 30;  // bytes, of terms and stacks
    double seconds = std::numeric_limits<double>::infinity();
    std::stop_token stop;  // once it is requested the run ends, soon, and has no result
};

enum class End { finished, too_many_rewrites, out_of_memory, out_of_time, stopped };

struct Outcome {
    End end = End::finished;
    std::vector<std::uint64_t> applications;  // of each rule, those inside conditions too
    double seconds = 0;                       // from the loaded input to its normal form
    double processor_seconds = 0;             // of all cores, in that time
    std::uint64_t memory = 0;                 // bytes held at the end, or at the most where the engine knows
    std::optional<std::uint64_t> iterations;  // of engines that work in passes
    std::optional<std::uint64_t> max_redexes;

    std::uint64_t rewrites() const;
};

// Rewrites innermost, with the rules in the order of the text. Every engine gives the same normal form and, where it
// finishes, the same number of applications of each rule. An engine that passes a limit says so, and its applications
// are those counted so far.
class Engine {
public:
    virtual ~Engine() = default;
    // Brings the input into the engine's own memory. Equal subterms of an input are not merged. Never timed.
    virtual void load(Terms const& terms, TermId input) = 0;
    // Does what only the first run within these limits would do, such as take memory, so that no run is timed with it.
    // Optional, after load().
    virtual void make_ready(Limits const& limits) { static_cast<void>(limits); }
    // From the loaded input, as often as it is called.
    virtual Outcome run(Limits const& limits) = 0;
    // True if a run destroys the loaded input. prepare() then restores it before a timed run; a run without prepare()
    // restores it itself.
    virtual bool consumes_input() const { return false; }
    virtual void prepare() {}
    // Adds the normal form that the last run found to `terms`, shared where the engine's term was. At most once per
    // run, and only after a run that finished.
    virtual TermId normal_form(Terms& terms) = 0;
    // Its digest_of(). Called in place of normal_form(), which this default calls.
    virtual std::uint64_t normal_form_digest() {
        Terms terms;
        TermId const term = normal_form(terms);
        return digest_of(terms, term);
    }
    // Who found it, where several engines may have; else empty.
    virtual std::string found_by() const { return {}; }
    // Of the last run, for the rows of the experiment.
    virtual bench::Metrics metrics() const { return {}; }
    // The text of the normal form, in pieces. Called in place of normal_form(), which this default calls: an engine
    // whose memory the CPU can read need not make the terms again.
    virtual void write_normal_form(PrintStyle const& style, Write const& write) {
        Terms terms;
        TermId const term = normal_form(terms);
        print_term(terms, term, style, write);
    }
};

struct EngineKind {
    std::string name;
    simt::Machine machine;
    std::string description;
    // The system outlives the engine.
    std::function<std::unique_ptr<Engine>(System const&)> make;
};

// All engines of this build. Those that `--engine auto` prefers come first.
std::vector<EngineKind> const& engine_kinds();

// The fastest engine of the CPU: generated C++ on all cores but `spare_cores`, or the oracle where there is no C++
// compiler.
std::unique_ptr<Engine> make_cpu_engine(System const& system, unsigned spare_cores);

// The engine that the user named, "auto" being any. Throws bench::Error where there is none.
std::unique_ptr<Engine> make_engine(System const& system, std::string const& engine, std::string const& machine,
                                    std::string* chosen = nullptr);

}  // namespace lockstep::term_rewriting
