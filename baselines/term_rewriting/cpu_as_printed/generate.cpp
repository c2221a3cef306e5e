#include "baselines/term_rewriting/cpu_as_printed/generate.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "common/term_rewriting/language/sharing.hpp"

namespace lockstep::term_rewriting::cpu_as_printed {

namespace {

std::string number(std::size_t value) { return std::to_string(value); }
std::string column(std::size_t argument) { return "args[" + number(argument) + "]"; }

// The text of one rule inside the rewrite function of its symbol: `t` is the term. Falls through where it does not fit.
class RuleText {
public:
    RuleText(System const& system, RuleId id) : system_(system), id_(id), rule_(system.rules[id]) {}

    std::string run() {
        text_ = "    // " + number(id_) + "\n    do {\n";
        std::size_t const arity = system_.terms.arguments(rule_.left).size();
        match(rule_.left, "t", "r");
        for (std::size_t i = 0; i < rule_.conditions.size(); ++i)
            condition(i);
        build(arity);
        return text_ + "    } while (false);\n";
    }

private:
    void line(std::string const& words) { text_ += "        " + words + "\n"; }

    // Listing 5: the index of a subterm is read, then its head symbol, and a symbol that differs ends the rule.
    void match(TermId pattern, std::string const& term, std::string const& name) {
        auto const arguments = system_.terms.arguments(pattern);
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            TermId const argument = arguments[i];
            std::string const index = name + "_" + number(i);
            if (system_.terms.is_variable(argument)) {
                variables_[system_.terms.variable_of(argument)] = {index, column(i) + "[" + term + "]"};
                continue;
            }
            line("Index const " + index + " = " + column(i) + "[" + term + "];");
            line("if (hss[" + index + "] != " + number(system_.terms.symbol(argument)) + ") break;");
            match(argument, index, index);
        }
    }

    // Variables are read once the rule fits, and only those that it uses.
    std::string variable(std::uint32_t number) {
        Variable& variable = variables_.at(number);
        if (!variable.is_read) {
            line("Index const " + variable.name + " = " + variable.position + ";");
            variable.is_read = true;
        }
        return variable.name;
    }

    // Makes the distinct terms, arguments first, and counts their references; `redex` takes the place of node `root`.
    std::vector<std::string> make(SharedTerms const& shared, std::string const& prefix, std::size_t root) {
        std::vector<std::size_t> references(shared.nodes.size());
        std::vector<std::string> names;
        for (SharedNode const& node : shared.nodes) {
            for (std::uint32_t const argument : node.arguments)
                ++references[argument];
        }
        for (std::uint32_t const side : shared.roots)
            references[side] += side != root;
        for (std::size_t i = 0; i < shared.nodes.size(); ++i) {
            SharedNode const& node = shared.nodes[i];
            if (node.is_variable) {
                names.push_back(variable(node.head));
                if (references[i] != 0)
                    line("refcounts[" + names[i] + "] += " + number(references[i]) + ";");
                continue;
            }
            if (i == root) {
                names.push_back("t");
                continue;
            }
            names.push_back(prefix + number(i));
            line("Index const " + names[i] + " = get_new_index();");
            line("hss[" + names[i] + "] = " + number(node.head) + ";");
            for (std::size_t k = 0; k < node.arguments.size(); ++k)
                line(column(k) + "[" + names[i] + "] = " + names[node.arguments[k]] + ";");
            line("refcounts[" + names[i] + "] = " + number(references[i]) + ";");
            line("nf[" + names[i] + "] = false;");
        }
        return names;
    }

    void condition(std::size_t index) {
        Condition const& condition = rule_.conditions[index];
        TermId const sides[] = {condition.left, condition.right};
        SharedTerms const shared = share(system_.terms, sides);
        std::vector<std::string> const names = make(shared, "c_" + number(index) + "_", shared.nodes.size());
        std::string const& left = names[shared.roots[0]];
        std::string const& right = names[shared.roots[1]];
        line("derive(" + left + ");");
        line("derive(" + right + ");");
        std::string const holds = "holds_" + number(index);
        line("bool const " + holds + " = columns->equal(columns, " + left + ", " + right +
             ") == " + (condition.equal ? "true" : "false") + ";");
        line("release(" + left + ");");
        line("release(" + right + ");");
        line("if (!" + holds + ") break;");
    }

