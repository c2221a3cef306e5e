#include "harness/bench/results_migration.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/plan.hpp"
#include "harness/bench/results_document.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/bench/utf8.hpp"

namespace lockstep::bench {

namespace {

std::string current_name(Schema1::Names const& names, std::string const& former) {
    auto const found = names.find(former);
    return found == names.end() ? former : found->second;
}

bool matches_any(std::vector<Pattern> const& patterns, std::string const& name) {
    return std::any_of(patterns.begin(), patterns.end(), [&](Pattern const& one) { return one.matches(name); });
}

std::vector<Pattern> patterns_of(Json const& json, std::string const& key, std::filesystem::path const& path) {
    std::vector<Pattern> patterns;
    for (Json const& text : json.at(key))
        patterns.emplace_back(text.get<std::string>(), key + " in " + path.string() + ":");
    return patterns;
}

// Migrates the rows of one experiment.
class RowMigration {
public:
    explicit RowMigration(MigratedExperiment const& of)
        : experiment_(*of.experiment), table_(of.table), schema1_(read_schema1(of.table)) {}

    // Keys keep their order, because people read the file too.
    Json operator()(Json const& row) const {
        std::string const variant = variant_of(row);
        Axes const axes = axes_of(row);
        Json made = Json::object();
        for (auto const& [key, value] : row.items()) {
            if (key == "name")
                made[key] = case_name(experiment_, variant, row.at("machine").get<std::string>(), axes) +
                            name_suffix(row.value("cache", "hot"), parse_shard(row.value("shard", "0/1")));
            else if (key == "variant")
                made[key] = variant;
            else if (key == "axes")
                made[key] = axes.values();
            else if (key == "kernels")
                made[key] = kernels_of(value);
            else if (key == "figures")
                add_metrics(made, value);
            else if (key == "spent")
                made["phase_seconds"] = value;
            else
                made[key] = value;
        }
        return made;
    }

private:
    [[noreturn]] void reject(std::string const& what, std::string const& name) const {
        throw Error("unknown " + what + " " + name, table_.string() + " does not have it");
    }

    std::string variant_of(Json const& row) const {
        std::string const former = row.at("variant").get<std::string>();
        std::string variant = current_name(schema1_.renamed.variants, former);
        if (!matches_any(schema1_.variants, variant))
            reject("variant", former);
        return variant;
    }

    // Axes that the row lacks were added later; the row was measured at their default.
    Axes axes_of(Json const& row) const {
        Axes axes = default_axes(experiment_);
        for (auto const& [former, value] : row.at("axes").items()) {
            std::string const axis = current_name(schema1_.renamed.axes, former);
            auto const values = schema1_.renamed.values.find(axis);
            std::string const text = value.get<std::string>();
            set_axis(experiment_, axes, axis,
                     values == schema1_.renamed.values.end() ? text : current_name(values->second, text));
        }
        return axes;
    }

    Json kernels_of(Json kernels) const {
        for (Json& kernel : kernels)
            kernel["name"] = current_name(schema1_.renamed.kernels, kernel.at("name").get<std::string>());
        return kernels;
    }

    void add_metrics(Json& row, Json const& figures) const {
        row["metrics"] = Json::object();
        row["measurements"] = Json::object();
        for (auto const& [former, value] : figures.items()) {
            std::string const name = current_name(schema1_.renamed.metrics, former);
            if (matches_any(schema1_.metrics, name))
                row["metrics"][name] = value;
            else if (matches_any(schema1_.measurements, name))
                row["measurements"][name] = value;
            else
                reject("metric", former);
        }
    }

    Experiment const& experiment_;
    std::filesystem::path table_;
    Schema1 schema1_;
};

// The migrations of the experiments whose rows are in a file.
class RowMigrations {
public:
    explicit RowMigrations(std::vector<MigratedExperiment> const& experiments) : experiments_(experiments) {}

