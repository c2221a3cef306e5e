// The tables of the process, each computed once.

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "common/random_grids/tree_tables.hpp"

namespace lockstep::random_grids {

TreeTable const& tree_table(unsigned low, unsigned high) {
    static std::mutex mutex;
    static std::map<std::pair<unsigned, unsigned>, std::unique_ptr<TreeTable const>> tables;
    std::lock_guard const lock(mutex);
    std::unique_ptr<TreeTable const>& table = tables[{low, high}];
    if (!table)
        table = std::make_unique<TreeTable const>(make_tree_table(low, high));
    return *table;
}

}  // namespace lockstep::random_grids
