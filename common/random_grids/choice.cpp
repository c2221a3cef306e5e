#include "common/random_grids/choice.hpp"

#include <algorithm>
#include <vector>

#include "common/random_grids/dense_plan.hpp"
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
    double const words = words_expected(job.workload, Method::dense);
    return fits_in_a_warp(job) && static_cast<double>(job.streams) < streams_per_word * words;
}

// `dense` probes any bit of its words, so it needs words full of sites. It draws more words than `pooled`, which is
// faster with an engine whose words are costly.
bool fills_its_words(Job const& job) {
    double const sites = job.workload.shape.sites();
    return !is_philox(job) && sites > 0.8 * dense_team(job.workload)->positions();
}

// Boards of 32 x 32 sites that take a dense pass: their repairs are the longest, and a warp of `dense` waits for its
// slowest lane. Without a pass, all lanes throw the same number of balls.
bool has_long_repairs(Job const& job) {
    if (job.workload.shape.width != 32 || job.workload.shape.sites() != 1024 || job.workload.planes() != 1)
        return false;
    std::vector<DensePlan> const plans = workload_plans(job.workload, *dense_team(job.workload));
    return std::any_of(plans.begin(), plans.end(), [](DensePlan const& plan) { return plan.digits != 0; });
}

struct Candidate {
    char const* variant;
    bool (*may_be_fastest)(Job const&);
};

constexpr Candidate choices[] = {
    {"unranked", always},                  // at most 64 sites, one colour
    {"word", always},                      // one row of at most 32 sites
    {"threadwise", is_one_row},            // one row of at most 64 sites
    {"word64", always},                    // one row of 33 to 64 sites
    {"warpwise_reduce", has_few_streams},  // up to 32x32
    {"pooled", has_long_repairs},
    {"dense", fills_its_words},  // up to 512 words
    {"pooled", always},          // up to 2304 sites
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
