#pragma once
// What the program hands to the code that is compiled from a model file, on every machine. Freestanding: NVRTC and the
// host's compiler read it at run time.

namespace lockstep::replications::model_file {

inline constexpr unsigned max_parameters = 32;
inline constexpr unsigned max_streams = 8;
inline constexpr unsigned max_means = 8;
inline constexpr unsigned max_results = 8;
inline constexpr unsigned max_piece_bytes = 64;

// Why a replication has no result: bits of its status.
inline constexpr unsigned long long mean_out_of_range = 1;
inline constexpr unsigned long long not_finished = 2;  // within `steps` steps
inline constexpr unsigned long long draws_vary = 4;    // steps draw different numbers of words, and lanes share them
inline constexpr unsigned long long no_steps = 8;      // it has means, and took no step after the warm-up

// Status bits that are no errors by themselves: mean number i had values that are small beside the unit of its sum, or
// others. A mean of small values only has lost its accuracy.
inline constexpr unsigned first_small_mean = 16;
inline constexpr unsigned first_large_mean = first_small_mean + max_means;
inline constexpr unsigned long long error_bits = (1ull << first_small_mean) - 1;

// The first of the bits that say which draws had an argument outside of its range.
inline constexpr unsigned first_misused_draw = 8;
enum MisusedDraw : unsigned { misused_below, misused_chance, misused_mean, misused_phases, misused_deviation };
inline constexpr unsigned misused_draws = 5;

// Replications first_replication, .. first_replication + replications - 1 of each of several points. Number `index` of
// the job is replication index % replications of point index / replications.
struct Arguments {
    unsigned long long seed = 0;
    unsigned long long first_replication = 0;
    unsigned long long replications = 0;  // of each point
    unsigned long long size = 0;          // replications of all points
    unsigned long long warm_up = 0;       // steps of each replication that means leave out
    unsigned common = 0;                  // nonzero: all points draw the same numbers
    unsigned antithetic = 0;              // nonzero: replication 2k + 1 draws 1 - u where 2k draws u
    unsigned lanes = 0;                   // active lanes of a warp, or lanes that share a replication

    // The bits of parameter i of point p: parameters[p * parameter_count + i].
    unsigned parameter_count = 0;
    unsigned long long const* parameters = nullptr;

    // Per replication: status, steps taken, then the bits of each mean and result as f64.
    unsigned long long* outcomes = nullptr;

    // The means' values after each step, `steps` x means per replication; null: not recorded.
    double* series = nullptr;
    unsigned long long series_steps = 0;
};

}  // namespace lockstep::replications::model_file
