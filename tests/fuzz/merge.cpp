// Two results files, separated by a line ---, as `merge` reads them. Without the line, the file is merged into itself.

#include "harness/bench/results_merge.hpp"

#include "harness/bench/atomic_file.hpp"
#include "tests/fuzz/scratch_file.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void merge(std::string const& input) {
    auto const [source, target] = two_parts(input);
    std::filesystem::path const from = scratch_file("from.json", source);
    std::filesystem::path const into = scratch_file("into.json", target.empty() ? source : target);
    std::string const before = bench::read_file(into);
    if (!accepts([&] { bench::merge_results(from, into); })) {
        require(bench::read_file(into) == before, "a merge that fails changes nothing");
        return;
    }
    std::string const merged = bench::read_file(into);
    bench::MergedRows again;
    require(accepts([&] { again = bench::merge_results(from, into); }), "merged rows can be merged");
    require(again.added == 0 && again.replaced == 0 && bench::read_file(into) == merged,
            "merging a second time changes nothing");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(merge)
