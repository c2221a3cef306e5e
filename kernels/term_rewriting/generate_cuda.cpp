#include "kernels/term_rewriting/generate_cuda.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "common/term_rewriting/compiler/operation_text.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "harness/jit/code_writer.hpp"
#include "kernels/term_rewriting/step_writer.hpp"

namespace lockstep::term_rewriting {

namespace {

// The largest number of terms that one step makes.
std::size_t max_made(System const& system) {
    std::size_t largest = 0;
    auto const count = [&](std::span<TermId const> roots) {
        std::size_t made = 0;
        for (SharedNode const& node : share(system.terms, roots).nodes)
            made += node.is_variable ? 0 : 1;
        largest = std::max(largest, made);
    };
    for (Rule const& rule : system.rules) {
        if (rule.operation != Operation::none)
            largest = std::max<std::size_t>(largest, compiled::result_bytes + 1);
        count(std::span(&rule.right, 1));
        for (Condition const& condition : rule.conditions) {
            TermId const sides[] = {condition.left, condition.right};
            count(sides);
        }
    }
    return largest;
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
    std::size_t const symbols = system.symbols.size();
    std::string const here = "namespace lockstep::term_rewriting::" + options.name + "::LOCKSTEP_MACHINE";
    std::vector<std::size_t> stepped;  // symbols and helpers that have a step
    std::string arities;
    for (SymbolId symbol = 0; symbol < symbols; ++symbol) {
        arities += fmt::format("{}, ", system.arity(symbol));
        if (system.symbols[symbol].defined)
            stepped.push_back(symbol);
    }
    std::size_t const defined = stepped.size();
    for (std::size_t i = 0; i < helpers.size(); ++i) {
        arities += fmt::format("{}, ", system.arity(helpers[i].of) + 2);
        stepped.push_back(symbols + i);
    }

    jit::CodeWriter code;
    code.line("// Generated from a term rewrite system.");
    code.line("#include \"harness/simt/kernel.hpp\"");
    code.line();
    code.line("{} {{", here);
    code.line();
    code.line("constexpr unsigned user_symbols = {};", symbols);
    code.line("constexpr unsigned symbols = {};", symbols + helpers.size());
    code.line("constexpr unsigned rules = {};", system.rules.size());
    code.line("constexpr unsigned largest_arity = {};", largest_arity(system));
    code.line("constexpr unsigned max_made = {};  // new terms per step", max_made(system));
    code.line();
    code.line("// Arities of all symbols, then of all helpers.");
    {
        auto const function = code.block("__device__ inline unsigned arity_of(unsigned symbol)");
        code.line("constexpr unsigned arities[] = {{{}0}};", arities);
        code.line("return arities[symbol];");
    }
    code.line();
    code.line("// Returns true if there is a step for the symbol.");
    {
        auto const function = code.block("__device__ inline bool defined(unsigned symbol)");
        auto const cases = code.block("switch (symbol)");
        for (std::size_t i = 0; i < defined; ++i)
            code.line("case {}u:", stepped[i]);
        if (defined != 0)
            code.line("    return true;");
        code.line("default:");
        code.line("    return symbol >= user_symbols;");
    }
    code.line();
    for (std::size_t i = 0; i < defined; ++i)
        write_steps(code, system, options, helpers, static_cast<SymbolId>(stepped[i]));
    code.line("template <class Store>");
    {
        auto const function = code.block("__device__ inline bool rewrite_step(Store& store, unsigned term)");
        auto const cases = code.block("switch (store.symbol(term))");
        for (std::size_t const symbol : stepped) {
            code.line("case {}u:", symbol);
            code.line("    return rewrite_{}(store, term);", symbol);
        }
        code.line("default:");
        code.line("    return false;");
    }
    code.line();
    code.line("}}  // {}", here);
    return code.take();
}

}  // namespace lockstep::term_rewriting
