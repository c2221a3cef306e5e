#pragma once
// Results of the library's sections on a machine, for the tests of the emulator and of the GPU.

#include <string>
#include <vector>

namespace lockstep::object_layout::tests {

struct SectionResults {
    std::vector<unsigned> mapped;
    std::vector<unsigned> selected;
    unsigned sum = 0;
    unsigned least = 0;
    float float_sum = 0;
    bool lazy = false;           // true if nothing was computed before a result was read
    bool unfused_same = false;   // true if the unfused baseline computes the same elements
    std::vector<unsigned> each;  // after three ticks
};

// The transfers of one section over all agents of the simulation, only the cars or only the pedestrians.
struct TransferResults {
    std::vector<std::string> sent;
    std::vector<std::string> fetched;
    std::vector<std::string> fetched_twice;  // by a second fetch without a section in between
    std::vector<std::string> sent_again;     // after host code changed the length of the street
    float progress_of_host = 0;              // of the first agent's host object, after the section wrote 7
};

namespace emulator {
SectionResults run_sections(std::vector<unsigned> const& values);
TransferResults run_transfers(bool cars);
std::string too_large_error();
// Passes agents of four classes to a kernel that knows two.
std::string unknown_class_error();
// Returns the error of a kernel with an invalid read, write or index; empty if the access is permitted.
std::string error_of_access(std::string const& what);
}  // namespace emulator
namespace cuda {
SectionResults run_sections(std::vector<unsigned> const& values);
TransferResults run_transfers(bool cars);
std::string too_large_error();
std::string unknown_class_error();
}  // namespace cuda

}  // namespace lockstep::object_layout::tests
