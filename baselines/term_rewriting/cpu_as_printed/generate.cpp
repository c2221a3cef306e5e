#include "baselines/term_rewriting/cpu_as_printed/generate.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "common/term_rewriting/compiler/operation_text.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "harness/jit/code_writer.hpp"
#include "harness/simt/embedded_text.hpp"

namespace lockstep::term_rewriting::cpu_as_printed {

std::span<simt::EmbeddedText const> columns_text();  // columns.hpp

namespace {

using jit::CodeWriter;

std::string column(std::size_t argument) { return fmt::format("args[{}]", argument); }

// Writes one rule inside the rewrite function of its symbol; `t` is the term. Control falls through if the rule does
// not match.
class RuleText {
public:
    RuleText(CodeWriter& code, System const& system, RuleId id)
        : code_(code), system_(system), id_(id), rule_(system.rules[id]) {}

    void run() {
        code_.line("// {}", id_);
        code_.line("do {{");
        auto const attempt = code_.indented("} while (false);");
        std::size_t const arity = system_.terms.arguments(rule_.left).size();
        match(rule_.left, "t", "r");
        for (std::size_t i = 0; i < rule_.conditions.size(); ++i)
            condition(i);
        if (rule_.operation != Operation::none)
            operation();
        build(arity);
    }

private:
    // Listing 5: reads the index of a subterm, then its head symbol; a different symbol ends the rule.
    void match(TermId pattern, std::string const& term, std::string const& name) {
        auto const arguments = system_.terms.arguments(pattern);
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            TermId const argument = arguments[i];
            std::string const index = fmt::format("{}_{}", name, i);
            if (system_.terms.is_variable(argument)) {
                variables_[system_.terms.variable_of(argument)] = {index, column(i) + "[" + term + "]"};
                continue;
            }
            code_.line("Index const {} = {}[{}];", index, column(i), term);
            code_.line("if (hss[{}] != {}) break;", index, system_.terms.symbol(argument));
            match(argument, index, index);
        }
    }

    // Variables are read after the rule matches, and only if it uses them.
    std::string variable(std::uint32_t number) {
        Variable& variable = variables_.at(number);
        if (!variable.is_read) {
            code_.line("Index const {} = {};", variable.name, variable.position);
            variable.is_read = true;
        }
        return variable.name;
    }

    void operation() {
        std::vector<std::string> bytes;
        for (std::uint32_t i = 0; i < compiled::operand_bytes; ++i)
            bytes.push_back("hss[" + variable(i) + "]");
        compiled::write_operation(code_, rule_.operation, bytes, system_.integers->first_byte, "break;");
    }

    void make_term(std::string const& name, std::string const& symbol, std::size_t references) {
        code_.line("Index const {} = get_new_index();", name);
        code_.line("hss[{}] = {};", name, symbol);
        code_.line("refcounts[{}] = {};", name, references);
        code_.line("nf[{}] = false;", name);
    }

