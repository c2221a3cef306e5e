#include "baselines/term_rewriting/compiled/generate_cpp.hpp"

#include <algorithm>
#include <deque>
#include <span>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "baselines/term_rewriting/compiled/body.hpp"
#include "common/term_rewriting/compiler/operation_text.hpp"
#include "common/term_rewriting/compiler/state_text.hpp"
#include "common/term_rewriting/language/print.hpp"
#include "harness/simt/embedded_text.hpp"

namespace lockstep::term_rewriting::compiled {

std::span<simt::EmbeddedText const> abi_text();  // abi.hpp, registers.hpp

namespace {

using jit::CodeWriter;

std::string stack_slot(std::size_t index) { return fmt::format("stack[{}]", index); }

// Returns "Word* p0, Word* p1" and so on: the parameters that a function takes in registers.
std::string register_parameters(std::size_t arity) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(arity, register_arguments); ++i)
        text += fmt::format("{}Word* p{}", i == 0 ? "" : ", ", i);
    return text;
}

std::string signature(SymbolId symbol, std::size_t arity) {
    return fmt::format("static inline Word* {}({})", function_name(symbol), register_parameters(arity));
}

// Writes the function of one defined symbol.
class FunctionText : public TargetText {
public:
    FunctionText(BodyContext& context, std::deque<SharedTerms>& shared, SymbolId symbol)
        : context_(context),
          system_(context.model.system()),
          shared_(shared),
          symbol_(symbol),
          arity_(system_.arity(symbol)),
          matcher_(context.model.normal().matcher(symbol)) {}

    void run(CodeWriter& code) {
        code.line("// {}", jit::comment_text(system_.symbols[symbol_].name));
        {
            auto const function = code.block("{}", signature(symbol_, arity_));
            for (std::size_t i = register_arguments; i < arity_; ++i)
                code.line("Word* p{} = (Word*){};", i, stack_slot(i - register_arguments));
            for (PositionId position = static_cast<PositionId>(arity_); position < matcher_.positions.size();
                 ++position)
                code.line("[[maybe_unused]] Word* {};", position_name(position));
            if (has_conditions() && context_.model.recursive(symbol_))
                poll(code);
            write_states(code, matcher_, arity_, *this);
        }
        code.line();
    }

    std::string load(PositionId position, TermPosition const& from) const override {
        return fmt::format("{} = Terms::argument({}, {});", position_name(position), position_name(from.parent),
                           from.argument);
    }

    std::string load_tested(PositionId position, TermPosition const& from) const override {
        return fmt::format("{} = Terms::tested_argument({}, {});", position_name(position), position_name(from.parent),
                           from.argument);
    }

    // Of a byte of an integer.
    std::string symbol(PositionId position) const override {
        return "immediate_symbol(" + position_name(position) + ")";
    }

    // Reads no more than it takes to tell the symbols of the sort apart. Constants and other symbols have a switch
    // each: in a common one, the compiler would test for the constants again after the head is read.
    std::vector<Switch> switches(State const& state) const override {
        NormalSymbols::OfSort const& of = context_.model.normal().tested_by(state);
        std::string const name = position_name(state.position);
        Switch constants = {"", "immediate_symbol(" + name + ")", {}, false};
        Switch others = {"", "Terms::pointed_symbol(" + name + ")", {}, false};
        if (of.others.empty() || of.constants.empty()) {
            Switch& all = of.others.empty() ? constants : others;
            fill(all, state.cases, of.others.empty() ? of.constants : of.others);
            return {all};
        }
        std::vector<std::pair<SymbolId, StateId>> of_constants, of_others;
        for (auto const& one : state.cases)
            (system_.arity(one.first) == 0 ? of_constants : of_others).push_back(one);
        fill(constants, of_constants, of.constants);
        fill(others, of_others, of.others);
        constants.condition = "is_immediate(" + name + ")";
        return {constants, others};
    }

    void stuck(CodeWriter& code) override {
        auto const block = code.block();
        stuck_body().write(code);
    }

