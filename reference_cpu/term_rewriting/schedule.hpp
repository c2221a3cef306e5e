#pragma once
// Counts the rewrites per iteration of innermost rewriting with unlimited processors, without rewriting every term.
// Redexes with equal normal arguments always take the same course. So each distinct redex is evaluated once, and any
// number of equal terms costs as much as one. The counts give Figure 2, the paper's statement on parallelism, and the
// number of iterations that a GPU rewriter needs.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/term_rewriting/language/sharing.hpp"
#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

// When a term that no rule can change counts as normal.
enum class NormalForms {
    known_at_once,     // as soon as its arguments are: the optimum for a data-driven engine
    marked_in_passes,  // one iteration after its arguments (Listing 4, line 11), except that a rule whose
                       // right side is a variable leaves a normal form (Listing 5, line 11)
};

struct Schedule {
    std::uint64_t iterations = 0;             // until the entire term is known to be normal
    std::vector<std::uint64_t> redexes;       // rewritten per iteration, up to the last one with a rewrite
    std::vector<std::uint64_t> applications;  // per rule

    std::uint64_t rewrites() const;
    std::uint64_t max_redexes() const;
};

class Scheduler {
public:
    // Precondition: the system outlives the scheduler. Throws bench::Error if a rule has a condition, because
    // conditions need helper symbols.
    Scheduler(System const& system, NormalForms normal_forms);

    // Adds `copies` copies of an input; all inputs start in the same iteration. Returns the number of iterations until
    // the input is normal. Does not terminate if rewriting does not.
    std::uint64_t add(Terms const& terms, TermId input, std::uint64_t copies = 1);

    // Adds the normal form of the last input to `terms`.
    TermId normal_form(Terms& terms) const;

    // Returns the schedule of all inputs together. Call once.
    Schedule schedule();

private:
    using NodeId = std::uint32_t;

    // A term whose proper subterms are normal. Equal terms share one node.
    struct Node {
        SymbolId symbol;
        std::uint32_t count;
        std::uint64_t first;  // index of its first argument
    };

    // The rewriting of a node.
    struct Course {
        RuleId rule;
        NodeId normal_form;
        std::uint64_t iterations;  // until the normal form
    };

    struct Value {
        NodeId normal_form;
        std::uint64_t iterations;  // until it is known
    };

    static constexpr RuleId unknown = ~RuleId{0};
    static constexpr RuleId no_rule = unknown - 1;

    NodeId node(SymbolId symbol, std::span<NodeId const> arguments);
    std::span<NodeId const> arguments_of(NodeId node) const;
    bool matches(TermId pattern, NodeId node);
    RuleId rule_for(NodeId node);
    void find_course(NodeId redex);
    // Sets `value` to the value of symbol(values) and `redex` to its node. Returns false if the course of that node is
    // unknown.
    bool value_of(SymbolId symbol, std::span<Value const> values, Value& value, NodeId& redex);
    template <class OnRedex>
    bool follow(NodeId redex, OnRedex const& on_redex, Value& value, NodeId& missing);
    void rewritten(std::uint64_t iteration, NodeId redex, std::uint64_t copies);

    System const& system_;
    NormalForms normal_forms_;
    std::vector<std::vector<RuleId>> rules_;
    std::vector<SharedTerms> right_sides_;

    std::vector<Node> nodes_;
    std::vector<NodeId> node_arguments_;
    std::vector<Course> courses_;  // per node
    std::vector<NodeId> table_;    // nodes by hash, open addressing; size a power of two

    // Redexes to rewrite per iteration, with their numbers of copies.
    std::vector<std::vector<std::pair<NodeId, std::uint64_t>>> agenda_;
    std::uint64_t iterations_ = 0;
    NodeId last_ = 0;

    std::vector<NodeId> bound_;
    std::vector<Value> values_;
    std::vector<NodeId> key_;
    std::vector<std::pair<TermId, NodeId>> open_;
};

}  // namespace lockstep::term_rewriting