    RowMigration const& of(std::string const& name) {
        auto const known = migrations_.find(name);
        if (known != migrations_.end())
            return known->second;
        std::vector<std::string> names;
        for (MigratedExperiment const& one : experiments_) {
            names.push_back(one.experiment->name);
            if (names.back() == name)
                return migrations_.emplace(name, one).first->second;
        }
        require_known("experiment", name, names);
        throw std::logic_error("a known experiment was not found");
    }

private:
    std::vector<MigratedExperiment> const& experiments_;
    std::map<std::string, RowMigration> migrations_;
};

void migrate_cases(ResultsDocument& document, std::vector<MigratedExperiment> const& experiments) {
    RowMigrations migrations(experiments);
    std::set<std::string> names;
    for (ResultsDocument::Entry& entry : document.entries) {
        entry.row = migrations.of(entry.row.at("experiment").get<std::string>())(entry.row);
        std::string const name = entry.row.at("name").get<std::string>();
        if (!names.insert(name).second)
            throw Error("two cases would be named " + name, "they differ only in fields that are not part of the name");
        if (!entry.google.is_null())
            entry.google["name"] = median_name(name);
    }
    document.context["lockstep_schema"] = results_schema;
}

// Any value: the file is not checked yet.
Json schema_of(Json const& holder) { return holder.is_object() ? holder.value("lockstep_schema", Json()) : Json(); }

std::optional<Migrated> migrate(Json json, std::filesystem::path const& path,
                                std::vector<MigratedExperiment> const& experiments) {
    bool const traces = json.is_object() && json.contains("schematics");
    Json const schema = traces ? schema_of(json) : schema_of(json.is_object() ? json.value("context", Json()) : Json());
    if (schema == results_schema)
        return std::nullopt;
    if (schema != 1) {
        throw Error("unknown schema " + (schema.is_null() ? "none" : std::string(first_of(schema.dump(), 60))),
                    "this program migrates schema 1 to " + std::to_string(results_schema));
    }
    if (traces) {  // the format of traces did not change
        json["lockstep_schema"] = results_schema;
        return Migrated{json.dump() + "\n", "traces"};
    }
    ResultsDocument document = results_of(json);
    migrate_cases(document, experiments);
    std::string text = text_of(document);
    check_results(Json::parse(text), path);
    return Migrated{std::move(text), std::to_string(document.entries.size()) + " cases"};
}

}  // namespace

Schema1 read_schema1(std::filesystem::path const& path) {
    try {
        Json const json = read_json(path);
        Json const& renamed = json.at("renamed");
        Schema1 schema1;
        for (auto const& [key, names] : renamed.items()) {
            if (key == "axes")
                schema1.renamed.axes = names.get<Schema1::Names>();
            else if (key == "values")
                schema1.renamed.values = names.get<std::map<std::string, Schema1::Names>>();
            else if (key == "variants")
                schema1.renamed.variants = names.get<Schema1::Names>();
            else if (key == "kernels")
                schema1.renamed.kernels = names.get<Schema1::Names>();
            else if (key == "metrics")
                schema1.renamed.metrics = names.get<Schema1::Names>();
            else
                throw Error(path.string() + " does not parse", "unknown key " + key + " in renamed");
        }
        schema1.variants = patterns_of(json, "variants", path);
        schema1.metrics = patterns_of(json, "metrics", path);
        schema1.measurements = patterns_of(json, "measurements", path);
        return schema1;
    } catch (Json::exception const&) {
        throw Error(path.string() + " does not parse", "a list is missing or a name is not a text", "correct the file");
    }
}

std::optional<Migrated> migrate_results(std::filesystem::path const& path,
                                        std::vector<MigratedExperiment> const& experiments) {
    Json json = read_json(path, results_advice, Input::results);
    try {
        return migrate(std::move(json), path, experiments);
    } catch (Json::exception const&) {
        throw Error(path.string() + " does not parse", "a value of schema 1 is missing or has another type",
                    results_advice);
    } catch (Error const& error) {
        throw Error(path.string() + ": " + error.what());
    }
}

}  // namespace lockstep::bench
