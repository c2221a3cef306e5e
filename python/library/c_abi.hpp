#pragma once
// The functions that Python calls, with C linkage; the library exports what begins with lockstep_ (exports.map). Each
// of those that return an int returns 0, or 2 for a mistake of the caller's and 1 for any other failure;
// lockstep_last_error() then returns one line, which the next failure in the same thread replaces.

#include <cstdint>
#include <functional>

#include "python/library/dlpack.hpp"

struct lockstep_tensor;

// errors.cpp

extern "C" char const* lockstep_last_error();

// tensor.cpp

// A new reference to the memory, in the form that a capsule of DLPack holds; null if there is no memory for it.
extern "C" lockstep::python::DlManagedTensor* lockstep_tensor_lend(lockstep_tensor const* tensor);
extern "C" void lockstep_tensor_delete(lockstep_tensor* tensor);

// stop.cpp

// Ends a call from another thread. Make it in the thread that waits for the call: the call uses its CUDA device. Null
// if there is no memory for it.
struct lockstep_stop;
extern "C" lockstep_stop* lockstep_stop_make();
extern "C" void lockstep_stop_request(lockstep_stop* stop);
extern "C" void lockstep_stop_delete(lockstep_stop* stop);

// random_subsets.cpp

struct lockstep_subsets_request {
    std::uint64_t batch;
    std::uint32_t sites;
    std::uint32_t occupied;
    std::uint64_t seed;
    std::uint64_t first;  // number of the first set
    char const* engine;
    lockstep::python::Device device;  // where the words are
    lockstep_stop const* stop;        // ends a call on the CPU; null: none
};

// CUDA devices that this process can use.
extern "C" std::uint32_t lockstep_gpu_count();
// 32-bit words of one set.
extern "C" std::uint32_t lockstep_subset_words(std::uint32_t sites);
// Fills `words`, batch x lockstep_subset_words(sites) of them. If it is null, makes a tensor of that shape.
extern "C" int lockstep_random_subsets(lockstep_subsets_request const* request, std::uint32_t* words,
                                       lockstep_tensor** made);

// rewrite.cpp

struct lockstep_rewrite_request {
    char const* system;  // a text in one of the languages of `lockstep rewrite`
    char const* const* terms;
    std::uint64_t term_count;
    char const* engine;
    char const* machine;
    std::uint64_t max_rewrites;  // 0: no limit
    std::uint64_t memory;        // bytes; 0: the limit of the library
    double seconds;              // 0: no limit
    lockstep_stop const* stop;   // null: none
};

struct lockstep_rewritten {
    char const* normal_forms;  // one line per term
    char const* engine;
    std::uint64_t rewrites;
    std::uint64_t comparisons;
    std::uint64_t operations;
    double seconds;
};

// Rewrites the terms, or the system's input terms if there are none.
extern "C" int lockstep_rewrite(lockstep_rewrite_request const* request, lockstep_rewritten** made);
extern "C" void lockstep_rewritten_delete(lockstep_rewritten* rewritten);

namespace lockstep::python {

// Calls `work` and returns what such a function returns.
int guarded(std::function<void()> const& work);

}  // namespace lockstep::python
