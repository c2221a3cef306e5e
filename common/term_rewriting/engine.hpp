#pragma once
// The interface of an engine, which rewrites a term, for the command, the tests and the experiment; and the list of
// engines, which experiments/term_rewriting/engines.cpp defines. To add an engine, add an entry to that list.

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
    std::uint64_t memory = std::uint64_t{16} << 30;  // bytes for terms and stacks
    double seconds = std::numeric_limits<double>::infinity();
    std::stop_token stop;  // after a stop request the run ends soon, without a result
    // A run that ends by a stop request may return before its threads have stopped, without counts.
    bool stops_in_background = false;
    // Once one of these rules has been applied, the run may end as stopped. The oracle ends at once, generated C++
    // soon, the other engines go on.
    std::vector<RuleId> stop_after;
    // Called by an engine for which calls_watch() is true, by the thread that called run(), while that thread waits: 10
    // to 20 us after the start, then after twice that time and so on, down to every 5 ms. peak_waiting() then includes
    // what waits at that moment. Must not throw.
    std::function<void()> watch;
};

enum class End { finished, too_many_rewrites, out_of_memory, out_of_time, stopped };

struct Outcome {
    End end = End::finished;
    std::vector<std::uint64_t> applications;   // per rule, including those inside conditions
    double seconds = 0;                        // from the loaded input to the normal form
    std::uint64_t memory = 0;                  // bytes in use at the peak if the engine knows it, else at the end
    std::optional<std::uint64_t> collections;  // of memory, if the engine counts them
    std::optional<std::uint64_t> iterations;   // of engines that work in passes
    std::optional<std::uint64_t> max_redexes;

    std::uint64_t rewrites() const;
};

// Rewrites innermost, with the rules in the order of the text. Every engine that finishes returns the same normal form
// and the same number of applications of each rule. An engine that exceeds a limit reports it, with the applications
// counted so far.
class Engine {
public:
    virtual ~Engine() = default;
    // Brings the input into the engine's own memory. Equal subterms of an input are not merged. Never timed.
    virtual void load(Terms const& terms, TermId input) = 0;
    // Does the one-time work for these limits, such as allocating memory, so that no timed run includes it. Optional;
    // called after load().
    virtual void make_ready(Limits const& limits) { static_cast<void>(limits); }
    // Rewrites the loaded input. Can be called repeatedly.
    virtual Outcome run(Limits const& limits) = 0;
    // Returns true if a run destroys the loaded input. prepare() then restores it before a timed run; a run without
    // prepare() restores it itself. An engine with threads also wakes them in prepare(), which is called right before
    // the clock starts.
    virtual bool consumes_input() const { return false; }
    virtual void prepare() {}
    // Adds the normal form of the last run to `terms`, with the sharing of the engine's term. Precondition: the run
    // finished. Call at most once per run.
    virtual TermId normal_form(Terms& terms) = 0;
    // Returns digest_of() the normal form. Called instead of normal_form(); this default calls normal_form().
    virtual std::uint64_t normal_form_digest() {
        Terms terms;
        TermId const term = normal_form(terms);
        return digest_of(terms, term);
    }
    // Returns the name of the engine that found the normal form if there are several candidates; else an empty string.
    virtual std::string found_by() const { return {}; }
    // Returns the largest number of subterms of this run so far that could be rewritten and that no worker had begun,
    // or nothing if the engine does not know. Any thread may call this during a run.
    virtual std::optional<std::size_t> peak_waiting() const { return std::nullopt; }
    // Returns how many terms of the loaded input the engine can rewrite at the same time from the start on, as far as
    // it knows.
    virtual std::size_t independent_terms() const { return 1; }
    // Returns true if run() calls Limits::watch.
    virtual bool calls_watch() const { return false; }
    // Returns the metrics of the last run, for the rows of the experiment.
    virtual bench::Metrics metrics() const { return {}; }
    // Returns true while threads of a run that has returned have not stopped yet. The result does not need them. The
    // next load(), prepare() or run() and the destructor wait for them.
    virtual bool is_busy() { return false; }
    // Writes the text of the normal form in pieces. Called instead of normal_form(); this default calls normal_form().
    // An engine whose memory the CPU can read overrides it, to avoid a copy of the terms.
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
    // Precondition: the system outlives the engine.
    std::function<std::unique_ptr<Engine>(System const&)> make;
};

// All engines of this build, in the order in which `--engine auto` prefers them.
std::vector<EngineKind> const& engine_kinds();

// Makes the fastest CPU engine: generated C++ on all cores except `spare_cores`, in a race with generated C++ for one
// core if there are enough. The oracle works until it is compiled, or always if there is no C++ compiler.
std::unique_ptr<Engine> make_cpu_engine(System const& system, unsigned spare_cores);

// Makes the engine that the user names; "auto" allows any. Throws bench::Error if there is none.
std::unique_ptr<Engine> make_engine(System const& system, std::string const& engine, std::string const& machine,
                                    std::string* chosen = nullptr);

}  // namespace lockstep::term_rewriting
