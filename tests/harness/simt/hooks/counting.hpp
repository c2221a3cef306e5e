#pragma once
// Counters of a launch, and of a line of its kernel that is marked.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "harness/simt/emulator/options.hpp"
#include "harness/simt/hooks/checks.hpp"
#include "harness/simt/hooks/type_alignments.hpp"

namespace lockstep::hook_tests {

// `alignments`: as in type_alignments.hpp.
template <class Launch>
simt::hooks::Counters counters_of(Launch launch, simt::emulator::LaneOrder order = simt::emulator::LaneOrder::ascending,
                                  std::string const& alignments = "") {
    simt::emulator::ScopedOptions const scope(simt::emulator::Options{order, 1, 1, 20});
    simt::hooks::Settings settings;
    settings.counters = true;
    simt::hooks::Checks checks(settings);
    launch();
    EXPECT_TRUE(checks.reports().empty()) << checks.reports().front().text();
    return checks.counters(simt::hooks::TypeAlignments(alignments));
}

// The number of the line of `file` that is marked COUNT `mark`.
inline unsigned line_of(std::string const& file, std::string const& mark) {
    std::ifstream source(file);
    std::string line;
    for (unsigned number = 1; std::getline(source, line); ++number) {
        if (line.ends_with("COUNT " + mark)) {
            return number;
        }
    }
    ADD_FAILURE() << "no line is marked " << mark;
    return 0;
}

// The counters of that line.
inline simt::hooks::LineCounters at(simt::hooks::Counters const& counters, std::string const& file,
                                    std::string const& mark) {
    return counters.at(file, line_of(file, mark));
}

}  // namespace lockstep::hook_tests
