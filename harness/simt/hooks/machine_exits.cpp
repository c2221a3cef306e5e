#include "harness/simt/hooks/machine_exits.hpp"

#include <algorithm>

namespace lockstep::simt::hooks {
namespace {

// Whether as many warps and lanes execute the side as do not exit at the end of the row, and nothing but the condition
// is between.
bool has_condition_of_exit(MachineGraph const& graph, Node const& side, Node const& row) {
    auto const meet = std::find(row.follows.begin(), row.follows.end(), side.behind_side);
    Executed const& stay = behind_exit(graph, row);
    if (!graph.at(row.last).exits || meet == row.follows.end() || side.tally == nullptr || side.executed.is_one_load ||
        &stay == &row.executed) {
        return false;
    }
    bool const is_empty = std::all_of(meet, row.follows.end(), [&](CallSites::Site site) {
        BlockCode const& code = graph.at(site).code;
        return code.accesses == 0 && !code.has_calls;
    });
    return is_empty && side.executed.warps == stay.warps && side.executed.lanes == stay.lanes &&
           stay.warps != row.executed.warps;
}

}  // namespace

bool moves_behind_exit(MachineGraph const& graph, Node const& side, Node const& row) {
    Node const& last = graph.at(row.last);
    if (has_condition_of_exit(graph, side, row)) {
        return true;
    }
    return last.exits && side.behind_side == row.last && !side.code.has_stores && !side.executed.is_one_load &&
           last.code.accesses == 0 && !last.has_calls;
}

Executed const& behind_exit(MachineGraph const& graph, Node const& row) {
    for (CallSites::Site const to : graph.at(row.last).behind) {
        if (Node const* const next = graph.find(to); next != nullptr && !graph.returns(to)) {
            return next->executed;
        }
    }
    return row.executed;
}

}  // namespace lockstep::simt::hooks
