#pragma once
// Rows from elsewhere, another machine or another branch, into a file of results.

#include <cstddef>
#include <filesystem>

namespace lockstep::bench {

struct MergedRows {
    std::size_t added = 0;
    std::size_t replaced = 0;  // by a newer row of the same name, or given measurements or sweeps that it lacked
    std::size_t kept = 0;      // nothing newer came
};

// Adds the cases of `from` to those of `into`, which is made where there is none. Of two rows of one name that with the
// later date stays, so the order of merging does not matter. Limits that `into` lacks are taken over. Throws
// bench::Error for files that do not parse, of another schema, of different devices or with a row without a date;
// `into` is then as it was.
MergedRows merge_results(std::filesystem::path const& from, std::filesystem::path const& into);

}  // namespace lockstep::bench
