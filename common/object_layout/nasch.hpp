#pragma once
// Program nasch: vehicles that see one another, by the cellular automaton of K. Nagel and M. Schreckenberg, "A cellular
// automaton model for freeway traffic", Journal de Physique I 2(12), 1992, on a network of streets. Nothing but the
// rules is shared by the reference, which has plain objects, and the kernels.
//
// A street is a row of cells, one per unit of its length, rounded down but at least one. A cell holds at most one
// vehicle. In a tick, all vehicles at once do this, where v is a vehicle's velocity in cells per tick:
//
//   1. Accelerate: v <- v + 1, up to 5 for a car and 3 for a truck.
//   2. Slow down: v <- the number of empty cells ahead, if that is less. They end at the end of the street, but the
//      first cell of a random neighbouring street counts if it is empty. Without a neighbour that is the street itself.
//   3. Randomise: v <- v - 1 with probability 1/5, if v > 0.
//   4. Move v cells. A vehicle that would enter another street asks for its first cell. Of those that ask, the vehicle
//      with the smallest number (number x constant + tick x constant) mod 2^32 enters; the others move to the last cell
//      of their street.
//
// A unit is a vehicle; its result is its street, cell and velocity. Every fifth vehicle on average is a truck.

#include <cstdint>
#include <memory>
#include <vector>

#include "common/object_layout/interaction.hpp"
#include "common/object_layout/network.hpp"
#include "common/object_layout/parameters.hpp"
#include "common/object_layout/street_graph.hpp"

namespace lockstep::object_layout {

inline constexpr unsigned max_velocity_of_car = 5;
inline constexpr unsigned max_velocity_of_truck = 3;
inline constexpr unsigned no_street = ~0u;

// The number of each street's first cell among all cells; the last entry is the number of cells. Throws bench::Error if
// there are more than 2^31 - 1.
std::vector<unsigned> first_cells(Network const& network);

// The order in which vehicles take the cells at first: vehicle n is in cell number_at(placement, n). Throws
// bench::Error if there are more vehicles than cells.
AgentNumbering placement_of(bench::Problem const& problem, unsigned cells);

// Reference: simulates all vehicles with plain objects. The most recent simulation is kept.
std::shared_ptr<Simulated const> vehicles_after(bench::Problem const& problem);

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// The street of a cell: the last one that does not begin after it.
__host__ __device__ inline unsigned street_of_cell(unsigned const* first, unsigned streets, unsigned cell) {
    unsigned low = 0;
    unsigned high = streets;
    while (high - low > 1) {
        unsigned const middle = low + (high - low) / 2;
        if (first[middle] <= cell) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

__host__ __device__ inline bool is_truck(unsigned long long seed, unsigned number) {
    Philox words = Philox::stream(seed, number, birth_of_agent);
    return random::LOCKSTEP_MACHINE::bounded(words, 5) == 0;
}

// Both constants are odd, so vehicles have different priorities in a tick.
__host__ __device__ inline unsigned priority_of(unsigned number, unsigned tick) {
    return number * 0x9e3779b1u + tick * 0x85ebca77u;
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
