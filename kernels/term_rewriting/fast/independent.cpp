#include "kernels/term_rewriting/fast/independent.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockstep::term_rewriting::fast {

namespace {

using Kind = PlanNode::Kind;

class Parts {
public:
    Parts(PlanTerms const& terms, std::function<bool(unsigned)> const& recurs) : terms_(terms), recurs_(recurs) {
        for (unsigned node = 0; node < size(); ++node) {
            unsigned level = 0;
            for (unsigned const argument : terms_.nodes[node].arguments)
                level = std::max(level, level_[argument]);
            level_.push_back(is_awaited(node) ? level + 1 : level);
        }
    }

    bool would_wait(unsigned node) const {
        if (!is_awaited(node) || level_[node] < 2)
            return false;
        std::vector<bool> const needed = inside(node);
        for (unsigned other = 0; other < size(); ++other) {
            if (!needed[other] && is_awaited(other) && level_[other] < level_[node] && recurs_(head(other)))
                return true;
        }
        return false;
    }

    bool has_calls(unsigned node) const { return level_[node] != 0; }

    std::optional<Part> part(unsigned root, unsigned max_inputs) const {
        std::vector<bool> const inner = inside(root);
        if (is_needed_outside(root, inner))
            return {};
        Part part;
        std::vector<unsigned> numbers(size(), 0);
        for (unsigned node = 0; node <= root; ++node) {
            if (!inner[node] || level_[node] != 0 || terms_.nodes[node].kind == Kind::constant)
                continue;
            numbers[node] = static_cast<unsigned>(part.inputs.size());
            part.terms.nodes.push_back({Kind::variable, numbers[node], {}});
            part.inputs.push_back(node);
        }
        if (part.inputs.size() > max_inputs)
            return {};
        for (unsigned node = 0; node <= root; ++node) {
            PlanNode of = terms_.nodes[node];
            if (!inner[node] || (level_[node] == 0 && of.kind != Kind::constant))
                continue;
            for (unsigned& argument : of.arguments)
                argument = numbers[argument];
            numbers[node] = static_cast<unsigned>(part.terms.nodes.size());
            part.terms.nodes.push_back(std::move(of));
        }
        part.terms.roots = {numbers[root]};
        return part;
    }

    // The node itself, the nodes with calls that it needs, and the nodes without calls that these need.
    std::vector<bool> inside(unsigned root) const {
        std::vector<bool> found(size(), false);
        found[root] = true;
        for (unsigned node = root + 1; node-- > 0;) {
            for (unsigned const argument : terms_.nodes[node].arguments)
                found[argument] = found[argument] || (found[node] && level_[node] != 0);
        }
        return found;
    }

private:
    unsigned size() const { return static_cast<unsigned>(terms_.nodes.size()); }
    unsigned head(unsigned node) const { return terms_.nodes[node].head; }
    // A call at the root is not waited for.
    bool is_awaited(unsigned node) const {
        return terms_.nodes[node].kind == Kind::call && node != terms_.roots.front();
    }

    bool is_needed_outside(unsigned root, std::vector<bool> const& inner) const {
        for (unsigned node = 0; node < size(); ++node) {
            for (unsigned const argument : terms_.nodes[node].arguments) {
                if (!inner[node] && inner[argument] && argument != root && level_[argument] != 0)
                    return true;
            }
        }
        return false;
    }

    PlanTerms const& terms_;
    std::function<bool(unsigned)> const& recurs_;
    std::vector<unsigned> level_;
};

}  // namespace

PlanTerms with_independent_parts(PlanTerms terms, unsigned max_inputs, std::function<bool(unsigned)> const& recurs,
                                 std::function<unsigned(Part)> const& add) {
    // From the root down, so that outer calls come first. The inner calls of a part are then needed by nothing.
    std::vector<bool> unneeded(terms.nodes.size(), false);
    Parts const parts(terms, recurs);
    PlanTerms result = terms;
    for (auto node = static_cast<unsigned>(terms.nodes.size()); node-- > 0;) {
        if (unneeded[node] || !parts.would_wait(node))
            continue;
        std::optional<Part> part = parts.part(node, max_inputs);
        if (!part)
            continue;
        std::vector<bool> const inner = parts.inside(node);
        for (unsigned other = 0; other < node; ++other)
            unneeded[other] = unneeded[other] || (inner[other] && parts.has_calls(other));
        std::vector<unsigned> inputs = part->inputs;
        result.nodes[node] = {Kind::call, add(*std::move(part)), std::move(inputs)};
    }
    // Leaves out what is needed no more, because a plan makes every call among its nodes.
    std::vector<unsigned> numbers;
    PlanTerms kept;
    for (unsigned node = 0; node < result.nodes.size(); ++node) {
        numbers.push_back(static_cast<unsigned>(kept.nodes.size()));
        if (unneeded[node])
            continue;
        for (unsigned& argument : result.nodes[node].arguments)
            argument = numbers[argument];
        kept.nodes.push_back(std::move(result.nodes[node]));
    }
    for (unsigned const root : terms.roots)
        kept.roots.push_back(numbers[root]);
    return kept;
}

}  // namespace lockstep::term_rewriting::fast
