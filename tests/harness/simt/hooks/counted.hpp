#pragma once
// Launches of kernels whose counters can be computed by hand.

namespace lockstep::hook_tests::emulator {

void count_strided(unsigned stride);
void count_columns(unsigned width);
void count_doubles(unsigned stride);
void count_loops();
void count_branches(unsigned period);
void count_long_branches();
void count_calls();
void count_atomics(unsigned addresses);
void count_partial();

// gpu_model_kernels.cu
void count_never();
void count_conditions(unsigned first, unsigned second);
void count_neighbours(unsigned stride, unsigned first);
void count_predicated();
void count_divisions();
void count_predicated_loads();
void count_nested(bool has_condition);
void count_loads_before_exit(unsigned first, unsigned last);
void count_repeated_loads(unsigned first, unsigned second);
void count_struct_words();
void count_volatile_loads();
void count_neighbouring_variables();
void count_several_conditions(bool has_else);
void count_calls_of_a_function();
void count_sines();
void count_last_step();
void count_two_long_sides(unsigned first);
// Lane i takes case i modulo `cases` of a switch with eight.
void count_a_switch(unsigned cases);

// gpu_model_updates.cu: each lane updates the word of its number modulo `words`.
void count_float_additions(unsigned words);
// So many that the traces of lanes are merged now and then: whatever a lane does at that moment goes on afterwards.
void count_many_additions(unsigned rounds);
void count_wide_updates(unsigned words);
void count_wide_exchanges(unsigned words);
void count_integer_additions(unsigned words);
void count_global_additions(unsigned words);
void count_global_float_additions(unsigned words);
void count_global_exchanges(unsigned words);
void count_atomic_stores();

}  // namespace lockstep::hook_tests::emulator