    bool apply(CodeWriter& code, StateId, State const& state) override {
        Rule const& rule = system_.rules[state.rule];
        code.line("{{  // {}", comment(rule));
        auto const block = code.indented("}");
        for (std::size_t i = 0; i < rule.conditions.size(); ++i)
            condition(code, state, rule, i);
        if (rule.operation != Operation::none)
            operation(code, state, rule);
        if (!rule.conditions.empty() || !state.variables.empty())
            write_loads(code, matcher_, used_positions(state, share_of(state.rule)), *this);
        if (!context_.model.implied().is_implied(state.rule))
            code.line("++worker->counts[{}];", state.rule);
        rule_body(state).write(code);
        return !rule.conditions.empty() || rule.operation != Operation::none;
    }

private:
    void operation(CodeWriter& code, State const& state, Rule const& rule) {
        std::vector<PositionId> const positions(state.variables.begin(), state.variables.begin() + operand_bytes);
        std::vector<std::string> bytes;
        for (PositionId const position : positions)
            bytes.push_back(symbol(position));
        write_loads(code, matcher_, positions, *this);
        write_operation(code, rule.operation, bytes, system_.integers->first_byte,
                        "goto " + label(state.otherwise) + ";");
        for (std::uint32_t variable = operand_bytes; variable < rule.variables.size(); ++variable)
            code.line("Word* {} = immediate({}u + {});", result_name(variable), system_.integers->first_byte,
                      result_byte(variable));
    }

    // `symbols`: those that may occur.
    void fill(Switch& of, std::vector<std::pair<SymbolId, StateId>> const& cases,
              std::vector<SymbolId> const& symbols) const {
        of.cases = cases;
        if (symbols.size() == 1)
            of.symbol = fmt::format("{}u", symbols[0]);
        of.is_exhaustive = std::all_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
            return std::any_of(cases.begin(), cases.end(), [&](auto const& one) { return one.first == symbol; });
        });
    }

    static std::string result_name(std::uint32_t variable) { return "r" + std::to_string(variable); }

    bool has_conditions() const {
        return std::any_of(matcher_.states.begin(), matcher_.states.end(), [&](State const& state) {
            return state.kind == State::Kind::apply && !system_.rules[state.rule].conditions.empty();
        });
    }

    // A rule checks for room, and so polls, before it calls a function that may lead back to this one. With conditions
    // the function polls on entry too, because they may call it before any rule applies.
    void poll(CodeWriter& code) const {
        std::string save;
        std::string load;
        for (std::size_t i = 0; i < arity_; ++i) {
            save += fmt::format("{} = (Word)p{}; ", stack_slot(i), i);
            load += fmt::format(" p{} = (Word*){};", i, stack_slot(i));
        }
        auto const block = code.block("if (!has_room(0))");
        code.line("{}make_room(stack + {}, 0);{}", save, arity_, load);
    }

    SharedTerms const& share_of(RuleId rule) {
        shared_.push_back(share(system_.terms, std::span(&system_.rules[rule].right, 1)));
        return shared_.back();
    }

    // Returns the names of the local variables that hold the rule's variables.
    std::vector<std::string> names_of(State const& state, SharedTerms const& shared) const {
        std::vector<std::string> names(shared.nodes.size());
        for (std::size_t node = 0; node < names.size(); ++node) {
            if (!shared.nodes[node].is_variable)
                continue;
            std::uint32_t const variable = shared.nodes[node].head;
            names[node] = is_result(system_.rules[state.rule], variable) ? result_name(variable)
                                                                         : position_name(state.variables[variable]);
        }
        return names;
    }

    std::vector<PositionId> used_positions(State const& state, SharedTerms const& shared) const {
        std::vector<PositionId> positions;
        for (SharedNode const& node : shared.nodes) {
            if (node.is_variable && !is_result(system_.rules[state.rule], node.head))
                positions.push_back(state.variables[node.head]);
        }
        return positions;
    }

    Body rule_body(State const& state) {
        SharedTerms const& shared = share_of(state.rule);
        Body body(context_, shared, names_of(state, shared), 0);
        body.poll_within(symbol_);
        body.plan(true);
        return body;
    }

    Body stuck_body() {
        SharedTerms shared;
        SharedNode root = {false, symbol_, {}};
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < arity_; ++i) {
            shared.nodes.push_back({true, i, {}});
            root.arguments.push_back(i);
            names.push_back("p" + std::to_string(i));
        }
        shared.roots.push_back(static_cast<std::uint32_t>(arity_));
        shared.nodes.push_back(std::move(root));
        names.emplace_back();
        shared_.push_back(std::move(shared));
        Body body(context_, shared_.back(), std::move(names), 0);
        body.keep_root_stuck();
        body.plan(true);
        return body;
    }

    void condition(CodeWriter& code, State const& state, Rule const& rule, std::size_t index) {
        Condition const& of = rule.conditions[index];
        TermId const sides[] = {of.left, of.right};
        shared_.push_back(share(system_.terms, sides));
        SharedTerms const& shared = shared_.back();
        write_loads(code, matcher_, used_positions(state, shared), *this);
        for (std::size_t i = 0; i < arity_; ++i)
            code.line("{} = (Word)p{};", stack_slot(i), i);
        Body body(context_, shared, names_of(state, shared), static_cast<unsigned>(arity_));
        bool const parallel = context_.parallel;
        context_.parallel = false;
        body.plan(false);
        context_.parallel = parallel;
        auto const block = code.block();
        body.write(code);
        code.line("bool const holds = equal_terms<Terms>(worker, {}, {}){};", body.root_value(0), body.root_value(1),
                  of.equal ? "" : " == false");
        for (std::size_t i = 0; i < arity_; ++i)
            code.line("p{} = (Word*){};", i, stack_slot(i));
        code.line("if (!holds)");
        code.line("    goto {};", label(state.otherwise));
    }

    std::string comment(Rule const& rule) const {
        return jit::comment_text(to_string(system_, rule.left, &rule) + " -> " + to_string(system_, rule.right, &rule));
    }

    BodyContext& context_;
    System const& system_;
    std::deque<SharedTerms>& shared_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher const& matcher_;
};

