#include "reference_cpu/term_rewriting/oracle_engine.hpp"

#include <algorithm>
#include <chrono>
#include <unordered_set>
#include <utility>

#include "common/term_rewriting/language/integers.hpp"
#include "common/term_rewriting/language/sharing.hpp"

namespace lockstep::term_rewriting {

namespace {

using NodeId = std::uint32_t;

// A term of the graph. A rewritten term points to its result, so that all terms that share it see the result.
struct Node {
    SymbolId symbol;
    std::uint32_t count;
    std::uint64_t first;  // index of its first argument
    NodeId became;
    bool normal;
};

struct Frame {
    NodeId original;  // the term to rewrite
    NodeId node;      // its current form
    std::uint32_t next_argument = 0;
    std::uint32_t rule = 0;       // index among the symbol's rules
    std::uint32_t condition = 0;  // index among that rule's conditions
    bool comparing = false;       // the sides of that condition have been rewritten
    NodeId left = 0;
    NodeId right = 0;
};

class Oracle : public Engine {
public:
    Oracle(System const& system, OnRewrite on_rewrite)
        : system_(system), rules_(system.rules_of_symbols()), on_rewrite_(std::move(on_rewrite)) {
        for (Rule const& rule : system.rules) {
            right_sides_.push_back(share(system.terms, std::span(&rule.right, 1)));
            conditions_.emplace_back();
            for (Condition const& condition : rule.conditions) {
                TermId const sides[] = {condition.left, condition.right};
                conditions_.back().push_back(share(system.terms, sides));
            }
        }
    }

    void load(Terms const& terms, TermId input) override {
        nodes_.clear();
        arguments_.clear();
        input_ = copy_in(terms, input);
        loaded_nodes_ = nodes_.size();
        loaded_arguments_ = arguments_.size();
    }

    Outcome run(Limits const& limits) override {
        restore_input();
        limits_ = limits;
        outcome_ = {};
        outcome_.applications.assign(system_.rules.size(), 0);
        rewrites_ = 0;
        start_ = std::chrono::steady_clock::now();
        frames_.assign(1, Frame{input_, input_});
        while (!frames_.empty() && outcome_.end == End::finished)
            step();
        outcome_.seconds = seconds();
        outcome_.memory = memory();
        return outcome_;
    }

    TermId normal_form(Terms& terms) override {
        constexpr TermId none = ~TermId{0};
        std::vector<TermId> made(nodes_.size(), none);
        std::vector<NodeId> open = {resolved(input_)};
        std::vector<TermId> arguments;
        while (!open.empty()) {
            NodeId const node = open.back();
            arguments.clear();
            bool ready = true;
            for (std::uint32_t i = nodes_[node].count; i-- > 0;) {
                NodeId const argument = argument_of(node, i);
                if (made[argument] == none) {
                    open.push_back(argument);
                    ready = false;
                }
            }
            if (!ready)
                continue;
            open.pop_back();
            for (std::uint32_t i = 0; i < nodes_[node].count; ++i)
                arguments.push_back(made[argument_of(node, i)]);
            if (made[node] == none)
                made[node] = terms.application(nodes_[node].symbol, arguments);
        }
        return made[resolved(input_)];
    }

private:
    NodeId add(SymbolId symbol, std::uint32_t count) {
        NodeId const id = static_cast<NodeId>(nodes_.size());
        nodes_.push_back({symbol, count, arguments_.size(), id, false});
        return id;
    }

    NodeId copy_in(Terms const& terms, TermId root) {
        std::vector<NodeId> copies(std::size_t{root} + 1);
        for (TermId const term : reached_terms(terms, root)) {
            copies[term] = add(terms.symbol(term), static_cast<std::uint32_t>(terms.arguments(term).size()));
            for (TermId const argument : terms.arguments(term))
                arguments_.push_back(copies[argument]);
        }
        return copies[root];
    }

    void restore_input() {
        nodes_.resize(loaded_nodes_);
        arguments_.resize(loaded_arguments_);
        for (NodeId node = 0; node < nodes_.size(); ++node) {
            nodes_[node].became = node;
            nodes_[node].normal = false;
        }
    }

    NodeId resolved(NodeId node) const { return nodes_[node].became; }
    NodeId argument_of(NodeId node, std::uint32_t i) const { return resolved(arguments_[nodes_[node].first + i]); }

