#pragma once
// Faulty kernels, one per operation that is undefined on a GPU and that the emulator reports. Each function launches
// its kernel and must throw simt::Error. Emulator only.

#include <vector>

namespace lockstep::refusals::emulator {

void divergent_barrier();     // half the block at one __syncthreads, half at another
void divergent_collective();  // the same mask at two call sites
void mask_without_caller();
void mask_with_absent_lane();      // the block's last warp is partial
void mask_with_exited_lane();      // the lane exited before the call
void mask_with_lane_that_exits();  // the lane exits while others wait for it
void shuffle_from_outside_the_mask();
void shuffle_of_odd_width();
void unset_shared_memory();
void index_past_a_shared_array();
void shared_struct_larger_than_the_launch();
void words_past_the_launch();  // shared words whose number the launch determines
void unset_words();
void lanes_that_wait_for_each_other();
void endless_sleep();
void lock_held_over_a_barrier();  // the other lanes spin on the lock
// Spins by plain reads: the watchdog ends the program.
void endless_turn();
void too_many_threads();
void too_much_shared_memory();
void empty_grid();
void too_many_cooperative_blocks();
void exception_in_a_lane();
void poll_while_another_works();            // valid: something changes all the time
void spin_on_another_lane();                // valid: lanes take turns, so it terminates
std::vector<unsigned> words_of_a_launch();  // valid: 32 words, each lane's neighbour's number

}  // namespace lockstep::refusals::emulator
