#pragma once
// Generates the rules of a system as steps of a lane. Every defined symbol is a program counter, and so is every point
// where a call's value is awaited. A step matches with the decision trees of the CPU's compiler, makes the nodes that
// the next calls need, writes the frame and sets the next program counter.

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/term_rewriting/compiler/decision_tree.hpp"
#include "harness/jit/code_writer.hpp"
#include "kernels/term_rewriting/fast/call_graph.hpp"
#include "kernels/term_rewriting/fast/independent.hpp"
#include "kernels/term_rewriting/fast/plan.hpp"
#include "kernels/term_rewriting/fast/program.hpp"
#include "kernels/term_rewriting/fast/rule_terms.hpp"
#include "kernels/term_rewriting/fast/walk.hpp"

namespace lockstep::term_rewriting::fast {

// A right side, or the two sides of a condition, with its plan and its program counters.
struct Body {
    Plan plan;
    std::vector<unsigned> awaiting;  // program counter of each segment except the first
    std::optional<unsigned> counter;
    unsigned after = 0;             // for a condition: the program counter that receives the result of the comparison
    std::optional<Walk> walk = {};  // if given, the plan is not used
};

// The calls that other lanes can take while a step waits.
struct Group {
    unsigned join = 0;            // top word of the frame once all calls have their values
    unsigned slot = 0;            // for the value of the call that the lane evaluates itself
    std::vector<unsigned> calls;  // the later calls, encoded as in Program

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
    // Returns the number of registers that hold the arguments.
    unsigned passed(SymbolId symbol) const { return boxed(symbol) ? 1 : program_.symbols[symbol].arity; }

    // Returns the program counter at which a lane that has the symbol's arguments enters a state of the symbol's
    // matcher, at the condition with that number.
    unsigned entry(SymbolId symbol, compiled::StateId state, std::size_t condition);
    // A symbol beyond those of the system is a part of a right side (independent.hpp).
    unsigned entry_of(SymbolId symbol) {
        return is_part(symbol) ? parts_[symbol - matchers_.size()] : entry(symbol, matchers_[symbol].start, 0);
    }
    unsigned new_pc(unsigned terms, unsigned registers);
    Body const& right_side(RuleId rule);
    Body const& condition(SymbolId symbol, compiled::StateId id, std::size_t number);

    // Returns true, and records it, if the step `from`, which ends at the entry of `symbol`, also does that entry's
    // step in the same turn.
    bool joins(unsigned from, unsigned entry, SymbolId symbol);
    // The same for the step `awaiting`, which receives the value of such an entry.
    bool joins_return(unsigned from, unsigned awaiting);

private:
    struct Entry {
        SymbolId symbol;
        compiled::StateId state;
        std::size_t condition;
    };

    void add_step(unsigned pc, std::string const& comment, std::string const& text);
    std::string constants_text(std::size_t counters) const;
    std::string program_text(std::string const& constants) const;
    bool has_two_recursions(SymbolId symbol, PlanTerms const& terms);
    using Joined = std::map<unsigned, std::vector<unsigned>>;
    bool reaches(unsigned from, unsigned to) const;
    unsigned longest(Joined const& joined, unsigned from) const;
    void forget_joins(unsigned from);
    bool is_part(SymbolId symbol) const { return symbol >= matchers_.size(); }
    SymbolId add_part(Part part, std::string const& comment);
    void add_segments(Body& body, std::string const& comment);
    void add_walk(Walk& walk, SymbolId symbol, std::string const& comment);
    Group group_after(Body const& body, unsigned segment);

    System const& system_;
    Options options_;
    std::vector<compiled::Matcher> matchers_;
    Program program_;
    RuleTerms terms_;
    unsigned longest_frame_ = 0;
    jit::CodeWriter steps_;
    jit::CodeWriter cases_{3};
    std::vector<unsigned> parts_;  // program counters of parts
    std::map<std::tuple<SymbolId, compiled::StateId, std::size_t>, unsigned> entries_;
    std::vector<std::pair<unsigned, Entry>> unwritten_;
    std::map<std::tuple<std::string, unsigned, Group>, unsigned> shared_steps_;
    CallGraph calls_;
    Joined joined_;     // per step: the entries that are part of it
    Joined joined_by_;  // per entry: the steps that it is part of
    std::map<RuleId, Body> right_sides_;
    std::map<std::pair<RuleId, std::size_t>, Body> conditions_;
};

}  // namespace lockstep::term_rewriting::fast
