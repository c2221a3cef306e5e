#include "harness/simt/devices.hpp"
#include "tests/rule_interpreter/life.hpp"

namespace lockstep::rule_interpreter::tests {

std::string why_no_life_here() {
    simt::DeviceList const list = simt::cuda_devices();
    return list.devices.empty() ? "no GPU (" + list.reason + ")" : "";
}

LifeResult run_life(std::string const& team, std::vector<unsigned> const& cells, unsigned bound, Until until) {
    return cuda::run_life(team, cells, bound, until);
}

}  // namespace lockstep::rule_interpreter::tests
