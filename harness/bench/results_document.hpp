#pragma once
// The contents of a results file: its cases, each with its Google Benchmark row. Internal to harness/bench, because it
// exposes JSON.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/bench/json_text.hpp"

namespace lockstep::bench {

struct ResultsDocument {
    struct Entry {
        Json row;     // of "cases"
        Json google;  // of "benchmarks": the median of the same case; null if not timed
        // Their texts, which text_of() keeps, because a file is written after each case. Who changes a row afterwards
        // clears them.
        mutable std::string row_text = {}, google_text = {};

        // Adds sweeps to the list in the row. Returns true if one of them was new.
        bool add_sweeps(std::vector<std::string> const& sweeps);
    };
    Json context = Json::object();
    std::vector<Entry> entries;

    Entry* find(std::string const& name);
};

// Values of rows and contexts that fit the schema. A value that may be absent may also be null.
std::string text_at(Json const& row, char const* key);  // or ""
Json object_at(Json const& row, char const* key);       // or {}
std::vector<std::string> sweeps_of(Json const& row);

// What to do with a results file that does not parse.
constexpr char const* results_advice = "move it away or name another file or folder";

// Throws bench::Error if the file does not parse, has another schema or does not fit it. Also reads older files that
// hold all Google Benchmark aggregates of a case instead of only its median.
ResultsDocument parse_results(std::filesystem::path const& path);

std::string text_of(ResultsDocument const& document);

// The first and the last step of parse_results(). The second one throws Json::exception if rows of schema 1 lack a
// value; rows of the current schema have been checked.
Json read_document(std::filesystem::path const& path);
ResultsDocument results_of(Json& document);

// Throws bench::Error if the document does not fit the schema.
void check_results(Json const& document, std::filesystem::path const& path);

// Returns the part of Google Benchmark's rows of one case that a file keeps: the name and times of the median. The
// other aggregates are in the case's "time", and rates follow from its items and bytes. `rows` is the library's array.
// Returns null if it has no median.
Json median_row(Json const& rows, std::string const& name);

// The name that Google Benchmark gives the median of a case: its compare.py pairs rows by that name.
std::string median_name(std::string const& case_name);

}  // namespace lockstep::bench
