#include "reference_cpu/term_rewriting/schedule.hpp"

#include <algorithm>
#include <numeric>

#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

namespace {

constexpr std::uint32_t empty = ~std::uint32_t{0};

std::uint64_t hash_of(SymbolId symbol, std::span<std::uint32_t const> arguments) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ull * (symbol + 1);
    for (std::uint32_t const argument : arguments)
        hash = ((hash ^ argument) * 0xD1B54A32D192ED03ull) ^ (hash >> 29);
    return hash ^ (hash >> 32);
}

}  // namespace

std::uint64_t Schedule::rewrites() const {
    return std::accumulate(applications.begin(), applications.end(), std::uint64_t{0});
}

std::uint64_t Schedule::max_redexes() const {
    return redexes.empty() ? 0 : *std::max_element(redexes.begin(), redexes.end());
}

Scheduler::Scheduler(System const& system, NormalForms normal_forms)
    : system_(system), normal_forms_(normal_forms), rules_(system.rules_of_symbols()), table_(1024, empty) {
    for (Rule const& rule : system.rules) {
        if (!rule.conditions.empty() || rule.operation != Operation::none)
            throw bench::Error("iterations are not counted", "a rule of " + system.name + " has a condition");
        right_sides_.push_back(share(system.terms, std::span(&rule.right, 1)));
    }
}

std::span<Scheduler::NodeId const> Scheduler::arguments_of(NodeId node) const {
    return {node_arguments_.data() + nodes_[node].first, nodes_[node].count};
}

Scheduler::NodeId Scheduler::node(SymbolId symbol, std::span<NodeId const> arguments) {
    if (2 * nodes_.size() >= table_.size()) {
        table_.assign(2 * table_.size(), empty);
        for (NodeId old = 0; old < nodes_.size(); ++old) {
            std::size_t slot = hash_of(nodes_[old].symbol, arguments_of(old)) & (table_.size() - 1);
            while (table_[slot] != empty)
                slot = (slot + 1) & (table_.size() - 1);
            table_[slot] = old;
        }
    }
    std::size_t slot = hash_of(symbol, arguments) & (table_.size() - 1);
    for (; table_[slot] != empty; slot = (slot + 1) & (table_.size() - 1)) {
        NodeId const found = table_[slot];
        if (nodes_[found].symbol == symbol && std::ranges::equal(arguments_of(found), arguments))
            return found;
    }
    NodeId const made = static_cast<NodeId>(nodes_.size());
    table_[slot] = made;
    nodes_.push_back({symbol, static_cast<std::uint32_t>(arguments.size()), node_arguments_.size()});
    node_arguments_.insert(node_arguments_.end(), arguments.begin(), arguments.end());
    courses_.push_back({unknown, made, 0});
    return made;
}

// Returns true if the pattern matches, and fills bound_ with the variables' nodes.
bool Scheduler::matches(TermId pattern, NodeId node) {
    bound_.clear();
    open_.assign(1, {pattern, node});
    while (!open_.empty()) {
        auto const [expected, found] = open_.back();
        open_.pop_back();
        if (system_.terms.is_variable(expected)) {
            std::uint32_t const variable = system_.terms.variable_of(expected);
            bound_.resize(std::max<std::size_t>(bound_.size(), variable + 1));
            bound_[variable] = found;
            continue;
        }
        if (system_.terms.symbol(expected) != nodes_[found].symbol)
            return false;
        auto const arguments = system_.terms.arguments(expected);
        for (std::size_t i = 0; i < arguments.size(); ++i)
            open_.emplace_back(arguments[i], arguments_of(found)[i]);
    }
    return true;
}

RuleId Scheduler::rule_for(NodeId node) {
    for (RuleId const rule : rules_[nodes_[node].symbol]) {
        if (matches(system_.rules[rule].left, node))
            return rule;
    }
    return no_rule;
}

bool Scheduler::value_of(SymbolId symbol, std::span<Value const> values, Value& value, NodeId& redex) {
    key_.clear();
    std::uint64_t begin = 0;  // iterations until all arguments are known
    for (Value const& argument : values) {
        key_.push_back(argument.normal_form);
        begin = std::max(begin, argument.iterations);
    }
    redex = node(symbol, key_);
    Course& course = courses_[redex];
    if (course.rule == unknown && rules_[symbol].empty())
        course.rule = no_rule;
    if (course.rule == unknown)
        return false;
    bool const marked = course.rule == no_rule && normal_forms_ == NormalForms::marked_in_passes;
    value = {course.normal_form, begin + (marked ? 1 : course.iterations)};
    return true;
}

