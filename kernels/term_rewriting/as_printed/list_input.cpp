#include "harness/bench/error.hpp"
#include "harness/simt/ceil_div.hpp"
#include "kernels/term_rewriting/as_printed/list_slots.hpp"
#include "kernels/term_rewriting/as_printed/workload_input.hpp"
#include "kernels/term_rewriting/kernel_context.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

jit::KernelText list_text(std::size_t symbol_bytes) {
    jit::KernelText text;
    std::string const symbol = symbol_bytes == 1 ? "unsigned char" : symbol_bytes == 2 ? "unsigned short" : "unsigned";
    text.prefix = "list_input_" + std::to_string(symbol_bytes);
    text.text = "#include \"kernels/term_rewriting/as_printed/list_input.hpp\"\n";
    for (std::string const& entry : {std::string("write_lists"), std::string("write_tree")}) {
        text.add_entry(entry, "lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE::" + entry + "<" + symbol + ">",
                       "lockstep::term_rewriting::as_printed::ListArguments");
    }
    return text;
}

SymbolId symbol_named(System const& system, std::string const& name) {
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (system.symbols[symbol].name == name)
            return symbol;
    }
    throw bench::Error("no symbol " + name, "the system has none of that name");
}

class ListInput : public Input {
public:
    ListInput(System const& system, Workload const& workload)
        : symbol_bytes_(as_printed::symbol_bytes(system)), last_bytes_(as_printed::last_bytes(system)) {
        arguments_.slots = {workload.depth, workload.elements, workload.share_numerals};
        arguments_.seed = workload.seed;
        arguments_.zero = symbol_named(system, "Zero");
        arguments_.successor = symbol_named(system, "S");
        arguments_.nil = symbol_named(system, "Nil");
        arguments_.cons = symbol_named(system, "Cons");
        arguments_.sort = symbol_named(system, "Sort");
        arguments_.leaf = symbol_named(system, "Leaf");
        arguments_.node = symbol_named(system, "Node");
    }

    std::uint64_t terms() const override { return arguments_.slots.terms(); }
    unsigned root() const override { return arguments_.slots.node(1); }

    void write(jit::Device& device, Columns const& columns) const override {
        jit::Kernels const& kernels = device.load(list_text(symbol_bytes_), kernel_context());
        ListArguments arguments = arguments_;
        arguments.columns = columns;
        device.fill(columns.nf, 0, terms() + 1);
        if (columns.last_checked != nullptr)
            device.fill(columns.last_checked, 0, (terms() + 1) * last_bytes_);
        for (auto const& [name, kernel] : kernels) {
            simt::LaunchShape shape;
            shape.block.x = 256;
            shape.grid.x = simt::ceil_div(arguments.slots.lists(), 256u);
            device.launch(name, kernel, shape, &arguments);
        }
    }

private:
    std::size_t symbol_bytes_;
    std::size_t last_bytes_;
    ListArguments arguments_ = {};
};

}  // namespace

std::unique_ptr<Input> input_of(System const& system, Workload const& workload) {
    if (workload.system == "tree_merge_sort" && workload.elements <= max_device_elements)
        return std::make_unique<ListInput>(system, workload);
    Terms terms;
    TermId const input = make_input(system, workload, terms);
    return input_from(system, terms, input);
}

}  // namespace lockstep::term_rewriting::as_printed