    // One step of the top frame: visits an argument, tries a rule, or ends the frame.
    void step() {
        Frame& frame = frames_.back();
        if (resolved(frame.original) != frame.original) {
            frames_.pop_back();  // the other side of the condition shares the term and has rewritten it
        } else if (nodes_[frame.node].normal) {
            nodes_[frame.original].became = frame.node;
            frames_.pop_back();
        } else if (frame.next_argument < nodes_[frame.node].count) {
            push_unless_normal(argument_of(frame.node, frame.next_argument++));
        } else if (frame.comparing) {
            compare(frame);
        } else if (frame.rule == rules_[nodes_[frame.node].symbol].size()) {
            nodes_[frame.node].normal = true;
        } else {
            try_rule(frame);
        }
    }

    void push_unless_normal(NodeId node) {
        if (!nodes_[node].normal)
            frames_.push_back({node, node});
    }

    void try_rule(Frame& frame) {
        RuleId const id = rules_[nodes_[frame.node].symbol][frame.rule];
        Rule const& rule = system_.rules[id];
        if (!matches(rule.left, frame.node) || !operates(rule.operation)) {
            ++frame.rule;
        } else if (frame.condition < rule.conditions.size()) {
            SharedTerms const& sides = conditions_[id][frame.condition];
            instantiate(sides);
            frame.left = instances_[sides.roots[0]];
            frame.right = instances_[sides.roots[1]];
            frame.comparing = true;
            NodeId const left = frame.left;
            push_unless_normal(frame.right);  // may invalidate `frame`: the stack grows
            push_unless_normal(left);
        } else {
            ++outcome_.applications[id];
            bool const traced = rewrites_ < on_rewrite_.max && (!on_rewrite_.wants || on_rewrite_.wants(id));
            std::string redex = traced ? text_of(frame.node) : std::string();
            instantiate(right_sides_[id]);
            frame.node = instances_[right_sides_[id].roots[0]];
            if (traced)
                on_rewrite_.call({id, std::move(redex), text_of(frame.node)});
            if (std::find(limits_.stop_after.begin(), limits_.stop_after.end(), id) != limits_.stop_after.end())
                outcome_.end = End::stopped;
            frame.next_argument = frame.rule = frame.condition = 0;
            check_limits();
        }
    }

    // The text of a term, or its begin.
    std::string text_of(NodeId root) const {
        constexpr std::size_t max_characters = 400;
        struct Item {
            NodeId node;
            std::string_view sign;  // instead of the node, if there is one
        };
        std::string text;
        std::vector<Item> open = {{root, {}}};
        while (!open.empty()) {
            auto const [node, sign] = open.back();
            open.pop_back();
            if (text.size() > max_characters)
                return text.substr(0, max_characters) + "...";
            if (sign.empty() && system_.integers && nodes_[node].symbol == system_.integers->whole) {
                text += std::to_string(
                    value_of_bytes([&, of = node](std::uint32_t i) { return byte_of(argument_of(of, i)); }));
                continue;
            }
            text += sign.empty() ? system_.symbols[nodes_[node].symbol].name : sign;
            if (!sign.empty() || nodes_[node].count == 0)
                continue;
            text += '(';
            open.push_back({node, ")"});
            for (std::uint32_t i = nodes_[node].count; i-- > 0;) {
                open.push_back({argument_of(node, i), {}});
                if (i != 0)
                    open.push_back({node, ","});
            }
        }
        return text;
    }

    void compare(Frame& frame) {
        Rule const& rule = system_.rules[rules_[nodes_[frame.node].symbol][frame.rule]];
        frame.comparing = false;
        if (equal(resolved(frame.left), resolved(frame.right)) == rule.conditions[frame.condition].equal) {
            ++frame.condition;
        } else {
            ++frame.rule;
            frame.condition = 0;
        }
    }

    // Returns true if the pattern matches, and fills bound_ with the variables' terms.
    bool matches(TermId pattern, NodeId node) {
        bound_.clear();
        open_.assign(1, {pattern, node});
        while (!open_.empty()) {
            auto const [expected, found] = open_.back();
            open_.pop_back();
            if (system_.terms.is_variable(expected)) {
                std::uint32_t const variable = system_.terms.variable_of(expected);
                if (variable >= bound_.size())
                    bound_.resize(variable + 1);
                bound_[variable] = found;
                continue;
            }
            if (system_.terms.symbol(expected) != nodes_[found].symbol)
                return false;
            auto const arguments = system_.terms.arguments(expected);
            for (std::uint32_t i = 0; i < arguments.size(); ++i)
                open_.emplace_back(arguments[i], argument_of(found, i));
        }
        return true;
    }

