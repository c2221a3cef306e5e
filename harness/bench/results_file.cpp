#include "harness/bench/results_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "harness/bench/error.hpp"
#include "harness/bench/file_lock.hpp"
#include "harness/bench/google_timing.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/results_document.hpp"

namespace lockstep::bench {

namespace {

std::string digest_text(std::uint64_t const value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value));
    return text;
}

std::string version_text(int const number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

Json device_json(Provenance const& provenance) {
    if (!provenance.gpu) {
        return {{"name", message_line(provenance.cpu_name)}, {"slug", provenance.device_slug}, {"machine", "cpu"}};
    }
    simt::DeviceInfo const& gpu = *provenance.gpu;
    return {{"name", message_line(gpu.name)},
            {"slug", provenance.device_slug},
            {"machine", "cuda"},
            {"multiprocessors", gpu.multiprocessors},
            {"clock_khz", gpu.clock_khz},
            {"memory_clock_khz", gpu.memory_clock_khz},
            {"memory_bytes", gpu.memory_bytes},
            {"l2_bytes", gpu.l2_bytes},
            {"shared_bytes_per_multiprocessor", gpu.shared_bytes_per_multiprocessor},
            {"registers_per_multiprocessor", gpu.registers_per_multiprocessor},
            {"max_threads_per_multiprocessor", gpu.max_threads_per_multiprocessor},
            {"compute_capability",
             std::to_string(gpu.compute_capability_major) + "." + std::to_string(gpu.compute_capability_minor)},
            {"driver", version_text(gpu.driver_version)},
            {"runtime", version_text(gpu.runtime_version)}};
}

Json dimensions(simt::Dim3 const& value) { return Json::array({value.x, value.y, value.z}); }

Json kernel_json(simt::KernelAttributes const& kernel) {
    return {{"name", kernel.name},
            {"registers", kernel.registers},
            {"local_bytes", kernel.local_bytes},
            {"shared_bytes", kernel.shared_bytes},
            {"max_threads_per_block", kernel.max_threads_per_block},
            {"resident_blocks_per_multiprocessor", kernel.resident_blocks_per_multiprocessor},
            {"grid", dimensions(kernel.grid)},
            {"block", dimensions(kernel.block)}};
}

Json time_json(std::optional<CaseTime> const& time) {
    if (!time)
        return nullptr;
    return {{"median", time->median}, {"low", time->low},     {"high", time->high}, {"coverage", time->coverage},
            {"mean", time->mean},     {"sigma", time->sigma}, {"mad", time->mad},   {"cv", time->cv}};
}

Json clock_json(std::optional<ClockSummary> const& clock) {
    if (!clock)
        return nullptr;
    return {{"sm_hz", clock->sm_hz},
            {"sm_hz_min", clock->sm_hz_min},
            {"temperature_c", clock->temperature_c},
            {"throttle", clock->throttle}};
}

// The median time in cycles of the multiprocessors.
Json cycles_json(CaseRecord const& record) {
    return record.time && record.clock ? Json(record.time->median * record.clock->sm_hz) : Json(nullptr);
}

// A text, or null if there is none.
Json text_json(std::string const& text) { return text.empty() ? Json(nullptr) : Json(text); }

// Rounded to milliseconds: these values are for people, not for plots.
Json phase_seconds_json(PhaseSeconds const& spent) {
    auto const rounded = [](double const seconds) { return std::round(seconds * 1000) / 1000; };
    return {{"preparing", rounded(spent.preparing)},
            {"reference", rounded(spent.reference)},
            {"verification", rounded(spent.verification)},
            {"timing", rounded(spent.timing)}};
}

// The deterministic metrics, or the others.
Json metrics_json(Metrics const& metrics, bool const deterministic) {
    Json json = Json::object();
    for (auto const& [name, metric] : metrics) {
        if (metric.deterministic == deterministic)
            json[name] = metric.value;
    }
    return json;
}

Json case_json(CaseRecord const& record, Provenance const& provenance) {
    Json kernels = Json::array();
    for (simt::KernelAttributes const& kernel : record.kernels)
        kernels.push_back(kernel_json(kernel));
    Json json = {{"name", record.name},
                 {"experiment", record.experiment},
                 {"variant", record.variant},
                 {"role", record.role},
                 {"machine", record.machine},
                 {"reference", record.reference},
                 {"axes", record.axes.values()},
                 {"seed", record.seed},
                 {"first_unit", record.first_unit},
                 {"units", record.units},
                 {"measured_units", record.measured_units},
                 {"sweeps", record.sweeps},
                 {"shard", record.shard},
                 {"status", to_string(record.status)},
                 {"reason", message_line(record.reason)},
                 {"verified", text_json(record.verified)},
                 {"verified_units", record.verified_units},
                 {"units_total", record.units_total}};
    json["digest"] = record.digest ? Json(digest_text(*record.digest)) : Json(nullptr);
    json.update(Json{{"item", record.item},
                     {"items", record.work.items},
                     {"bytes", record.work.bytes},
                     {"operations", record.work.operations},
                     {"launches_per_sample", record.launches_per_sample},
                     {"repetitions", record.repetitions},
                     {"time", time_json(record.time)},
                     {"timer", text_json(record.timer)},
                     {"noise", record.time && std::isfinite(record.noise) ? Json(record.noise) : Json(nullptr)},
                     {"discarded_samples", record.discarded_samples},
                     {"clock", clock_json(record.clock)},
                     {"cycles", cycles_json(record)},
                     {"scope", "device"},
                     {"extrapolated", record.extrapolated},
                     {"kernels", std::move(kernels)},
                     {"metrics", metrics_json(record.metrics, true)},
                     {"measurements", metrics_json(record.metrics, false)},
                     {"cache", record.cache},
                     {"phase_seconds", phase_seconds_json(record.phase_seconds)},
                     {"commit", provenance.source.commit},
                     {"dirty", provenance.source.dirty},
                     {"publishable", provenance.publishable},
                     {"date", present_date()},
                     {"command", message_line(provenance.command)}});
    return json;
}

double extrapolation(CaseRecord const& record) {
    return record.extrapolated ? static_cast<double>(record.units) / static_cast<double>(record.measured_units) : 1;
}

// Its times are scaled to all units, like the case's own times.
Json google_row(CaseRecord const& record) {
    if (record.timing_document.empty())
        return nullptr;
    Json row = median_row(Json::parse(record.timing_document).at("benchmarks"), record.name);
    if (row.is_null())
        return row;
    for (char const* const key : {"real_time", "cpu_time"})
        row.at(key) = row.at(key).get<double>() * extrapolation(record);
    return row;
}

Json limit_json(Limit const& limit) { return {{"value", limit.value}, {"unit", limit.unit}}; }

Json context_json(Provenance const& provenance) {
    Json context = Json::parse(timing_context()).at("context");
    context["executable"] = "lockstep";
    context["lockstep_schema"] = results_schema;
    context["device"] = device_json(provenance);
    context["cpu"] = {{"name", message_line(provenance.cpu_name)}, {"threads", provenance.cpu_threads}};
    context["compiler"] = provenance.compiler;
    context["nvcc"] = provenance.nvcc;
    context["commit"] = provenance.source.commit;
    context["dirty"] = provenance.source.dirty;
    context["publishable"] = provenance.publishable;
    context["unpublishable_because"] = provenance.unpublishable_because;
    context["command"] = message_line(provenance.command);
    context["limits"] = Json::object();
    return context;
}

}  // namespace

