#include "kernels/term_rewriting/fast/plan.hpp"

#include <algorithm>
#include <map>

namespace lockstep::term_rewriting::fast {

namespace {

using Kind = PlanNode::Kind;

}  // namespace

Plan::Plan(PlanTerms terms, bool tail, bool holes, std::optional<unsigned> fixed,
           std::function<std::optional<unsigned>(unsigned)> const& fixed_slot, std::optional<unsigned> first)
    : terms_(std::move(terms)), fixed_(fixed) {
    tail_call_ = tail && terms_.nodes[terms_.roots[0]].kind == Kind::call;
    find_calls(first);
    place_nodes();
    if (holes && !fixed_)
        find_hole();
    find_slots(fixed_slot);
}

void Plan::find_calls(std::optional<unsigned> first) {
    std::vector<unsigned> level(terms_.nodes.size(), 0);
    std::map<unsigned, std::vector<unsigned>> groups;
    for (unsigned node = 0; node < terms_.nodes.size(); ++node) {
        for (unsigned const argument : terms_.nodes[node].arguments)
            level[node] = std::max(level[node], level[argument]);
        if (terms_.nodes[node].kind == Kind::call && !(tail_call_ && node == terms_.roots[0]))
            groups[++level[node]].push_back(node);
    }
    for (auto& [number, group] : groups) {
        if (auto const found = first ? std::find(group.begin(), group.end(), *first) : group.end();
            found != group.end())
            std::rotate(group.begin(), found, found + 1);
        calls_.insert(calls_.end(), group.begin(), group.end());
        group_end_.insert(group_end_.end(), group.size(), static_cast<unsigned>(calls_.size()));
    }
    made_.resize(calls_.size() + 1);
}

// Nodes are made in the last segment before the group that needs them.
void Plan::place_nodes() {
    unsigned constexpr never = ~0u;
    born_.assign(terms_.nodes.size(), never);
    for (unsigned node = 0; node < terms_.nodes.size(); ++node) {
        if (terms_.nodes[node].kind == Kind::variable)
            born_[node] = 0;
    }
    for (unsigned call = 0; call < calls_.size(); ++call)
        born_[calls_[call]] = call + 1;
    for (unsigned segment = 0;; segment = group_end_[segment]) {
        std::vector<unsigned> open;
        if (segment == calls_.size()) {
            open = terms_.roots;
            if (tail_call_)
                open = terms_.nodes[terms_.roots[0]].arguments;
        } else {
            for (unsigned call = segment; call < group_end_[segment]; ++call) {
                auto const& arguments = terms_.nodes[calls_[call]].arguments;
                open.insert(open.end(), arguments.begin(), arguments.end());
            }
        }
        while (!open.empty()) {
            unsigned const node = open.back();
            open.pop_back();
            if (terms_.nodes[node].kind != Kind::made || born_[node] != never)
                continue;
            born_[node] = segment;
            made_[segment].push_back(node);
            auto const& arguments = terms_.nodes[node].arguments;
            open.insert(open.end(), arguments.begin(), arguments.end());
        }
        std::sort(made_[segment].begin(), made_[segment].end());
        if (segment == calls_.size())
            break;
    }
}

void Plan::find_hole() {
    if (calls_.empty() || terms_.nodes[terms_.roots[0]].kind != Kind::made)
        return;
    unsigned uses = 0;
    for (unsigned const node : made_.back()) {
        std::vector<unsigned> const& arguments = terms_.nodes[node].arguments;
        for (unsigned i = 0; i < arguments.size(); ++i) {
            if (arguments[i] == calls_.back()) {
                hole_ = Hole{node, i};
                ++uses;
            }
        }
    }
    if (uses != 1)
        hole_.reset();
}

void Plan::find_slots(std::function<std::optional<unsigned>(unsigned)> const& fixed_slot) {
    std::vector<unsigned> last_use(terms_.nodes.size(), 0);
    auto const use = [&](std::vector<unsigned> const& nodes, unsigned segment) {
        for (unsigned const node : nodes)
            last_use[node] = std::max(last_use[node], segment);
    };
    unsigned const last = goes_on() ? segments() - 1 : segments() - 2;
    for (unsigned segment = 0; segment < segments(); ++segment) {
        for (unsigned const node : made_[segment])
            use(terms_.nodes[node].arguments, std::min(segment, last));
        if (segment < calls_.size())
            use(terms_.nodes[calls_[segment]].arguments, segment);
    }
    use(tail_call_ ? terms_.nodes[terms_.roots[0]].arguments : terms_.roots, last);
    slot_.resize(terms_.nodes.size());
    slots_ = fixed_.value_or(0);
    for (unsigned segment = 0; segment < segments(); ++segment) {
        for (unsigned node = 0; node < terms_.nodes.size(); ++node) {
            PlanNode const& of = terms_.nodes[node];
            if (of.kind == Kind::constant || born_[node] != segment)
                continue;
            // A value that is not the last of its group needs a slot in any case, because others may deliver it.
            bool const awaited = segment > 0 && node == calls_[segment - 1] && segment < group_end_[segment - 1];
            if (last_use[node] <= segment && !awaited)
                continue;
            if (of.kind == Kind::variable)
                slot_[node] = fixed_slot(of.head);
            if (!slot_[node])
                slot_[node] = slots_++;
        }
        slots_after_.push_back(slots_);
    }
}

}  // namespace lockstep::term_rewriting::fast
