#include "baselines/term_rewriting/compiled/generate_cpp.hpp"

#include <algorithm>
#include <deque>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "baselines/term_rewriting/compiled/body.hpp"
#include "common/term_rewriting/compiler/state_text.hpp"
#include "common/term_rewriting/language/print.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

std::string stack_slot(std::size_t index) { return "stack[" + std::to_string(index) + "]"; }

// "Word* p0, Word* p1": what a function takes in registers.
std::string register_parameters(std::size_t arity) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(arity, register_arguments); ++i)
        text += ", Word* p" + std::to_string(i);
    return text;
}

std::string signature(SymbolId symbol, std::size_t arity) {
    return "static Result " + function_name(symbol) + "(Worker* worker, Word* heap, Word* stack" +
           register_parameters(arity) + ")";
}

// One defined symbol.
class FunctionText : public TargetText {
public:
    FunctionText(BodyContext& context, std::deque<SharedTerms>& shared, SymbolId symbol)
        : context_(context),
          system_(context.model.system()),
          shared_(shared),
          symbol_(symbol),
          arity_(system_.arity(symbol)),
          matcher_(compile_matcher(system_, symbol)) {}

    std::string run() {
        plan();
        std::string const states = state_text(matcher_, arity_, *this);
        std::string text = "// " + system_.symbols[symbol_].name + "\n" + signature(symbol_, arity_) + " {\n";
        for (std::size_t i = register_arguments; i < arity_; ++i)
            text += "    Word* p" + std::to_string(i) + " = (Word*)" + stack_slot(i - register_arguments) + ";\n";
        for (PositionId position = static_cast<PositionId>(arity_); position < matcher_.positions.size(); ++position)
            text += "    Word* " + position_name(position) + ";\n";
        return text + entry() + states + "}\n\n";
    }

    std::string load(PositionId position, TermPosition const& from) const override {
        return position_name(position) + " = Terms::argument(" + position_name(from.parent) + ", " +
               std::to_string(from.argument) + ");";
    }

    std::string symbol(PositionId position) const override {
        return "Terms::symbol_of(" + position_name(position) + ")";
    }

    std::string stuck(std::string const& indent) override {
        return indent + "{\n" + stuck_body().text(!conditional_, indent + "    ") + indent + "}\n";
    }

    std::string apply(StateId, State const& state, std::string const& indent) override {
        Rule const& rule = system_.rules[state.rule];
        std::string const inner = indent + "    ";
        std::string text = indent + "{  // " + comment(rule) + "\n";
        for (std::size_t i = 0; i < rule.conditions.size(); ++i)
            text += condition(state, rule, i, inner);
        if (!rule.conditions.empty() || !state.variables.empty())
            text += load_positions(matcher_, used_positions(state, share_of(state.rule)), *this, inner);
        text += inner + "++worker->counts[" + std::to_string(state.rule) + "];\n";
        Body body = rule_body(state);
        return text + body.text(!conditional_, inner) + indent + "}\n";
    }

private:
    // Room for the first allocations of every rule is made once, on entry; a symbol with conditions makes it where it
    // is needed, as terms move in between.
    void plan() {
        for (State const& state : matcher_.states) {
            if (state.kind == State::Kind::apply && !system_.rules[state.rule].conditions.empty())
                conditional_ = true;
        }
        if (conditional_)
            return;
        std::size_t const tasks = context_.tasks.size();
        for (State const& state : matcher_.states) {
            if (state.kind == State::Kind::stuck)
                first_words_ = std::max(first_words_, context_.model.words_of(symbol_));
            if (state.kind == State::Kind::apply)
                first_words_ = std::max(first_words_, rule_body(state).first_words());
        }
        context_.tasks.resize(tasks);  // they are planned again where their text is written
    }