// The parameters of functions that the runtime calls.
constexpr char const* by_runtime = "Worker* now_worker, Word* now_heap, Word* now_stack";

void write_task(CodeWriter& code, BodyContext& context, TaskText const& task) {
    std::vector<std::string> names(task.shared->nodes.size());
    {
        auto const function = code.block("static Word* {}(Word* captured)", task_function_name(task.number));
        for (std::size_t i = 0; i < task.captured.size(); ++i) {
            names[task.captured[i]] = fmt::format("c{}", task.captured[i]);
            code.line("Word* {} = (Word*)captured[{}];", names[task.captured[i]], i);
        }
        SharedTerms shared = *task.shared;
        shared.roots.assign(1, task.root);
        Body body(context, shared, std::move(names), 0);
        body.plan(true);
        // Tasks that this task spawns refer to the rule's terms, which outlive this function.
        for (TaskText& spawned : context.tasks) {
            if (spawned.shared == &shared)
                spawned.shared = task.shared;
        }
        body.write(code);
    }
    {
        auto const function =
            code.block("static Result run_{}({}, Word* captured)", task_name(task.number), by_runtime);
        code.line("Entered const entered(now_worker, now_heap, now_stack);");
        code.line("return entered.result({}(captured));", task_function_name(task.number));
    }
    code.line();
}

// Writes a function that passes a defined symbol's arguments from an array to the symbol's function. The array may be
// the stack itself.
void write_call_function(CodeWriter& code, Model const& model) {
    {
        auto const function = code.block("static Word* call_symbol(unsigned symbol, Word const* arguments)");
        auto const cases = code.block("switch (symbol)");
        for (SymbolId symbol = 0; symbol < model.system().symbols.size(); ++symbol) {
            if (!model.defined(symbol))
                continue;
            auto const one = code.block("case {}:", symbol);
            std::size_t const arity = model.system().arity(symbol);
            std::string in_registers;
            for (std::size_t i = 0; i < arity; ++i) {
                code.line("Word* p{} = (Word*)arguments[{}];", i, i);
                if (i < register_arguments)
                    in_registers += fmt::format("{}p{}", i == 0 ? "" : ", ", i);
            }
            for (std::size_t i = register_arguments; i < arity; ++i)
                code.line("{} = (Word)p{};", stack_slot(i - register_arguments), i);
            if (auto const rule = model.implied().rule_of(symbol))
                code.line("++worker->counts[{}];", *rule);
            code.line("return {}({});", function_name(symbol), in_registers);
        }
        code.line("default:");
        code.line("    return nullptr;");
    }
    {
        auto const function = code.block("static Result call({}, unsigned symbol, Word const* arguments)", by_runtime);
        code.line("Entered const entered(now_worker, now_heap, now_stack);");
        code.line("return entered.result(call_symbol(symbol, arguments));");
    }
    code.line();
}

