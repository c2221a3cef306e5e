#include "harness/bench/results_document.hpp"

#include <algorithm>
#include <map>

#include "harness/bench/error.hpp"
#include "harness/bench/results_file.hpp"

namespace lockstep::bench {

namespace {

bool is_median(Json const& row) { return row.value("aggregate_name", "") == "median"; }

Json lean(Json const& row, std::string const& name) {
    return {{"name", name},
            {"run_type", "aggregate"},
            {"aggregate_name", "median"},
            {"real_time", row.at("real_time")},
            {"cpu_time", row.at("cpu_time")},
            {"time_unit", row.at("time_unit")}};
}

std::vector<ResultsDocument::Entry> entries_of(Json& document) {
    std::map<std::string, Json> medians;
    for (Json const& row : document["benchmarks"]) {
        if (is_median(row))
            medians[row.at("name").get<std::string>()] = lean(row, row.at("name").get<std::string>());
    }
    std::vector<ResultsDocument::Entry> entries;
    for (Json& row : document["cases"]) {
        auto const found = medians.find(median_name(row.value("name", "")));
        entries.push_back({std::move(row), found == medians.end() ? Json() : std::move(found->second)});
    }
    return entries;
}

}  // namespace

ResultsDocument::Entry* ResultsDocument::find(std::string const& name) {
    auto const found = std::find_if(entries.begin(), entries.end(),
                                    [&](Entry const& entry) { return entry.row.value("name", "") == name; });
    return found == entries.end() ? nullptr : &*found;
}

std::string median_name(std::string const& case_name) { return case_name + "_median"; }

Json median_row(Json const& rows, std::string const& name) {
    auto const found = std::find_if(rows.begin(), rows.end(), is_median);
    return found == rows.end() ? Json() : lean(*found, median_name(name));
}

bool add_sweeps(Json& row, std::vector<std::string> const& sweeps) {
    std::vector<std::string> all = row.value("sweeps", std::vector<std::string>());
    std::size_t const before = all.size();
    for (std::string const& sweep : sweeps) {
        if (std::find(all.begin(), all.end(), sweep) == all.end())
            all.push_back(sweep);
    }
    row["sweeps"] = all;
    return all.size() != before;
}

ResultsDocument results_of(Json& document, std::filesystem::path const& path) {
    try {
        if (document.at("benchmarks").is_array() && document.at("cases").is_array())
            return {document.at("context"), entries_of(document)};
    } catch (Json::exception const& error) {
        throw Error(path.string() + " has a row that does not parse", error.what(), "run the experiment again");
    }
    throw Error(path.string() + " has no results", "benchmarks or cases is not a list", "run the experiment again");
}

ResultsDocument parse_results(std::filesystem::path const& path) {
    Json document = read_json(path, results_advice, Input::results);
    int const schema =
        document.is_object() && document.contains("context") ? document["context"].value("lockstep_schema", 0) : 0;
    if (schema != results_schema) {
        throw Error("cannot use " + path.string(),
                    "its results have schema " + std::to_string(schema) + ", this program reads and writes " +
                        std::to_string(results_schema),
                    schema == 1 ? "run ./lockstep migrate " + path.string()
                                : "move it away or choose another folder with --out");
    }
    return results_of(document, path);
}

// The context is indented; each row and each case is one line, so that a changed case is a changed line.
std::string text_of(ResultsDocument const& document) {
    std::string text = "{\n\"context\": " + document.context.dump(2);
    auto const list = [&](char const* const name, Json ResultsDocument::Entry::*const part) {
        text += std::string(",\n\"") + name + "\": [";
        char const* separator = "\n";
        for (ResultsDocument::Entry const& entry : document.entries) {
            if ((entry.*part).is_null())
                continue;
            text += separator + (entry.*part).dump();
            separator = ",\n";
        }
        text += "\n]";
    };
    list("benchmarks", &ResultsDocument::Entry::google);
    list("cases", &ResultsDocument::Entry::row);
    return text + "\n}\n";
}

}  // namespace lockstep::bench
