#include "common/random_grids/choice.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/random_grids/dense_plan.hpp"
#include "common/random_grids/pooled_plan.hpp"
#include "common/random_grids/tree_shape.hpp"
#include "common/random_grids/work.hpp"

namespace lockstep::random_grids {

namespace {

struct Job {
    Workload const& workload;
    std::uint64_t streams;
};

bool is_philox(Job const& job) { return job.workload.engine.starts_with("philox"); }

bool fits_in_a_warp(Job const& job) { return job.workload.shape.width <= 32 && job.workload.shape.height <= 32; }

bool always(Job const&) { return true; }

bool is_one_row(Job const& job) { return job.workload.shape.words() <= 2; }

// A thread per stream needs about as many streams as make a warp per stream reach its top speed in the time that the
// thread takes for a board; that time is proportional to the words of `dense`.
bool has_few_streams(Job const& job) {
    constexpr double streams_per_word = 230;
    return static_cast<double>(job.streams) < streams_per_word * words_expected(job.workload, Method::dense);
}

// A warp that throws a few balls, or repairs a short dense pass, is faster than one that halves, which takes more
// words: where words are costly, or full of sites, that holds for longer passes, too.
bool suits_a_warp(Job const& job) {
    if (!has_few_streams(job) || !dense_warp_team(job.workload))
        return false;
    Shape const& shape = job.workload.shape;
    bool const full = shape.width % 32 == 0 && shape.sites() == dense_warp_team(job.workload)->positions();
    double const max_words = full ? 190 : is_philox(job) ? 130 : 42;
    return !fits_in_a_warp(job) || words_expected(job.workload, Method::dense_warp) <= max_words;
}

bool halves_in_a_warp(Job const& job) { return fits_in_a_warp(job) && has_few_streams(job); }

std::vector<DensePlan> plans_of(Job const& job) { return workload_plans(job.workload, *dense_team(job.workload)); }

bool has_pass(Job const& job) {
    std::vector<DensePlan> const plans = plans_of(job);
    return std::any_of(plans.begin(), plans.end(), [](DensePlan const& plan) { return plan.digits != 0; });
}

// `dense` probes any bit of its words, so it needs words full of sites: without a gap if boards of one colour take a
// pass, after which `pooled` shares the repairs. It draws more words than `pooled`, which is faster with an engine
// whose words are costly.
bool fills_its_words(Job const& job) {
    if (is_philox(job))
        return false;
    unsigned const sites = job.workload.shape.sites();
    unsigned const positions = dense_team(job.workload)->positions();
    bool const shares_repairs =
        sites < positions && job.workload.planes() == 1 && why_not_pooled(job.workload).empty() && has_pass(job);
    return sites > 0.8 * positions && !shares_repairs;
}

bool has_1024_sites_in_words(Job const& job) {
    return job.workload.shape.width % 32 == 0 && job.workload.shape.sites() == 1024 && job.workload.planes() == 1;
}

// Boards of 1024 sites that take a dense pass: their repairs are the longest, and a warp of `dense` waits for its
// slowest lane. Without a pass, all lanes throw the same number of balls.
bool has_long_repairs(Job const& job) { return has_1024_sites_in_words(job) && has_pass(job); }

// Boards without a pass and with 16 to 64 balls: what a board of `pooled` costs apart from its probes is then little.
bool throws_16_to_64_balls(Job const& job) {
    if (!has_1024_sites_in_words(job) || job.workload.mixed() || has_pass(job))
        return false;
    unsigned const occupied = job.workload.occupied.front();
    unsigned const balls = std::min(occupied, job.workload.shape.sites() - occupied);
    return balls >= 16 && balls <= 64;
}

// Several colours on a small board that leaves gaps in the words of `dense`: `pooled` packs the sites, and shares the
// long repairs of the later colours.
bool has_packed_colours(Job const& job) {
    unsigned const sites = job.workload.shape.sites();
    return job.workload.planes() > 1 && sites <= 256 && sites < dense_team(job.workload)->positions();
}

// One site, and nearly all probes hit a site: a thread of `dense` finds it with its first probe.
bool has_one_site(Job const& job) {
    if (job.workload.planes() != 1 || job.workload.mixed())
        return false;
    unsigned const sites = job.workload.shape.sites();
    unsigned const occupied = job.workload.occupied.front();
    return std::min(occupied, sites - occupied) == 1 && sites > 0.9 * dense_team(job.workload)->positions();
}

// Boards of more words than `pooled` packs, with words that are costly or partly empty: the probes of one board are
// spread over a warp, which therefore waits for no other board.
bool waits_for_repairs(Job const& job) {
    return !fills_its_words(job) && dense_warp_team(job.workload) && has_pass(job);
}

// The share of the lanes that have work if `threads` of them run at a time: the last wave is seldom full.
double wave_use(std::uint64_t const streams, double const threads) {
    double const waves = static_cast<double>(streams) / threads;
    return waves / std::ceil(waves);
}

// Threads that run at a time on the 132 multiprocessors of an H200: of `tree`, and of `pooled` with Philox, in blocks
// of which eight are resident.
constexpr double resident_threads = 132 * 1024;
// The same of `pooled` and `dense` with XORWOW: a typical number, because their builds differ.
constexpr double resident_threads_xorwow = 132 * 768;

// Throughput of `tree` relative to that of all threads. It deals the streams out evenly in rounds, and fewer warps at a
// time hide less latency: of n warps on a multiprocessor, the throughput is in proportion to n / (n + 8).
double tree_use(std::uint64_t const streams) {
    constexpr double max_warps = 32;
    constexpr double half = 8;  // warps, with half of the throughput that very many would have
    double const rounds = std::ceil(static_cast<double>(streams) / resident_threads);
    double const warps = max_warps * static_cast<double>(streams) / (rounds * resident_threads);
    return (max_warps + half) * warps / (max_warps * (warps + half));
}

// Two colours on boards of about the size of the slides': where the warps of `tree` are not few, it draws more boards
// than the others, which repair both planes.
bool has_two_colours(Job const& job) {
    constexpr double min_use = 0.65;
    constexpr unsigned min_sites = 160;
    return job.workload.planes() == 2 && job.workload.shape.sites() >= min_sites &&
           why_not_tree(job.workload).empty() && tree_use(job.streams) > min_use;
}

// Times in picoseconds of a board that is stored, and of each word, probe or row word that it takes. They differ by the
// engine: a probe waits for words and for other lanes, while a pass uses all words of a block. Fitted to times of
// `pooled` and `tree` on an H200 that is full (METHOD.md, "Which variant is the fastest"). These are effective numbers:
// only the choice that follows from them matters.
struct BoardCosts {
    double pooled_board;
    double pooled_word;  // of the board, in shared memory
    double large_word;   // the same of boards of more than 36 words, in addition: they leave room for few warps
    double pass_word;    // random, in a pass
    double probe;
    double mixed_probe;      // with mixed k, where lanes of a warp need unequally many
    double known_row_word;   // cut from packed sites by a kernel that knows the width
    double other_row_word;   // by one that does not
    double tree_word;        // random
    double tree_mixed_word;  // the same with mixed k, whose look-ups are spread over more lines
    double tree_row_word;
};

constexpr BoardCosts xorwow_costs = {
    .pooled_board = 11.2,
    .pooled_word = 0,
    .large_word = 0.47,
    .pass_word = 0.378,
    .probe = 1.95,
    .mixed_probe = 1.95,
    .known_row_word = 0,
    .other_row_word = 0.45,
    .tree_word = 1.46,
    .tree_mixed_word = 1.53,
    .tree_row_word = 1.04,
};

constexpr BoardCosts philox7_costs = {
    .pooled_board = 0,
    .pooled_word = 0.7,
    .large_word = 0.7,
    .pass_word = 0.5,
    .probe = 0.42,
    .mixed_probe = 0.93,
    .known_row_word = 0.6,
    .other_row_word = 1.7,
    .tree_word = 1.74,
    .tree_mixed_word = 1.78,
    .tree_row_word = 1.3,
};

constexpr BoardCosts philox10_costs = {
    .pooled_board = 0,
    .pooled_word = 0.7,
    .large_word = 0.7,
    .pass_word = 0.953,
    .probe = 0.6,
    .mixed_probe = 1.1,
    .known_row_word = 0.6,
    .other_row_word = 1.7,
    .tree_word = 2.22,
    .tree_mixed_word = 2.27,
    .tree_row_word = 1.49,
};

BoardCosts const& costs_of(Job const& job) {
    return !is_philox(job) ? xorwow_costs : job.workload.engine == "philox7" ? philox7_costs : philox10_costs;
}

// Words of a board's rows that are cut from packed sites.
double row_words(Job const& job) { return job.workload.shape.width % 32 == 0 ? 0 : job.workload.shape.words(); }

// The time of a device that is full.
double pooled_time(Job const& job) {
    BoardCosts const& costs = costs_of(job);
    PooledForm const form = *pooled_form(job.workload);
    double const pass = pooled_plans(job.workload, form).front().digits * static_cast<double>(form.words);
    double const probes = (pooled_words(job.workload) - pass) * form.probes;
    bool const is_known = knows_rows(form.words, job.workload.shape.width);
    return costs.pooled_board + costs.pooled_word * form.words + (form.words > 36 ? costs.large_word * form.words : 0) +
           costs.pass_word * pass + (job.workload.mixed() ? costs.mixed_probe : costs.probe) * probes +
           (is_known ? costs.known_row_word : costs.other_row_word) * row_words(job);
}

double tree_time(Job const& job) {
    BoardCosts const& costs = costs_of(job);
    return (job.workload.mixed() ? costs.tree_mixed_word : costs.tree_word) *
               words_expected(job.workload, Method::tree) +
           costs.tree_row_word * row_words(job);
}

// The time of `dense_warp` with Philox, on boards of more sites than `pooled` takes. In picoseconds per word, from
// times of 64x64 sites on an H100 that is full.
double dense_warp_time(Job const& job) {
    constexpr double word = 2.62, mixed_word = 1.71;
    double const engine = costs_of(job).tree_word / philox10_costs.tree_word;
    return engine * (job.workload.mixed() ? mixed_word : word) * words_expected(job.workload, Method::dense_warp);
}

// `tree` takes the same words for any k. The short blocks of `pooled` and `dense` hide most of a wave that is not full.
// Where words are whole rows and XORWOW makes them, the weights are times per word relative to `tree`, fitted like the
// costs.
bool suits_tree(Job const& job) {
    if (!why_not_tree(job.workload).empty() || job.workload.planes() > 1)
        return false;
    bool const pooled = why_not_pooled(job.workload).empty() && (has_long_repairs(job) || !fills_its_words(job));
    if (is_philox(job) && !pooled)
        return waits_for_repairs(job) && dense_warp_time(job) > tree_time(job) / tree_use(job.streams);
    constexpr double hidden = 0.75;  // of a wave that is not full
    double const use =
        hidden + (1 - hidden) * wave_use(job.streams, is_philox(job) ? resident_threads : resident_threads_xorwow);
    if (pooled && (is_philox(job) || row_words(job) != 0))
        return pooled_time(job) / use > tree_time(job) / tree_use(job.streams);
    constexpr double dense_weight = 0.93, pooled_mixed_weight = 0.545, pooled_weight = 0.485;
    double const weight = !pooled ? dense_weight : job.workload.mixed() ? pooled_mixed_weight : pooled_weight;
    double const words = pooled ? pooled_words(job.workload) : words_expected(job.workload, Method::dense);
    return weight * words / use > words_expected(job.workload, Method::tree) / tree_use(job.streams);
}

struct Candidate {
    char const* variant;
    bool (*may_be_fastest)(Job const&);
};

constexpr Candidate choices[] = {
    {"unranked", always},                   // at most 64 sites, one colour
    {"word", always},                       // one row of at most 32 sites
    {"threadwise", is_one_row},             // one row of at most 64 sites
    {"word64", always},                     // one row of 33 to 64 sites
    {"dense_warp", suits_a_warp},           // up to 128 words
    {"warpwise_reduce", halves_in_a_warp},  // up to 32x32
    {"tree", suits_tree},                   // one colour
    {"tree", has_two_colours},              // up to 240 sites
    {"dense", has_one_site},
    {"pooled", has_long_repairs},
    {"pooled", throws_16_to_64_balls},
    {"pooled", has_packed_colours},
    {"dense", fills_its_words},         // up to 512 words
    {"pooled", always},                 // up to 2304 sites
    {"dense_warp", waits_for_repairs},  // up to 128 words
    {"dense", always},
    {"threadwise", always},  // with work after the draw
    {"warpwise", always},
};

}  // namespace

std::vector<std::string> fastest_variants(Workload const& workload, std::uint64_t const streams) {
    // The conditions are computed from the plan of `dense`.
    if (!dense_team(workload))
        return {"pooled", "tree", "dense"};
    std::vector<std::string> names;
    for (Candidate const& choice : choices) {
        if (choice.may_be_fastest({workload, streams}))
            names.push_back(choice.variant);
    }
    return names;
}

}  // namespace lockstep::random_grids
