#include "kernels/term_rewriting/generate_cuda.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "common/term_rewriting/compiler/decision_tree.hpp"
#include "common/term_rewriting/compiler/state_text.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::term_rewriting {

namespace {

using namespace compiled;

// A rule's condition as a helper symbol.
struct Helper {
    SymbolId of;  // the symbol whose rule it is
    RuleId rule;
    std::size_t condition;
};

// All conditions of the system, in the order of the rules.
std::vector<Helper> helpers_of(System const& system) {
    std::vector<Helper> helpers;
    for (RuleId rule = 0; rule < system.rules.size(); ++rule) {
        for (std::size_t i = 0; i < system.rules[rule].conditions.size(); ++i)
            helpers.push_back({system.terms.symbol(system.rules[rule].left), rule, i});
    }
    return helpers;
}

// Positions that have been looked at on every way from the matcher's start to each state.
std::vector<std::vector<bool>> positions_before(Matcher const& matcher, std::size_t arity) {
    std::vector<std::optional<std::vector<bool>>> known(matcher.states.size());
    std::vector<bool> arguments(matcher.positions.size(), false);
    std::fill(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(arity), true);
    known[matcher.start] = arguments;
    std::vector<StateId> open = {matcher.start};
    auto const reach = [&](StateId state, std::vector<bool> const& positions) {
        std::vector<bool> met = positions;
        for (std::size_t i = 0; known[state] && i < met.size(); ++i)
            met[i] = met[i] && (*known[state])[i];
        if (!known[state] || *known[state] != met) {
            known[state] = std::move(met);
            open.push_back(state);
        }
    };
    while (!open.empty()) {
        StateId const at = open.back();
        open.pop_back();
        State const& state = matcher.states[at];
        if (state.kind != State::Kind::branch)
            continue;  // where a condition fails another function goes on
        std::vector<bool> positions = *known[at];
        positions[state.position] = true;
        for (auto const& [symbol, next] : state.cases)
            reach(next, positions);
        reach(state.otherwise, positions);
    }
    std::vector<std::vector<bool>> result;
    for (auto const& positions : known)
        result.push_back(positions.value_or(arguments));
    return result;
}

class StepText : public TargetText {
public:
    StepText(System const& system, StepOptions const& options, std::vector<Helper> const& helpers, SymbolId symbol)
        : system_(system),
          options_(options),
          helpers_(helpers),
          symbol_(symbol),
          arity_(system.arity(symbol)),
          matcher_(options.in_order ? compile_matcher(system, symbol, 0) : compile_matcher(system, symbol)) {}

    // The step of the symbol itself; helpers of its rules come after it.
    std::string run() {
        std::string text = "// " + system_.symbols[symbol_].name + "\n" +
                           step("rewrite_" + std::to_string(symbol_), 0, matcher_.start, "");
        for (std::size_t i = 0; i < helpers_.size(); ++i) {
            if (helpers_[i].of == symbol_)
                text += helper_step(i);
        }
        return text;
    }

    std::string load(PositionId position, TermPosition const& from) const override {
        return position_name(position) + " = store.argument(" + position_name(from.parent) + ", " +
               std::to_string(from.argument) + ");";
    }

    std::string symbol(PositionId position) const override { return "store.symbol(" + position_name(position) + ")"; }

    std::string stuck(std::string const& indent) override {
        if (!in_helper_)
            return indent + "return false;\n";
        // The helper gives way to the stuck term, which is normal; its own step will say so.
        return indent + "{\n" + refer_arguments(indent + "    ") + indent + "    store.become_stuck(term, " +
               arguments_of(symbol_, {}, argument_names()) + ");\n" +
               drop_arguments(std::vector<unsigned>(arity_, 1), indent + "    ") + indent + "    return true;\n" +
               indent + "}\n";
    }

    std::string apply(StateId id, State const& state, std::string const& indent) override {
        if (!system_.rules[state.rule].conditions.empty())
            return begin_condition(state, before_[id], 0, indent);
        return apply_rule(state, before_[id], indent);
    }

private:
    using Positions = std::vector<bool>;

