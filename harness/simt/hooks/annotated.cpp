// Counters as text: beside the source, and their sums.

#include <array>
#include <cstdio>
#include <fstream>
#include <map>

#include "harness/simt/hooks/counters.hpp"

namespace lockstep::simt::hooks {
namespace {

std::string ratio(std::uint64_t a, std::uint64_t b, int decimals = 1) {
    if (b == 0) {
        return {};
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, static_cast<double>(a) / static_cast<double>(b));
    return text.data();
}

std::string count(std::uint64_t value) { return value == 0 ? std::string() : std::to_string(value); }

// A file's line with its counters, or with empty columns.
std::string row(LineCounters const* line, unsigned number, std::string const& text) {
    LineCounters const none;
    LineCounters const& c = line != nullptr ? *line : none;
    Requests global = c.global_loads;
    global.add(c.global_stores);
    global.add(c.global_atomics);
    Requests shared = c.shared_loads;
    shared.add(c.shared_stores);
    shared.add(c.shared_atomics);
    Requests atomics = c.global_atomics;
    atomics.add(c.shared_atomics);
    std::array<char, 160> columns{};
    std::snprintf(columns.data(), columns.size(), "%9s %5s %8s %7s %7s %8s %7s %8s %7s %8s | %5u ",
                  count(c.warps).c_str(), ratio(c.lanes, c.warps).c_str(), count(global.requests).c_str(),
                  ratio(global.sectors, global.requests).c_str(), ratio(global.fewest_sectors, global.requests).c_str(),
                  count(shared.requests).c_str(), ratio(shared.wavefronts, shared.fewest_wavefronts).c_str(),
                  count(atomics.requests).c_str(), ratio(atomics.contention, atomics.requests).c_str(),
                  count(c.barriers + c.warp_collectives).c_str(), number);
    return columns.data() + text + "\n";
}

// Names as in Nsight Compute's metrics, in whose terms emulated sums are compared with a device's.
std::string sums_of(Counters const& counters) {
    LineCounters const sum = counters.total();
    struct Named {
        char const* name;
        Requests const* requests;
    };
    std::string text = "emulated sums\n";
    for (Named const& named : {Named{"global loads", &sum.global_loads},
                               {"global stores", &sum.global_stores},
                               {"global atomics", &sum.global_atomics},
                               {"shared loads", &sum.shared_loads},
                               {"shared stores", &sum.shared_stores},
                               {"shared atomics", &sum.shared_atomics}}) {
        Requests const& all = *named.requests;
        if (all.requests != 0) {
            text += std::string("    ") + named.name + ": " + std::to_string(all.requests) + " requests, " +
                    (all.sectors != 0 ? std::to_string(all.sectors) + " sectors"
                                      : std::to_string(all.wavefronts) + " wavefronts") +
                    "\n";
        }
    }
    text += "    branches: " + std::to_string(counters.branches) + ", " + std::to_string(counters.divergent_branches) +
            " divergent\n    lanes per instruction: " + ratio(counters.lane_instructions, counters.instructions, 2) +
            "\n";
    return text;
}

}  // namespace

std::string annotated(Counters const& counters) {
    std::map<std::string, std::map<unsigned, LineCounters const*>> files;
    for (LineCounters const& line : counters.lines) {
        if (line.line != 0) {
            files[line.file][line.line] = &line;
        }
    }
    std::string text;
    for (auto const& [file, lines] : files) {
        text +=
            file + "\n    warps lanes   global sectors  fewest   shared ways    atomics lanes_at  barriers |  line\n";
        std::ifstream source(file);
        std::string content;
        unsigned const last = lines.rbegin()->first;
        unsigned const first = lines.begin()->first;
        for (unsigned number = 1; number <= last && (std::getline(source, content) || !source.is_open()); ++number) {
            auto const found = lines.find(number);
            if (number + 3 >= first && (found != lines.end() || source.is_open())) {
                text += row(found != lines.end() ? found->second : nullptr, number, content);
            }
        }
    }
    return text + sums_of(counters);
}

}  // namespace lockstep::simt::hooks
