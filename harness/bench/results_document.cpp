#include "harness/bench/results_document.hpp"

#include <algorithm>
#include <map>

#include "harness/bench/error.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/bench/results_schema.hpp"
#include "harness/bench/utf8.hpp"

namespace lockstep::bench {

namespace {

bool is_median(Json const& row) { return text_at(row, "aggregate_name") == "median"; }

Json lean(Json const& row, std::string const& name) {
    return {{"name", name},
            {"run_type", "aggregate"},
            {"aggregate_name", "median"},
            {"real_time", row.at("real_time")},
            {"cpu_time", row.at("cpu_time")},
            {"time_unit", row.at("time_unit")}};
}

// Empty if there is no row.
std::string const& kept_text(Json const& row, std::string& kept) {
    if (kept.empty() && !row.is_null())
        kept = row.dump();
    return kept;
}

std::vector<ResultsDocument::Entry> entries_of(Json& document) {
    std::map<std::string, Json> medians;
    for (Json const& row : document["benchmarks"]) {
        if (is_median(row))
            medians[row.at("name").get<std::string>()] = lean(row, row.at("name").get<std::string>());
    }
    std::vector<ResultsDocument::Entry> entries;
    for (Json& row : document["cases"]) {
        auto const found = medians.find(median_name(text_at(row, "name")));
        entries.push_back({std::move(row), found == medians.end() ? Json() : std::move(found->second)});
    }
    return entries;
}

}  // namespace

ResultsDocument::Entry* ResultsDocument::find(std::string const& name) {
    auto const has_name = [&](Entry const& entry) {
        auto const found = entry.row.find("name");
        return found != entry.row.end() && found->is_string() && found->get_ref<std::string const&>() == name;
    };
    auto const found = std::find_if(entries.begin(), entries.end(), has_name);
    return found == entries.end() ? nullptr : &*found;
}

std::string text_at(Json const& row, char const* const key) {
    auto const found = row.find(key);
    return found == row.end() || found->is_null() ? std::string() : found->get<std::string>();
}

Json object_at(Json const& row, char const* const key) {
    auto const found = row.find(key);
    return found == row.end() || found->is_null() ? Json::object() : *found;
}

std::vector<std::string> sweeps_of(Json const& row) {
    auto const found = row.find("sweeps");
    return found == row.end() || found->is_null() ? std::vector<std::string>() : found->get<std::vector<std::string>>();
}

std::string median_name(std::string const& case_name) { return case_name + "_median"; }

Json median_row(Json const& rows, std::string const& name) {
    auto const found = std::find_if(rows.begin(), rows.end(), is_median);
    return found == rows.end() ? Json() : lean(*found, median_name(name));
}

bool ResultsDocument::Entry::add_sweeps(std::vector<std::string> const& sweeps) {
    std::vector<std::string> all = sweeps_of(row);
    std::size_t const before = all.size();
    for (std::string const& sweep : sweeps) {
        if (std::find(all.begin(), all.end(), sweep) == all.end())
            all.push_back(sweep);
    }
    bool const is_changed = all.size() != before;
    if (is_changed) {  // a row without the key keeps its text
        row["sweeps"] = all;
        row_text.clear();
    }
    return is_changed;
}

Json read_document(std::filesystem::path const& path) {
    Json document = read_json(path, results_advice, Input::results);
    if (!document.is_object())
        throw Error(path.string() + " has no results", "its top level is not an object", results_advice);
    return document;
}

ResultsDocument results_of(Json& document) { return {document.at("context"), entries_of(document)}; }

void check_results(Json const& document, std::filesystem::path const& path) {
    if (auto const misfit = misfit_of_results(document))
        throw Error(path.string() + " has a row that does not fit", one_line(misfit->text()), results_advice);
}

ResultsDocument parse_results(std::filesystem::path const& path) {
    Json document = read_document(path);
    Json const context = document.value("context", Json());
    Json const schema = context.is_object() ? context.value("lockstep_schema", Json()) : Json();
    if (schema != results_schema) {
        std::string const found = schema.is_null() ? "none" : std::string(first_of(schema.dump(), 60));
        throw Error(path.string() + " has results of another schema",
                    "found " + found + ", this program reads and writes " + std::to_string(results_schema),
                    schema == 1 ? "run ./lockstep migrate " + path.string() : results_advice);
    }
    check_results(document, path);
    return results_of(document);
}

// The context is indented; each row and each case is one line, so that a changed case is a changed line.
std::string text_of(ResultsDocument const& document) {
    using Entry = ResultsDocument::Entry;
    std::string text = "{\n\"context\": " + document.context.dump(2);
    std::size_t size = text.size() + 64;
    for (Entry const& entry : document.entries)
        size += kept_text(entry.google, entry.google_text).size() + kept_text(entry.row, entry.row_text).size() + 4;
    text.reserve(size);
    auto const list = [&](char const* const name, std::string Entry::*const part) {
        text += std::string(",\n\"") + name + "\": [";
        char const* separator = "\n";
        for (Entry const& entry : document.entries) {
            if ((entry.*part).empty())
                continue;
            text += separator;
            text += entry.*part;
            separator = ",\n";
        }
        text += "\n]";
    };
    list("benchmarks", &Entry::google_text);
    list("cases", &Entry::row_text);
    text += "\n}\n";
    return text;
}

}  // namespace lockstep::bench
