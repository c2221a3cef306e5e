// The paper's rewriter in the emulator.

#include "kernels/term_rewriting/device/device.hpp"
#include "tests/term_rewriting/topology_checks.hpp"

namespace lockstep::term_rewriting {
namespace {

TEST(AsPrinted, First) {
    for (std::string const name : {"lists.rec", "condition_order.rec", "stuck.rec", "tree_merge_sort.trs", "hanoi.trs"}) {
        System const system = parse_system(systems_folder + name, bench::read_file);
        for (TermId const input : system.inputs)
            expect_the_oracles(system, system.terms, input, device_of(simt::Machine::emulator), {}, name);
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
