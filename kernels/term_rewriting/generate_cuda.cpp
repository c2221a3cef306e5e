#include "kernels/term_rewriting/generate_cuda.hpp"

#include <vector>

#include "harness/bench/nearest.hpp"
#include "reference_cpu/term_rewriting/compiled/decision_tree.hpp"
#include "reference_cpu/term_rewriting/compiled/state_text.hpp"
#include "reference_cpu/term_rewriting/sharing.hpp"

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

class StepText : public TargetText {
public:
    StepText(System const& system, std::vector<Helper> const& helpers, SymbolId symbol)
        : system_(system),
          helpers_(helpers),
          symbol_(symbol),
          arity_(system.arity(symbol)),
          matcher_(compile_matcher(system, symbol)) {}

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

    std::string load(PlaceId place, TermPlace const& from) const override {
        return place_name(place) + " = store.argument(" + place_name(from.parent) + ", " +
               std::to_string(from.argument) + ");";
    }

    std::string symbol(PlaceId place) const override { return "store.symbol(" + place_name(place) + ")"; }

    std::string stuck(std::string const& indent) override {
        if (!in_helper_)
            return indent + "return false;\n";
        // The helper gives way to the stuck term, which is normal; its own step will say so.
        return indent + "store.become_stuck(term, " + become_arguments(symbol_, argument_names()) + ");\n" + indent +
               "return true;\n";
    }

    std::string apply(StateId, State const& state, std::string const& indent) override {
        if (!system_.rules[state.rule].conditions.empty())
            return begin_condition(state, 0, indent);
        return apply_rule(state, indent);
    }

private:
    std::string step(std::string const& name, std::size_t first_argument, StateId start, std::string const& before) {
        in_helper_ = first_argument != 0;
        std::string text =
            "template <class Store>\n__device__ inline bool " + name + "(Store& store, unsigned term) {\n";
        for (PlaceId place = 0; place < matcher_.places.size(); ++place) {
            text += "    unsigned " + place_name(place) +
                    (place < arity_ ? " = store.argument(term, " + std::to_string(place + first_argument) + ")" : "") +
                    ";\n";
        }
        Matcher matcher = matcher_;
        matcher.start = start;
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
            std::string const holds = std::string(rule.conditions[helper.condition].equal ? "" : "!") +
                                      "store.equal(store.argument(term, 0), store.argument(term, 1))";
            std::string before = "    if (" + holds + ") {\n";
            before += load_places(matcher_, state.variables, *this, "        ");
            before += last ? apply_rule(state, "        ") : begin_condition(state, helper.condition + 1, "        ");
            return step("rewrite_" + std::to_string(system_.symbols.size() + index), 2, state.otherwise,
                        before + "    }\n");
        }
        // Earlier rules always fit first, so this one is never tried.
        return "template <class Store>\n__device__ inline bool rewrite_" +
               std::to_string(system_.symbols.size() + index) + "(Store&, unsigned) {\n    return false;\n}\n\n";
    }

    std::vector<std::string> argument_names() const {
        std::vector<std::string> names;
        for (PlaceId place = 0; place < arity_; ++place)
            names.push_back(place_name(place));
        return names;
    }

    // "symbol" or "symbol, {a, b}" with the braces typed.
    static std::string become_arguments(std::size_t symbol, std::vector<std::string> const& arguments) {
        std::string const number = std::to_string(symbol) + "u";
        return arguments.empty() ? number : number + ", {" + bench::joined(arguments) + "}";
    }

    // Makes the nodes of `shared` but those in `roots_kept`, whose text the caller writes; gives each node's
    // expression.
    std::vector<std::string> make_nodes(SharedTerms const& shared, State const& state, bool keep_root,
                                        std::string const& indent, std::string& text) const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < shared.nodes.size(); ++i) {
            SharedNode const& node = shared.nodes[i];
            if (node.is_variable) {
                names.push_back(place_name(state.variables[node.head]));
                continue;
            }
            names.push_back("v" + std::to_string(i));
            if (keep_root && i == shared.roots[0])
                continue;
            text += indent + "unsigned const " + names[i] + " = store.make(" +
                    become_arguments(node.head, arguments_of_node(node, names)) + ");\n";
        }
        return names;
    }

    static std::vector<std::string> arguments_of_node(SharedNode const& node, std::vector<std::string> const& names) {
        std::vector<std::string> arguments;
        for (std::uint32_t const argument : node.arguments)
            arguments.push_back(names[argument]);
        return arguments;
    }

    std::string load_variables(SharedTerms const& shared, State const& state, std::string const& indent) const {
        std::vector<PlaceId> places;
        for (SharedNode const& node : shared.nodes) {
            if (node.is_variable)
                places.push_back(state.variables[node.head]);
        }
        return load_places(matcher_, places, *this, indent);
    }

    std::string apply_rule(State const& state, std::string const& indent) const {
        SharedTerms const shared = share(system_.terms, std::span(&system_.rules[state.rule].right, 1));
        std::string text = indent + "{\n" + load_variables(shared, state, indent + "    ");
        std::vector<std::string> const names = make_nodes(shared, state, true, indent + "    ", text);
        SharedNode const& root = shared.nodes[shared.roots[0]];
        text += indent + "    store.count(" + std::to_string(state.rule) + "u);\n" + indent + "    ";
        if (root.is_variable)
            text += "store.become_copy(term, " + names[shared.roots[0]] + ");\n";
        else
            text += "store.become(term, " + become_arguments(root.head, arguments_of_node(root, names)) + ");\n";
        return text + indent + "    return true;\n" + indent + "}\n";
    }

    std::string begin_condition(State const& state, std::size_t condition, std::string const& indent) const {
        Condition const& of = system_.rules[state.rule].conditions[condition];
        std::size_t helper = 0;
        while (helpers_[helper].rule != state.rule || helpers_[helper].condition != condition)
            ++helper;
        TermId const sides[] = {of.left, of.right};
        SharedTerms const shared = share(system_.terms, sides);
        std::string text = indent + "{\n" + load_variables(shared, state, indent + "    ");
        std::vector<std::string> const names = make_nodes(shared, state, false, indent + "    ", text);
        std::vector<std::string> arguments = {names[shared.roots[0]], names[shared.roots[1]]};
        for (std::string const& name : argument_names())
            arguments.push_back(name);
        return text + indent + "    store.become(term, " +
               become_arguments(system_.symbols.size() + helper, arguments) + ");\n" + indent + "    return true;\n" +
               indent + "}\n";
    }

    System const& system_;
    std::vector<Helper> const& helpers_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher matcher_;
    bool in_helper_ = false;
};

}  // namespace

