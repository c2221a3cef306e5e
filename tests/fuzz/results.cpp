// Results files, as `run` and `list` read them.

#include "harness/bench/results_document.hpp"
#include "harness/bench/results_file.hpp"
#include "tests/fuzz/scratch_file.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

namespace {

bench::Provenance provenance() {
    bench::Provenance made;
    made.source = {"0123abc", false};
    made.device_slug = "toy-device";
    return made;
}

// What `run --missing` does with a file: it joins sweeps to rows that are there and writes the file again.
void run_missing(std::filesystem::path const& path) {
    bench::ResultsFile file(path, provenance());
    file.set_limits({{"copy", {4e12, "B/s"}}});
    static_cast<void>(file.has("toy/right/cpu", 1, {"quick", "fuzzed"}));
    file.flush();
}

}  // namespace

void results(std::string const& input) {
    std::filesystem::path const path = scratch_file("results.json", input);
    accepts([&] { bench::read_limits(path); });
    accepts([&] { bench::read_cases(path); });
    std::string text;
    if (!accepts([&] { text = bench::text_of(bench::parse_results(path)); }))
        return;
    std::filesystem::path const written = scratch_file("written.json", text);
    require(bench::text_of(bench::parse_results(written)) == text, "a file that was written is read as it was");
    accepts([&] { run_missing(path); });
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(results)
