#include "experiments/rule_interpreter/rule_file_geometry.hpp"

#include <algorithm>

#include "harness/simt/ceil_div.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

constexpr unsigned max_states_per_warp = 16;
// Below, not even a trial of a launch per rule is worth compiling it.
constexpr std::uint64_t min_tried_grid_tiles = 16;
// From here on a launch per rule costs less than the tiles that each warp of one block would test.
constexpr std::uint64_t min_grid_tiles = 128;

Geometry queue_geometry(Arguments const& a, std::uint64_t resident_warps) {
    Geometry found;
    std::uint64_t const tiles = tiles_per_state(a);
    while (2 * found.warps_per_state <= warps_per_block && 2 * found.warps_per_state <= tiles &&
           a.states * 2 * found.warps_per_state <= resident_warps)
        found.warps_per_state *= 2;
    std::uint64_t const size = *std::max_element(a.sizes, a.sizes + max_columns);
    while (a.to_fixed_point == 0 && found.warps_per_state == 1 && 2 * found.states_per_warp <= max_states_per_warp &&
           size * 2 * found.states_per_warp <= values_per_tile &&
           a.states / (2 * found.states_per_warp) >= resident_warps)
        found.states_per_warp *= 2;
    return found;
}

bool fits_grid(Arguments const& a, std::uint64_t resident_warps) {
    return tiles_per_state(a) >= min_grid_tiles && a.states * warps_per_block <= resident_warps / 2;
}

std::string counted(unsigned number, std::string const& what, std::string const& per) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s") + " per " + per;
}

}  // namespace

std::string to_string(Geometry const& geometry) {
    std::string const share = geometry.states_per_warp > 1 ? counted(geometry.states_per_warp, "state", "warp")
                                                           : counted(geometry.warps_per_state, "warp", "state");
    return share + (geometry.compacts ? ", compaction" : ", no compaction") +
           (geometry.whole_grid ? ", a launch per rule" : "");
}

std::uint64_t tiles_per_state(Arguments const& a) {
    return simt::ceil_div(*std::max_element(a.sizes, a.sizes + max_columns), std::uint64_t{values_per_tile});
}

unsigned grid_warps_per_state(Arguments const& a, std::uint64_t resident_warps) {
    std::uint64_t const wanted = std::min(tiles_per_state(a), std::max<std::uint64_t>(1, resident_warps / a.states));
    return static_cast<unsigned>(simt::round_up(wanted, std::uint64_t{warps_per_block}));
}

Geometry planned_geometry(Arguments const& a, std::uint64_t resident_warps, KernelChoice kernels) {
    bool const grid =
        kernels == KernelChoice::grid || (kernels == KernelChoice::either && fits_grid(a, resident_warps));
    if (!grid)
        return queue_geometry(a, resident_warps);
    Geometry geometry;
    geometry.warps_per_state = grid_warps_per_state(a, resident_warps);
    geometry.whole_grid = true;
    return geometry;
}

std::vector<Geometry> candidate_geometries(Arguments const& a, std::uint64_t resident_warps) {
    Geometry const planned = planned_geometry(a, resident_warps);
    std::vector<Geometry> all = {planned};
    auto const add = [&](Geometry const& geometry) {
        if (std::find(all.begin(), all.end(), geometry) == all.end())
            all.push_back(geometry);
    };
    Geometry in_place = planned;
    in_place.compacts = false;
    add(in_place);
    Geometry const queue = queue_geometry(a, resident_warps);
    add(queue);
    if (!planned.whole_grid) {
        std::uint64_t const tiles = tiles_per_state(a);
        bool const shared = queue.states_per_warp > 1;
        if (!shared && 2 * queue.warps_per_state <= std::min<std::uint64_t>(warps_per_block, tiles))
            add({.warps_per_state = 2 * queue.warps_per_state});
        if (queue.warps_per_state > 1)
            add({.warps_per_state = queue.warps_per_state / 2});
        if (shared)
            add({.states_per_warp = queue.states_per_warp / 2});
    }
    if (tiles_per_state(a) >= min_tried_grid_tiles && a.states * warps_per_block <= resident_warps)
        add(planned_geometry(a, resident_warps, KernelChoice::grid));
    return all;
}

}  // namespace lockstep::rule_interpreter::rule_file
