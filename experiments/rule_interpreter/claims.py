"""The paper's claims K01 to K22 as data. algorithms.py, memory_layouts.py and lane_counts.py compute the number for each.

Each claim is judged row by row, at the scalar setting (the only one that the paper's times fit, METHOD.md) and at 2x2x2,
the smallest matrix product. A hedged number (≈) holds within 10%. A gain *up to* a number must be reached somewhere, a
cost *up to* a number may be exceeded nowhere, and more than the paper claims confirms it. A bound has two sides where
the sentence gives a range, or says that something is equal, linear or unchanged.
"""

from __future__ import annotations

from experiments.rule_interpreter import algorithms, lane_counts, memory_layouts
from experiments.rule_interpreter.measures import at_every_shape
from plots.claims import Claim, not_testable
from plots.verdict import about, above, at_least, at_most, below, between, equals

CLAIMS = (
    Claim(
        "K01",
        "our approach performs up to ≈ 4× faster regarding all evaluation cases",
        "§6, l. 346",
        "≈ 4; its tables 3.52",
        "largest ratio of Algorithm 1's time to Algorithm 3's in the same layout, A or C, over the cells of the tables",
        at_least(3.6),
        at_every_shape(algorithms.speed_up),
    ),
    Claim(
        "K02",
        "increasing the value range by 4× while having a small number of states yields ≈ 2× to ≈ 3.5× run-time increase",
        "§6, l. 346",
        "2 to 3.5",
        "Algorithm 3 at load 20 with 2048 states: time at range 4096 divided by time at range 1024, layouts A and C",
        between(1.8, 3.85),
        at_every_shape(algorithms.growth_of_algorithm3("range")),
    ),
    Claim(
        "K03",
        "increasing the number of states by 8× will increase the run time by ≈ 3× to ≈ 5×",
        "§6, l. 346",
        "3 to 5",
        "Algorithm 3 at load 20: time for 16384 states divided by time for 2048 states, layouts A and C",
        between(2.7, 5.5),
        at_every_shape(algorithms.growth_of_algorithm3("states")),
    ),
    Claim(
        "K04",
        "The simple algorithm scales linearly with respect to the value range and the number of states",
        "§6, l. 346",
        "slope 1",
        "Algorithm 1 at load 20: slope of log time against log range and against log states, layouts A and C",
        between(0.9, 1.1),
        at_every_shape(algorithms.slopes_of_algorithm1),
    ),
    Claim(
        "K05",
        "Our approach scales much better",
        "§6, l. 346",
        "smaller growth",
        "growth of Algorithm 3's time divided by growth of Algorithm 1's, for 4x the range and 8x the states",
        below(1),
        at_every_shape(algorithms.growths_compared),
    ),
    Claim(
        "K06",
        "As expected, the worst memory layout is layout B.",
        "§6, l. 346",
        "B slowest",
        "both algorithms: time in layout B divided by the longer of the times in A and C, in the cells of Tables 1 to 4",
        above(1),
        at_every_shape(memory_layouts.worst_is_b),
    ),
    Claim(
        "K07",
        "Memory layout C performs slightly faster in most of the cases",
        "§6, l. 346",
        "most",
        "Algorithm 1: share of rows in which layout C is faster than A; the interval covers rows within the noise",
        above(0.5),
        at_every_shape(memory_layouts.c_beats_a),
    ),
    Claim(
        "K08",
        "Memory layout C performs fastest in all cases on the more recent GPU architecture",
        "§6, l. 346",
        "all",
        "Algorithm 3: the shorter of the times in layouts A and B divided by the time in C",
        above(1),
        at_every_shape(memory_layouts.c_is_fastest),
    ),
    Claim(
        "K09",
        "This can increase performance by additional 14% compared to layout A",
        "§6, l. 346",
        "14%",
        "Algorithm 3: largest share of the time that layout C saves compared with layout A",
        at_least(0.135),
        at_every_shape(memory_layouts.gain_of_c),
    ),
    Claim(
        "K10",
        "A change of φ does not produce significantly different results for both algorithms",
        "§6, l. 346",
        "1",
        "both algorithms at load 20: time at phi 3 divided by time at phi 2, layouts A and C",
        between(0.9, 1.1),
        at_every_shape(algorithms.phi_compared),
    ),
    Claim(
        "K11",
        "Increasing the load by a factor of 10× leads to an increase of the run time of up to ≈ 7× for both algorithms",
        "§6, l. 348",
        "≈ 7",
        "both algorithms: time at load 2000 divided by time at load 200, layouts A and C",
        at_most(7.7),
        at_every_shape(algorithms.load_tenfold),
    ),
    Claim(
        "K12",
        "requires only 0.21 milliseconds on current hardware to complete",
        "§7, l. 354",
        "0.21 ms",
        "Algorithm 3 on 2048 states of 1024 values at phi 3 and load 20, in the faster of layouts A and C",
        at_most(0.00021),
        at_every_shape(algorithms.example),
        "s",
    ),
    Claim(
        "K13",
        "the benefit of coalesced memory accesses often outperforms the overhead of the additional arithmetic instructions",
        "§4, l. 157",
        "gain above cost",
        "Algorithm 3: share of rows in which layout C is faster than A, where 'often' is more than half; the interval covers "
        "rows within the noise",
        above(0.5),
        at_every_shape(memory_layouts.a_over_c),
    ),
    Claim(
        "K14",
        "we have not seen any major degradation in terms of performance",
        "§7, l. 356",
        "none",
        "Algorithm 3, the method that the sentence is about: time in layout C divided by time in A; more than a tenth "
        "counts as major",
        at_most(1.1),
        at_every_shape(memory_layouts.cost_of_c),
    ),
    Claim(
        "K15",
        "rules using many loads and stores might be negatively affected",
        "§7, l. 356",
        "-",
        "Algorithm 3: time in layout C divided by time in layout A, for a rule that loads and stores 64 words",
        above(1),
        memory_layouts.accesses_ratio,
    ),
    Claim(
        "K16",
        "solves nearly all divergency issues regarding occupancy",
        "§4, l. 126",
        "nearly all",
        "share of lanes that are active while Algorithm 3 evaluates, counted, in groups of 32 states; nine tenths count as "
        "nearly all",
        at_least(0.9),
        lane_counts.lanes_filled,
    ),
    Claim(
        "K17",
        "this can lead to fully inactive warps (containing no active threads) that do not have to be executed",
        "§4, l. 124",
        "some",
        "Algorithm 3: share of warps that have no value after compaction, counted",
        above(0),
        lane_counts.empty_warps,
        by_construction="compaction moves the enabled values to the front of the group, so the last warps are empty unless "
        "nearly all values are enabled",
    ),
    Claim(
        "K18",
        "many small ones that will significantly increase scheduling/dispatching overhead on the device",
        "§4, l. 134",
        "slower",
        "Algorithm 1 in layout A: time with blocks of one warp divided by time with its best block size",
        above(1.1),
        at_every_shape(algorithms.one_warp_blocks),
    ),
    Claim(
        "K19",
        "a single thread per state cannot be used without wasting performance",
        "§4, l. 126",
        "slower",
        "time of one thread per state divided by the time of Algorithm 3, each in its best measured layout, for fewer states "
        "than the GPU holds threads",
        above(1),
        at_every_shape(algorithms.thread_per_state_ratio),
    ),
    Claim(
        "K20",
        "This perfectly fits to the common bank-size configuration",
        "§4, l. 165",
        "4 bytes",
        "“this” is the tuple of two 16-bit indices that Algorithm 3 keeps per thread: its bytes divided by the 4 bytes of a bank",
        equals(1),
        lane_counts.bytes_per_tuple,
        by_construction="the tuple is one 32-bit word, and banks are 32 bits wide",
    ),
    Claim(
        "K21",
        "all value ranges are relatively small (< 4096)",
        "§4, l. 126",
        "< 4096",
        "none",
        below(4096),
        not_testable("it reports the authors' experience; the rules of Sudoku have ranges of 81 and 243"),
    ),
    Claim(
        "K22",
        "This computation requires 2MNO − MO floating-point operations",
        "§6, l. 332",
        "12 at 2x2x2",
        "operations that fit into a load step of an enabled value at peak speed, Algorithm 3 at load 2000; "
        "the smallest matrix product, 2x2x2, needs 12",
        at_least(12),
        algorithms.flop_per_step,
        by_construction="each of the MO sums has N products and N - 1 additions; only printed times that leave no room for "
        "them can contradict it",
    ),
)
