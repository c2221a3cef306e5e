#include "common/rule_interpreter/workload.hpp"

#include <map>
#include <mutex>
#include <tuple>

#include "common/rule_interpreter/search_cpu.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::rule_interpreter {

namespace {

constexpr unsigned max_range = 65536;  // an index of 16 bits (section 4)

[[noreturn]] void unknown(std::string const& what, std::string const& name, std::vector<std::string> const& known) {
    throw bench::Error("unknown " + what + " " + name, "known are " + bench::joined(known),
                       bench::suggestion(name, known));
}

std::vector<std::string> const base_names = {"synthetic", "several", "accesses", "sudoku", "search"};
std::vector<std::string> const layout_names = {"A", "B", "C", "C_group", "C_divided"};
std::vector<std::string> const shape_names = [] {
    std::vector<std::string> names;
    for (Shape const& s : compiled_shapes)
        names.push_back(std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.o));
    return names;
}();
std::vector<std::string> const until_names = {"change", "activity", "cycle"};

std::size_t index_of(std::string const& what, std::string const& name, std::vector<std::string> const& known) {
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i] == name)
            return i;
    }
    unknown(what, name, known);
}

bench::Axis integer_axis(char const* name, char const* otherwise, double min, double max, char const* description) {
    return {name, bench::Axis::Kind::integer, otherwise, description, min, max, {}};
}

bench::Axis text_axis(char const* name, char const* otherwise, std::vector<std::string> const& allowed,
                      char const* description) {
    return {name, bench::Axis::Kind::text, otherwise, description, 0, 0, allowed};
}

}  // namespace

std::string_view to_string(RuleBase base) { return base_names[static_cast<std::size_t>(base)]; }
std::string_view to_string(LayoutName layout) { return layout_names[static_cast<std::size_t>(layout)]; }

RuleBase rule_base_from_string(std::string const& name) {
    return static_cast<RuleBase>(index_of("rules", name, base_names));
}
LayoutName layout_from_string(std::string const& name) {
    return static_cast<LayoutName>(index_of("layout", name, layout_names));
}
Shape shape_from_string(std::string const& name) { return compiled_shapes[index_of("shape", name, shape_names)]; }

namespace {

Until until_from_string(std::string const& name) {
    constexpr Until in_order[] = {Until::change, Until::activity, Until::cycle};
    return in_order[index_of("until", name, until_names)];
}

}  // namespace

Workload read_workload(bench::Axes const& axes) {
    auto const number = [&](char const* axis) { return static_cast<unsigned>(axes.integer(axis)); };
    Workload workload;
    workload.base = rule_base_from_string(axes.text("rules"));
    workload.range = number("range");
    workload.divergence = number("divergence");
    workload.enabled_percent = static_cast<int>(axes.integer("enabled"));
    workload.load = number("load");
    workload.shape = shape_from_string(axes.text("shape"));
    workload.accesses = number("accesses");
    workload.steps = number("steps");
    workload.clues = number("clues");
    workload.bound = number("bound");
    if (workload.base == RuleBase::sudoku) {
        workload.range = cells;
        workload.until = until_from_string(axes.text("until"));
    }
    return workload;
}

namespace {

using Puzzles = std::shared_ptr<std::vector<Puzzle> const>;

// The reference calls job_of() for every unit, so the puzzles are cached: of a file, or `count` minimal ones.
Puzzles puzzles_of(std::string const& name, std::uint64_t seed = 0, std::uint64_t count = 0) {
    static std::mutex mutex;
    static std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, Puzzles> known;
    std::lock_guard const lock(mutex);
    Puzzles& puzzles = known[{name, seed, count}];
    if (!puzzles)
        puzzles = std::make_shared<std::vector<Puzzle> const>(
            name == minimal_puzzles ? cpu::minimal_puzzles(seed, count) : read_puzzles(name).puzzles);
    return puzzles;
}

bool names_puzzles(Workload const& workload, bench::Axes const& axes) {
    bool const has_puzzles = workload.base == RuleBase::sudoku || workload.base == RuleBase::search;
    return has_puzzles && axes.text("puzzles") != generated_puzzles;
}

}  // namespace

void check_puzzles(bench::Axes const& axes) {
    std::string const& name = axes.text("puzzles");
    if (name != generated_puzzles && name != minimal_puzzles)
        puzzles_of(name);
}

