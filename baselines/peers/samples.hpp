#pragma once
// What the programs of compiled peers share: samples of a time, and errors.
//
// A program prints a line `seconds S` per sample, a line `check TEXT` that says what it checked, a line `version TEXT`
// that names the peer, and exits with 0; or it prints `wrong TEXT` and exits with 1. programs.py reads these lines.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

namespace lockstep::peers {

// Calls `run`, which returns the seconds of one run, and prints each sample. Two warm-ups come first. A sample has at
// least `least` values, and more until they take half a second in all.
template <class Run>
void print_samples(Run const& run, int least) {
    constexpr int most = 200;
    constexpr double enough = 0.5;
    run();
    run();
    double sum = 0;
    for (int i = 0; i < least || (sum < enough && i < most); ++i) {
        double const seconds = run();
        sum += seconds;
        std::printf("seconds %.9g\n", seconds);
    }
}

inline void print_version(char const* peer, int major, int minor, int patch) {
    std::printf("version %s %d.%d.%d\n", peer, major, minor, patch);
}

template <class Body>
double steady_seconds(Body const& body) {
    auto const begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline void require(bool right, std::string const& what) {
    if (!right)
        throw std::runtime_error(what);
}

// Runs the body of a program and turns an exception into a line.
template <class Body>
int guarded(Body const& body) {
    try {
        body();
        return EXIT_SUCCESS;
    } catch (std::exception const& error) {
        std::printf("wrong %s\n", error.what());
        return EXIT_FAILURE;
    }
}

}  // namespace lockstep::peers
