#pragma once
// Merges rows from another machine or another branch into a results file.

#include <cstddef>
#include <filesystem>

namespace lockstep::bench {

struct MergedRows {
    std::size_t added = 0;
    std::size_t replaced = 0;  // replaced by a newer row of the same name, or extended by measurements or sweeps
    std::size_t kept = 0;      // unchanged
};

// Adds the cases of `from` to those of `into`, which is created if it does not exist. Of two rows with the same name,
// the one with the later date stays, so the order of merging does not matter. Limits that `into` lacks are copied.
// Throws bench::Error if a file does not parse, has another schema, is of a different device or has a row without a
// date; `into` is then unchanged.
MergedRows merge_results(std::filesystem::path const& from, std::filesystem::path const& into);

}  // namespace lockstep::bench
