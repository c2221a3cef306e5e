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
    // An item; what it takes more in cooperative_warp(); branches: each further branch of a warp, a round, a load.
    Curve item = {}, item_of_warp = {}, branch = {}, round = {}, load = {};
    // M/M/1: a customer whose idle time is kept; one of those that the scan's result changes, until a typical warp is
    // done, until the slowest lane of all is done, and where idle times are not kept; what is kept beyond the L1 cache.
    Curve kept = {}, again = {};
    double again_tail = 0, again_late = 0, kept_far = 0;
    // Walk: an item of a short run, which has no table; the first items, which are drawn; items beyond the kept ones.
    Curve short_item = {}, drawn = {}, late = {};
    double table = 0;
    // The jump of a lane; what it takes more if a warp has several teams; the jump of a block; a step of the scan.
    Curve jump = {}, small_jump = {}, second_jump = {}, scan = {};
    // A warp of a block that waits for the others. Blocks of a team that wait for one another: a constant, per block of
    // the team, per 32 of them, per block on the multiprocessor, and per round of resident blocks.
    double warp_of_block = 0, wait = 0, wait_block = 0, wait_round = 0, wait_neighbour = 0, wait_wave = 0;
    double block_wave = 0;  // a round of resident blocks
    // An item of the last blocks, which run where others have ended: per warp of a scheduler, and alone.
    double last = 0, last_alone = 0;
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