    void build(std::size_t arity) {
        SharedTerms const shared = share(system_.terms, std::span(&rule_.right, 1));
        std::uint32_t const root = shared.roots[0];
        SharedNode const& node = shared.nodes[root];
        if (node.is_variable) {
            std::string const name = variable(node.head);
            old_arguments(arity);
            line("copy_term_args(t, " + name + ");");
            line("hss[t] = hss[" + name + "];");
            line("nf[t] = true;");
        } else {
            std::vector<std::string> const names = make(shared, "n_", root);
            old_arguments(arity);
            line("hss[t] = " + number(node.head) + ";");
            for (std::size_t k = 0; k < node.arguments.size(); ++k)
                line(column(k) + "[t] = " + names[node.arguments[k]] + ";");
        }
        for (std::size_t i = 0; i < arity; ++i)
            line("release(old_" + number(i) + ");");
        line("applied(" + number(id_) + ");");
        line("return true;");
    }

    void old_arguments(std::size_t arity) {
        for (std::size_t i = 0; i < arity; ++i)
            line("Index const old_" + number(i) + " = " + column(i) + "[t];");
    }

    struct Variable {
        std::string name;
        std::string position;
        bool is_read = false;
    };

    System const& system_;
    RuleId id_;
    Rule const& rule_;
    std::string text_;
    std::map<std::uint32_t, Variable> variables_;
};

std::string arrays(std::size_t columns) {
    std::string text = R"(
static Columns* columns;
static unsigned* hss;
static unsigned* refcounts;
static bool* nf;
)";
    text += "static Index* args[" + number(std::max<std::size_t>(columns, 1)) + "];\n";
    return text;
}

std::string arities(System const& system) {
    std::string text = "static unsigned const arities[] = {";
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol)
        text += number(system.arity(symbol)) + ", ";
    return text + "};\n";
}

constexpr char const* helpers = R"(
static void release(Index t) {
    if (--refcounts[t] == 0) columns->free_indices[columns->free_count++] = t;
}

// Listing 6. A deleted term gives up its own references when its index is used again.
static Index get_new_index() {
    if (columns->free_count != 0) {
        Index const t = columns->free_indices[--columns->free_count];
        for (unsigned i = 0; i < arities[hss[t]]; ++i) release(args[i][t]);
        return t;
    }
    if (columns->next_fresh == columns->capacity) columns->no_room();
    return columns->next_fresh++;
}

// The subterms of `from` become those of t as well.
static void copy_term_args(Index t, Index from) {
    for (unsigned i = 0; i < arities[hss[from]]; ++i) {
        args[i][t] = args[i][from];
        ++refcounts[args[i][t]];
    }
}

static void applied(unsigned rule) {
    ++columns->applications[rule];
    if (--columns->budget == 0) columns->attend(columns);
}

static void derive(Index t);

)";

std::string derive_text(System const& system, std::vector<std::vector<RuleId>> const& rules) {
    std::string text = R"(// Listing 2
static void derive(Index t) {
    if (static_cast<char const*>(__builtin_frame_address(0)) < columns->stack_end) columns->no_room();
    while (!nf[t]) {
        for (unsigned i = 0; i < arities[hss[t]]; ++i) {
            Index const subterm = args[i][t];
            if (!nf[subterm]) derive(subterm);
        }
        switch (hss[t]) {
)";
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (!rules[symbol].empty())
            text += "            case " + number(symbol) + ": if (!rewrite_" + number(symbol) +
                    "(t)) nf[t] = true; break;\n";
    }
    return text + "            default: nf[t] = true;\n        }\n    }\n}\n";
}

constexpr char const* entry = R"(
static void start(Columns* given, Index t) {
    columns = given;
    hss = given->hss;
    refcounts = given->refcounts;
    nf = given->nf;
    for (unsigned i = 0; i < sizeof args / sizeof args[0]; ++i) args[i] = given->args[i];
    derive(t);
}

}  // namespace

extern "C" Derive lockstep_printed_program() { return start; }
)";

}  // namespace

std::string generate(System const& system) {
    std::size_t columns = 0;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol)
        columns = std::max(columns, system.arity(symbol));
    std::vector<std::vector<RuleId>> const rules = system.rules_of_symbols();
    std::string text = columns_text();
    text += "\nusing namespace lockstep::term_rewriting::cpu_as_printed;\n\nnamespace {\n";
    text += arrays(columns) + arities(system) + helpers;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (rules[symbol].empty())
            continue;
        text += "static bool rewrite_" + number(symbol) + "(Index t) {\n";
        for (RuleId const rule : rules[symbol])
            text += RuleText(system, rule).run();
        text += "    return false;\n}\n\n";
    }
    return text + derive_text(system, rules) + entry;
}

}  // namespace lockstep::term_rewriting::cpu_as_printed