    std::string step(std::string const& name, std::size_t first_argument, StateId start, std::string const& before) {
        in_helper_ = first_argument != 0;
        std::string text =
            "template <class Store>\n__device__ inline bool " + name + "(Store& store, unsigned term) {\n";
        for (PositionId position = 0; position < matcher_.positions.size(); ++position) {
            text += "    unsigned " + position_name(position) +
                    (position < arity_ ? " = store.argument(term, " + std::to_string(position + first_argument) + ")"
                                       : "") +
                    ";\n";
        }
        if (in_helper_) {
            text +=
                "    unsigned const left = store.argument(term, 0);\n    unsigned const right = "
                "store.argument(term, 1);\n";
        }
        Matcher matcher = matcher_;
        matcher.start = start;
        before_ = positions_before(matcher, arity_);
        return text + before + state_text(matcher, arity_, *this) + "}\n\n";
    }

    // The states that apply the helper's rule know where its variables and its next rule are; any of them will do.
    std::string helper_step(std::size_t index) {
        Helper const& helper = helpers_[index];
        Rule const& rule = system_.rules[helper.rule];
        for (State const& state : matcher_.states) {
            if (state.kind != State::Kind::apply || state.rule != helper.rule)
                continue;
            in_helper_ = true;
            bool const last = helper.condition + 1 == rule.conditions.size();
            std::string before =
                "    bool equal = false;\n    if (!store.compare(left, right, equal))\n        return true;\n    if (";
            before += rule.conditions[helper.condition].equal ? "equal) {\n" : "!equal) {\n";
            Positions arguments(matcher_.positions.size(), false);
            std::fill(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(arity_), true);
            before += last ? apply_rule(state, arguments, "        ")
                           : begin_condition(state, arguments, helper.condition + 1, "        ");
            return step("rewrite_" + std::to_string(system_.symbols.size() + index), 2, state.otherwise,
                        before + "    }\n");
        }
        // Earlier rules always fit first, so this one is never tried.
        return "template <class Store>\n__device__ inline bool rewrite_" +
               std::to_string(system_.symbols.size() + index) + "(Store&, unsigned) {\n    return false;\n}\n\n";
    }

    std::vector<std::string> argument_names() const {
        std::vector<std::string> names;
        for (PositionId position = 0; position < arity_; ++position)
            names.push_back(position_name(position));
        return names;
    }

    // "symbol", then `references` where given, then "{a, b}" with the braces typed, where there are arguments.
    static std::string arguments_of(std::size_t symbol, std::optional<unsigned> references,
                                    std::vector<std::string> const& arguments) {
        std::string const number =
            std::to_string(symbol) + "u" + (references ? ", " + std::to_string(*references) + "u" : "");
        return arguments.empty() ? number : number + ", {" + bench::joined(arguments) + "}";
    }

    static std::vector<std::string> names_of(SharedNode const& node, std::vector<std::string> const& names) {
        std::vector<std::string> arguments;
        for (std::uint32_t const argument : node.arguments)
            arguments.push_back(names[argument]);
        return arguments;
    }

    // What a step makes: new terms, and how often each term is named afterwards.
    struct Making {
        SharedTerms const& shared;
        std::vector<std::string> names;     // of each node
        std::vector<unsigned> references;   // to each node
        std::optional<std::uint32_t> root;  // the node that the rewritten term itself becomes
    };

    Making making(SharedTerms const& shared, State const& state, bool keep_root) const {
        Making made = {shared, {}, std::vector<unsigned>(shared.nodes.size(), 0), {}};
        for (std::size_t i = 0; i < shared.nodes.size(); ++i) {
            SharedNode const& node = shared.nodes[i];
            made.names.push_back(node.is_variable ? position_name(state.variables[node.head])
                                                  : "v" + std::to_string(i));
            for (std::uint32_t const argument : node.arguments)
                ++made.references[argument];
        }
        if (keep_root) {
            made.root = shared.roots[0];
        } else {
            for (std::uint32_t const root : shared.roots)
                ++made.references[root];
        }
        return made;
    }

