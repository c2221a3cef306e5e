#include "experiments/random_grids/survey_score.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "common/random_grids/choice.hpp"
#include "common/random_grids/expected_time.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::random_grids {
namespace {

// As `auto` does: only variants that support the board, which are those with a time, and each one once.
std::vector<std::string> candidates_of(SurveyRow const& row) {
    std::vector<std::string> found;
    for (std::string& name : fastest_variants(row.setting.workload(), row.setting.streams)) {
        if (row.microseconds.contains(name) && std::find(found.begin(), found.end(), name) == found.end())
            found.push_back(std::move(name));
    }
    return found;
}

Scored score_of(SurveyRow const& row) {
    auto const time = [&](std::string const& variant) { return row.microseconds.at(variant); };
    auto const faster = [&](auto const& a, auto const& b) { return time(a) < time(b); };
    std::vector<std::string> const candidates = candidates_of(row);
    if (candidates.empty())
        throw bench::Error("cannot score board " + row.setting.grid,
                           "its times are of variants that auto does not know");
    auto const trials_end = candidates.begin() + std::min(trial_count, candidates.size());
    std::string const best_trial = *std::min_element(candidates.begin(), trials_end, faster);
    Scored scored;
    scored.setting = row.setting;
    scored.first = candidates.front();
    scored.fastest =
        std::min_element(row.microseconds.begin(), row.microseconds.end(), [](auto const& a, auto const& b) {
            return a.second < b.second;
        })->first;
    scored.first_speed = time(scored.fastest) / time(scored.first);
    scored.trials_speed = time(scored.fastest) / time(best_trial);
    return scored;
}

struct Group {
    char const* name;
    std::function<bool(Setting const&)> holds;
};

Group const groups[] = {
    {"all", [](Setting const&) { return true; }},
    {"at most 10,000 streams", [](Setting const& setting) { return setting.streams <= 10'000; }},
    {"more than 100,000 streams", [](Setting const& setting) { return setting.streams > 100'000; }},
    {"mixed k", [](Setting const& setting) { return setting.occupied == "mixed"; }},
    {"two colours", [](Setting const& setting) { return setting.occupied.find(',') != std::string::npos; }},
    {"Philox", [](Setting const& setting) { return setting.engine.starts_with("philox"); }},
};

std::string percent(std::size_t part, std::size_t whole) {
    return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string row_of(Group const& group, std::vector<Scored> const& scores, double Scored::*speed) {
    std::vector<double> speeds;
    for (Scored const& scored : scores) {
        if (group.holds(scored.setting))
            speeds.push_back(scored.*speed);
    }
    if (speeds.empty())
        return "";
    auto const at_least = [&](double limit) {
        auto const count = std::count_if(speeds.begin(), speeds.end(), [&](double one) { return one >= limit; });
        return " | " + percent(static_cast<std::size_t>(count), speeds.size());
    };
    std::string const lowest = fmt::format("{:.2f}", *std::min_element(speeds.begin(), speeds.end()));
    return "| " + std::string(group.name) + " | " + std::to_string(speeds.size()) + at_least(0.97) + at_least(0.9) +
           at_least(0.7) + " | " + lowest + " |\n";
}

std::string table(std::vector<Scored> const& scores, double Scored::*speed) {
    std::string text =
        "| settings | number | at least 0.97 | at least 0.9 | at least 0.7 | lowest |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: |\n";
    for (Group const& group : groups)
        text += row_of(group, scores, speed);
    return text;
}

std::string methods_table(std::vector<Scored> const& scores, std::vector<std::string> const& variants) {
    std::string text = "| variant | fastest | expected to be the fastest | both |\n| --- | ---: | ---: | ---: |\n";
    for (std::string const& variant : variants) {
        std::size_t fastest = 0, first = 0, both = 0;
        for (Scored const& scored : scores) {
            fastest += scored.fastest == variant;
            first += scored.first == variant;
            both += scored.fastest == variant && scored.first == variant;
        }
        text += "| `" + variant + "` | " + std::to_string(fastest) + " | " + std::to_string(first) + " | " +
                std::to_string(both) + " |\n";
    }
    return text;
}

}  // namespace

std::vector<Scored> scores_of(Survey const& survey) {
    std::vector<Scored> scores;
    for (SurveyRow const& row : survey.rows)
        scores.push_back(score_of(row));
    return scores;
}

std::string score_page(Survey const& survey) {
    std::vector<Scored> const scores = scores_of(survey);
    std::string text =
        "# How well `auto` of random_grids chooses on random boards\n\n"
        "Written by `random_grids_survey score` from the times in the `.csv` file beside this page. A\n"
        "speed is relative to the fastest variant of its setting. A time is the shortest of a few runs,\n"
        "which were not verified. The constants of the choice are fitted to a survey (METHOD.md), so a\n"
        "survey that they are not fitted to is a better test.\n\n";
    for (std::string const& line : survey.source)
        text += "- " + line + "\n";
    text +=
        "\n## The first choice\n\n"
        "The variant that `common/random_grids/expected_time.cpp` expects to be the fastest. `auto` takes it\n"
        "where it makes no trials. `lockstep grids` does so too, for more streams than any here.\n\n" +
        table(scores, &Scored::first_speed) + "\n" + methods_table(scores, survey.variants) +
        "\n## After trials\n\nThe fastest of the first " + std::to_string(trial_count) +
        " choices, which `auto` times where a case is repeated on a GPU. The\n"
        "times that choose are those that are compared, so this says only whether the fastest variant is\n"
        "among these choices.\n\n" +
        table(scores, &Scored::trials_speed);
    return text;
}

std::string amounts_table(Survey const& survey) {
    std::string text = "grid,occupied,engine,streams,method,picoseconds,relative,special,a0,a1,a2,a3,a4,a5,a6,a7\n";
    std::vector<Scored> const scores = scores_of(survey);
    for (std::size_t i = 0; i < survey.rows.size(); ++i) {
        SurveyRow const& row = survey.rows[i];
        double const best = row.microseconds.at(scores[i].fastest);
        for (MethodAmounts const& method : amounts_of_methods(row.setting.workload())) {
            auto const time = row.microseconds.find(method.variant);
            if (time == row.microseconds.end())
                continue;
            text +=
                fmt::format("{},\"{}\",{},{},{},{:.6g},{:.4f},{}", row.setting.grid, row.setting.occupied,
                            row.setting.engine, row.setting.streams, method.method,
                            time->second * 1e6 / row.setting.length, time->second / best, method.board.special ? 1 : 0);
            for (double const amount : method.board.amounts)
                text += fmt::format(",{:.7g}", amount);
            text += "\n";
        }
    }
    return text;
}

}  // namespace lockstep::random_grids
