#include "harness/simt/hooks/counters.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

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
        case EventKind::global_swap:
        case EventKind::global_update:
            return &line.global_atomics;
        case EventKind::shared_load:
            return &line.shared_loads;
        case EventKind::shared_store:
            return &line.shared_stores;
        case EventKind::shared_atomic:
        case EventKind::shared_increment:
        case EventKind::shared_swap:
            return &line.shared_atomics;
        default:
            return nullptr;
    }
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

constexpr unsigned bytes_of_table_load = 16;

class Summation {
public:
    Summation(Tallies const& tallies, CallSites const& sites, TypeAlignments const& alignments)
        : tallies_(tallies), sites_(sites), executed_(as_on_a_gpu(tallies, sites_, code_of(tallies, sites))) {
        for (auto const& [site, on_gpu] : executed_) {
            blocks_[{sites_.stack(site), sites_.address(site)}] = site;
        }
        auto const row_of = [&](CallSites::Site access) {
            CallSites::Site const block = block_of(access);
            return block == 0 ? 0 : executed_.at(block).row;
        };
        replace_joined(tallies_, row_of, [&](CallSites::Site access, CallSites::Site first, unsigned bytes) {
            Place const& place = sites_.place(access);
            bool const is_store = tallies_.at(access).kind == EventKind::global_store;
            return place.line == sites_.place(first).line && place.file == sites_.place(first).file &&
                   alignments.at(place, is_store) >= bytes;
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
            LineCounters& line = lines_[known_line(at)];
            line.barriers += counts.barriers;
            line.warp_collectives += counts.warp_collectives;
        }
        for (auto& [at, line] : lines_) {
            line.file = at.file;
            line.line = at.line;
            counters_.lines.push_back(line);
        }
        return std::move(counters_);
    }

private:
    // A call site names its file as the compiler got it, and debug information by its whole path.
    Line known_line(Line const& at) const {
        if (at.file.starts_with('/')) {
            return at;
        }
        std::string const end = "/" + std::filesystem::path(at.file).lexically_normal().string();
        std::set<std::string> files;
        for (auto const& [known, counts] : lines_) {
            if (known.file.starts_with('/') && known.file.ends_with(end)) {
                files.insert(known.file);
            }
        }
        std::string const here = std::filesystem::absolute(at.file).lexically_normal().string();
        if (files.contains(here)) {
            return {here, at.line};
        }
        return files.size() == 1 ? Line{*files.begin(), at.line} : at;
    }

    void add_block(CallSites::Site site, Executed const& on_gpu) {
        auto const tally = tallies_.find(site);
        if (tally != tallies_.end()) {
            Place const& place = sites_.place(site);
            if (place.line != 0 && !is_in_kernel(place)) {
                return;  // how the emulator calls the kernel
            }
            if (on_gpu.table_loads != 0) {
                lines_[{place.file, place.line}].global_loads.add(loads_of_tables(on_gpu.table_loads, tally->second));
            }
            counters_.block_warps += tally->second.warps;
            counters_.block_lanes += tally->second.lanes;
            counters_.branches += (on_gpu.branches ? on_gpu.times : 0) + on_gpu.slow_paths * tally->second.warps;
            counters_.branches += on_gpu.jumps ? tally->second.warps : 0;
            counters_.divergent_branches += on_gpu.branches ? on_gpu.divergent : 0;
        }
        counters_.instructions += on_gpu.instructions * on_gpu.warps;
        counters_.lane_instructions += on_gpu.instructions * on_gpu.lanes;
    }

    // Where in the table depends on the lanes' values, which are not known: one sector, in which all lanes are
    // together.
    static Requests loads_of_tables(unsigned loads, Tally const& block) {
        Requests requests;
        requests.requests = requests.sectors = requests.fewest_sectors = loads * block.warps;
        requests.lanes = loads * block.lanes;
        requests.used_bytes = bytes_of_table_load * requests.requests;
        return requests;
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
        if (tally.kind == EventKind::shared_loop) {
            add_loop(line, tally);
        }
        if (tally.kind == EventKind::block && tally.successors.size() > 1) {
            line.branches += tally.warps;
            line.divergent_branches += tally.divergent;
        }
    }

    // The blocks have the instructions of the first round.
    void add_loop(LineCounters& line, Tally const& tally) {
        UpdateLoop const& loop = tally.loop;
        line.shared_loads.add(loop.loads);
        line.shared_atomics.add(loop.swaps);
        line.branches += loop.branches.all;
        line.divergent_branches += loop.branches.divergent;
        counters_.branches += loop.branches.all;
        counters_.divergent_branches += loop.branches.divergent;
        counters_.instructions += update_loop_instructions * (loop.swaps.requests - tally.warps);
        counters_.lane_instructions += update_loop_instructions * (loop.swaps.lanes - tally.lanes);
    }

    // The block that an access is in; 0 if none is known.
    CallSites::Site block_of(CallSites::Site access) const {
        auto const behind = blocks_.upper_bound({sites_.stack(access), sites_.address(access)});
        bool const is_known = behind != blocks_.begin() && std::prev(behind)->first.first == sites_.stack(access);
        return is_known ? std::prev(behind)->second : 0;
    }

    // A warp executes a predicated access also with all lanes off. For shared memory, that is a request without a
    // wavefront. A load of a fixed word of shared memory, if the side of the branch is little more than that, is not
    // predicated, but executed by all lanes.
    void add_executions_by_no_lane(Requests& requests, CallSites::Site access, Tally const& tally) const {
        auto const block = tallies_.find(block_of(access));
        if (block == tallies_.end() || tally.is_joined) {
            return;
        }
        Executed const& on_gpu = executed_.at(block->first);
        std::uint64_t const by_none = on_gpu.warps - std::min(on_gpu.warps, block->second.warps);
        bool const is_for_all = tally.kind == EventKind::shared_load && on_gpu.is_one_load && !tally.moves;
        bool const is_shared = tally.kind == EventKind::shared_store || tally.kind == EventKind::shared_load;
        requests.requests += is_shared ? by_none : 0;
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

Counters counters_of(Tallies const& tallies, CallSites const& sites, std::map<Line, LineCounts> const& synchronised,
                     TypeAlignments const& alignments) {
    sites.locate_all();
    return Summation(tallies, sites, alignments).run(synchronised);
}

}  // namespace lockstep::simt::hooks
