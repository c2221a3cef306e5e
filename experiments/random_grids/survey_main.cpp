// random_grids_survey time SECONDS SEED: times every variant on random boards, on the GPU, and prints a table
// (survey.hpp). random_grids_survey score FILE: prints how good the choice of `auto` is on this table, as a page.
// random_grids_survey amounts FILE: prints what each method's boards take, for fit_expected_time.py.

#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "common/random_grids/expected_time.hpp"
#include "experiments/random_grids/experiment.hpp"
#include "experiments/random_grids/survey.hpp"
#include "experiments/random_grids/survey_score.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/stopwatch.hpp"

namespace lockstep::random_grids {
namespace {

using Clock = std::chrono::steady_clock;

// The variants that `auto` chooses from.
constexpr char const* variant_names[] = {"dense",    "dense_warp", "pooled",          "threadwise",     "tree",
                                         "unranked", "warpwise",   "warpwise_folded", "warpwise_reduce"};

unsigned number(std::string const& text, char const* what) {
    unsigned value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0)
        throw bench::Error("invalid " + std::string(what) + " " + text, "it is not a positive integer",
                           "For instance 60.");
    return value;
}

// The shortest of five measurements, or a single one if a run is long.
double microseconds(bench::Variant const& variant, bench::Problem const& problem, bench::Stopwatch& stopwatch) {
    constexpr double long_run = 0.02;  // seconds
    constexpr double measurement = 3e-4;
    std::unique_ptr<bench::Case> const drawing = variant.make(problem);
    drawing->reset();
    stopwatch.synchronize();
    auto const run = [&] { drawing->run(stopwatch.stream()); };
    double best = stopwatch.seconds(run, 1);
    if (best < long_run) {
        auto const launches = static_cast<unsigned>(std::max(1.0, std::min(8.0, measurement / best)));
        for (int i = 0; i < 4; ++i)
            best = std::min(best, stopwatch.seconds(run, launches) / launches);
    }
    return best * 1e6;
}

int time_random_boards(unsigned seconds, unsigned seed) {
    bench::Experiment const experiment = make_experiment();
    std::vector<bench::Variant const*> variants;
    std::vector<std::string> const names(std::begin(variant_names), std::end(variant_names));
    for (std::string const& name : names) {
        for (bench::Variant const& variant : experiment.variants) {
            if (variant.name == name && variant.machine == bench::Machine::cuda)
                variants.push_back(&variant);
        }
    }
    auto const stopwatch = bench::make_stopwatch(bench::Machine::cuda);
    std::printf("# %u seconds, seed %u\n%s\n", seconds, seed, head_line(names).c_str());
    RandomSettings settings(seed);
    for (auto const begin = Clock::now(); Clock::now() - begin < std::chrono::seconds(seconds);) {
        for (Setting const& setting : settings.next()) {
            bench::Problem problem;
            problem.axes = setting.axes();
            problem.seed = 1;
            problem.units = setting.streams;
            SurveyRow row{setting, {}};
            for (bench::Variant const* variant : variants) {
                if (variant->unsupported_reason(problem.axes).empty())
                    row.microseconds[variant->name] = microseconds(*variant, problem, *stopwatch);
            }
            std::printf("%s\n", row_line(row, names).c_str());
            std::fflush(stdout);
        }
    }
    return 0;
}

Survey read(std::string const& path) {
    std::ifstream file(path);
    if (!file)
        throw bench::Error("cannot read " + path, "there is no such file", "`time SECONDS SEED` prints a survey.");
    return read_survey(file);
}

// Amounts per board, and the time per board in picoseconds times the number of streams.
int print_amounts(Survey const& survey) {
    std::printf("setting,grid,occupied,engine,streams,method,picoseconds,relative,special,a0,a1,a2,a3,a4,a5,a6,a7\n");
    std::vector<Scored> const scores = scores_of(survey);
    for (std::size_t i = 0; i < survey.rows.size(); ++i) {
        SurveyRow const& row = survey.rows[i];
        for (MethodAmounts const& method : amounts_of_methods(row.setting.workload())) {
            auto const time = row.microseconds.find(method.variant);
            if (time == row.microseconds.end())
                continue;
            std::printf("%zu,%s,\"%s\",%s,%llu,%s,%.6g,%.4f,%d", i, row.setting.grid.c_str(),
                        row.setting.occupied.c_str(), row.setting.engine.c_str(),
                        static_cast<unsigned long long>(row.setting.streams), method.method.c_str(),
                        time->second * 1e6 / row.setting.length, time->second / row.microseconds.at(scores[i].fastest),
                        method.board.special ? 1 : 0);
            for (double const amount : method.board.amounts)
                std::printf(",%.7g", amount);
            std::printf("\n");
        }
    }
    return 0;
}

int run(std::vector<std::string> const& words) {
    if (words.size() == 3 && words[0] == "time")
        return time_random_boards(number(words[1], "SECONDS"), number(words[2], "SEED"));
    if (words.size() == 2 && words[0] == "score") {
        std::printf("%s", score_page(read(words[1])).c_str());
        return 0;
    }
    if (words.size() == 2 && words[0] == "amounts")
        return print_amounts(read(words[1]));
    throw bench::Error("random_grids_survey needs time SECONDS SEED, score FILE or amounts FILE",
                       std::to_string(words.size()) + " words given", "For instance time 60 1.");
}

}  // namespace
}  // namespace lockstep::random_grids

int main(int argc, char** argv) {
    try {
        return lockstep::random_grids::run({argv + 1, argv + argc});
    } catch (std::exception const& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
