// The schemes of the tested machine.

#include "tests/replications/variants.hpp"

namespace lockstep::replications::tests {

std::unique_ptr<bench::Case> make_threads(Job const& job, unsigned block, simt::Dim3 grid) {
    return LOCKSTEP_TESTED_MACHINE::make_threads(job, block, grid);
}
std::unique_ptr<bench::Case> make_lanes(Job const& job, unsigned lanes, unsigned block, simt::Dim3 grid) {
    return LOCKSTEP_TESTED_MACHINE::make_lanes(job, lanes, block, grid);
}
std::unique_ptr<bench::Case> make_warps_macros(Job const& job, unsigned block, simt::Dim3 grid) {
    return LOCKSTEP_TESTED_MACHINE::make_warps_macros(job, block, grid);
}
std::unique_ptr<bench::Case> make_warps_woven(Job const& job, unsigned block, simt::Dim3 grid) {
    return LOCKSTEP_TESTED_MACHINE::make_warps_woven(job, block, grid);
}
std::unique_ptr<bench::Case> make_warps_advised(Job const& job, unsigned block, simt::Dim3 grid) {
    return LOCKSTEP_TESTED_MACHINE::make_warps_advised(job, block, grid);
}
std::unique_ptr<bench::Case> make_warps_policy(Job const& job, unsigned block, simt::Dim3 grid) {
    return LOCKSTEP_TESTED_MACHINE::make_warps_policy(job, block, grid);
}
std::unique_ptr<bench::Case> make_cooperative(Job const& job, Team const& team) {
    return LOCKSTEP_TESTED_MACHINE::make_cooperative(job, team);
}

}  // namespace lockstep::replications::tests
