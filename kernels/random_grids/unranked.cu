// Variant `unranked`: draws sets of up to 64 sites by their number.

#include "kernels/random_grids/unranked.hpp"

#include <utility>

#include "common/random_grids/grid_case.hpp"
#include "common/random_grids/unranked_words.hpp"
#include "harness/simt/shared_words.hpp"
#include "kernels/random_grids/table_variants.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

namespace {

template <class T>
using Table = Buffer<T>;

struct SplitBuffers {
    Table<unsigned> entries;
    Table<unsigned> tails;
};

struct UnrankedTables {
    Table<MaskBlock> masks;
    Table<PartSets> parts;
    SplitBuffers low;
    SplitBuffers high;
    SplitBuffers pair;
};

SplitSource upload_split(SplitBuffers& buffers, unsigned low, unsigned high, unsigned column_bits) {
    SplitTable const table = make_split_table(low, high, {32, column_bits, split_tail_words});
    buffers = {upload_table(table.entries), upload_table(table.tails)};
    return {buffers.entries.data(), buffers.tails.data()};
}

using UnrankKernel = void (*)(UnrankParameters, unsigned*);

UnrankKernel pick(Workload const& workload) {
    unsigned const sites = workload.shape.sites();
    return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> UnrankKernel {
        if (workload.shape.height > 1) {
            if (sites <= 32)
                return unranked_words<Engine, stored, true, 1, false, true>;
            return sites == 64 ? unranked_words<Engine, stored, true, 2, true, true>
                               : unranked_words<Engine, stored, true, 2, false, true>;
        }
        if (sites > 32 && sites < 64)
            return unranked_words<Engine, stored, true, 2, false, false>;
        if (sites == 64) {
            return workload.mixed() ? unranked_words<Engine, stored, true, 2, true, false>
                                    : unranked_words<Engine, stored, false, 2, true, false>;
        }
        return workload.mixed() ? unranked_words<Engine, stored, true, 1, true, false>
                                : unranked_words<Engine, stored, false, 1, true, false>;
    });
}

GridLaunch<UnrankParameters> prepare_unranked(bench::Problem const& problem, Workload const& workload) {
    unsigned const sites = workload.shape.sites();
    auto const owned = std::make_shared<UnrankedTables>();
    UnrankedTables& tables = *owned;
    GridLaunch<UnrankParameters> launch;
    launch.tables = owned;
    UnrankParameters& parameters = launch.parameters;
    std::vector<PartSets> parts;
    unsigned in_part[4];
    for (unsigned part = 0; part < 4; ++part) {
        in_part[part] = std::min(16u, sites - std::min(sites, 16 * part));
        for (PartSets const& sets : make_part_sets(in_part[part], 16))
            parts.push_back(sets);
    }
    tables.masks = upload_table(make_mask_blocks());
    tables.parts = upload_table(parts);
    parameters.grid = grid_parameters(problem, workload);
    parameters.sites = sites;
    parameters.masks = tables.masks.data();
    parameters.parts = tables.parts.data();
    parameters.low = upload_split(tables.low, in_part[0], in_part[1], word_column_bits);
    launch.kernel = pick(workload);
    launch.mapping = {1, 1, unrank_threads, sizeof(UnrankTile), Method::unranked, true};
    launch.mapping.one_block_per_multiprocessor = true;
    if (sites > 32) {
        parameters.high_sites = sites - 32;
        parameters.high = upload_split(tables.high, in_part[2], in_part[3], word_column_bits);
        parameters.pair = upload_split(tables.pair, 32, sites - 32, pair_column_bits);
    }
    return launch;
}

}  // namespace

bench::Variant make_unranked(SharedLimit limit) {
    WhyNot const why_not = [limit = std::move(limit)](Workload const& workload) {
        std::string const reason = why_not_unranked(workload);
        return reason.empty() ? why_no_room(sizeof(UnrankTile), limit) : reason;
    };
    return launched_variant("unranked", bench::Role::ours, "unranked",
                            "draws sets of up to 64 sites by their number: tables in shared memory, no loop",
                            prepare_unranked, why_not);
}

void add_unranked(bench::Experiment& experiment) { experiment.variants.push_back(make_unranked(max_shared_bytes)); }

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
