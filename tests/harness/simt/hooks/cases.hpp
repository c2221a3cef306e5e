#pragma once
// Kernels with one mistake each, and right kernels that resemble them. A program in each build (no checks, a sanitizer,
// simt_hooks) runs them: hooks_test.cpp, compare.sh.

#include <span>

namespace lockstep::hook_tests::emulator {

struct Case {
    char const* name;
    char const* mistake;  // the class of the mistake, or null
    void (*launch)();
};

std::span<Case const> memory_mistakes();
std::span<Case const> races();
std::span<Case const> right_kernels();

}  // namespace lockstep::hook_tests::emulator
