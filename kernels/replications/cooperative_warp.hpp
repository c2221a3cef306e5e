#pragma once
// Teams of 1, 2, 4 .. 32 lanes: several replications a warp. No shared memory, no barrier.

#include "kernels/replications/cooperative.hpp"
#include "kernels/replications/warp_macros.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    cooperative_warp(__grid_constant__ JobParameters const p,
                     __grid_constant__ TeamParameters<typename Engine::JumpAhead> const team, unsigned* const results) {
    unsigned const lane = lane_id();
    unsigned const rank = lane % team.lanes;
    unsigned const teams_per_warp = warp_size / team.lanes;
    unsigned long long const warp = static_cast<unsigned long long>(block_rank()) * warps_in_block() + warp_id();
    for (unsigned long long first = warp * teams_per_warp; first < p.size; first += warps_in_grid() * teams_per_warp) {
        // Lanes without a replication repeat the last one, and write nothing: the whole warp meets in the scan.
        unsigned long long const wanted = first + lane / team.lanes;
        bool const mine = wanted < p.size;
        Replication const replication = replication_of(p, mine ? wanted : p.size - 1);
        Share<Model, Engine> share = share_of<Model, Engine>(p, team, replication, 0, rank);
        Scanned<Model> scanned = {Model::identity(), Model::identity()};
        if (Model::has_past && team.lanes > 1) {
            scanned = scan_lanes<Model>(Model::piece(replication.point, share.stream, share.items), team.lanes);
        }
        typename Model::State state = Model::apply(share.start, scanned.before);
        typename Model::Sums sums = {};
        Model::run_together(replication.point, share.stream, state, sums, share.items);
        sums = add_lanes<Model>(sums, team.lanes);
        if (mine && rank == 0) {
            if (team.lanes > 1)
                state = Model::apply(share.start, scanned.all);
            Model::write(replication.point, state, sums, results + replication.index * Model::words_per_result);
        }
    }
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
