#include "harness/simt/hooks/counters.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <string_view>

#include "harness/simt/hooks/joined_accesses.hpp"
#include "harness/simt/hooks/machine_model.hpp"
#include "harness/simt/hooks/symbols.hpp"
#include "harness/simt/hooks/warp_trace.hpp"

namespace lockstep::simt::hooks {
namespace {

Requests* requests_of(LineCounters& line, EventKind kind) {
    switch (kind) {
        case EventKind::global_load:
            return &line.global_loads;
        case EventKind::global_store:
            return &line.global_stores;
        case EventKind::global_atomic:
            return &line.global_atomics;
        case EventKind::shared_load:
            return &line.shared_loads;
        case EventKind::shared_store:
            return &line.shared_stores;
        case EventKind::shared_atomic:
            return &line.shared_atomics;
        default:
            return nullptr;
    }
}

std::string ratio(std::uint64_t a, std::uint64_t b) {
    if (b == 0) {
        return {};
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(a) / static_cast<double>(b));
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
            " divergent\n    lanes per instruction: " + ratio(counters.lane_instructions, counters.instructions) + "\n";
    return text;
}

}  // namespace

void Requests::add(Requests const& other) {
    requests += other.requests;
    lanes += other.lanes;
    sectors += other.sectors;
    fewest_sectors += other.fewest_sectors;
    used_bytes += other.used_bytes;
    wavefronts += other.wavefronts;
    fewest_wavefronts += other.fewest_wavefronts;
    contention += other.contention;
}

LineCounters Counters::total() const {
    LineCounters sum;
    for (LineCounters const& line : lines) {
        sum.global_loads.add(line.global_loads);
        sum.global_stores.add(line.global_stores);
        sum.global_atomics.add(line.global_atomics);
        sum.shared_loads.add(line.shared_loads);
        sum.shared_stores.add(line.shared_stores);
        sum.shared_atomics.add(line.shared_atomics);
        sum.branches += line.branches;
        sum.divergent_branches += line.divergent_branches;
        sum.barriers += line.barriers;
        sum.warp_collectives += line.warp_collectives;
    }
    sum.warps = block_warps;
    sum.lanes = block_lanes;
    return sum;
}

LineCounters Counters::at(std::string const& file, unsigned line) const {
    for (LineCounters const& counters : lines) {
        if (counters.line == line && counters.file.ends_with(file)) {
            return counters;
        }
    }
    return {};
}

namespace {

// The machine code of the basic blocks.
CodeOfBlocks code_of(Tallies const& tallies, CallSites const& sites) {
    std::vector<std::uintptr_t> addresses;
    for (auto const& [site, tally] : tallies) {
        if (tally.kind == EventKind::block) {
            addresses.push_back(sites.address(site));
        }
    }
    return look_up_code(addresses);
}

class Summation {
public:
    Summation(Tallies const& tallies, CallSites const& sites)
        : tallies_(tallies), sites_(sites), executed_(as_on_a_gpu(tallies, sites_, code_of(tallies, sites))) {
        for (auto const& [site, on_gpu] : executed_) {
            blocks_[{sites_.stack(site), sites_.address(site)}] = site;
        }
        replace_joined(tallies_, [&](CallSites::Site access) {
            CallSites::Site const block = block_of(access);
            return block == 0 ? 0 : executed_.at(block).row;
        });
    }

    Counters run(std::map<Line, LineCounts> const& synchronised) {
        for (auto const& [site, on_gpu] : executed_) {
            add_block(site, on_gpu);
        }
        for (auto const& [site, tally] : tallies_) {
            if (Place const& place = sites_.place(site); place.line == 0 || is_in_kernel(place)) {
                add_to_line(lines_[{place.file, place.line}], site, tally);
            }
        }
        for (auto const& [at, counts] : synchronised) {
            lines_[at].barriers += counts.barriers;
            lines_[at].warp_collectives += counts.warp_collectives;
        }
        for (auto& [at, line] : lines_) {
            line.file = at.file;
            line.line = at.line;
            counters_.lines.push_back(line);
        }
        return std::move(counters_);
    }

private:
    void add_block(CallSites::Site site, Executed const& on_gpu) {
        auto const tally = tallies_.find(site);
        if (tally != tallies_.end()) {
            if (Place const& place = sites_.place(site); place.line != 0 && !is_in_kernel(place)) {
                return;  // how the emulator calls the kernel
            }
            counters_.block_warps += tally->second.warps;
            counters_.block_lanes += tally->second.lanes;
            counters_.branches += (on_gpu.branches ? on_gpu.times : 0) + on_gpu.slow_paths * tally->second.warps;
            counters_.divergent_branches += on_gpu.branches ? on_gpu.divergent : 0;
        }
        counters_.instructions += on_gpu.instructions * on_gpu.warps;
        counters_.lane_instructions += on_gpu.instructions * on_gpu.lanes;
    }

    void add_to_line(LineCounters& line, CallSites::Site site, Tally const& tally) {
        if (tally.warps > line.warps) {
            line.warps = tally.warps;
            line.lanes = tally.lanes;
        }
        if (Requests* const requests = requests_of(line, tally.kind)) {
            requests->add(tally.requests);
            add_executions_by_no_lane(*requests, site, tally);
        }
        if (tally.kind == EventKind::block && tally.successors.size() > 1) {
            line.branches += tally.warps;
            line.divergent_branches += tally.divergent;
        }
    }

    // The block that an access is in; 0 if none is known.
    CallSites::Site block_of(CallSites::Site access) const {
        auto const behind = blocks_.upper_bound({sites_.stack(access), sites_.address(access)});
        bool const is_known = behind != blocks_.begin() && std::prev(behind)->first.first == sites_.stack(access);
        return is_known ? std::prev(behind)->second : 0;
    }

    // A warp executes a predicated access also with all lanes off. For a store of shared memory, that is a request
    // without a wavefront. A load of a fixed word of shared memory, if the side of the branch is little more than that,
    // is not predicated, but executed by all lanes.
    void add_executions_by_no_lane(Requests& requests, CallSites::Site access, Tally const& tally) const {
        auto const block = tallies_.find(block_of(access));
        if (block == tallies_.end() || tally.is_joined) {
            return;
        }
        Executed const& on_gpu = executed_.at(block->first);
        std::uint64_t const by_none = on_gpu.warps - std::min(on_gpu.warps, block->second.warps);
        bool const is_for_all = tally.kind == EventKind::shared_load && on_gpu.is_one_load && !tally.moves;
        requests.requests += tally.kind == EventKind::shared_store || is_for_all ? by_none : 0;
        requests.wavefronts += is_for_all ? by_none : 0;
        requests.fewest_wavefronts += is_for_all ? by_none : 0;
    }

    Tallies tallies_;
    CallSites sites_;  // with the blocks that no lane executes
    std::map<CallSites::Site, Executed> executed_;
    std::map<std::pair<CallSites::Stack, std::uintptr_t>, CallSites::Site> blocks_;
    std::map<Line, LineCounters> lines_;
    Counters counters_;
};

}  // namespace

Counters counters_of(Tallies const& tallies, CallSites const& sites, std::map<Line, LineCounts> const& synchronised) {
    sites.locate_all();
    return Summation(tallies, sites).run(synchronised);
}

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
