// Parses sweeps.json into Sweep objects.

#include <algorithm>
#include <set>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/json_text.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/pattern.hpp"
#include "harness/bench/sweep.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::bench {

namespace {

// Location in the file for messages: "experiments/x/sweeps.json, sweep quick".
struct Location {
    std::string file;
    std::string sweep;

    [[noreturn]] void fail(std::string const& key, std::string const& why, std::string const& advice = {}) const {
        throw Error("invalid " + of(key), why, advice);
    }
    std::string of(std::string const& key) const {
        return key + " in " + file + (sweep.empty() ? "" : ", sweep " + sweep);
    }
};

// An axis value is a string or a number; a number stands for its text.
std::string value_text(Json const& value, Location const& location, std::string const& key) {
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number())
        return value.dump();
    location.fail(key, "values are strings or numbers");
}

std::vector<std::string> text_list(Json const& value, Location const& location, std::string const& key) {
    if (!value.is_array())
        return {value_text(value, location, key)};
    std::vector<std::string> list;
    for (Json const& entry : value)
        list.push_back(value_text(entry, location, key));
    if (list.empty())
        location.fail(key, "the list is empty");
    return list;
}

// A regular expression, checked here so that the message names the file.
std::string pattern_text(Json const& value, Location const& location, std::string const& key) {
    std::string const text = value_text(value, location, key);
    Pattern const compiled(text, location.of(key) + ":");
    return text;
}

AxisLists axis_lists(Json const& value, Location const& location, std::string const& key) {
    if (!value.is_object())
        location.fail(key, "must be an object of axis names and lists of values");
    AxisLists lists;
    for (auto const& [name, entries] : value.items())
        lists[name] = text_list(entries, location, key + "." + name);
    return lists;
}

void check_among(std::vector<std::string> const& values, std::vector<std::string> const& known,
                 Location const& location, std::string const& key) {
    for (std::string const& value : values) {
        bool const found = std::find(known.begin(), known.end(), value) != known.end();
        if (!found)
            location.fail(key, value + " is not a valid value", suggestion(value, known));
    }
}

void read_key(Sweep& sweep, std::string const& key, Json const& value, Location const& location) {
    static std::vector<std::string> const machines = {"cpu", "emulator", "cuda"};
    static std::vector<std::string> const roles = {"reference", "contender", "baseline", "paper", "ours"};
    static std::vector<std::string> const keys = {"name",        "title",       "presets",  "variants",
                                                  "except",      "roles",       "machines", "axes",
                                                  "per_machine", "repetitions", "cache",    "verify"};
    if (key == "name")
        return;
    if (key == "title") {
        sweep.title = value_text(value, location, key);
    } else if (key == "presets") {
        sweep.presets = text_list(value, location, key);
        check_among(sweep.presets, {"quick", "paper", "full"}, location, key);
    } else if (key == "variants") {
        sweep.variants = pattern_text(value, location, key);
    } else if (key == "except") {
        sweep.except = pattern_text(value, location, key);
    } else if (key == "roles") {
        sweep.roles = text_list(value, location, key);
        check_among(sweep.roles, roles, location, key);
    } else if (key == "machines") {
        sweep.machines = text_list(value, location, key);
        check_among(sweep.machines, machines, location, key);
    } else if (key == "axes") {
        sweep.axes = axis_lists(value, location, key);
    } else if (key == "per_machine") {
        if (!value.is_object())
            location.fail(key, "must be an object of machines");
        for (auto const& [machine, lists] : value.items()) {
            check_among({machine}, machines, location, key);
            sweep.per_machine[machine] = axis_lists(lists, location, key + "." + machine);
        }
    } else if (key == "repetitions") {
        if (!value.is_number_integer() || value.get<long long>() < 2 || value.get<long long>() > 100000) {
            location.fail(key, "must be an integer from 2 to 100000");
        }
        sweep.repetitions = value.get<int>();
    } else if (key == "cache") {
        sweep.cache = text_list(value, location, key);
        check_among(sweep.cache, {"hot", "cold"}, location, key);
    } else if (key == "verify") {
        if (value != "every unit")
            location.fail(key, "must be \"every unit\", or absent");
        sweep.verify_every_unit = true;
    } else {
        location.fail("key " + key, "a sweep does not have it", suggestion(key, keys));
    }
}

Sweep read_sweep(Json const& value, Location location, std::size_t const index) {
    std::string const ordinal = "entry " + std::to_string(index + 1) + " of sweeps";
    if (!value.is_object())
        location.fail(ordinal, "must be an object");
    if (!value.contains("name") || !value["name"].is_string())
        location.fail(ordinal, "it has no name");
    Sweep sweep;
    sweep.name = value["name"].get<std::string>();
    location.sweep = sweep.name;
    for (auto const& [key, entry] : value.items())
        read_key(sweep, key, entry, location);
    return sweep;
}

}  // namespace

std::vector<Sweep> parse_sweeps(std::string_view const text, std::string const& file) {
    Json const root = parse_json(text, file);
    Location const location{file, ""};
    if (!root.is_object() || !root.contains("sweeps") || !root["sweeps"].is_array()) {
        location.fail("sweeps", "the file must be {\"sweeps\": [...]}");
    }
    std::vector<Sweep> sweeps;
    std::set<std::string> names;
    for (Json const& value : root["sweeps"]) {
        sweeps.push_back(read_sweep(value, location, sweeps.size()));
        if (!names.insert(sweeps.back().name).second)
            location.fail("sweep " + sweeps.back().name, "its name is used twice");
    }
    return sweeps;
}

std::vector<Sweep> read_sweeps(std::filesystem::path const& path) {
    return parse_sweeps(read_file(path), path.string());
}

}  // namespace lockstep::bench
