// The planning part of Body: the calls and allocations, and their order.

#include <algorithm>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "baselines/term_rewriting/compiled/body.hpp"

namespace lockstep::term_rewriting::compiled {

Body::Body(BodyContext& context, SharedTerms const& shared, std::vector<std::string> known, unsigned frame)
    : context_(context), shared_(shared), names_(std::move(known)), base_(frame) {
    names_.resize(shared.nodes.size());
    for (std::string const& name : names_)
        known_.push_back(!name.empty());
    find_constants();
}

bool Body::is_call(std::uint32_t node) const {
    SharedNode const& of = shared_.nodes[node];
    return !of.is_variable && context_.model.defined(of.head) && !(stuck_root_ && node == shared_.roots[0]);
}

void Body::find_constants() {
    constant_.resize(shared_.nodes.size());
    for (std::uint32_t node = 0; node < shared_.nodes.size(); ++node) {
        SharedNode const& of = shared_.nodes[node];
        if (of.is_variable || context_.model.defined(of.head))
            continue;
        std::vector<std::size_t> arguments;
        for (std::uint32_t const argument : of.arguments) {
            if (constant_[argument])
                arguments.push_back(*constant_[argument]);
        }
        if (arguments.size() == of.arguments.size())
            constant_[node] = context_.constants.value(context_.model, of.head, arguments);
    }
}

// Returns the calls at or below `node` without a value, arguments before their users.
std::vector<std::uint32_t> Body::pending_calls(std::uint32_t node) const {
    std::vector<std::uint32_t> pending;
    std::vector<bool> seen(shared_.nodes.size(), false);
    std::vector<std::uint32_t> open = {node};
    while (!open.empty()) {
        std::uint32_t const one = open.back();
        open.pop_back();
        if (valued(one) || seen[one])
            continue;
        seen[one] = true;
        if (is_call(one))
            pending.push_back(one);
        for (std::uint32_t const argument : shared_.nodes[one].arguments)
            open.push_back(argument);
    }
    std::sort(pending.begin(), pending.end());
    return pending;
}

std::vector<std::uint32_t> Body::captured_by(std::uint32_t node) const {
    std::vector<std::uint32_t> captured;
    std::vector<bool> seen(shared_.nodes.size(), false);
    std::vector<std::uint32_t> open = {node};
    while (!open.empty()) {
        std::uint32_t const one = open.back();
        open.pop_back();
        if (constant_[one] || seen[one])
            continue;
        seen[one] = true;
        if (known_[one]) {
            captured.push_back(one);
            continue;
        }
        for (std::uint32_t const argument : shared_.nodes[one].arguments)
            open.push_back(argument);
    }
    std::sort(captured.begin(), captured.end());
    return captured;
}

void Body::plan(bool returns) {
    // A longer right side is data rather than code, and finding its shared calls would be slow.
    bool const parallel = context_.parallel;
    if (shared_.nodes.size() > 1000)
        context_.parallel = false;
    returns_ = returns;
    if (!returns) {
        for (std::uint32_t const root : shared_.roots)
            evaluate(root);
        for (std::uint32_t const root : shared_.roots)
            materialise(root);
    } else {
        std::uint32_t const root = shared_.roots[0];
        if (!valued(root))
            evaluate_arguments(root);
        if (is_call(root) && !valued(root)) {
            for (std::uint32_t const argument : shared_.nodes[root].arguments)
                materialise(argument);
        } else {
            materialise(root);
        }
        steps_.push_back({Step::Kind::finish, root, 0, 0, {}});
    }
    context_.parallel = parallel;
}

// Plans the calls of the node and below it. In a long right side, the calls below follow the order of the nodes,
// without recursion.
void Body::evaluate(std::uint32_t node) {
    if (valued(node))
        return;
    evaluate_arguments(node);
    if (!is_call(node) || valued(node))
        return;
    for (std::uint32_t const argument : shared_.nodes[node].arguments)
        materialise(argument);
    steps_.push_back({Step::Kind::call, node, 0, 0, {}});
    known_[node] = true;
}

void Body::evaluate_arguments(std::uint32_t node) {
    if (!context_.parallel) {
        for (std::uint32_t const call : pending_calls(node)) {
            if (call == node)
                continue;
            for (std::uint32_t const argument : shared_.nodes[call].arguments)
                materialise(argument);
            steps_.push_back({Step::Kind::call, call, 0, 0, {}});
            known_[call] = true;
        }
        return;
    }
    std::vector<std::uint32_t> children;
    for (std::uint32_t const argument : shared_.nodes[node].arguments) {
        if (std::find(children.begin(), children.end(), argument) == children.end() && !pending_calls(argument).empty())
            children.push_back(argument);
    }
    if (children.size() >= 2 && evaluate_in_parallel(children))
        return;
    for (std::uint32_t const child : children)
        evaluate(child);
}

// Spawns all but one of the children with unbounded work, if there are at least two. Returns true if it spawns.
bool Body::evaluate_in_parallel(std::vector<std::uint32_t> children) {
    std::vector<std::size_t> users(shared_.nodes.size(), 0);
    for (std::uint32_t const child : children) {
        for (std::uint32_t const call : pending_calls(child))
            ++users[call];
    }
    for (std::uint32_t call = 0; call < users.size(); ++call) {
        if (users[call] >= 2)
            evaluate(call);  // shared by at least two children, so it comes first
    }
    std::vector<std::uint32_t> large;
    for (std::uint32_t const child : children) {
        auto const pending = pending_calls(child);
        if (std::any_of(pending.begin(), pending.end(),
                        [&](std::uint32_t call) { return context_.model.unbounded(shared_.nodes[call].head); })) {
            large.push_back(child);
        }
    }
    if (large.size() < 2)
        return false;
    std::vector<std::pair<std::uint32_t, std::size_t>> spawned;
    for (std::size_t i = large.size(); i-- > 1;) {
        TaskText task = {context_.tasks.size(), &shared_, captured_by(large[i]), large[i]};
        steps_.push_back({Step::Kind::spawn, large[i], 0, task.number, task.captured});
        spawned.emplace_back(large[i], task.number);
        context_.tasks.push_back(std::move(task));
    }
    evaluate(large[0]);
    for (std::uint32_t const child : children) {
        if (std::find(large.begin(), large.end(), child) == large.end())
            evaluate(child);
    }
    for (; !spawned.empty(); spawned.pop_back()) {
        steps_.push_back({Step::Kind::join, spawned.back().first, 0, spawned.back().second, {}});
        known_[spawned.back().first] = true;
    }
    return true;
}

// Plans the allocation of missing terms, arguments first. Precondition: all calls below have values.
void Body::materialise(std::uint32_t node) {
    std::vector<std::uint32_t> open = {node};
    while (!open.empty()) {
        std::uint32_t const one = open.back();
        bool ready = true;
        if (!valued(one)) {
            for (std::uint32_t const argument : shared_.nodes[one].arguments) {
                if (!valued(argument)) {
                    open.push_back(argument);
                    ready = false;
                }
            }
        }
        if (!ready)
            continue;
        open.pop_back();
        if (valued(one))
            continue;
        steps_.push_back({Step::Kind::allocate, one, 0, 0, {}});
        known_[one] = true;
    }
}

// Returns true if a call may lead back to the caller before anything is allocated.
bool Body::repeats_without_check() const {
    for (Step const& step : steps_) {
        bool const calls = step.kind == Step::Kind::call || (step.kind == Step::Kind::finish && !valued(step.node));
        if (step.kind == Step::Kind::allocate && context_.model.words_of(shared_.nodes[step.node].head) > 0)
            return false;
        if (calls && context_.model.leads(shared_.nodes[step.node].head, *caller_))
            return true;
        if (step.kind == Step::Kind::spawn && context_.model.recursive(*caller_))
            return true;
    }
    return false;
}

void Body::add_checks() {
    std::vector<Step> checked;
    std::optional<std::size_t> check;  // for the current sequence of allocations
    if (caller_ && repeats_without_check()) {
        check = 0;
        checked.push_back({Step::Kind::check, 0, 0, 0, {}});
    }
    for (Step const& step : steps_) {
        if (step.kind == Step::Kind::call || step.kind == Step::Kind::join)
            check.reset();
        std::size_t const words =
            step.kind == Step::Kind::allocate ? context_.model.words_of(shared_.nodes[step.node].head) : 0;
        if (words > 0 && !check) {
            check = checked.size();
            checked.push_back({Step::Kind::check, 0, 0, 0, {}});
        }
        if (words > 0)
            checked[*check].words += words;
        checked.push_back(step);
    }
    steps_ = std::move(checked);
}

}  // namespace lockstep::term_rewriting::compiled