    std::string entry() const {
        if (first_words_ == 0 && !context_.model.recursive(symbol_))
            return "";
        std::string save;
        std::string load;
        for (std::size_t i = 0; i < arity_; ++i) {
            save += stack_slot(i) + " = (Word)p" + std::to_string(i) + "; ";
            load += " p" + std::to_string(i) + " = (Word*)" + stack_slot(i) + ";";
        }
        std::string const words = std::to_string(first_words_);
        return "    if (__builtin_expect(heap + " + words + " > limit_of(worker), 0)) {\n        " + save +
               "heap = worker->attend(worker, heap, stack + " + std::to_string(arity_) + ", " + words + ");" + load +
               "\n    }\n";
    }

    SharedTerms const& share_of(RuleId rule) {
        shared_.push_back(share(system_.terms, std::span(&system_.rules[rule].right, 1)));
        return shared_.back();
    }

    // Locals that hold the rule's variables.
    std::vector<std::string> names_of(State const& state, SharedTerms const& shared) const {
        std::vector<std::string> names(shared.nodes.size());
        for (std::size_t node = 0; node < names.size(); ++node) {
            if (shared.nodes[node].is_variable)
                names[node] = position_name(state.variables[shared.nodes[node].head]);
        }
        return names;
    }

    std::vector<PositionId> used_positions(State const& state, SharedTerms const& shared) const {
        std::vector<PositionId> positions;
        for (SharedNode const& node : shared.nodes) {
            if (node.is_variable)
                positions.push_back(state.variables[node.head]);
        }
        return positions;
    }

    Body rule_body(State const& state) {
        SharedTerms const& shared = share_of(state.rule);
        Body body(context_, shared, names_of(state, shared), 0);
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

    std::string condition(State const& state, Rule const& rule, std::size_t index, std::string const& indent) {
        Condition const& of = rule.conditions[index];
        TermId const sides[] = {of.left, of.right};
        shared_.push_back(share(system_.terms, sides));
        SharedTerms const& shared = shared_.back();
        std::string text = load_positions(matcher_, used_positions(state, shared), *this, indent);
        std::string reload;
        for (std::size_t i = 0; i < arity_; ++i) {
            text += indent + stack_slot(i) + " = (Word)p" + std::to_string(i) + ";\n";
            reload += indent + "    p" + std::to_string(i) + " = (Word*)" + stack_slot(i) + ";\n";
        }
        Body body(context_, shared, names_of(state, shared), static_cast<unsigned>(arity_));
        bool const parallel = context_.parallel;
        context_.parallel = false;
        body.plan(false);
        context_.parallel = parallel;
        text += indent + "{\n" + body.text(false, indent + "    ");
        text += indent + "    bool const holds = worker->equal(worker, " + body.root_value(0) + ", " +
                body.root_value(1) + ")" + (of.equal ? "" : " == false") + ";\n" + reload;
        return text + indent + "    if (!holds)\n" + indent + "        goto " + label(state.otherwise) + ";\n" +
               indent + "}\n";
    }

    std::string comment(Rule const& rule) const {
        std::string text = to_string(system_, rule.left, &rule) + " -> " + to_string(system_, rule.right, &rule);
        if (text.size() > 90)
            text = text.substr(0, 87) + "...";
        return text;
    }

    BodyContext& context_;
    System const& system_;
    std::deque<SharedTerms>& shared_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher matcher_;
    bool conditional_ = false;
    std::size_t first_words_ = 0;
};

std::string task_function(BodyContext& context, TaskText const& task) {
    std::vector<std::string> names(task.shared->nodes.size());
    std::string text =
        "static Result run_" + task_name(task.number) + "(Worker* worker, Word* heap, Word* stack, Word* captured) {\n";
    for (std::size_t i = 0; i < task.captured.size(); ++i) {
        names[task.captured[i]] = "c" + std::to_string(task.captured[i]);
        text += "    Word* " + names[task.captured[i]] + " = (Word*)captured[" + std::to_string(i) + "];\n";
    }
    SharedTerms shared = *task.shared;
    shared.roots.assign(1, task.root);
    Body body(context, shared, std::move(names), 0);
    body.plan(true);
    // Tasks that this one spawns name the rule's terms, which stay.
    for (TaskText& spawned : context.tasks) {
        if (spawned.shared == &shared)
            spawned.shared = task.shared;
    }
    return text + body.text(false, "    ") + "}\n\n";
}

// Brings a defined symbol's arguments from an array to where its function has them. The array may be the stack itself.
std::string call_function(Model const& model) {
    std::string text =
        "static Result call(Worker* worker, Word* heap, Word* stack, unsigned symbol, Word const* arguments) {\n"
        "    switch (symbol) {\n";
    for (SymbolId symbol = 0; symbol < model.system().symbols.size(); ++symbol) {
        if (!model.defined(symbol))
            continue;
        text += "        case " + std::to_string(symbol) + ": {\n";
        std::string call = "            return " + function_name(symbol) + "(worker, heap, stack";
        std::string stores;
        for (std::size_t i = 0; i < model.system().arity(symbol); ++i) {
            std::string const name = "p" + std::to_string(i);
            text += "            Word* " + name + " = (Word*)arguments[" + std::to_string(i) + "];\n";
            if (i < register_arguments)
                call += ", " + name;
            else
                stores += "            " + stack_slot(i - register_arguments) + " = (Word)" + name + ";\n";
        }
        text += stores + call + ");\n        }\n";
    }
    return text + "        default:\n            return Result{nullptr, heap};\n    }\n}\n\n";
}

std::string arities_text(System const& system) {
    std::string text = "static unsigned short const arities[] = {";
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol)
        text += std::to_string(system.arity(symbol)) + ",";
    return text + "0};\n";
}

