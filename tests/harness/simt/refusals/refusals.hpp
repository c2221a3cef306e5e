#pragma once
// Kernels written to be wrong, one for each thing that a GPU leaves undefined and the emulator refuses. Each launches,
// and is expected to throw simt::Error. They exist for the emulator alone.

namespace lockstep::refusals::emulator {

void divergent_barrier();     // half the block at one __syncthreads, half at another
void divergent_collective();  // the same mask at two call sites
void mask_without_caller();
void mask_with_absent_lane();      // a warp cut short by the block's end
void mask_with_exited_lane();      // it ended before
void mask_with_lane_that_exits();  // it ends while it is waited for
void shuffle_from_outside_the_mask();
void shuffle_of_odd_width();
void unset_shared_memory();
void index_past_a_shared_array();
void shared_struct_larger_than_the_launch();
void lanes_that_wait_for_each_other();
void endless_sleep();
void too_many_threads();
void too_much_shared_memory();
void empty_grid();
void too_many_cooperative_blocks();
void exception_in_a_lane();
void spin_on_another_lane();  // not wrong: the lanes take turns, so it ends

}  // namespace lockstep::refusals::emulator
