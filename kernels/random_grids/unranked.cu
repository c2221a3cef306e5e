// The variant `unranked`: sets of up to 64 sites by their number.

#include "kernels/random_grids/unranked.hpp"

#include "kernels/random_grids/table_case.hpp"
#include "reference_cpu/random_grids/unranked_words.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

namespace {

template <class T>
using Table = simt::LOCKSTEP_MACHINE::Buffer<T>;

struct PartTables {
    Table<UnrankEntry> entries;
    Table<unsigned char> guide;
    Table<UnrankRow> rows;
};

struct UnrankedTables {
    Table<unsigned short> masks;
    PartTables low;
    PartTables high;
    Table<unsigned> split_high;
    Table<unsigned> split_low;
    Table<unsigned char> split_guide;
    Table<SplitRow> split_rows;
};

PartTables upload_part(UnrankTables const& tables) {
    return {upload_table(tables.entries), upload_table(tables.guide), upload_table(tables.rows)};
}

UnrankSource source_of(PartTables const& tables) {
    return {tables.entries.data(), tables.guide.data(), tables.rows.data()};
}

template <template <class, bool, bool> class Pick>
void (*pick(Workload const& workload))(UnrankParameters, unsigned*) {
    return with_engine_and_output(workload, [&]<class Engine, bool stored>() {
        return workload.mixed() ? Pick<Engine, stored, true>::kernel : Pick<Engine, stored, false>::kernel;
    });
}

using UnrankKernel = void (*)(UnrankParameters, unsigned*);

template <class Engine, bool stored, bool mixed>
struct Words32 {
    static constexpr UnrankKernel kernel = unranked_words<Engine, stored, mixed>;
};

template <class Engine, bool stored, bool mixed>
struct Words64 {
    static constexpr UnrankKernel kernel = unranked_words64<Engine, stored, mixed>;
};

TableLaunch<UnrankParameters, UnrankedTables> prepare(bench::Problem const& problem, Workload const& workload) {
    unsigned const sites = workload.shape.sites();
    TableLaunch<UnrankParameters, UnrankedTables> launch;
    UnrankTables const low = make_unrank_tables(std::min(32u, sites));
    launch.tables.masks = upload_table(low.masks);
    launch.tables.low = upload_part(low);
    UnrankParameters& parameters = launch.parameters;
    parameters.grid = grid_parameters(problem, workload);
    parameters.masks = launch.tables.masks.data();
    parameters.low = source_of(launch.tables.low);
    launch.kernel = pick<Words32>(workload);
    launch.mapping = {1, 1, unrank_threads, sizeof(WordTile), Method::unranked};
    launch.interleave = threadwise_interleave;
    if (sites <= 32)
        return launch;

    SplitTables const split = make_split_tables(sites, 32);
    launch.tables.high = upload_part(make_unrank_tables(sites - 32));
    launch.tables.split_high = upload_table(split.high);
    launch.tables.split_low = upload_table(split.low);
    launch.tables.split_guide = upload_table(split.guide);
    launch.tables.split_rows = upload_table(split.rows);
    parameters.high = source_of(launch.tables.high);
    parameters.split_high = launch.tables.split_high.data();
    parameters.split_low = launch.tables.split_low.data();
    parameters.split_guide = launch.tables.split_guide.data();
    parameters.split_rows = launch.tables.split_rows.data();
    launch.kernel = pick<Words64>(workload);
    launch.mapping.shared_bytes = sizeof(Word64Tile);
    return launch;
}

}  // namespace

void add_unranked(bench::Experiment& experiment) {
    experiment.variants.push_back(table_variant(
        "unranked", "unranked", "sets of up to 64 sites by their number: tables in shared memory, no loop", prepare,
        why_not_unranked));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