std::string generate_cuda(System const& system, std::string const& name) {
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
        steps += StepText(system, helpers, symbol).run();
        add_case(symbol);
    }
    for (std::size_t i = 0; i < helpers.size(); ++i) {
        arities += std::to_string(system.arity(helpers[i].of) + 2) + ", ";
        add_case(system.symbols.size() + i);
    }
    std::string text = "// Generated from a term rewrite system.\n#include \"harness/simt/kernel.hpp\"\n\n";
    text += "namespace lockstep::term_rewriting::" + name + "::LOCKSTEP_MACHINE {\n\n";
    text += "constexpr unsigned user_symbols = " + std::to_string(system.symbols.size()) + ";\n";
    text += "constexpr unsigned symbols = " + std::to_string(system.symbols.size() + helpers.size()) + ";\n";
    text += "constexpr unsigned rules = " + std::to_string(system.rules.size()) + ";\n\n";
    text +=
        "// Of every symbol, then of every helper.\n__device__ inline unsigned arity_of(unsigned symbol) {\n"
        "    constexpr unsigned short arities[] = {" +
        arities + "0};\n    return arities[symbol];\n}\n\n";
    text += steps;
    text +=
        "template <class Store>\n__device__ inline bool rewrite_step(Store& store, unsigned term) {\n"
        "    switch (store.symbol(term)) {\n" +
        cases + "        default:\n            return false;\n    }\n}\n\n";
    return text + "}  // namespace lockstep::term_rewriting::" + name + "::LOCKSTEP_MACHINE\n";
}

}  // namespace lockstep::term_rewriting