std::string context_text(Provenance const& provenance) { return context_json(provenance).dump(2); }

ResultsFile::ResultsFile(std::filesystem::path path, Provenance provenance)
    : path_(std::move(path)), provenance_(std::move(provenance)), document_(std::make_unique<ResultsDocument>()) {
    ResultsDocument present;
    if (std::filesystem::exists(path_))
        present = parse_results(path_);
    take_over(std::move(present));
}

ResultsFile::~ResultsFile() {
    try {
        flush();
    } catch (std::exception const&) {
        // Callers that need to see the error call flush().
    }
}

void ResultsFile::set_limits(Limits const& limits) {
    for (auto const& [name, limit] : limits) {
        limits_[name] = limit;
        document_->context["limits"][name] = limit_json(limit);
    }
}

void ResultsFile::put(CaseRecord const& record) {
    ResultsDocument::Entry entry = {case_json(record, provenance_), google_row(record)};
    if (ResultsDocument::Entry* const former = document_->find(record.name)) {
        entry.add_sweeps(sweeps_of(former->row));
        *former = std::move(entry);
    } else {
        document_->entries.push_back(std::move(entry));
    }
    measured_.insert(record.name);
    Clock::time_point const start = Clock::now();
    bool const wait = start >= next_sync_;
    write(wait ? Durable::yes : Durable::no);
    Clock::time_point const end = Clock::now();
    if (wait)
        next_sync_ = end + 19 * (end - start);
}