    // Makes the distinct terms, arguments first, and counts their references; the redex becomes node `root`.
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
            if (node.is_variable && compiled::is_result(rule_, node.head)) {
                names.push_back(fmt::format("{}{}", prefix, i));
                std::string const byte = compiled::result_byte(node.head);
                make_term(names[i], fmt::format("{}u + {}", system_.integers->first_byte, byte), references[i]);
                continue;
            }
            if (node.is_variable) {
                names.push_back(variable(node.head));
                if (references[i] != 0)
                    code_.line("refcounts[{}] += {};", names[i], references[i]);
                continue;
            }
            if (i == root) {
                names.push_back("t");
                continue;
            }
            names.push_back(fmt::format("{}{}", prefix, i));
            make_term(names[i], std::to_string(node.head), references[i]);
            for (std::size_t k = 0; k < node.arguments.size(); ++k)
                code_.line("{}[{}] = {};", column(k), names[i], names[node.arguments[k]]);
        }
        return names;
    }

    void condition(std::size_t index) {
        Condition const& condition = rule_.conditions[index];
        TermId const sides[] = {condition.left, condition.right};
        SharedTerms const shared = share(system_.terms, sides);
        std::vector<std::string> const names = make(shared, fmt::format("c_{}_", index), shared.nodes.size());
        std::string const& left = names[shared.roots[0]];
        std::string const& right = names[shared.roots[1]];
        code_.line("derive({});", left);
        code_.line("derive({});", right);
        code_.line("bool const holds_{} = columns->equal(columns, {}, {}) == {};", index, left, right, condition.equal);
        code_.line("release({});", left);
        code_.line("release({});", right);
        code_.line("if (!holds_{}) break;", index);
    }

    void build(std::size_t arity) {
        SharedTerms const shared = share(system_.terms, std::span(&rule_.right, 1));
        std::uint32_t const root = shared.roots[0];
        SharedNode const& node = shared.nodes[root];
        if (node.is_variable) {
            std::string const name = variable(node.head);
            old_arguments(arity);
            code_.line("copy_term_args(t, {});", name);
            code_.line("hss[t] = hss[{}];", name);
            code_.line("nf[t] = true;");
        } else {
            std::vector<std::string> const names = make(shared, "n_", root);
            old_arguments(arity);
            code_.line("hss[t] = {};", node.head);
            for (std::size_t k = 0; k < node.arguments.size(); ++k)
                code_.line("{}[t] = {};", column(k), names[node.arguments[k]]);
        }
        for (std::size_t i = 0; i < arity; ++i)
            code_.line("release(old_{});", i);
        code_.line("applied({});", id_);
        code_.line("return true;");
    }

    void old_arguments(std::size_t arity) {
        for (std::size_t i = 0; i < arity; ++i)
            code_.line("Index const old_{} = {}[t];", i, column(i));
    }

    struct Variable {
        std::string name;
        std::string position;
        bool is_read = false;
    };

    CodeWriter& code_;
    System const& system_;
    RuleId id_;
    Rule const& rule_;
    std::map<std::uint32_t, Variable> variables_;
};

constexpr char const* arrays = R"(
static Columns* columns;
static unsigned* hss;
static unsigned* refcounts;
static bool* nf;
)";

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

constexpr char const* derive_begin = R"(// Listing 2
static void derive(Index t) {
    if (static_cast<char const*>(__builtin_frame_address(0)) < columns->stack_end) columns->no_room();
    while (!nf[t]) {
        for (unsigned i = 0; i < arities[hss[t]]; ++i) {
            Index const subterm = args[i][t];
            if (!nf[subterm]) derive(subterm);
        }
        switch (hss[t]) {
)";

constexpr char const* derive_end = R"(            default: nf[t] = true;
        }
    }
}
)";

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
    std::size_t columns = 1;
    std::string arities;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        columns = std::max(columns, system.arity(symbol));
        arities += fmt::format("{}, ", system.arity(symbol));
    }
    std::vector<std::vector<RuleId>> const rules = system.rules_of_symbols();
    CodeWriter cases(3);
    CodeWriter code;
    code.append(columns_text().front().text);
    code.line();
    code.line("using namespace lockstep::term_rewriting::cpu_as_printed;");
    code.line();
    code.line("namespace {{");
    code.append(arrays);
    code.line("static Index* args[{}];", columns);
    code.line("static unsigned const arities[] = {{{}}};", arities);
    code.append(helpers);
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (rules[symbol].empty())
            continue;
        {
            auto const function = code.block("static bool rewrite_{}(Index t)", symbol);
            for (RuleId const rule : rules[symbol])
                RuleText(code, system, rule).run();
            code.line("return false;");
        }
        code.line();
        cases.line("case {}: if (!rewrite_{}(t)) nf[t] = true; break;", symbol, symbol);
    }
    code.append(derive_begin);
    code.append(cases.text());
    code.append(derive_end);
    code.append(entry);
    return code.take();
}

}  // namespace lockstep::term_rewriting::cpu_as_printed