Job job_of(bench::Problem const& problem) {
    Job job = {read_workload(problem.axes), problem.seed, problem.first_unit, problem.units, nullptr};
    if (!names_puzzles(job.workload, problem.axes))
        return job;
    std::string const& path = problem.axes.text("puzzles");
    Puzzles const puzzles =
        path == minimal_puzzles ? puzzles_of(path, job.seed, job.first_state + job.states) : puzzles_of(path);
    if (job.first_state + job.states > puzzles->size()) {
        throw bench::Error("not enough puzzles in " + path, "there are " + std::to_string(puzzles->size()),
                           "Use fewer states.");
    }
    job.puzzles = puzzles;
    return job;
}

std::vector<bench::Axis> workload_axes() {
    return {
        text_axis("rules", "synthetic", base_names, "the rule base"),
        integer_axis("states", "2048", 1, 1u << 24, "number of independent states"),
        integer_axis("range", "1024", 1, max_range, "values per rule and state"),
        integer_axis("divergence", "2", 1, 1u << 20, "phi: values are uniform on 0 .. phi-1; 0 is disabled"),
        integer_axis("enabled", "-1", -1, 100, "percentage of values enabled, overrides divergence; -1: by divergence"),
        integer_axis("load", "20", 0, 1 << 20, "matrix products per evaluation"),
        text_axis("shape", "2x2x2", shape_names, "M x N x O: A is M x N, B is N x O; 1x1x1 is one fused multiply-add"),
        integer_axis("accesses", "4", 1, 64, "accesses: words that the rule loads and stores"),
        integer_axis("steps", "1", 1, 1000, "passes over the rules (not sudoku)"),
        integer_axis("clues", "30", 0, 81, "sudoku: number of cells shown, of generated puzzles"),
        text_axis("puzzles", generated_puzzles, {},
                  "sudoku: generated, minimal, or a file with one puzzle of 81 characters per line"),
        integer_axis("bound", "100", 1, 100000, "sudoku: maximum number of passes"),
        text_axis("until", "change", until_names,
                  "sudoku: stop after a pass without change, with the activity of the pass before, or at a repeated "
                  "state"),
        text_axis("layout", "A", layout_names, "memory layout of values (Figures 4 and 6)"),
        integer_axis("block", "0", 0, 1024, "threads per block; 0: the variant's default"),
        integer_axis("states_per_group", "0", 0, 32, "states per group of warps; 0: the variant's default"),
        integer_axis("warps_per_state", "0", 0, 1024, "queue: warps that share a state; 0: automatic"),
        integer_axis("states_per_warp", "0", 0, 1024, "queue: states per warp; 0: automatic"),
    };
}

std::vector<unsigned> column_ranges(Workload const& workload) {
    if (workload.base == RuleBase::sudoku)
        return {cells, cells, unit_digits, cells};
    unsigned const words = workload.base == RuleBase::accesses ? workload.range * workload.accesses : workload.range;
    return {words, words};
}

unsigned words_per_result(RuleBase base) {
    return base == RuleBase::sudoku ? cells + 2 : base == RuleBase::search ? cpu::words_of_search : 3;
}

Puzzle puzzle_of(Job const& job, std::uint64_t state) {
    return job.puzzles ? job.puzzles->at(static_cast<std::size_t>(state))
                       : generated_puzzle(job.seed, state, job.workload.clues);
}

bench::Work work_of(Job const& job) {
    Workload const& w = job.workload;
    double const states = static_cast<double>(job.states);
    if (w.base == RuleBase::sudoku)
        return {states, states * (cells * 4 + unit_digits) * 4 * 2, 0};
    if (w.base == RuleBase::search)
        return {states, states * cells * 2, 0};
    double const share = w.enabled_percent >= 0 ? w.enabled_percent / 100.0 : 1 - 1.0 / w.divergence;
    if (w.base == RuleBase::several) {
        double values = 0;
        for (unsigned rule = 0; rule < several_rules; ++rule)
            values += range_of_rule(w.range, rule);
        values *= states * w.steps;
        return {values, states * w.range * 8, values * share * w.load};
    }
    double const values = states * w.range * w.steps;
    double const words = w.base == RuleBase::accesses ? w.accesses : 1;
    // A 32-byte sector of eight results is written if any of the eight is enabled.
    double untouched = 1;
    for (int i = 0; i < 8; ++i)
        untouched *= 1 - share;
    double const slots = w.base == RuleBase::accesses ? 0 : double(w.load) * slots_per_product(w.shape);
    return {values, values * 4 * (words + words * (1 - untouched)), values * share * slots};
}

}  // namespace lockstep::rule_interpreter