// Traverses the right side of the redex's rule, arguments first. Calls on_redex(iterations, redex) for every redex in
// it, where `iterations` is the number of iterations before that redex can be rewritten. Returns false at a redex whose
// course is unknown, and stores it in `missing`.
template <class OnRedex>
bool Scheduler::follow(NodeId redex, OnRedex const& on_redex, Value& value, NodeId& missing) {
    RuleId const rule = courses_[redex].rule;
    matches(system_.rules[rule].left, redex);
    SharedTerms const& right = right_sides_[rule];
    values_.resize(right.nodes.size());
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < right.nodes.size(); ++i) {
        SharedNode const& term = right.nodes[i];
        if (term.is_variable) {
            values_[i] = {bound_[term.head], 0};
            continue;
        }
        arguments.clear();
        std::uint64_t begin = 0;
        for (std::uint32_t const argument : term.arguments) {
            arguments.push_back(values_[argument]);
            begin = std::max(begin, values_[argument].iterations);
        }
        NodeId found = 0;
        if (!value_of(term.head, arguments, values_[i], found)) {
            missing = found;
            return false;
        }
        if (courses_[found].rule != no_rule)
            on_redex(begin, found);
    }
    value = values_[right.roots[0]];
    return true;
}

// Uses an explicit stack, so only memory limits the depth.
void Scheduler::find_course(NodeId first) {
    std::vector<NodeId> open = {first};
    std::vector<RuleId> rules = {unknown};
    while (!open.empty()) {
        NodeId const redex = open.back();
        if (rules.back() == unknown)
            rules.back() = rule_for(redex);
        courses_[redex].rule = rules.back();
        if (rules.back() != no_rule) {
            Value value{};
            NodeId missing = 0;
            if (!follow(
                    redex, [](std::uint64_t, NodeId) {}, value, missing)) {
                courses_[redex].rule = unknown;  // its course is not known yet
                open.push_back(missing);
                rules.push_back(unknown);
                continue;
            }
            courses_[redex].normal_form = value.normal_form;
            courses_[redex].iterations = 1 + value.iterations;
        }
        open.pop_back();
        rules.pop_back();
    }
}

void Scheduler::rewritten(std::uint64_t iteration, NodeId redex, std::uint64_t copies) {
    if (agenda_.size() <= iteration)
        agenda_.resize(iteration + 1);
    agenda_[iteration].emplace_back(redex, copies);
}

std::uint64_t Scheduler::add(Terms const& terms, TermId input, std::uint64_t copies) {
    std::vector<Value> values(std::size_t{input} + 1);
    std::vector<Value> arguments;
    for (TermId const term : reached_terms(terms, input)) {
        arguments.clear();
        std::uint64_t begin = 0;
        for (TermId const argument : terms.arguments(term)) {
            arguments.push_back(values[argument]);
            begin = std::max(begin, values[argument].iterations);
        }
        NodeId redex = 0;
        if (!value_of(terms.symbol(term), arguments, values[term], redex)) {
            find_course(redex);
            value_of(terms.symbol(term), arguments, values[term], redex);
        }
        if (courses_[redex].rule != no_rule)
            rewritten(begin, redex, copies);
    }
    iterations_ = std::max(iterations_, values[input].iterations);
    last_ = values[input].normal_form;
    return values[input].iterations;
}

TermId Scheduler::normal_form(Terms& terms) const {
    constexpr TermId none = ~TermId{0};
    std::vector<TermId> made(nodes_.size(), none);
    std::vector<TermId> arguments;
    std::vector<NodeId> open = {last_};
    while (!open.empty()) {
        NodeId const node = open.back();
        arguments.clear();
        bool ready = true;
        for (NodeId const argument : arguments_of(node)) {
            arguments.push_back(made[argument]);
            if (made[argument] == none) {
                open.push_back(argument);
                ready = false;
            }
        }
        if (!ready)
            continue;
        made[node] = terms.application(nodes_[node].symbol, arguments);
        open.pop_back();
    }
    return made[last_];
}

Schedule Scheduler::schedule() {
    Schedule found;
    found.iterations = iterations_;
    found.applications.assign(system_.rules.size(), 0);
    for (std::size_t iteration = 0; iteration < agenda_.size(); ++iteration) {
        auto due = std::move(agenda_[iteration]);
        std::sort(due.begin(), due.end());
        std::uint64_t redexes = 0;
        for (std::size_t i = 0; i < due.size();) {
            NodeId const redex = due[i].first;
            std::uint64_t copies = 0;
            for (; i < due.size() && due[i].first == redex; ++i)
                copies += due[i].second;
            redexes += copies;
            found.applications[courses_[redex].rule] += copies;
            Value value{};
            NodeId missing = 0;
            follow(
                redex, [&](std::uint64_t after, NodeId next) { rewritten(iteration + 1 + after, next, copies); }, value,
                missing);
        }
        found.redexes.push_back(redexes);
    }
    return found;
}

}  // namespace lockstep::term_rewriting