    // Loads what is named, reserves room, makes the new terms; `kept[i]` is how often argument i is named already.
    std::string make(Making const& made, State const& state, Positions known, std::vector<unsigned>& kept,
                     std::string const& indent) const {
        std::string loads;
        std::string refers;
        std::string makes;
        unsigned count = 0;
        std::vector<unsigned> of_arguments = kept;
        for (std::size_t i = 0; i < made.names.size(); ++i) {
            SharedNode const& node = made.shared.nodes[i];
            if (!node.is_variable) {
                if (i == made.root)
                    continue;
                ++count;
                makes += indent + "unsigned const " + made.names[i] + " = store.make(" +
                         arguments_of(node.head, made.references[i], names_of(node, made.names)) + ");\n";
                continue;
            }
            PositionId const position = state.variables[node.head];
            loads += load_position(position, known, indent);
            if (position < arity_)
                of_arguments[position] += made.references[i];
            else if (made.references[i] != 0)
                refers += refer(position, made.references[i], indent);
        }
        for (PositionId position = 0; position < arity_; ++position) {
            unsigned const before = options_.net_references ? 1 : 0;
            if (of_arguments[position] > before)
                refers += refer(position, of_arguments[position] - before, indent);
        }
        kept = of_arguments;
        std::string const room = count == 0 ? ""
                                            : indent + "if (!store.template reserve<" + std::to_string(count) +
                                                  ">())\n" + indent + "    return true;\n";
        return loads + room + refers + makes;
    }

    std::string load_position(PositionId position, Positions& known, std::string const& indent) const {
        if (known[position])
            return "";
        known[position] = true;
        TermPosition const& from = matcher_.positions[position];
        return load_position(from.parent, known, indent) + indent + load(position, from) + "\n";
    }

    static std::string refer(PositionId position, unsigned times, std::string const& indent) {
        return indent + "store.refer(" + position_name(position) + ", " + std::to_string(times) + "u);\n";
    }

    std::string refer_arguments(std::string const& indent) const {
        std::string text;
        for (PositionId position = 0; position < arity_ && !options_.net_references; ++position)
            text += refer(position, 1, indent);
        return text;
    }

    // The rewritten term named each of its arguments once; `named[i]` is how often argument i is named now.
    std::string drop_arguments(std::vector<unsigned> const& named, std::string const& indent) const {
        std::string text = in_helper_ ? indent + "store.drop(left);\n" + indent + "store.drop(right);\n" : "";
        for (PositionId position = 0; position < arity_; ++position) {
            if (!options_.net_references || named[position] == 0)
                text += indent + "store.drop(" + position_name(position) + ");\n";
        }
        return text;
    }

    std::string apply_rule(State const& state, Positions const& known, std::string const& indent) const {
        SharedTerms const shared = share(system_.terms, std::span(&system_.rules[state.rule].right, 1));
        Making const made = making(shared, state, true);
        std::string const inside = indent + "    ";
        std::vector<unsigned> named(arity_, 0);
        std::string text = indent + "{\n" + make(made, state, known, named, inside);
        SharedNode const& root = shared.nodes[*made.root];
        text += inside + "store.count(" + std::to_string(state.rule) + "u);\n" + inside;
        if (root.is_variable)
            text += "store.become_copy(term, " + made.names[*made.root] + ");\n";
        else
            text += "store.become(term, " + arguments_of(root.head, {}, names_of(root, made.names)) + ");\n";
        return text + drop_arguments(named, inside) + inside + "return true;\n" + indent + "}\n";
    }

    std::string begin_condition(State const& state, Positions const& known, std::size_t condition,
                                std::string const& indent) const {
        Condition const& of = system_.rules[state.rule].conditions[condition];
        std::size_t helper = 0;
        while (helpers_[helper].rule != state.rule || helpers_[helper].condition != condition)
            ++helper;
        TermId const sides[] = {of.left, of.right};
        SharedTerms const shared = share(system_.terms, sides);
        Making const made = making(shared, state, false);
        std::string const inside = indent + "    ";
        std::vector<unsigned> named(arity_, 1);
        std::string text = indent + "{\n" + make(made, state, known, named, inside);
        std::vector<std::string> arguments = {made.names[shared.roots[0]], made.names[shared.roots[1]]};
        for (std::string const& name : argument_names())
            arguments.push_back(name);
        return text + inside + "store.become(term, " + arguments_of(system_.symbols.size() + helper, {}, arguments) +
               ");\n" + drop_arguments(named, inside) + inside + "return true;\n" + indent + "}\n";
    }

