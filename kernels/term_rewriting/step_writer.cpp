#include "kernels/term_rewriting/step_writer.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "common/term_rewriting/compiler/decision_tree.hpp"
#include "common/term_rewriting/compiler/operation_text.hpp"
#include "common/term_rewriting/compiler/state_text.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::term_rewriting {

namespace {

using namespace compiled;
using jit::CodeWriter;

// For each state, the positions that every path from the matcher's start to it has loaded.
std::vector<std::vector<bool>> positions_before(System const& system, Matcher const& matcher, std::size_t arity) {
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
        std::vector<bool> positions = *known[at];
        // If a condition fails, another function continues; if an operation has no result, this one does.
        if (state.kind == State::Kind::apply && system.rules[state.rule].operation != Operation::none)
            reach(state.otherwise, positions);
        if (state.kind != State::Kind::branch)
            continue;
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
    StepText(CodeWriter& code, System const& system, StepOptions const& options, std::vector<Helper> const& helpers,
             SymbolId symbol)
        : code_(code),
          system_(system),
          options_(options),
          helpers_(helpers),
          symbol_(symbol),
          arity_(system.arity(symbol)),
          matcher_(options.in_order ? compile_matcher(system, symbol, 0) : compile_matcher(system, symbol)) {}

    // Writes the step of the symbol itself, then the steps of its rules' helpers.
    void run() {
        code_.line("// {}", jit::comment_text(system_.symbols[symbol_].name));
        step(symbol_, 0, matcher_.start, [] {});
        for (std::size_t i = 0; i < helpers_.size(); ++i) {
            if (helpers_[i].of == symbol_)
                helper_step(i);
        }
    }

    std::string load(PositionId position, TermPosition const& from) const override {
        return fmt::format("{} = store.argument({}, {});", position_name(position), position_name(from.parent),
                           from.argument);
    }

    std::string symbol(PositionId position) const override { return "store.symbol(" + position_name(position) + ")"; }

    void stuck(CodeWriter& code) override {
        if (!in_helper_) {
            code.line("return false;");
            return;
        }
        // The helper becomes the stuck term, which is normal.
        auto const block = code.block();
        refer_arguments(code);
        code.line("store.become_stuck(term, {});", arguments_of(symbol_, {}, argument_names()));
        drop_arguments(code, std::vector<unsigned>(arity_, 1));
        code.line("return true;");
    }

    bool apply(CodeWriter& code, StateId id, State const& state) override {
        if (!system_.rules[state.rule].conditions.empty())
            begin_condition(code, state, before_[id], 0);
        else
            apply_rule(code, state, before_[id]);
        return system_.rules[state.rule].operation != Operation::none;
    }

private:
    using Positions = std::vector<bool>;

    // `first` writes the text before the states.
    template <class First>
    void step(std::size_t number, std::size_t first_argument, StateId start, First const& first) {
        in_helper_ = first_argument != 0;
        {
            code_.line("template <class Store>");
            auto const function = code_.block("__device__ inline bool rewrite_{}(Store& store, unsigned term)", number);
            for (PositionId position = 0; position < matcher_.positions.size(); ++position) {
                if (position < arity_)
                    code_.line("unsigned {} = store.argument(term, {});", position_name(position),
                               position + first_argument);
                else
                    code_.line("unsigned {};", position_name(position));
            }
            if (in_helper_) {
                code_.line("unsigned const left = store.argument(term, 0);");
                code_.line("unsigned const right = store.argument(term, 1);");
            }
            Matcher matcher = matcher_;
            matcher.start = start;
            before_ = positions_before(system_, matcher, arity_);
            first();
            write_states(code_, matcher, arity_, *this);
        }
        code_.line();
    }

    // Any state that applies the helper's rule has the positions of its variables and the state of the next rule.
    void helper_step(std::size_t index) {
        Helper const& helper = helpers_[index];
        Rule const& rule = system_.rules[helper.rule];
        std::size_t const number = system_.symbols.size() + index;
        for (State const& state : matcher_.states) {
            if (state.kind != State::Kind::apply || state.rule != helper.rule)
                continue;
            step(number, 2, state.otherwise, [&] {
                code_.line("bool equal = false;");
                code_.line("if (!store.compare(left, right, equal))");
                code_.line("    return true;");
                auto const holds = code_.block("if ({})", rule.conditions[helper.condition].equal ? "equal" : "!equal");
                Positions arguments(matcher_.positions.size(), false);
                std::fill(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(arity_), true);
                if (helper.condition + 1 == rule.conditions.size())
                    apply_rule(code_, state, arguments);
                else
                    begin_condition(code_, state, arguments, helper.condition + 1);
            });
            return;
        }
        // An earlier rule always matches, so this one is never tried.
        code_.line("template <class Store>");
        {
            auto const function = code_.block("__device__ inline bool rewrite_{}(Store&, unsigned)", number);
            code_.line("return false;");
        }
        code_.line();
    }

    std::vector<std::string> argument_names() const {
        std::vector<std::string> names;
        for (PositionId position = 0; position < arity_; ++position)
            names.push_back(position_name(position));
        return names;
    }

    // Returns "symbol", followed by "references" if given and by "{a, b}" if there are arguments.
    static std::string arguments_of(std::size_t symbol, std::optional<unsigned> references,
                                    std::vector<std::string> const& arguments) {
        std::string const head = references ? fmt::format("{}u, {}u", symbol, *references) : fmt::format("{}u", symbol);
        return arguments.empty() ? head : head + ", {" + bench::joined(arguments) + "}";
    }

    static std::vector<std::string> names_of(SharedNode const& node, std::vector<std::string> const& names) {
        std::vector<std::string> arguments;
        for (std::uint32_t const argument : node.arguments)
            arguments.push_back(names[argument]);
        return arguments;
    }

    // The terms that a step makes, and the number of references to each term afterwards.
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
            bool const is_bound = node.is_variable && !is_result(state, node);
            made.names.push_back(is_bound ? position_name(state.variables[node.head]) : "v" + std::to_string(i));
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

    void operation(CodeWriter& code, State const& state, Positions& known) const {
        std::vector<std::string> bytes;
        for (std::uint32_t i = 0; i < operand_bytes; ++i) {
            load_position(code, state.variables[i], known);
            bytes.push_back(symbol(state.variables[i]));
        }
        write_operation(code, system_.rules[state.rule].operation, bytes, system_.integers->first_byte,
                        "goto " + label(state.otherwise) + ";");
    }

    bool is_result(State const& state, SharedNode const& node) const {
        return node.is_variable && compiled::is_result(system_.rules[state.rule], node.head);
    }

    // Loads the terms that are referred to, reserves room and makes the new terms. `kept[i]` is the number of
    // references to argument i, before and, on return, after that.
    void make(CodeWriter& code, Making const& made, State const& state, Positions known,
              std::vector<unsigned>& kept) const {
        CodeWriter refers(code.depth());
        CodeWriter makes(code.depth());
        unsigned count = 0;
        std::vector<unsigned> of_arguments = kept;
        for (std::size_t i = 0; i < made.names.size(); ++i) {
            SharedNode const& node = made.shared.nodes[i];
            if (is_result(state, node)) {
                ++count;
                makes.line("unsigned const {} = store.make({}u + {}, {}u);", made.names[i],
                           system_.integers->first_byte, result_byte(node.head), made.references[i]);
                continue;
            }
            if (!node.is_variable) {
                if (i == made.root)
                    continue;
                ++count;
                makes.line("unsigned const {} = store.make({});", made.names[i],
                           arguments_of(node.head, made.references[i], names_of(node, made.names)));
                continue;
            }
            PositionId const position = state.variables[node.head];
            load_position(code, position, known);
            if (position < arity_)
                of_arguments[position] += made.references[i];
            else if (made.references[i] != 0)
                refer(refers, position, made.references[i]);
        }
        for (PositionId position = 0; position < arity_; ++position) {
            unsigned const before = options_.net_references ? 1 : 0;
            if (of_arguments[position] > before)
                refer(refers, position, of_arguments[position] - before);
        }
        kept = of_arguments;
        if (count != 0) {
            code.line("if (!store.template reserve<{}>())", count);
            code.line("    return true;");
        }
        code.append(refers.text());
        code.append(makes.text());
    }

    void load_position(CodeWriter& code, PositionId position, Positions& known) const {
        if (known[position])
            return;
        known[position] = true;
        TermPosition const& from = matcher_.positions[position];
        load_position(code, from.parent, known);
        code.line("{}", load(position, from));
    }

    static void refer(CodeWriter& code, PositionId position, unsigned times) {
        code.line("store.refer({}, {}u);", position_name(position), times);
    }

    void refer_arguments(CodeWriter& code) const {
        for (PositionId position = 0; position < arity_ && !options_.net_references; ++position)
            refer(code, position, 1);
    }

    // The rewritten term referred to each of its arguments once. `named[i]`: number of references to argument i now.
    void drop_arguments(CodeWriter& code, std::vector<unsigned> const& named) const {
        if (in_helper_) {
            code.line("store.drop(left);");
            code.line("store.drop(right);");
        }
        for (PositionId position = 0; position < arity_; ++position) {
            if (!options_.net_references || named[position] == 0)
                code.line("store.drop({});", position_name(position));
        }
    }

    void apply_rule(CodeWriter& code, State const& state, Positions known) const {
        SharedTerms const shared = share(system_.terms, std::span(&system_.rules[state.rule].right, 1));
        Making const made = making(shared, state, true);
        std::vector<unsigned> named(arity_, 0);
        auto const block = code.block();
        if (system_.rules[state.rule].operation != Operation::none)
            operation(code, state, known);
        make(code, made, state, known, named);
        SharedNode const& root = shared.nodes[*made.root];
        code.line("store.count({}u);", state.rule);
        if (root.is_variable)
            code.line("store.become_copy(term, {});", made.names[*made.root]);
        else
            code.line("store.become(term, {});", arguments_of(root.head, {}, names_of(root, made.names)));
        drop_arguments(code, named);
        code.line("return true;");
    }

    void begin_condition(CodeWriter& code, State const& state, Positions const& known, std::size_t condition) const {
        Condition const& of = system_.rules[state.rule].conditions[condition];
        std::size_t helper = 0;
        while (helpers_[helper].rule != state.rule || helpers_[helper].condition != condition)
            ++helper;
        TermId const sides[] = {of.left, of.right};
        SharedTerms const shared = share(system_.terms, sides);
        Making const made = making(shared, state, false);
        std::vector<unsigned> named(arity_, 1);
        auto const block = code.block();
        make(code, made, state, known, named);
        std::vector<std::string> arguments = {made.names[shared.roots[0]], made.names[shared.roots[1]]};
        for (std::string const& name : argument_names())
            arguments.push_back(name);
        code.line("store.become(term, {});", arguments_of(system_.symbols.size() + helper, {}, arguments));
        drop_arguments(code, named);
        code.line("return true;");
    }

    CodeWriter& code_;
    System const& system_;
    StepOptions const& options_;
    std::vector<Helper> const& helpers_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher matcher_;
    std::vector<Positions> before_;
    bool in_helper_ = false;
};

}  // namespace

std::vector<Helper> helpers_of(System const& system) {
    std::vector<Helper> helpers;
    for (RuleId rule = 0; rule < system.rules.size(); ++rule) {
        for (std::size_t i = 0; i < system.rules[rule].conditions.size(); ++i)
            helpers.push_back({system.terms.symbol(system.rules[rule].left), rule, i});
    }
    return helpers;
}

void write_steps(CodeWriter& code, System const& system, StepOptions const& options, std::vector<Helper> const& helpers,
                 SymbolId symbol) {
    StepText(code, system, options, helpers, symbol).run();
}

}  // namespace lockstep::term_rewriting
