#pragma once
// The part that the programs of all tools share: each runs the kernels of this folder on request, so that one process
// per tool lives through a measurement and the tools take turns (processes/emulators.py).
//
//   reads      KERNEL BLOCKS ROUNDS
//   answers    SECONDS DIGEST         of one launch, on memory that is ready; the digest of all results
//   or         refused REASON         if the tool cannot run the kernel

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace beside {

constexpr unsigned block_size = 256;

struct Request {
    std::string kernel;
    unsigned blocks = 0;
    unsigned rounds = 0;
    unsigned lanes() const { return blocks * block_size; }
};

inline std::vector<unsigned> values_of(unsigned count) {
    std::vector<unsigned> values(count);
    for (unsigned i = 0; i < count; ++i) {
        values[i] = i * 2654435761u;
    }
    return values;
}

// FNV-1a over the words.
inline std::uint64_t digest_of(std::vector<unsigned> const& results) {
    std::uint64_t digest = 0xCBF29CE484222325u;
    for (unsigned const word : results) {
        digest = (digest ^ word) * 0x100000001B3u;
    }
    return digest;
}

template <class Launch>
double seconds_of(Launch launch) {
    auto const start = std::chrono::steady_clock::now();
    launch();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline std::runtime_error unknown(Request const& request) {
    return std::runtime_error("it has no kernel " + request.kernel);
}

// `run` computes the results of a request, with one word per lane, zero at first, and returns the seconds of the
// launch.
template <class Run>
int serve(Run run) {
    Request request;
    while (std::cin >> request.kernel >> request.blocks >> request.rounds) {
        try {
            std::vector<unsigned> results(request.lanes(), 0);
            double const seconds = run(request, values_of(request.lanes()), results);
            std::printf("%.9f %016llx\n", seconds, static_cast<unsigned long long>(digest_of(results)));
        } catch (std::exception const& error) {
            std::printf("refused %s\n", error.what());
        }
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace beside
