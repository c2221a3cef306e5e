#include "harness/simt/devices.hpp"
#include "tests/support/machines.hpp"

namespace lockstep::tests {

std::vector<bench::Machine> machines_under_test() { return {bench::Machine::cuda}; }

std::string why_not_here() {
    simt::DeviceList const list = simt::cuda_devices();
    return list.devices.empty() ? "no GPU (" + list.reason + ")" : "";
}

}  // namespace lockstep::tests
