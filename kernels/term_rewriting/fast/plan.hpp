#pragma once
// The order of work for a right side, or for the two sides of a condition. Calls whose arguments need no other call's
// value form the first group, calls that need the values of that group form the next one, and so on. Nodes are made
// between groups. Code runs in segments: one before the first call and one after each call. A value that a later
// segment needs is kept in a slot of the frame. Slots are numbered in the order in which they are set.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/term_rewriting/language/sharing.hpp"

namespace lockstep::term_rewriting::fast {

struct PlanNode {
    enum class Kind { variable, constant, made, call };
    Kind kind = Kind::variable;
    unsigned head = 0;                // number of the variable or the constant, or the symbol
    std::vector<unsigned> arguments;  // earlier nodes
};

// One or two terms as nodes. Every call among them is made, even if no root needs it.
struct PlanTerms {
    std::vector<PlanNode> nodes;
    std::vector<unsigned> roots;
};

// Where the value of the last call goes, if only one node needs it.
struct Hole {
    unsigned node;
    unsigned argument;
};

class Plan {
public:
    // `tail`: a root that is a call is not waited for.
    // `holes`: if only one node needs the last call's value, the nodes are made before that call.
    // `fixed`: if given, there is always a frame, and the caller sets this number of first slots before the first call.
    // fixed_slot returns the slot of a variable that is in one of them.
    // `first`: a node, which is the first call of its group if it is a call.
    Plan(PlanTerms terms, bool tail, bool holes, std::optional<unsigned> fixed,
         std::function<std::optional<unsigned>(unsigned)> const& fixed_slot, std::optional<unsigned> first = {});

    unsigned size() const { return static_cast<unsigned>(terms_.nodes.size()); }
    PlanTerms const& terms() const { return terms_; }
    PlanNode const& node(unsigned number) const { return terms_.nodes[number]; }
    std::vector<unsigned> const& roots() const { return terms_.roots; }
    bool tail_call() const { return tail_call_; }
    bool has_frame() const { return segments() > (goes_on() ? 1 : 2) || fixed_; }
    std::optional<Hole> const& hole() const { return hole_; }
    // Returns true if the last segment can be reached. With a hole, it is reached only after calls that others took.
    bool goes_on() const {
        std::size_t const calls = group_end_.size();
        return !hole_ || (calls > 1 && group_end_[calls - 2] == calls);
    }
    unsigned words() const { return slots_ + 1; }
    unsigned slots() const { return slots_; }

    unsigned segments() const { return static_cast<unsigned>(made_.size()); }
    std::vector<unsigned> const& made(unsigned segment) const { return made_[segment]; }
    // The call whose value segment `segment` > 0 receives, and the call that a segment other than the last ends with.
    unsigned awaited(unsigned segment) const { return calls_[segment - 1]; }
    unsigned issued(unsigned segment) const { return calls_[segment]; }
    // The last segment of the group that call `segment - 1` belongs to.
    unsigned group_end(unsigned segment) const { return group_end_[segment - 1]; }
    std::optional<unsigned> slot(unsigned node) const { return slot_[node]; }
    unsigned born(unsigned node) const { return born_[node]; }
    // Number of slots that are set once `segment` has ended.
    unsigned slots_after(unsigned segment) const { return slots_after_[segment]; }

private:
    void find_calls(std::optional<unsigned> first);
    void find_hole();
    void place_nodes();
    void find_slots(std::function<std::optional<unsigned>(unsigned)> const& fixed_slot);

    PlanTerms terms_;
    bool tail_call_ = false;
    std::optional<Hole> hole_;
    std::optional<unsigned> fixed_;
    unsigned slots_ = 0;
    std::vector<unsigned> calls_;
    std::vector<unsigned> group_end_;  // per call: the last segment of its group
    std::vector<std::vector<unsigned>> made_;
    std::vector<unsigned> born_;
    std::vector<std::optional<unsigned>> slot_;
    std::vector<unsigned> slots_after_;
};

}  // namespace lockstep::term_rewriting::fast
