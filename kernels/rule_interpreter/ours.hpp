#pragma once
// Variants that `auto` chooses from. For `.cu` files.

#include "common/rule_interpreter/job_case.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

LaunchPlan launch_queue(Job const& job, bench::Axes const& axes);
LaunchPlan launch_block_queue(Job const& job, bench::Axes const& axes);
LaunchPlan launch_refill_queue(Job const& job, bench::Axes const& axes);
LaunchPlan launch_fused(Job const& job, bench::Axes const& axes);
LaunchPlan launch_cached(Job const& job, bench::Axes const& axes);
LaunchPlan launch_bit_board(Job const& job, bench::Axes const& axes);
std::string bit_board_unsupported_reason(bench::Axes const& axes);
std::unique_ptr<bench::Case> make_list(bench::Problem const& problem);
std::unique_ptr<bench::Case> make_flat_queue(bench::Problem const& problem);
std::unique_ptr<bench::Case> make_search(bench::Problem const& problem);
std::string queue_unsupported_reason(bench::Axes const& axes);
std::string block_queue_unsupported_reason(bench::Axes const& axes);
std::string flat_queue_unsupported_reason(bench::Axes const& axes);
std::string refill_queue_unsupported_reason(bench::Axes const& axes);
std::string fused_unsupported_reason(bench::Axes const& axes);

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
