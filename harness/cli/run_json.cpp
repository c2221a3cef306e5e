#include "harness/cli/run_json.hpp"

#include "harness/cli/json_output.hpp"

namespace lockstep::cli {

namespace {

std::string json_axes(bench::Axes const& axes) {
    std::vector<JsonMember> members;
    for (auto const& [name, value] : axes.values())
        members.emplace_back(name, json_text(value));
    return json_object(members);
}

std::string json_of(bench::CaseRecord const& record, Comparison const& comparison) {
    std::vector<JsonMember> members = {{"name", json_text(record.name)},
                                       {"experiment", json_text(record.experiment)},
                                       {"variant", json_text(record.variant)},
                                       {"role", json_text(record.role)},
                                       {"machine", json_text(record.machine)},
                                       {"axes", json_axes(record.axes)},
                                       {"cache", json_text(record.cache)},
                                       {"status", json_text(bench::to_string(record.status))},
                                       {"reason", json_text(record.reason)},
                                       {"verified_units", std::to_string(record.verified_units)},
                                       {"units", std::to_string(record.units_total)}};
    if (!record.time)
        return json_object(members);
    std::optional<double> const share = comparison.share(record);
    std::optional<double> const speed = comparison.speed(record);
    members.insert(members.end(), {{"seconds", json_number(record.time->median)},
                                   {"seconds_low", json_number(record.time->low)},
                                   {"seconds_high", json_number(record.time->high)},
                                   {"noise", json_number(record.noise)},
                                   {"item", json_text(record.item)},
                                   {"items_per_second", json_number(record.work.items / record.time->median)},
                                   {"extrapolated", json_flag(record.extrapolated)},
                                   {"share_of_copy", share ? json_number(*share) : "null"},
                                   {"baseline", json_text(comparison.baseline(record))},
                                   {"times_as_fast_as_baseline", speed ? json_number(*speed) : "null"}});
    return json_object(members);
}

std::string json_name(bench::CaseRecord const* const record) {
    return record == nullptr ? "null" : json_text(record->name);
}

std::string json_refused(std::vector<bench::RefusedSetting> const& refused) {
    std::vector<std::string> settings;
    for (bench::RefusedSetting const& setting : refused)
        settings.push_back(json_object({{"experiment", json_text(setting.experiment->name)},
                                        {"axes", json_axes(setting.axes)},
                                        {"reason", json_text(setting.reason)}}));
    return json_lines(settings);
}

}  // namespace

std::string run_document(Comparison const& comparison, bench::RunSummary const& summary,
                         std::vector<bench::RefusedSetting> const& refused, bench::Provenance const& provenance) {
    std::vector<std::string> cases, fastest, files;
    for (bench::CaseRecord const& record : comparison.records())
        cases.push_back(json_of(record, comparison));
    for (Ranked const& ranked : comparison.ranking())
        fastest.push_back(json_object({{"case", json_name(ranked.best)},
                                       {"next", json_name(ranked.next)},
                                       {"baseline", json_name(ranked.baseline)}}));
    for (auto const& file : summary.files)
        files.push_back(file.string());
    return json_document({{"cases", json_lines(cases)},
                          {"refused_settings", json_refused(refused)},
                          {"fastest", json_lines(fastest)},
                          {"finished", std::to_string(summary.finished)},
                          {"skipped", std::to_string(summary.left_out)},
                          {"failures", std::to_string(summary.failures)},
                          {"interrupted", json_flag(summary.interrupted)},
                          {"publishable", json_flag(provenance.publishable)},
                          {"unpublishable_because", json_text(provenance.unpublishable_because)},
                          {"files", json_texts(files)}});
}

std::string plan_document(std::vector<bench::PlannedCase> const& cases,
                          std::vector<bench::RefusedSetting> const& refused) {
    std::vector<std::string> lines;
    for (bench::PlannedCase const& planned : cases)
        lines.push_back(
            json_object({{"name", json_text(planned.name)},
                         {"experiment", json_text(planned.experiment->name)},
                         {"variant", json_text(planned.variant->name)},
                         {"role", json_text(bench::to_string(planned.variant->role))},
                         {"machine", json_text(simt::to_string(planned.variant->machine))},
                         {"axes", json_axes(planned.problem.axes)},
                         {"cache", json_text(planned.cache)},
                         {"units", std::to_string(planned.problem.units)},
                         {"repetitions", std::to_string(planned.repetitions)},
                         {"sweeps", json_texts(planned.sweeps)},
                         {"refused", json_text(planned.variant->unsupported_reason(planned.problem.axes))}}));
    return json_document({{"cases", json_lines(lines)}, {"refused_settings", json_refused(refused)}});
}

}  // namespace lockstep::cli