// The text of a header, to be part of another file.
std::string without_pragma(std::string_view text) {
    constexpr std::string_view pragma = "#pragma once\n";
    return std::string(text.substr(0, pragma.size()) == pragma ? text.substr(pragma.size()) : text);
}

std::string arities_of(System const& system) {
    std::string text;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol)
        text += fmt::format("{},", system.arity(symbol));
    return text;
}

std::string table_of(Constants const& constants) {
    std::string text;
    for (Constants::Entry const& entry : constants.entries()) {
        text += fmt::format("{}, {}, ", entry.symbol, entry.arguments.size());
        for (std::size_t const position : entry.arguments)
            text += fmt::format("{}, ", position);
    }
    return text;
}

std::string table_of(ImpliedCounts const& implied) {
    std::string text;
    for (ImpliedCounts::Sum const& sum : implied.sums()) {
        text += fmt::format("{}, {}, ", sum.rule, sum.terms.size());
        for (auto const& [rule, factor] : sum.terms)
            text += fmt::format("{}, (Word){}, ", rule, factor);
    }
    return text;
}

}  // namespace

std::string generate_cpp(System const& system, bool parallel, bool packed) {
    Model const model(system, packed);
    BodyContext context{model, parallel, {}, {}};
    std::deque<SharedTerms> shared;
    CodeWriter declarations;
    CodeWriter functions;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (!model.defined(symbol))
            continue;
        declarations.line("{};", signature(symbol, system.arity(symbol)));
        FunctionText(context, shared, symbol).run(functions);
    }
    for (std::size_t task = 0; task < context.tasks.size(); ++task) {
        // A copy, because writing one task may add others.
        TaskText const one = context.tasks[task];
        std::string const name = task_name(task);
        declarations.line("static Word* {}(Word*);", task_function_name(task));
        declarations.line("static Result run_{}(Worker*, Word*, Word*, Word*);", name);
        declarations.line("static Task const {} = {{run_{}, {}}};", name, name, one.captured.size());
        write_task(functions, context, one);
    }
    Constants const& constants = context.constants;

    CodeWriter code;
    for (simt::EmbeddedText const& part : abi_text())
        code.append(without_pragma(part.text));
    code.line();
    code.line("// Generated from a term rewrite system.");
    code.line();
    code.line("namespace {{");
    code.line("using namespace lockstep::term_rewriting::compiled;");
    code.line();
    code.line("using Terms = {};", model.head_words() == 0 ? "PackedTerms" : "WideTerms");
    code.line("static unsigned short const arities[] = {{{}0}};", arities_of(system));
    code.line("static Word constants[{}];", constants.words() + 1);
    code.line();
    code.append(declarations.text());
    code.line();
    code.append(functions.text());
    write_call_function(code, model);
    code.line("static Word const constant_table[] = {{{}0}};", table_of(constants));
    code.line("static Word const implied_table[] = {{{}0}};", table_of(model.implied()));
    code.line();
    code.line(
        "static Program const program = {{{}, Terms::head_words, arities, call, constants, {}, constant_table, {}, "
        "implied_table, {}}};",
        system.rules.size(), constants.words(), constants.entries().size(), model.implied().sums().size());
    code.line("}}  // namespace");
    code.line();
    code.line("#ifndef LOCKSTEP_PROGRAM");
    code.line("#define LOCKSTEP_PROGRAM lockstep_program");
    code.line("#endif");
    code.line("extern \"C\" Program const* LOCKSTEP_PROGRAM();");
    code.line("extern \"C\" Program const* LOCKSTEP_PROGRAM() {{ return &program; }}");
    return code.take();
}

}  // namespace lockstep::term_rewriting::compiled