    // Returns false if the operation has no result or does not hold; else binds the bytes of the result.
    bool operates(Operation operation) {
        if (operation == Operation::none)
            return true;
        std::int64_t const x = value_of_bytes([&](std::uint32_t i) { return byte_of(bound_[i]); });
        std::int64_t const y = value_of_bytes([&](std::uint32_t i) { return byte_of(bound_[8 + i]); });
        if (is_comparison(operation))
            return holds(operation, x, y);
        std::optional<std::int64_t> const result = result_of(operation, x, y);
        if (!result)
            return false;
        for (std::uint32_t shift = 64; shift > 0; shift -= 8) {
            std::uint64_t const byte = static_cast<std::uint64_t>(*result) >> (shift - 8) & 0xff;
            bound_.push_back(add(system_.integers->first_byte + static_cast<SymbolId>(byte), 0));
        }
        return true;
    }
    SymbolId byte_of(NodeId node) const { return nodes_[node].symbol - system_.integers->first_byte; }

    // Builds the terms, each distinct subterm once, and stores them in instances_.
    void instantiate(SharedTerms const& shared) {
        instances_.resize(shared.nodes.size());
        for (std::size_t i = 0; i < shared.nodes.size(); ++i) {
            SharedNode const& node = shared.nodes[i];
            if (node.is_variable) {
                instances_[i] = bound_[node.head];
                continue;
            }
            instances_[i] = add(node.head, static_cast<std::uint32_t>(node.arguments.size()));
            for (std::uint32_t const argument : node.arguments)
                arguments_.push_back(instances_[argument]);
        }
    }

    bool equal(NodeId left, NodeId right) const {
        std::unordered_set<std::uint64_t> seen;
        std::vector<std::pair<NodeId, NodeId>> open = {{left, right}};
        while (!open.empty()) {
            auto const [a, b] = open.back();
            open.pop_back();
            if (a == b || !seen.insert(std::uint64_t{a} << 32 | b).second)
                continue;
            if (nodes_[a].symbol != nodes_[b].symbol)
                return false;
            for (std::uint32_t i = 0; i < nodes_[a].count; ++i)
                open.emplace_back(argument_of(a, i), argument_of(b, i));
        }
        return true;
    }

    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

    std::uint64_t memory() const {
        return nodes_.size() * sizeof(Node) + arguments_.size() * sizeof(NodeId) + frames_.size() * sizeof(Frame);
    }

    void check_limits() {
        if (++rewrites_ > limits_.rewrites)
            outcome_.end = End::too_many_rewrites;
        else if (memory() > limits_.memory || nodes_.size() > ~NodeId{0} - (1u << 24))
            outcome_.end = End::out_of_memory;
        else if (rewrites_ % 4096 == 0 && seconds() > limits_.seconds)
            outcome_.end = End::out_of_time;
        else if (rewrites_ % 4096 == 0 && limits_.stop.stop_requested())
            outcome_.end = End::stopped;
    }

    System const& system_;
    std::vector<std::vector<RuleId>> rules_;
    OnRewrite on_rewrite_;
    std::vector<SharedTerms> right_sides_;
    std::vector<std::vector<SharedTerms>> conditions_;

    LargeVector<Node> nodes_;
    LargeVector<NodeId> arguments_;
    NodeId input_ = 0;
    std::size_t loaded_nodes_ = 0;
    std::size_t loaded_arguments_ = 0;

    Limits limits_;
    Outcome outcome_;
    std::uint64_t rewrites_ = 0;
    std::chrono::steady_clock::time_point start_;
    std::vector<Frame> frames_;
    std::vector<NodeId> bound_;
    std::vector<NodeId> instances_;
    std::vector<std::pair<TermId, NodeId>> open_;
};

}  // namespace

std::unique_ptr<Engine> make_oracle(System const& system) { return make_oracle(system, {}); }

std::unique_ptr<Engine> make_oracle(System const& system, OnRewrite on_rewrite) {
    return std::make_unique<Oracle>(system, std::move(on_rewrite));
}

}  // namespace lockstep::term_rewriting