std::string constants_text(Constants const& constants) {
    std::string text = "static Word constants[" + std::to_string(constants.words() + 1) + "];\n\n";
    return text;
}

std::string constant_table(Constants const& constants) {
    std::string text = "static Word const constant_table[] = {";
    for (Constants::Entry const& entry : constants.entries()) {
        text += std::to_string(entry.symbol) + ", " + std::to_string(entry.arguments.size()) + ", ";
        for (std::size_t const position : entry.arguments)
            text += std::to_string(position) + ", ";
    }
    return text + "0};\n\n";
}

}  // namespace

std::string generate_cpp(System const& system, bool parallel, bool packed) {
    Model const model(system, packed);
    BodyContext context{model, parallel, {}, {}};
    std::deque<SharedTerms> shared;
    std::string declarations;
    std::string functions;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (!model.defined(symbol))
            continue;
        declarations += signature(symbol, system.arity(symbol)) + ";\n";
        functions += FunctionText(context, shared, symbol).run();
    }
    for (std::size_t task = 0; task < context.tasks.size(); ++task) {
        // A copy: writing one task may add others.
        TaskText const one = context.tasks[task];
        declarations += "static Result run_" + task_name(task) + "(Worker*, Word*, Word*, Word*);\n";
        declarations += "static Task const " + task_name(task) + " = {run_" + task_name(task) + ", " +
                        std::to_string(one.captured.size()) + "};\n";
        functions += task_function(context, one);
    }
    std::string text = abi_text();
    text +=
        "\n// Generated from a term rewrite system.\n\nnamespace {\nusing namespace "
        "lockstep::term_rewriting::compiled;\n\n";
    text += std::string("using Terms = ") + (model.head_words() == 0 ? "PackedTerms" : "WideTerms") + ";\n";
    text += arities_text(system) + constants_text(context.constants) + declarations + "\n" + functions;
    text += call_function(model) + constant_table(context.constants);
    text += "static Program const program = {" + std::to_string(system.rules.size()) +
            ", Terms::head_words, arities, call, constants, " + std::to_string(context.constants.words()) +
            ", constant_table, " + std::to_string(context.constants.entries().size()) + "};\n}  // namespace\n\n";
    text += "#ifndef LOCKSTEP_PROGRAM\n#define LOCKSTEP_PROGRAM lockstep_program\n#endif\n";
    text += "extern \"C\" Program const* LOCKSTEP_PROGRAM();\n";
    text += "extern \"C\" Program const* LOCKSTEP_PROGRAM() { return &program; }\n";
    return text;
}

}  // namespace lockstep::term_rewriting::compiled
