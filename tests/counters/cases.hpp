#pragma once
// Small cases of this tree's kernels: the same program is compiled by nvcc, for Nsight Compute, and by
// `lockstep emulate --counters`.
//
//   program [CASE...]      runs these cases, or all, and prints a line for each: name, launches, digest of the results
//
// A case fills its buffers, launches, and adds its results to the digest, which is equal on both machines.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "harness/simt/buffer.hpp"

namespace lockstep::counters {

using simt::cuda::Buffer;
using simt::cuda::check;

// What a case has done so far.
class Outcome {
public:
    // After each launch.
    void launched() {
        check(cudaGetLastError(), "the launch");
        ++launches_;
    }
    template <class T>
    void add(Buffer<T> const& results) {
        check(cudaDeviceSynchronize(), "the kernel");
        std::vector<T> const values = results.to_vector();
        auto const* const bytes = reinterpret_cast<unsigned char const*>(values.data());
        for (std::size_t i = 0; i < values.size() * sizeof(T); ++i)
            digest_ = (digest_ ^ bytes[i]) * 0x100000001b3ull;  // FNV-1a
    }
    void print(char const* name) const {
        std::printf("case %s launches %u digest %016llx\n", name, launches_, digest_);
    }

private:
    unsigned launches_ = 0;
    unsigned long long digest_ = 0xcbf29ce484222325ull;
};

struct Case {
    char const* name;
    void (*run)(Outcome& outcome);
};

template <class T>
Buffer<T> filled(std::vector<T> const& values) {
    Buffer<T> buffer(values.size());
    buffer.upload(values);
    return buffer;
}
template <class T>
Buffer<T> zeros(std::size_t size) {
    return filled(std::vector<T>(size));
}

// The main function: runs the cases that `argv` names.
template <std::size_t size>
int run_cases(Case const (&cases)[size], int argc, char** argv) {
    for (Case const& one : cases) {
        bool wanted = argc < 2;
        for (int i = 1; i < argc; ++i)
            wanted = wanted || std::strcmp(argv[i], one.name) == 0;
        if (!wanted)
            continue;
        Outcome outcome;
        one.run(outcome);
        outcome.print(one.name);
    }
    return EXIT_SUCCESS;
}

}  // namespace lockstep::counters
