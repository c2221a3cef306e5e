#include "harness/simt/devices.hpp"
#include "tests/term_rewriting/topology_machine.hpp"

namespace lockstep::term_rewriting {

simt::Machine machine_under_test() { return simt::Machine::cuda; }

std::string reason_to_skip() {
    simt::DeviceList const list = simt::cuda_devices();
    return list.devices.empty() ? "no GPU (" + list.reason + ")" : "";
}

}  // namespace lockstep::term_rewriting
