#pragma once
// Teams of 1, 2, 4, .. 32 lanes: 32 to 1 replications per warp. They exchange by shuffles only.

#include "kernels/replications/cooperative.hpp"
#include "kernels/replications/warp_macros.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    cooperative_warp(__grid_constant__ JobParameters const p,
                     __grid_constant__ TeamParameters<typename Engine::JumpAhead> const team, unsigned* const results) {
    typename Model::Table* table = nullptr;
    if constexpr (Model::items_for_table != 0)
        table = filled<Model>(&shared_memory<typename Model::Table>(), p, team.run);
    unsigned const lane = lane_id();
    unsigned const rank = lane % team.lanes;
    unsigned const teams_per_warp = warp_size / team.lanes;
    unsigned long long const warp = static_cast<unsigned long long>(block_rank()) * warps_in_block() + warp_id();
    for (unsigned long long first = warp * teams_per_warp; first < p.size; first += warps_in_grid() * teams_per_warp) {
        // Lanes without a replication repeat the last one without writing it, because the scan needs the full warp.
        unsigned long long const wanted = first + lane / team.lanes;
        bool const mine = wanted < p.size;
        Replication const replication = replication_of(p, mine ? wanted : p.size - 1);
        Share<Model, Engine> share = share_of<Model, Engine, false>(p, team, replication, 0, rank);
        auto* const of_point = table_for<Model>(table, p, replication.point);
        typename Model::State state = share.start;
        typename Model::State end = share.start;
        typename Model::Sums sums = {};
        if (team.lanes == 1 || !Model::has_past) {
            Model::run_together(of_point, replication.point, share.stream, state, sums, share.items);
            end = state;
        } else if constexpr (Model::has_past) {
            typename Model::template Kept<Engine> kept(share.stream);
            Scanned<Model> const scanned =
                scan_lanes<Model>(Model::piece(replication.point, share.items, kept), team.lanes);
            state = Model::apply(share.start, scanned.before);
            end = Model::apply(share.start, scanned.all);
            Model::finish(of_point, replication.point, state, sums, share.items, kept);
        }
        sums = add_lanes<Model>(sums, team.lanes);
        if (mine && rank == 0)
            Model::write(replication.point, end, sums, results + replication.index * Model::words_per_result);
    }
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
