#include "harness/bench/results_merge.hpp"

#include <cstdio>
#include <ctime>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/file_lock.hpp"
#include "harness/bench/results_document.hpp"

namespace lockstep::bench {

namespace {

// Seconds since 1970 of a row's date, which has the format 2026-01-02T03:04:05+01:00.
std::time_t date_of(Json const& row) {
    std::tm parts{};
    char sign = '+';
    int hours = 0;
    int minutes = 0;
    std::string const text = text_at(row, "date");
    if (text.empty())
        throw Error("cannot merge the row " + text_at(row, "name"), "it has no date", "run the experiment again");
    std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%d%c%d:%d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour,
                &parts.tm_min, &parts.tm_sec, &sign, &hours, &minutes);
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    int const offset = (sign == '-' ? -60 : 60) * (60 * hours + minutes);
    return ::timegm(&parts) - offset;
}

// Adds measurements that were attached to a row after its run (hardware counters). Returns false if there are none.
bool add_measurements(Json& row, Json const& other) {
    Json const& present = row.at("measurements");
    std::unordered_set<std::string> names;
    for (auto const& [name, value] : present.items())
        names.insert(name);
    std::vector<Json::object_t::value_type> more;
    for (auto const& [name, value] : other.at("measurements").items()) {
        if (!names.contains(name))
            more.emplace_back(name, value);
    }
    // The object's own insertion looks for the name among all others.
    auto& measurements =
        static_cast<std::vector<Json::object_t::value_type>&>(row["measurements"].get_ref<Json::object_t&>());
    for (Json::object_t::value_type& one : more)
        measurements.push_back(std::move(one));
    return !more.empty();
}

std::string device_of(ResultsDocument const& document) {
    return text_at(object_at(document.context, "device"), "slug");
}

// The experiment of the first row, or nothing.
std::string experiment_of(ResultsDocument const& document) {
    return document.entries.empty() ? "" : text_at(document.entries.front().row, "experiment");
}

}  // namespace

MergedRows merge_results(std::filesystem::path const& from, std::filesystem::path const& into) {
    ResultsDocument const source = parse_results(from);
    FileLock const lock(into);
    ResultsDocument target;
    if (std::filesystem::exists(into)) {
        target = parse_results(into);
    } else {
        target.context = source.context;
    }
    if (device_of(source) != device_of(target)) {
        throw Error("cannot merge " + from.string() + " into " + into.string(),
                    "one is of " + device_of(source) + ", the other of " + device_of(target),
                    "use one folder per device");
    }
    std::string const here = experiment_of(source), there = experiment_of(target);
    if (!here.empty() && !there.empty() && here != there) {
        throw Error("cannot merge " + from.string() + " into " + into.string(),
                    "one has rows of " + here + ", the other of " + there, "use one file per experiment");
    }
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < target.entries.size(); ++i)
        places.emplace(text_at(target.entries[i].row, "name"), i);
    MergedRows merged;
    for (ResultsDocument::Entry const& entry : source.entries) {
        std::time_t const date = date_of(entry.row);  // a row without a date could never be merged again
        auto const [place, is_new] = places.emplace(text_at(entry.row, "name"), target.entries.size());
        ResultsDocument::Entry* const present = is_new ? nullptr : &target.entries[place->second];
        if (present == nullptr) {
            target.entries.push_back(entry);
            ++merged.added;
        } else if (date > date_of(present->row)) {
            std::vector<std::string> const sweeps = sweeps_of(present->row);
            *present = entry;
            present->add_sweeps(sweeps);
            ++merged.replaced;
        } else {
            bool const same = date == date_of(present->row);
            bool const measurements = same && add_measurements(present->row, entry.row);
            bool const sweeps = present->add_sweeps(sweeps_of(entry.row));
            ++(measurements || sweeps ? merged.replaced : merged.kept);
        }
    }
    Json limits = object_at(source.context, "limits");
    limits.update(object_at(target.context, "limits"));
    target.context["limits"] = std::move(limits);
    write_file_atomically(into, text_of(target));
    return merged;
}

}  // namespace lockstep::bench
