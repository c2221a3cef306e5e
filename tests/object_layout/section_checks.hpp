#pragma once
// What the library's sections give on a machine: for the tests of the emulator and of the GPU.

#include <string>
#include <vector>

namespace lockstep::object_layout::tests {

struct SectionResults {
    std::vector<unsigned> mapped;
    std::vector<unsigned> selected;
    unsigned sum = 0;
    unsigned least = 0;
    float float_sum = 0;
    bool lazy = false;           // nothing was computed before a result was read
    bool unfused_same = false;   // the unfused baseline gives the same elements
    std::vector<unsigned> each;  // after three ticks
};

// What travelled for one section of the simulation's agents, cars or pedestrians alone.
struct TransferResults {
    std::vector<std::string> sent;
    std::vector<std::string> fetched;
    std::vector<std::string> fetched_twice;  // by a second fetch without a section between
    float progress_of_host = 0;              // of the first agent's host object, after the section wrote 7
};

namespace emulator {
SectionResults run_sections(std::vector<unsigned> const& values);
TransferResults run_transfers(bool cars);
std::string too_large_error();
// Agents of four classes before a kernel that knows two.
std::string unknown_class_error();
// The error of a kernel that reads, writes or indexes what it must not; empty where it is let through.
std::string error_of_access(std::string const& what);
}  // namespace emulator
namespace cuda {
SectionResults run_sections(std::vector<unsigned> const& values);
TransferResults run_transfers(bool cars);
std::string too_large_error();
std::string unknown_class_error();
}  // namespace cuda

}  // namespace lockstep::object_layout::tests
