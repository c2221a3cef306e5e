#include "harness/bench/results_merge.hpp"

#include <cstdio>
#include <ctime>

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
    std::string const text = row.value("date", "");
    if (std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%d%c%d:%d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                    &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &sign, &hours, &minutes) != 9) {
        throw Error("cannot merge the row " + row.value("name", "?"), "its date \"" + text + "\" is not valid",
                    "run the experiment again");
    }
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    int const offset = (sign == '-' ? -60 : 60) * (60 * hours + minutes);
    return ::timegm(&parts) - offset;
}

// Adds measurements that were attached to a row after its run (hardware counters). Returns false if there are none.
bool add_measurements(Json& row, Json const& other) {
    Json measurements = other.value("measurements", Json::object());
    std::size_t const before = row["measurements"].size();
    measurements.update(row["measurements"]);
    row["measurements"] = std::move(measurements);
    return row["measurements"].size() > before;
}

std::string device_of(ResultsDocument const& document) {
    Json const device = document.context.value("device", Json::object());
    return device.value("slug", "");
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
    MergedRows merged;
    for (ResultsDocument::Entry const& entry : source.entries) {
        ResultsDocument::Entry* const present = target.find(entry.row.value("name", ""));
        if (present == nullptr) {
            target.entries.push_back(entry);
            ++merged.added;
        } else if (date_of(entry.row) > date_of(present->row)) {
            auto const sweeps = present->row.value("sweeps", std::vector<std::string>());
            *present = entry;
            add_sweeps(present->row, sweeps);
            ++merged.replaced;
        } else {
            bool const same = date_of(entry.row) == date_of(present->row);
            bool const measurements = same && add_measurements(present->row, entry.row);
            bool const sweeps = add_sweeps(present->row, entry.row.value("sweeps", std::vector<std::string>()));
            ++(measurements || sweeps ? merged.replaced : merged.kept);
        }
    }
    Json limits = source.context.value("limits", Json::object());
    limits.update(target.context.value("limits", Json::object()));
    target.context["limits"] = std::move(limits);
    write_file_atomically(into, text_of(target));
    return merged;
}

}  // namespace lockstep::bench
