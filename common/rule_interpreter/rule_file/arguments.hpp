#pragma once
// What the program hands to the code that is compiled from a rule file, on every machine. Freestanding: NVRTC and the
// host's compiler read it at run time.

namespace lockstep::rule_interpreter::rule_file {

inline constexpr unsigned max_columns = 32;
inline constexpr unsigned max_parameters = 32;

// Which instance set each value of a state. Only the sequential reference keeps this: it runs the instances of one rule
// and one state at a time. The number of an instance is unique over rules, passes and states, so nothing is reset.
struct Writers {
    unsigned long long first = 1;                     // the number of instance 0 of the rule that runs
    unsigned long long instance = 0;                  // the number of the instance that runs
    unsigned long long* of_column[max_columns] = {};  // per value: the number of the last instance that set it, or 0
};

// What the specification refuses: an index outside of its column, or a value that two instances of a rule set.
struct Refusal {
    void const* values;  // of a column in a state
    unsigned long long index;
    unsigned line;
    bool is_set_twice;
    unsigned long long instances[2];  // that set it
};

// Value i of state s of column c is element s * sizes[c] + i of columns[c], in 64-bit arithmetic. States are counted
// from 0 in these arrays, and from `first_state` in the job.
struct Arguments {
    void* columns[max_columns] = {};
    void* pending[max_columns] = {};  // of a deferred column: its values after the rule that runs; else null
    unsigned long long sizes[max_columns] = {};
    unsigned long long parameters[max_parameters] = {};  // the bits of their values

    unsigned long long states = 0;
    unsigned long long first_state = 0;
    unsigned long long seed = 0;

    unsigned first_pass = 0;                // passes that earlier launches did
    unsigned passes = 1;                    // their number, or the limit on the way to a fixed point
    unsigned to_fixed_point = 0;            // nonzero: a state ends with a pass that changes nothing
    unsigned* last_change = nullptr;        // per state: the last pass that changed it, counted from 1
    unsigned long long* digests = nullptr;  // per state

    Writers* writers = nullptr;  // of the sequential reference

    // Kernels only. On the way to a fixed point, `running` is the last pass of the launch if it changed any state.
    unsigned* running = nullptr;
    // Every `sample_step`-th warp adds the instances that it tested, and those that were enabled.
    unsigned long long* counted = nullptr;
    unsigned sample_step = 1;

    // Of rule_file_grid.hpp: the rule of this launch, the number of the launch, and per state the number of the last
    // launch that left stores waiting.
    unsigned rule = 0;
    unsigned long long launch = 0;
    unsigned long long* written = nullptr;

    // Of the kernel that initialises a column. Columns without initial values are null in `columns`, this one, too, so
    // that reading them is a fault and not a number by chance.
    unsigned column = 0;
    void* initialised = nullptr;

    unsigned warps_per_state = 1;
    unsigned states_per_warp = 1;
    unsigned bypass_threshold = 96;  // enabled values of a tile from which they are evaluated in place
};

}  // namespace lockstep::rule_interpreter::rule_file