    System const& system_;
    StepOptions const& options_;
    std::vector<Helper> const& helpers_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher matcher_;
    std::vector<Positions> before_;
    bool in_helper_ = false;
};

// At most so many terms are made by one step.
std::size_t max_made(System const& system) {
    std::size_t most = 0;
    auto const count = [&](std::span<TermId const> roots) {
        std::size_t made = 0;
        for (SharedNode const& node : share(system.terms, roots).nodes)
            made += node.is_variable ? 0 : 1;
        most = std::max(most, made);
    };
    for (Rule const& rule : system.rules) {
        count(std::span(&rule.right, 1));
        for (Condition const& condition : rule.conditions) {
            TermId const sides[] = {condition.left, condition.right};
            count(sides);
        }
    }
    return most;
}

}  // namespace

std::size_t symbols_and_helpers(System const& system) { return system.symbols.size() + helpers_of(system).size(); }

std::size_t largest_arity(System const& system) {
    std::size_t largest = 0;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol)
        largest = std::max(largest, system.arity(symbol));
    for (Helper const& helper : helpers_of(system))
        largest = std::max(largest, system.arity(helper.of) + 2);
    return largest;
}

std::string generate_cuda(System const& system, StepOptions const& options) {
    std::vector<Helper> const helpers = helpers_of(system);
    std::string steps;
    std::string cases;
    auto const add_case = [&](std::size_t symbol) {
        cases += "        case " + std::to_string(symbol) + "u:\n            return rewrite_" + std::to_string(symbol) +
                 "(store, term);\n";
    };
    std::string arities;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        arities += std::to_string(system.arity(symbol)) + ", ";
        if (!system.symbols[symbol].defined)
            continue;
        steps += StepText(system, options, helpers, symbol).run();
        add_case(symbol);
    }
    for (std::size_t i = 0; i < helpers.size(); ++i) {
        arities += std::to_string(system.arity(helpers[i].of) + 2) + ", ";
        add_case(system.symbols.size() + i);
    }
    std::string text = "// Generated from a term rewrite system.\n#include \"harness/simt/kernel.hpp\"\n\n";
    text += "namespace lockstep::term_rewriting::" + options.name + "::LOCKSTEP_MACHINE {\n\n";
    text += "constexpr unsigned user_symbols = " + std::to_string(system.symbols.size()) + ";\n";
    text += "constexpr unsigned symbols = " + std::to_string(system.symbols.size() + helpers.size()) + ";\n";
    text += "constexpr unsigned rules = " + std::to_string(system.rules.size()) + ";\n";
    text += "constexpr unsigned largest_arity = " + std::to_string(largest_arity(system)) + ";\n";
    text += "constexpr unsigned max_made = " + std::to_string(max_made(system)) + ";  // by one step\n\n";
    text +=
        "// Of every symbol, then of every helper.\n__device__ inline unsigned arity_of(unsigned symbol) {\n"
        "    constexpr unsigned arities[] = {" +
        arities + "0};\n    return arities[symbol];\n}\n\n";
    std::string defined;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (system.symbols[symbol].defined)
            defined += "        case " + std::to_string(symbol) + "u:\n";
    }
    text += "// Some rule may rewrite it.\n__device__ inline bool defined(unsigned symbol) {\n    switch (symbol) {\n" +
            defined + (defined.empty() ? "" : "            return true;\n") +
            "        default:\n            return symbol >= user_symbols;\n    }\n}\n\n";
    text += steps;
    text +=
        "template <class Store>\n__device__ inline bool rewrite_step(Store& store, unsigned term) {\n"
        "    switch (store.symbol(term)) {\n" +
        cases + "        default:\n            return false;\n    }\n}\n\n";
    return text + "}  // namespace lockstep::term_rewriting::" + options.name + "::LOCKSTEP_MACHINE\n";
}

}  // namespace lockstep::term_rewriting
