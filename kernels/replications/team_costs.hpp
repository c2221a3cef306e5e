#pragma once
// The constants of the cost model of team_choice.cpp, in cycles. Fitted to the times of an H200 (METHOD.md, "The choice
// of `auto`"). These are effective numbers: only the choice that follows from them matters.

#include <algorithm>
#include <array>

namespace lockstep::replications {

// Cycles with 1, 2, 4, 8 and 16 warps per scheduler. One warp waits for its own results; many wait for one another's
// instructions. More than 16 are not resident at once, and come one after another.
struct Curve {
    std::array<double, 5> cycles = {};

    constexpr double operator()(double warps) const {
        if (warps >= 16)
            return cycles[4] * warps / 16;
        unsigned i = 0;
        double knot = 1;
        while (2 * knot <= warps) {
            knot *= 2;
            ++i;
        }
        double const share = std::max(0.0, warps / knot - 1);
        return cycles[i] + share * (cycles[i + 1] - cycles[i]);
    }
};

struct Costs {
    // Warps per scheduler that the registers of a kernel leave room for.
    unsigned resident_of_warps = 8;   // cooperative_warp()
    unsigned resident_of_blocks = 8;  // cooperative_block(), long_walk()

    double launch = 0;
    Curve item = {};          // of a run
    Curve item_of_warp = {};  // in addition, in cooperative_warp()

    // Branches.
    Curve branch = {};  // a further branch of a warp
    Curve round = {};   // of a branch
    Curve load = {};    // of a word

    // M/M/1. The result of the scan changes the first customers of a run, whose times are computed again.
    Curve kept = {};        // a customer whose idle time is kept
    Curve again = {};       // a customer that is computed again, until a typical warp is done
    double again_tail = 0;  // the same, until the slowest lane of all is done
    double again_late = 0;  // the same, where idle times are not kept
    double kept_far = 0;    // a kept idle time that the L1 cache has no room for

    // Random walk. `again`: an item that is computed again, in a run with a table.
    Curve short_item = {};  // the same in a short run, which has no table
    Curve drawn = {};       // one of the first items, whose words are drawn
    Curve late = {};        // an item of long_walk() after the kept ones
    double table = 0;       // of a block

    // Shared replications.
    Curve jump = {};         // of a lane
    Curve small_jump = {};   // in addition, if a warp has several teams
    Curve second_jump = {};  // of a block
    Curve scan = {};         // a step of the scan

    // Blocks, and those of a team that wait for one another.
    double warp_of_block = 0;   // per warp of a block, whose warps wait for one another
    double wait = 0;            // a wait for other blocks
    double wait_block = 0;      // in addition, per block of the team
    double wait_round = 0;      // in addition, per 32 blocks of the team
    double wait_neighbour = 0;  // in addition, per block on the multiprocessor
    double wait_wave = 0;       // in addition, per round of resident blocks
    double block_wave = 0;      // a round of resident blocks, whether or not they wait

    // The last blocks, which run where others have ended.
    double last = 0;        // an item, per warp of a scheduler
    double last_alone = 0;  // an item, in addition
};

inline constexpr Costs pi_costs = {
    .resident_of_warps = 9,
    .resident_of_blocks = 16,
    .launch = 4534,
    .item = {{66.15, 109.8, 207.4, 401.8, 775.9}},
    .jump = {{0, 539.6, 1395, 3548, 8000}},
    .small_jump = {{681.5, 1076, 1866, 3335, 6274}},
    .second_jump = {{2213, 2463, 2963, 3338, 4089}},
    .scan = {{0, 0.7977, 2.393, 18.77, 51.51}},
    .wait = 2106,
    .wait_block = 16.45,
    .wait_neighbour = 130.1,
    .last = 0.6304,
};

inline constexpr Costs mm1_costs = {
    .resident_of_warps = 9,
    .resident_of_blocks = 8,
    .launch = 4928,
    .item = {{94.79, 143.6, 306, 577.7, 1100}},
    .kept = {{0, 4.048, 12.14, 12.14, 12.14}},
    .again = {{64.1, 65.55, 68.45, 72.45, 80.45}},
    .again_tail = 23.16,
    .again_late = 45.87,
    .kept_far = 9.428,
    .jump = {{428.3, 2335, 4325, 11110, 20530}},
    .small_jump = {{2290, 2696, 3510, 5101, 8282}},
    .second_jump = {{585.6, 855, 1394, 1563, 1902}},
    .scan = {{23.96, 23.96, 23.96, 23.96, 23.96}},
    .wait = 3651,
    .wait_block = 1.376,
    .wait_round = 2512,
    .last_alone = 5.547,
};

inline constexpr Costs walk_costs = {
    .resident_of_warps = 8,
    .resident_of_blocks = 8,
    .launch = 3315,
    .item = {{21.38, 27.92, 47.57, 75.37, 139.7}},
    .again = {{7.605, 15.51, 31.33, 48.7, 83.45}},
    .short_item = {{65.68, 69.6, 77.43, 288.1, 709.5}},
    .drawn = {{51.93, 51.93, 51.93, 184.6, 449.9}},
    .table = 624.2,
    .jump = {{2792, 2971, 4182, 5790, 8385}},
    .small_jump = {{614.2, 1082, 2019, 3164, 5454}},
    .second_jump = {{41.66, 48.11, 61, 976.9, 2809}},
    .scan = {{12.66, 106.4, 293.9, 469.8, 821.7}},
    .wait = 3095,
    .wait_block = 59.02,
    .block_wave = 1367,
    .last = 0.1341,
    .last_alone = 1.073,
};

inline constexpr Costs long_walk_costs = {
    .resident_of_warps = 8,
    .resident_of_blocks = 8,
    .launch = 3030,
    .item = {{37.34, 37.34, 40.34, 53.69, 100}},
    .late = {{4.826, 6.022, 8.412, 25.02, 58.23}},
    .table = 675.4,
    .jump = {{4260, 4260, 4481, 4481, 4481}},
    .scan = {{0, 82, 246, 703.1, 1617}},
    .wait = 584.8,
    .wait_block = 38.07,
    .wait_round = 584.8,
    .wait_neighbour = 888.3,
    .last = 0.2956,
    .last_alone = 2.365,
};

inline constexpr Costs branches_costs = {
    .resident_of_warps = 8,
    .resident_of_blocks = 16,
    .launch = 4715,
    .item = {{186.6, 186.6, 186.6, 212.6, 754.8}},
    .item_of_warp = {{205.7, 205.7, 205.7, 445.6, 925.5}},
    .branch = {{145.1, 145.1, 145.1, 194, 291.7}},
    .round = {{26.55, 30.53, 38.5, 56.77, 93.32}},
    .load = {{339.1, 339.1, 339.1, 450.1, 998.8}},
    .jump = {{0, 154.5, 334.7, 2259, 4206}},
    .small_jump = {{739.7, 1193, 2099, 5409, 12030}},
    .second_jump = {{421.2, 720.5, 1319, 1772, 2677}},
    .scan = {{0, 0, 0, 67.27, 201.8}},
    .warp_of_block = 80.04,
    .wait = 2269,
    .wait_block = 1.049,
    .wait_round = 50.5,
    .wait_neighbour = 88.23,
    .wait_wave = 2508,
    .last_alone = 1.61,
};

}  // namespace lockstep::replications
