#pragma once
// What innermost rewriting with no end of processors does in each iteration, counted without rewriting every term:
// whatever is rewritten once from the same normal arguments takes the same course every time, so each distinct redex is
// looked at once, and a multitude of equal terms costs what one costs. Gives Figure 2, the paper's word on parallelism,
// and the iterations that a GPU rewriter must have.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/term_rewriting/language/sharing.hpp"
#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

// When a term that no rule can change counts as normal.
enum class NormalForms {
    known_at_once,     // as soon as its arguments are: the best that an engine driven by data can do
    marked_in_passes,  // in an iteration of its own after its arguments (Listing 4, line 11), except that a rule whose
                       // right side is a variable leaves a normal form (Listing 5, line 11)
};

struct Schedule {
    std::uint64_t iterations = 0;             // until the whole is known to be normal
    std::vector<std::uint64_t> redexes;       // rewritten in each of them, up to the last that rewrites something
    std::vector<std::uint64_t> applications;  // of each rule

    std::uint64_t rewrites() const;
    std::uint64_t max_redexes() const;
};

class Scheduler {
public:
    // The system outlives it. Throws bench::Error where a rule has a condition, which takes helper symbols.
    Scheduler(System const& system, NormalForms normal_forms);

    // One more input, `copies` times, beside what there is: all begin at once. Iterations until it is normal. Does not
    // end where rewriting does not.
    std::uint64_t add(Terms const& terms, TermId input, std::uint64_t copies = 1);

    // Adds the normal form of the last input to `terms`.
    TermId normal_form(Terms& terms) const;

    // Of all inputs together. Only once.
    Schedule schedule();

private:
    using NodeId = std::uint32_t;

    // A term without redexes, but for its head. Equal ones are one node.
    struct Node {
        SymbolId symbol;
        std::uint32_t count;
        std::uint64_t first;  // of its arguments
    };

    // What becomes of a node that is a redex.
    struct Course {
        RuleId rule;
        NodeId normal_form;
        std::uint64_t iterations;  // to it
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
    // The value of symbol(values), or the redex whose course has to be found first.
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
    std::vector<Course> courses_;  // of nodes
    std::vector<NodeId> table_;    // nodes by hash, open addressing; size a power of two

    // Redexes to be rewritten in each iteration, and how many of each.
    std::vector<std::vector<std::pair<NodeId, std::uint64_t>>> agenda_;
    std::uint64_t iterations_ = 0;
    NodeId last_ = 0;

    std::vector<NodeId> bound_;
    std::vector<Value> values_;
    std::vector<NodeId> key_;
    std::vector<std::pair<TermId, NodeId>> open_;
};

}  // namespace lockstep::term_rewriting
