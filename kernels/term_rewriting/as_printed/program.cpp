#include "kernels/term_rewriting/as_printed/program.hpp"

#include <cstdio>

#include "harness/jit/text_digest.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

std::string unsigned_of(std::size_t bytes) {
    return bytes == 1 ? "unsigned char" : bytes == 2 ? "unsigned short" : "unsigned";
}

std::string truth(bool value) { return value ? "true" : "false"; }

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

}  // namespace

// One number more than there are symbols and helpers: that of a slot without a term.
std::size_t symbol_bytes(System const& system) { return bytes_for(symbols_and_helpers(system)); }
std::size_t last_bytes(System const& system) { return bytes_for(largest_arity(system)); }

jit::KernelText program_text(System const& system, Options const& options) {
    StepOptions steps;
    steps.in_order = !options.decision_trees;
    steps.net_references = options.net_references && options.collects;
    jit::KernelText program;
    std::string const settings =
        "struct Settings {\n    using Symbol = " + unsigned_of(symbol_bytes(system)) +
        ";\n    using Last = " + unsigned_of(last_bytes(system)) +
        ";\n    static constexpr unsigned no_symbol = steps::symbols;\n"
        "    static constexpr unsigned rules = steps::rules;\n"
        "    static constexpr unsigned max_made = steps::max_made;\n    static constexpr bool collects = " +
        truth(options.collects) + ";\n    static constexpr bool shortcut = " + truth(options.shortcut) +
        ";\n    static constexpr bool aggregates = " + truth(options.aggregates) +
        ";\n    static constexpr bool lists_terms = " + truth(options.order == Order::worklist) +
        ";\n    static constexpr bool counts_traffic = " + truth(options.counts_traffic) +
        ";\n    __device__ static unsigned arity_of(unsigned symbol) { return steps::arity_of(symbol); }\n"
        "    __device__ static bool defined(unsigned symbol) { return steps::defined(symbol); }\n"
        "    template <class Store>\n    __device__ static bool step(Store& store, unsigned term) {\n"
        "        return steps::rewrite_step(store, term);\n    }\n};\n";
    // Programs of several systems and options stand side by side in this one, so each has a name by its content.
    char name[40];
    std::snprintf(name, sizeof name, "as_printed_%016llx", jit::text_digest(generate_cuda(system, steps) + settings));
    program.prefix = steps.name = name;
    std::string const here = "lockstep::term_rewriting::" + steps.name + "::LOCKSTEP_MACHINE";
    program.text =
        "#include \"kernels/term_rewriting/as_printed/digest.hpp\"\n"
        "#include \"kernels/term_rewriting/as_printed/compare.hpp\"\n#include "
        "\"kernels/term_rewriting/as_printed/lists.hpp\"\n" +
        generate_cuda(system, steps) + "\nnamespace " + here + " {\n\nnamespace steps = " + here + ";\n\n" + settings +
        "\n}  // namespace " + here + "\n\n";
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