bool ResultsFile::has(std::string const& name, std::uint64_t const seed, std::vector<std::string> const& sweeps) {
    ResultsDocument::Entry* const entry = document_->find(name);
    if (entry == nullptr || provenance_.source.commit.empty() || provenance_.source.dirty)
        return false;
    Json const& row = entry->row;
    std::string const status = text_at(row, "status");
    bool const good = status == to_string(Status::ok) || status == to_string(Status::refused) ||
                      status == to_string(Status::not_timed);
    bool const same = text_at(row, "commit") == provenance_.source.commit && row.value("dirty", Json()) == false &&
                      row.value("seed", Json()) == seed;
    if (!good || !same)
        return false;
    if (entry->add_sweeps(sweeps))
        joined_.insert(name);
    return true;
}

void ResultsFile::flush() {
    if (!measured_.empty() || !joined_.empty() || !durable_)
        write(Durable::yes);
}

// Adds the cases of this object to those that are in the file now.
void ResultsFile::take_over(ResultsDocument present) {
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < present.entries.size(); ++i)
        index.emplace(text_at(present.entries[i].row, "name"), i);
    for (ResultsDocument::Entry& mine : document_->entries) {
        std::string const name = text_at(mine.row, "name");
        auto const found = index.find(name);
        if (found == index.end()) {
            if (measured_.contains(name))
                present.entries.push_back(std::move(mine));
            continue;
        }
        ResultsDocument::Entry& theirs = present.entries[found->second];
        if (measured_.contains(name)) {
            mine.add_sweeps(sweeps_of(theirs.row));
            theirs = std::move(mine);
        } else if (joined_.contains(name)) {
            theirs.add_sweeps(sweeps_of(mine.row));
        }
    }
    Json limits = object_at(present.context, "limits");
    for (auto const& [name, limit] : limits_)
        limits[name] = limit_json(limit);
    *document_ = std::move(present);
    document_->context = context_json(provenance_);
    document_->context["limits"] = std::move(limits);
}

void ResultsFile::write(Durable const durable) {
    FileLock const lock(path_);
    // Another process may have written since. A file that was removed is written again with all cases known here.
    if (std::filesystem::exists(path_) && read_file(path_) != written_)
        take_over(parse_results(path_));
    std::string text = text_of(*document_);
    write_file_atomically(path_, text, durable);
    written_ = std::move(text);
    measured_.clear();
    joined_.clear();
    durable_ = durable == Durable::yes;
}

Limits read_limits(std::filesystem::path const& path) {
    Limits limits;
    if (!std::filesystem::exists(path))
        return limits;
    Json const known = object_at(parse_results(path).context, "limits");
    for (auto const& [name, limit] : known.items()) {
        limits[name] = {limit.at("value").get<double>(), text_at(limit, "unit")};
    }
    return limits;
}

std::vector<StoredCase> read_cases(std::filesystem::path const& path) {
    std::vector<StoredCase> cases;
    ResultsDocument const document = parse_results(path);
    for (ResultsDocument::Entry const& of_case : document.entries) {
        Json const& entry = of_case.row;
        StoredCase stored;
        stored.name = text_at(entry, "name");
        stored.status = text_at(entry, "status");
        stored.reason = text_at(entry, "reason");
        stored.digest = text_at(entry, "digest");
        stored.has_time = !object_at(entry, "time").empty();
        Json const launches = entry.value("launches_per_sample", Json());
        stored.launches_per_sample = launches.is_null() ? 0 : static_cast<unsigned>(launches.get<std::uint64_t>());
        stored.sweeps = sweeps_of(entry);
        cases.push_back(std::move(stored));
    }
    return cases;
}

}  // namespace lockstep::bench
