#include "kernels/term_rewriting/as_printed/program.hpp"

#include "harness/jit/code_writer.hpp"
#include "harness/jit/text_digest.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

std::string unsigned_of(std::size_t bytes) {
    return bytes == 1 ? "unsigned char" : bytes == 2 ? "unsigned short" : "unsigned";
}

std::size_t bytes_for(std::size_t largest) { return largest < 256 ? 1 : largest < 65536 ? 2 : 4; }

std::vector<std::string> kernels_of(Options const& options) {
    std::vector<std::string> kernels = {"derive"};
    if (options.order == Order::binned)
        kernels = {"select", "sort_by_symbol", "derive_listed"};
    else if (options.order == Order::worklist)
        kernels = {"list_all", "derive_worklist"};
    if (options.collects)
        kernels.push_back("collect_free_indices");
    return kernels;
}

std::string settings_text(System const& system, Options const& options) {
    jit::CodeWriter code;
    code.line("struct Settings {{");
    {
        auto const members = code.indented("};");
        code.line("using Symbol = {};", unsigned_of(symbol_bytes(system)));
        code.line("using Last = {};", unsigned_of(last_bytes(system)));
        code.line("static constexpr unsigned no_symbol = steps::symbols;");
        code.line("static constexpr unsigned rules = steps::rules;");
        code.line("static constexpr unsigned max_made = steps::max_made;");
        code.line("static constexpr bool collects = {};", options.collects);
        code.line("static constexpr bool shortcut = {};", options.shortcut);
        code.line("static constexpr bool aggregates = {};", options.aggregates);
        code.line("static constexpr bool takes_together = {};", options.takes_together);
        code.line("static constexpr unsigned steps_per_pass = {};", options.steps_per_pass);
        code.line("static constexpr bool counts_rewrites = {};", options.counts_rewrites);
        code.line("static constexpr bool lists_terms = {};", options.order == Order::worklist);
        code.line("static constexpr bool counts_traffic = {};", options.counts_traffic);
        code.line("__device__ static unsigned arity_of(unsigned symbol) {{ return steps::arity_of(symbol); }}");
        code.line("__device__ static bool defined(unsigned symbol) {{ return steps::defined(symbol); }}");
        code.line("template <class Store>");
        auto const function = code.block("__device__ static bool step(Store& store, unsigned term)");
        code.line("return steps::rewrite_step(store, term);");
    }
    return code.take();
}

}  // namespace

// The largest value is one more than the last symbol or helper; it marks a slot without a term.
std::size_t symbol_bytes(System const& system) { return bytes_for(symbols_and_helpers(system)); }
std::size_t last_bytes(System const& system) { return bytes_for(largest_arity(system)); }

jit::KernelText program_text(System const& system, Options const& options) {
    StepOptions steps;
    steps.in_order = !options.decision_trees;
    steps.net_references = options.net_references && options.collects;
    std::string const settings = settings_text(system, options);
    jit::KernelText program;
    // One program may hold kernels for several systems and options, so each name contains a digest of the text. A case
    // may launch kernels with and without counts; a profiler selects them by the first words of the name.
    program.prefix = steps.name = fmt::format("as_printed_{}{:016x}", options.counts_rewrites ? "" : "uncounted_",
                                              jit::text_digest(generate_cuda(system, steps) + settings));
    std::string const here = "lockstep::term_rewriting::" + steps.name + "::LOCKSTEP_MACHINE";
    jit::CodeWriter code;
    for (char const* const header : {"digest", "compare", "lists"})
        code.line("#include \"kernels/term_rewriting/as_printed/{}.hpp\"", header);
    code.append(generate_cuda(system, steps));
    code.line();
    code.line("namespace {} {{", here);
    code.line();
    code.line("namespace steps = {};", here);
    code.line();
    code.append(settings);
    code.line();
    code.line("}}  // namespace {}", here);
    code.line();
    program.text = code.take();
    auto const add = [&](std::string const& entry, std::string const& arguments) {
        program.add_entry(
            entry, "lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE::" + entry + "<" + here + "::Settings>",
            "lockstep::term_rewriting::as_printed::" + arguments);
    };
    for (std::string const& entry : kernels_of(options))
        add(entry, "Arguments");
    add("digest", "DigestArguments");
    return program;
}

}  // namespace lockstep::term_rewriting::as_printed
