// random_grids_survey time SECONDS SEED: times variants on random boards, on the GPU, and prints a table (survey.hpp),
// with the commit of the tree in whose root it runs.
// random_grids_survey score FILE: prints how good the choice of `auto` is on this table, as a page.
// random_grids_survey amounts FILE: prints what the boards of each method take, for fit_expected_time.py.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "experiments/random_grids/experiment.hpp"
#include "experiments/random_grids/survey.hpp"
#include "experiments/random_grids/survey_score.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/provenance.hpp"
#include "harness/bench/stopwatch.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::random_grids {
namespace {

using Clock = std::chrono::steady_clock;

// The variants that `auto` chooses from for boards of more than 64 sites.
constexpr char const* variant_names[] = {"dense", "dense_warp", "pooled",          "threadwise",
                                         "tree",  "warpwise",   "warpwise_folded", "warpwise_reduce"};

unsigned number(std::string const& text, std::string const& what) {
    unsigned value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0)
        throw bench::Error("invalid " + what + " " + text, "it is not a positive integer", "For instance 60.");
    return value;
}

void print(std::string const& text) {
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
        throw bench::Error("cannot write to standard output", "the disk may be full, or the reader has ended");
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
        auto const launches = static_cast<unsigned>(std::clamp(measurement / best, 1.0, 8.0));
        for (int i = 0; i < 4; ++i)
            best = std::min(best, stopwatch.seconds(run, launches) / launches);
    }
    return best * 1e6;
}

SurveyRow row_of(Setting const& setting, std::vector<bench::Variant const*> const& variants,
                 bench::Stopwatch& stopwatch) {
    bench::Problem problem;
    problem.axes = setting.axes();
    problem.seed = 1;
    problem.units = setting.streams;
    SurveyRow row{setting, {}};
    for (bench::Variant const* variant : variants) {
        if (variant->unsupported_reason(problem.axes).empty())
            row.microseconds[variant->name] = microseconds(*variant, problem, stopwatch);
    }
    return row;
}

std::string source_line(simt::DeviceInfo const& device, std::string const& command) {
    bench::SourceState const source = bench::source_state(".");
    return "# " + device.name + ", commit " + (source.commit.empty() ? "unknown" : source.commit) +
           (source.dirty ? " with changes" : "") + ", " + bench::present_date() + ", " + command + "\n";
}

void time_random_boards(unsigned seconds, unsigned seed) {
    simt::DeviceList const devices = simt::cuda_devices();
    if (devices.devices.empty())
        throw bench::Error("no GPU to time variants on", devices.reason);
    bench::Experiment const experiment = make_experiment();
    std::vector<std::string> const names(std::begin(variant_names), std::end(variant_names));
    std::vector<bench::Variant const*> variants;
    for (bench::Variant const& variant : experiment.variants) {
        bool const is_wanted = std::find(names.begin(), names.end(), variant.name) != names.end();
        if (is_wanted && variant.machine == bench::Machine::cuda)
            variants.push_back(&variant);
    }
    auto const stopwatch = bench::make_stopwatch(bench::Machine::cuda);
    std::string const command = "time " + std::to_string(seconds) + " " + std::to_string(seed);
    print(source_line(devices.devices.front(), command) + header_line(names) + "\n");
    RandomSettings settings(seed);
    for (auto const begin = Clock::now(); Clock::now() - begin < std::chrono::seconds(seconds);) {
        for (Setting const& setting : settings.next())
            print(row_line(row_of(setting, variants, *stopwatch), names) + "\n");
    }
}

Survey survey_in(std::string const& path) { return read_survey(bench::read_input(path, bench::Input::results), path); }

void run(std::vector<std::string> const& words) {
    if (words.size() == 3 && words[0] == "time")
        time_random_boards(number(words[1], "SECONDS"), number(words[2], "SEED"));
    else if (words.size() == 2 && words[0] == "score")
        print(score_page(survey_in(words[1])));
    else if (words.size() == 2 && words[0] == "amounts")
        print(amounts_table(survey_in(words[1])));
    else
        throw bench::Error("random_grids_survey needs time SECONDS SEED, score FILE or amounts FILE",
                           std::to_string(words.size()) + " words given", "For instance time 60 1.");
}

}  // namespace
}  // namespace lockstep::random_grids

int main(int argc, char** argv) {
    try {
        lockstep::random_grids::run({argv + 1, argv + argc});
        return 0;
    } catch (lockstep::bench::Error const& error) {
        std::fprintf(stderr, "%s\n", lockstep::bench::message_line(error.what()).c_str());
        return 2;
    } catch (std::exception const& error) {
        std::fprintf(stderr, "%s\n", lockstep::bench::message_line(error.what()).c_str());
        return 1;
    }
}
