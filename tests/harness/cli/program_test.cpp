// Tests of the command line with the toy experiment: output (golden files), rejected options and exit codes.
// LOCKSTEP_UPDATE_GOLDEN=1 in the environment rewrites the golden files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/progress.hpp"
#include "harness/simt/devices.hpp"
#include "tests/harness/bench/temporary_folder.hpp"
#include "tests/harness/bench/toy.hpp"
#include "tests/harness/cli/toy_program.hpp"

namespace lockstep::cli {
namespace {

void expect_golden(std::string const& name, std::string const& text) {
    std::filesystem::path const path = std::filesystem::path("tests/harness/cli/golden") / name;
    if (std::getenv("LOCKSTEP_UPDATE_GOLDEN") != nullptr) {
        bench::write_file_atomically(path, text);
    }
    EXPECT_EQ(text, bench::read_file(path)) << name;
}

TEST(CliProgram, ListAndDryRunAreGolden) {
    Program program = toy_program();
    std::erase_if(program.experiments[0].variants,
                  [](bench::Variant const& variant) { return variant.machine == simt::Machine::cuda; });
    Outcome const list = run(program, {"list"});
    EXPECT_EQ(list.code, 0) << list.err;
    expect_golden("list.txt", list.out);
    expect_golden("list.json", run(program, {"list", "--json"}).out);
    Outcome const dry =
        run(program, {"run", "toy", "--dry-run", "--machine", "cpu,emulator", "--style", "plain,fancy"});
    EXPECT_EQ(dry.code, 0) << dry.err;
    expect_golden("dry_run.txt", dry.out);
    expect_golden("usage.txt", run(program, {}).out);
}

TEST(CliProgram, MistakesAreOneLineAndExitCode2) {
    expect_mistake({"lst"}, "unknown command lst (lockstep has no such command) did you mean list?");
    expect_mistake({"run"}, "nothing to run (no experiment is named) choose from toy");
    expect_mistake({"run", "toi"}, "unknown experiment toi (not in the list) did you mean toy?");
    expect_mistake({"run", "toy", "loss"}, "unknown experiment loss (not in the list) did you mean --sweep loss?");
    expect_mistake({"run", "toy", "scalar"},
                   "unknown experiment scalar (not in the list) did you mean --variant scalar?");
    expect_mistake({"run", "toy", "nothing"}, "unknown experiment nothing (not in the list) choose from toy");
    expect_mistake({"run", "toy", "--style", "fanci"},
                   "invalid style=fanci (not a value of this axis) did you mean fancy?");
    expect_mistake({"complete", "bsh"}, "unknown shell bsh (not in the list) did you mean bash?");
    expect_mistake({"list", "toi"}, "unknown experiment toi (not in the list) did you mean toy?");
    expect_mistake({"run", "toy", "--factr", "3"},
                   "unknown option --factr (run has no such option or axis) did you mean --factor?");
    expect_mistake({"run", "toy", "--factor", "101"}, "invalid factor=101 (must be from 1 to 100)");
    expect_mistake({"run", "toy", "--factor", "3,,4"},
                   "invalid --factor 3,,4 (a value is empty) separate values by single commas");
    expect_mistake({"run", "toy", "--variant", "rihgt"},
                   "--variant rihgt matches nothing (no variant of toy has such a name) did you mean right?");
    expect_mistake({"run", "toy", "--except", "rihgt"},
                   "--except rihgt matches nothing (no variant of toy has such a name) did you mean right?");
    expect_mistake({"run", "toy", "--variant", "(?!right).*"},
                   "invalid --variant (?!right).* (character 1: lookahead and lookbehind are not supported) use except "
                   "to leave names out");
    expect_mistake({"run", "toy", "--sweep", "quik"},
                   "unknown sweep of toy quik (not in the list) did you mean quick?");
    expect_mistake({"run", "toy", "--preset", "paer"}, "unknown preset paer (not in the list) did you mean paper?");
    expect_mistake({"run", "toy", "--machine", "gpu"}, "unknown machine gpu (not in the list) did you mean cuda?");
    expect_mistake({"run", "toy", "--seed", "-1"},
                   "invalid --seed -1 (must be an integer from 0 to 18446744073709551615)");
    expect_mistake({"run", "toy", "--repetitions", "1"},
                   "invalid --repetitions 1 (must be an integer from 2 to 100000)");
    expect_mistake({"run", "toy", "--shard", "4/4"},
                   "invalid shard 4/4 (must be I/N with I from 0 to N-1) for example --shard 0/4");
    expect_mistake({"run", "toy", "--cache", "warm"}, "unknown cache warm (not in the list) choose from hot, cold");
    expect_mistake({"run", "toy", "--variant", "wrong"},
                   "no case to run (preset quick has nothing for cpu, " +
                       std::string(simt::cuda_devices().devices.empty() ? "emulator" : "cuda") +
                       " and --variant wrong) try another --sweep, --preset or --machine");
}

// These overflowed the stack, or did not end.
TEST(CliProgram, HostilePatternsAreMistakes) {
    std::string const too_long = " characters, the limit is 500) shorten it";
    for (std::string const option : {"--variant", "--except"}) {
        for (auto const& [unit, shown] : {std::pair<std::string, std::string>{"(", std::string(10, '(')},
                                          {"((a)*|", "|((a)*|"},
                                          {"[a]", "][a][a]"},
                                          {"\n", "\\n\\n\\n\\n\\n"}}) {
            std::string pattern;
            while (pattern.size() < 100000)
                pattern += unit;
            Outcome const outcome = run({"run", "toy", option, pattern});
            EXPECT_EQ(outcome.code, 2);
            EXPECT_EQ(outcome.out, "");
            EXPECT_TRUE(outcome.err.starts_with("lockstep: invalid " + option + " ")) << outcome.err;
            EXPECT_TRUE(outcome.err.ends_with(shown + " (it has " + std::to_string(pattern.size()) + too_long + "\n"))
                << outcome.err;
            EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
        }
    }
    expect_mistake({"run", "toy", "--variant", std::string(30, '(')},
                   "invalid --variant " + std::string(30, '(') +
                       " (character 21: more than 20 parentheses inside each other) leave some out");
    Outcome const slow = run({"run", "toy", "--variant", "(.*)*(.*)*(.*)*x"});
    EXPECT_EQ(slow.code, 2);
    EXPECT_TRUE(slow.err.starts_with("lockstep: --variant (.*)*(.*)*(.*)*x matches nothing (")) << slow.err;
}

TEST(CliProgram, ExceptLeavesVariantsOut) {
    Outcome const outcome = run({"run", "toy", "--machine", "cpu", "--except", "scalar|picky", "--dry-run"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("toy/right/cpu"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("toy/scalar"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("toy/picky"), std::string::npos) << outcome.out;
}

TEST(CliProgram, CudaWithoutAGpuNamesTheReason) {
    simt::DeviceList const list = simt::cuda_devices();
    if (!list.devices.empty()) {
        GTEST_SKIP() << "there is a GPU";
    }
    expect_mistake({"run", "toy", "--machine", "cuda"},
                   "cannot run on cuda (no GPU: " + list.reason + ") use --machine emulator or --machine cpu");
}

TEST(CliProgram, AWrongReferenceNameIsAnErrorAtStart) {
    Program program = toy_program();
    program.experiments[0].variants[1].reference = "scaler";
    Outcome const outcome = run(program, {"list"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "lockstep: unknown reference scaler (experiment toy does not define it) did you mean scalar?\n");
}

TEST(CliProgram, ASweepFileThatDoesNotParseIsNamedWithLineAndColumn) {
    tests::TemporaryFolder const folder;
    bench::write_file_atomically(folder.path() / "experiments" / "toy" / "sweeps.json", "{\n  \"sweeps\": [,]\n}\n");
    Program program = toy_program();
    program.source_directory = folder.path();
    Outcome const outcome = run(program, {"run", "toy"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("sweeps.json:2:14 does not parse ("), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
}

TEST(CliProgram, CommandsPlugIn) {
    EXPECT_EQ(run({"greet"}).code, 0);
    EXPECT_EQ(run({"greet", "you"}).code, 7);
    EXPECT_EQ(run({"--version"}).out.rfind("lockstep ", 0), 0u);
    EXPECT_EQ(run({"devices"}).code, 0);
}

TEST(CliProgram, HelpOfRunShowsTheAxesOfTheNamedExperiments) {
    Outcome const general = run({"run", "--help"});
    EXPECT_EQ(general.code, 0);
    EXPECT_EQ(general.out.find("--factor"), std::string::npos) << general.out;
    EXPECT_NE(general.out.find("  toy  Three words per unit\n"), std::string::npos) << general.out;
    Program program = toy_program();
    program.experiments.push_back(toy::make_toy());
    program.experiments[1].name = "other";
    program.experiments[1].axes = {{"colour", bench::Axis::Kind::text, "red", "hue", 0, 0, {}}};
    std::string const text = run(program, {"run", "toy", "--help"}).out;
    for (char const* const words :
         {"multiplier (axis; default 3; integer from 1 to 100)", "units (axis; default 33; integer from 0 to",
          "for example 64", "has no effect (axis; default plain; one of plain, fancy)", "Variants of toy:", "  right  ",
          "Sweeps of toy:", "Correct variants on every machine"})
        EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    EXPECT_EQ(text.find("--colour"), std::string::npos) << text;
    EXPECT_NE(run(program, {"run", "other", "--help"}).out.find("--colour"), std::string::npos);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 120u) << line;
}

// The toy, whose style `fancy` does not go with a count of 64.
Program choosy_program() {
    Program program = toy_program();
    program.experiments[0].check = [](bench::Axes const& axes) {
        if (axes.text("count") == "64" && axes.text("style") == "fancy")
            throw bench::Error("64 fancy units do not fit", "there is room for 33", "Give fewer.");
    };
    return program;
}

TEST(CliProgram, ASettingThatDoesNotFitIsRefusedAndTheOthersRun) {
    tests::TemporaryFolder const folder;
    std::vector<std::string> const words = {"run",       "toy",          "--machine", "cpu",
                                            "--variant", "scalar|right", "--out",     folder.path().string()};
    auto const with = [&](std::vector<std::string> const& more) {
        std::vector<std::string> all = words;
        all.insert(all.end(), more.begin(), more.end());
        return run(choosy_program(), all);
    };
    Outcome const some = with({"--style", "fancy"});
    EXPECT_EQ(some.code, 0) << some.err;
    EXPECT_NE(some.out.find("[2/2]"), std::string::npos) << some.out;
    EXPECT_NE(some.out.find("refused: 64 fancy units do not fit (there is room for 33) Give fewer.\n"
                            "    toy with count 64, style fancy\n"),
              std::string::npos)
        << some.out;
    EXPECT_NE(some.out.find("2 ok, 1 setting refused\n"), std::string::npos) << some.out;
    EXPECT_NE(some.out.find("next: ./lockstep report --claims toy --results "), std::string::npos) << some.out;
    Outcome const none = with({"--style", "fancy", "--count", "64"});
    EXPECT_EQ(none.code, 2);
    EXPECT_EQ(none.err, "lockstep: 64 fancy units do not fit (there is room for 33) Give fewer.\n");
    EXPECT_EQ(none.out, "");
    // Every variant refuses the user's value: nothing ran, either.
    Outcome const refused = run(
        {"run", "toy", "--machine", "cpu", "--variant", "picky", "--style", "fancy", "--out", folder.path().string()});
    EXPECT_EQ(refused.code, 2) << refused.out;
    EXPECT_EQ(refused.err,
              "lockstep: no case ran (2 refused, such as toy/picky/cpu/style:fancy: style fancy is not supported) try "
              "other values of --style\n");
    // A sweep that does not fit by itself is a mistake of the sweep.
    Program broken = choosy_program();
    broken.experiments[0].check = [](bench::Axes const&) { throw bench::Error("it does not fit"); };
    EXPECT_EQ(run(broken, {"run", "toy"}).code, 2);
}

TEST(CliProgram, JsonIsOneDocumentAlsoAfterAnError) {
    tests::TemporaryFolder const folder;
    auto const parsed = [&](std::vector<std::string> words, int const code) {
        words.emplace_back("--json");
        Outcome const outcome = run(words);
        EXPECT_EQ(outcome.code, code) << outcome.err;
        EXPECT_EQ(outcome.err.empty(), code == 0) << outcome.err;
        return nlohmann::json::parse(outcome.out);
    };
    EXPECT_EQ(parsed({"devices"}, 0)["lockstep_schema"], 2);
    EXPECT_TRUE(parsed({"devices"}, 0)["device"].contains("slug"));
    nlohmann::json const list = parsed({"list"}, 0);
    EXPECT_EQ(list["experiments"][0]["sweeps"][0]["name"], "quick");
    EXPECT_EQ(list["experiments"][0]["sweeps"][0]["cases"]["cpu"], 6);
    std::vector<std::string> const words = {"run", "toy", "--machine", "cpu,emulator", "--repetitions", "3"};
    std::vector<std::string> measured = words, dry = words;
    measured.insert(measured.end(), {"--out", folder.path().string()});
    dry.emplace_back("--dry-run");
    nlohmann::json const document = parsed(measured, 0);
    EXPECT_EQ(document["cases"].size(), 7u);
    EXPECT_EQ(document["finished"], 7);
    EXPECT_EQ(document["cases"][0]["baseline"], "picky");
    EXPECT_GT(document["cases"][0]["seconds"].get<double>(), 0);
    EXPECT_EQ(parsed(dry, 0)["cases"].size(), 7u);
    EXPECT_EQ(parsed({"run", "toi"}, 2)["error"], "unknown experiment toi (not in the list) did you mean toy?");
    EXPECT_EQ(parsed({"list", "toy", "--al"}, 2)["error"],
              "unknown option --al (list has no such option or axis) see lockstep list --help");
}

TEST(CliProgram, BatchRunsLinesUntilOneFails) {
    tests::TemporaryFolder const folder;
    std::string const file = (folder.path() / "lines").string();
    std::string const csv = (folder.path() / "seconds.csv").string();
    bench::write_file_atomically(file, "# a comment\ngreet\n\n  greet\n");
    EXPECT_EQ(run({"batch", file, "--csv", csv}).code, 0);
    std::string const seconds = bench::read_file(csv);
    EXPECT_TRUE(seconds.starts_with("line,command,seconds\n2,greet,0.")) << seconds;
    EXPECT_NE(seconds.find("\n4,greet,0."), std::string::npos) << seconds;

    bench::write_file_atomically(file, "greet # twice\ngreet loudly\ngreet\n");
    Outcome const failed = run({"batch", file, "--csv", csv});
    EXPECT_EQ(failed.code, 7);
    EXPECT_EQ(failed.err, "lockstep: line 2 of " + file + " ended with code 7\n");
    EXPECT_TRUE(bench::read_file(csv).starts_with("line,command,seconds\n1,greet,0."));
    EXPECT_EQ(bench::read_file(csv).find("\n2,greet"), std::string::npos);

    bench::write_file_atomically(file, "greet\ngreet\ngreat\n");
    Outcome const unknown = run({"batch", file, "--csv", csv});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(unknown.err.starts_with("lockstep: line 3 of " + file + ": unknown command great (")) << unknown.err;
    EXPECT_NE(bench::read_file(csv).find("\n2,greet,0."), std::string::npos) << "the times of what has run";

    bench::write_file_atomically(file, "batch lines\n");
    Outcome const nested = run({"batch", file});
    EXPECT_EQ(nested.code, 2);
    EXPECT_EQ(nested.err, "lockstep: line 1 of " + file +
                              ": a batch cannot run batch (batches do not nest) write the lines into one file\n");
}

TEST(CliProgram, RunWritesResultsAndSetsTheExitCode) {
    tests::TemporaryFolder const folder;
    std::string const out = folder.path().string();
    unsetenv("LOCKSTEP_COMMIT");
    Outcome const good = run({"run", "toy", "--machine", "cpu,emulator", "--out", out});
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_NE(good.out.find("unpublishable: "), std::string::npos) << "the tree is not a repository";
    EXPECT_NE(good.out.find("not timed, 33 of 33 units verified"), std::string::npos) << good.out;
    Outcome const bad = run({"run", "toy", "--sweep", "faults", "--out", out});
    EXPECT_EQ(bad.code, 1);
    EXPECT_NE(bad.err.find("3 of 4 cases failed"), std::string::npos) << bad.err;

    std::filesystem::path file;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
        if (entry.path().filename() == "toy.json")
            file = entry.path();
    }
    std::map<std::string, int> statuses;
    for (bench::StoredCase const& stored : bench::read_cases(file)) {
        ++statuses[stored.status];
        EXPECT_EQ(stored.has_time, stored.status == "ok") << stored.name;
    }
    // scalar, right and picky at two counts (the sweep `faults` contains one of them), the kernel once, and the faulty
    // variants.
    EXPECT_EQ(statuses, (std::map<std::string, int>{
                            {"ok", 6}, {"not_timed", 1}, {"disagrees", 1}, {"failed", 1}, {"not_verified", 1}}));

    std::string const copy = (folder.path() / "copy.json").string();
    Outcome const merged = run({"merge", file.string(), file.string(), "--into", copy});
    EXPECT_EQ(merged.code, 0) << merged.err;
    EXPECT_NE(merged.out.find("10 rows added, 0 replaced, 0 unchanged"), std::string::npos) << merged.out;
    EXPECT_NE(merged.out.find("0 rows added, 0 replaced, 10 unchanged"), std::string::npos) << merged.out;
    EXPECT_EQ(bench::read_file(copy), bench::read_file(file));

    std::ofstream(file) << R"({"context": {"lockstep_schema": 0}})";
    Outcome const rejected = run({"run", "toy", "--machine", "cpu", "--out", out});
    EXPECT_EQ(rejected.code, 2);
    EXPECT_NE(rejected.err.find("another schema (found 0, this program reads and writes 2)"), std::string::npos)
        << rejected.err;
}

TEST(CliProgram, ALostGpuEndsTheRunWithWhatToDo) {
    tests::TemporaryFolder const folder;
    std::string const out = folder.path().string();
    Outcome const lost = run({"run", "toy", "--sweep", "loss", "--out", out});
    toy::controls().device_is_lost = false;
    EXPECT_EQ(lost.code, 2) << lost.out;
    EXPECT_NE(lost.out.find("failed (out of device memory (cudaMalloc failed: "), std::string::npos) << lost.out;
    std::string const line = lost.err.substr(lost.err.rfind("lockstep: "));
    EXPECT_TRUE(
        line.starts_with("lockstep: the run ended after 3 of 4 cases, whose rows are written (toy/loses_device/"))
        << lost.err;
    EXPECT_NE(line.find("cudaErrorLaunchFailure"), std::string::npos) << line;
    EXPECT_TRUE(line.ends_with(" then run the rest with --missing\n")) << line;
    std::filesystem::path file;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
        if (entry.path().filename() == "toy.json")
            file = entry.path();
    }
    std::map<std::string, std::string> statuses;
    for (bench::StoredCase const& stored : bench::read_cases(file))
        statuses[stored.name] = stored.status;
    EXPECT_EQ(statuses, (std::map<std::string, std::string>{{"toy/right/cpu", "ok"},
                                                            {"toy/out_of_device_memory/cpu", "failed"},
                                                            {"toy/loses_device/cpu", "failed"}}));
}

// Deep JSON parses, but overflowed the stack when a row was copied or written.
TEST(CliProgram, DeepJsonIsAMistakeInEveryFile) {
    tests::TemporaryFolder const folder;
    auto const path = [&](char const* name) { return (folder.path() / name).string(); };
    std::string const deep = std::string(1000000, '[') + std::string(1000000, ']');
    std::string const rows = R"({"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": [)"
                             "\n"
                             R"({"name": "a", "metrics": )" +
                             deep + "}]}";
    bench::write_file_atomically(path("rows.json"), rows);
    bench::write_file_atomically(path("good.json"),
                                 R"({"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": []})");
    bench::write_file_atomically(folder.path() / "experiments" / "toy" / "sweeps.json", R"({"sweeps": )" + deep + "}");
    Program program = toy_program();
    program.source_directory = folder.path();
    auto const expect = [&](std::vector<std::string> const& words, std::string const& where) {
        Outcome const outcome = run(program, words);
        EXPECT_EQ(outcome.code, 2) << where;
        EXPECT_NE(outcome.err.find(where + " does not parse (more than 64 brackets inside each other)"),
                  std::string::npos)
            << outcome.err;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    };
    expect({"merge", path("rows.json"), "--into", path("all.json")}, "rows.json:2:87");
    expect({"merge", path("good.json"), "--into", path("rows.json")}, "rows.json:2:87");
    expect({"migrate", path("rows.json")}, "rows.json:2:87");
    expect({"run", "toy"}, "sweeps.json:1:75");
    EXPECT_EQ(bench::read_file(path("rows.json")), rows);
}

TEST(CliProgram, MigrateWritesEveryFileOrNone) {
    tests::TemporaryFolder const folder;
    auto const path = [&](char const* name) { return (folder.path() / name).string(); };
    std::string const old = R"({"context": {"lockstep_schema": 1}, "benchmarks": [], "cases": [
        {"name": "toy/right/cpu/count:33/factor:3/style:plain", "experiment": "toy", "variant": "right",
         "role": "ours", "status": "refused", "machine": "cpu", "axes": {}, "digest": "0x12", "time": null, "figures": {}}]})";
    bench::write_file_atomically(path("good.json"), old);
    bench::write_file_atomically(path("bad.json"), std::string(old).replace(old.find("\"right\""), 7, "\"left\""));
    bench::write_file_atomically(folder.path() / "experiments" / "toy" / "schema1.json",
                                 R"({"renamed": {}, "variants": ["right"], "metrics": [], "measurements": []})");
    Program program = toy_program();
    program.source_directory = folder.path();
    Outcome const rejected = run(program, {"migrate", path("good.json"), path("bad.json")});
    EXPECT_EQ(rejected.code, 2);
    EXPECT_NE(rejected.err.find("bad.json: unknown variant left ("), std::string::npos) << rejected.err;
    EXPECT_EQ(std::count(rejected.err.begin(), rejected.err.end(), '\n'), 1);
    EXPECT_EQ(bench::read_file(path("good.json")), old) << "a file was written although another is rejected";

    Outcome const aside = run(program, {"migrate", path("good.json"), "--out", path("new")});
    EXPECT_EQ(aside.code, 0) << aside.err;
    EXPECT_EQ(bench::read_file(path("good.json")), old);
    ASSERT_EQ(bench::read_cases(folder.path() / "new" / "good.json").size(), 1u);
    EXPECT_EQ(bench::read_cases(folder.path() / "new" / "good.json")[0].name, "toy/right/cpu");
    Outcome const twice = run(program, {"migrate", path("good.json"), path("good.json"), "--out", path("new")});
    EXPECT_EQ(twice.code, 2) << twice.out;

    Outcome const unmigrated = run(program, {"merge", path("good.json"), "--into", path("all.json")});
    EXPECT_EQ(unmigrated.code, 2);
    EXPECT_NE(unmigrated.err.find("run ./lockstep migrate " + path("good.json")), std::string::npos) << unmigrated.err;
    EXPECT_EQ(run(program, {"migrate", path("good.json")}).out, path("good.json") + ": 1 cases migrated\n");
    EXPECT_EQ(bench::read_file(path("good.json")), bench::read_file(folder.path() / "new" / "good.json"));
    EXPECT_EQ(run(program, {"migrate", path("good.json")}).out,
              path("good.json") + ": unchanged, it has the current schema\n");
}

TEST(CliProgress, Formats) {
    EXPECT_EQ(format_seconds(1.234e-8), "12.3 ns");
    EXPECT_EQ(format_seconds(0.5e-3), "500 us");
    EXPECT_EQ(format_seconds(2), "2 s");
    EXPECT_EQ(format_quantity(8.1e9), "8.1 G");
    EXPECT_EQ(format_quantity(12), "12 ");
    EXPECT_EQ(format_duration(65), "1:05");
    EXPECT_EQ(format_duration(7210), "2:00:10");
    EXPECT_EQ(bar_text(0, 4, 8), "[........]");
    EXPECT_EQ(bar_text(1, 4, 8), "[##......]");
    EXPECT_EQ(bar_text(4, 4, 8), "[########]");
    EXPECT_EQ(bar_text(0, 0, 2), "[##]");
}

}  // namespace
}  // namespace lockstep::cli
