// The tables of the process, each computed once.

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "common/random_grids/tree_tables.hpp"

namespace lockstep::random_grids {

namespace {

TreeTable const& shared_table(std::pair<unsigned, unsigned> const& sites) {
    static std::mutex mutex;
    static std::map<std::pair<unsigned, unsigned>, std::unique_ptr<TreeTable const>> tables;
    std::lock_guard const lock(mutex);
    std::unique_ptr<TreeTable const>& table = tables[sites];
    if (!table)
        table = std::make_unique<TreeTable const>(make_tree_table(sites.first, sites.second));
    return *table;
}

}  // namespace

TreeTable const& tree_table(unsigned low, unsigned high) {
    // Each thread remembers its tables, because a reference asks for one per node of each board, and its threads would
    // wait for the lock.
    thread_local std::map<std::pair<unsigned, unsigned>, TreeTable const*> known;
    TreeTable const*& table = known[{low, high}];
    if (table == nullptr)
        table = &shared_table({low, high});
    return *table;
}

}  // namespace lockstep::random_grids
