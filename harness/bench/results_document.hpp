#pragma once
// The text of a results file, its cases each with its row of Google Benchmark's. Internal to harness/bench: it knows
// JSON.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lockstep::bench {

// Keys keep their order: the file is read by people too.
using Json = nlohmann::ordered_json;

struct ResultsDocument {
    struct Entry {
        Json row;     // of "cases"
        Json google;  // of "benchmarks": the median of the same case; null where it was not timed
    };
    Json context = Json::object();
    std::vector<Entry> entries;

    Entry* find(std::string const& name);
    void erase(std::string const& name);
};

// Throws bench::Error for a file that does not parse or has another schema. Files that have all of Google's aggregates
// of a case, as were written before its median alone was, are read too.
ResultsDocument parse_results(std::filesystem::path const& path);

std::string text_of(ResultsDocument const& document);

// The steps of parse_results(): the file's JSON; then its cases, whatever their schema. Both throw bench::Error.
Json read_json(std::filesystem::path const& path);
ResultsDocument results_of(Json& document, std::filesystem::path const& path);

// What a file keeps of Google Benchmark's rows of one case: the median's name and times. The other aggregates are in
// the case's "time", and rates follow from its items and bytes. `rows` is the library's array; null where it has no
// median.
Json median_row(Json const& rows, std::string const& name);

// The name that Google Benchmark gives the median of a case: its compare.py pairs rows by that name.
std::string median_name(std::string const& case_name);

// Adds sweeps that asked for a case to those that its row names. Whether one of them was new.
bool add_sweeps(Json& row, std::vector<std::string> const& sweeps);

}  // namespace lockstep::bench
