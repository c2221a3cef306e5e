#pragma once
// Rules as steps of a lane. A defined symbol is a program counter, so is every place where a call's value is awaited. A
// step matches by the decision trees of the CPU's compiler, makes the nodes that the next calls need, writes the frame
// and names the next program counter.

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/term_rewriting/compiler/decision_tree.hpp"
#include "harness/jit/code_writer.hpp"
#include "kernels/term_rewriting/fast/plan.hpp"
#include "kernels/term_rewriting/fast/program.hpp"
#include "kernels/term_rewriting/fast/rule_terms.hpp"

namespace lockstep::term_rewriting::fast {

// A right side, or the sides of a condition, with what is known of it.
struct Body {
    Plan plan;
    std::vector<unsigned> awaiting;  // program counter of each segment but the first
    std::optional<unsigned> counter;
    unsigned after = 0;  // of a condition: the program counter that has the comparison's value
};

// What others can take while a step waits: where the frame goes on once all have their values, the slot of the call
// under way, and the later calls as Program has them.
struct Group {
    unsigned join = 0;
    unsigned slot = 0;
    std::vector<unsigned> calls;

    auto operator<=>(Group const&) const = default;
};

class Generator {
public:
    Generator(System const& system, Options const& options);

    Program run();

    System const& system() const { return system_; }
    Options const& options() const { return options_; }
    compiled::Matcher const& matcher(SymbolId symbol) const { return matchers_[symbol]; }
    bool boxed(SymbolId symbol) const { return program_.symbols[symbol].boxed != 0; }
    // Registers that hold the arguments.
    unsigned passed(SymbolId symbol) const { return boxed(symbol) ? 1 : program_.symbols[symbol].arity; }

    // Where a lane goes with the symbol's arguments: to a state of its matcher, there to the condition of that number.
    unsigned entry(SymbolId symbol, compiled::StateId state, std::size_t condition);
    unsigned entry_of(SymbolId symbol) { return entry(symbol, matchers_[symbol].start, 0); }
    unsigned new_pc(unsigned terms, unsigned registers);
    Body const& right_side(RuleId rule);
    Body const& condition(SymbolId symbol, compiled::StateId id, std::size_t number);

    // Whether the step `from`, which ends at the entry of `symbol`, does that entry's step in the same turn.
    bool joins(unsigned from, unsigned entry, SymbolId symbol);

private:
    struct Entry {
        SymbolId symbol;
        compiled::StateId state;
        std::size_t condition;
    };

    void add_step(unsigned pc, std::string const& comment, std::string const& text);
    std::string program_text(std::size_t counters) const;
    void find_callers();
    bool comes_back(SymbolId from, SymbolId to);
    bool has_two_recursions(SymbolId symbol, PlanTerms const& terms);
    using Joined = std::map<unsigned, std::vector<unsigned>>;
    bool reaches(unsigned from, unsigned to) const;
    unsigned longest(Joined const& joined, unsigned from) const;
    void forget_joins(unsigned from);
    void add_segments(Body& body, std::string const& comment);
    Group group_after(Body const& body, unsigned segment);

    System const& system_;
    Options options_;
    std::vector<compiled::Matcher> matchers_;
    Program program_;
    RuleTerms terms_;
    unsigned longest_frame_ = 0;
    jit::CodeWriter steps_;
    jit::CodeWriter cases_{3};
    std::map<std::tuple<SymbolId, compiled::StateId, std::size_t>, unsigned> entries_;
    std::vector<std::pair<unsigned, Entry>> unwritten_;
    std::map<std::tuple<std::string, unsigned, Group>, unsigned> shared_steps_;
    std::vector<std::vector<SymbolId>> callers_;            // of each symbol but itself, once a call
    std::map<SymbolId, std::vector<bool>> reachable_from_;  // per symbol: which symbols can call it, directly or not
    Joined joined_;                                         // the entries that are part of a step
    Joined joined_by_;                                      // the steps that an entry is part of
    std::map<RuleId, Body> right_sides_;
    std::map<std::pair<RuleId, std::size_t>, Body> conditions_;
};

}  // namespace lockstep::term_rewriting::fast
