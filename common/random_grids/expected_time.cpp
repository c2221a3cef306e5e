#include "common/random_grids/expected_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "common/random_grids/dense_plan.hpp"
#include "common/random_grids/pooled_plan.hpp"
#include "common/random_grids/tree_shape.hpp"
#include "common/random_grids/work.hpp"

namespace lockstep::random_grids {

namespace {

struct MethodCosts {
    BoardAmounts::List picoseconds;  // of a full device
    double saturation_streams;       // h
    double special;                  // factor
};

struct TimedMethod {
    char const* name;
    char const* variant;
    bool (*draws)(Workload const&);
    BoardAmounts (*board)(Workload const&);
    MethodCosts xorwow, philox7, philox10;

    // taus88 was not measured.
    MethodCosts const& costs(std::string const& engine) const {
        return engine == "philox7" ? philox7 : engine == "philox10" ? philox10 : xorwow;
    }
};

double further_planes(Workload const& workload) { return workload.planes() - 1; }

// Words of a board's rows that are cut from packed sites.
double cut_words(Workload const& workload) { return workload.shape.width % 32 == 0 ? 0 : workload.shape.words(); }

// `pooled`: boards; words, if there is a pass; random words of the pass; probes; probes of mixed k; words cut from
// packed sites; words of further planes.
BoardAmounts pooled_board(Workload const& workload) {
    PooledForm const form = *pooled_form(workload);
    double digits = 0;
    for (PooledPlan const& plan : pooled_plans(workload, form))
        digits += plan.digits;
    double const words = form.words;
    double const probes = std::max(0.0, pooled_words(workload) - digits * words) * form.probes;
    bool const knows_width = knows_rows(form.words, workload.shape.width);
    return {{1, digits != 0 ? words : 0, digits * words, probes, workload.mixed() ? probes : 0,
             knows_width ? 0 : cut_words(workload), further_planes(workload) * words},
            form.words == 32 || (form.words > 36 && knows_width)};
}

bool draws_pooled(Workload const& workload, bool const large) {
    std::optional<PooledForm> const form = pooled_form(workload);
    return form && (form->words > 36) == large;
}

// `tree`: boards; random words; random words of boards of more than 2048 sites, whose tables are larger; words cut from
// packed sites; further planes; boards whose last group is not full.
BoardAmounts tree_board(Workload const& workload) {
    unsigned const sites = workload.shape.sites();
    double const words = words_expected(workload, Method::tree);
    return {{1, words, sites > 2048 ? words : 0, cut_words(workload), further_planes(workload),
             sites % (2 * tree_set_sites) != 0 ? 1.0 : 0.0},
            workload.planes() == 2 && workload.shape == Shape{15, 15}};
}

// `dense`, with a thread or a team per board, and `dense_warp`, with a warp.
struct DenseAmounts {
    double words = 0;
    double digits = 0;           // of the pass; mean over k
    double max_pass_digits = 0;  // of any k or plane; words of further planes have a cost of their own
    double thrown = 0;           // random words whose balls are thrown
    double probes = 0;
};

DenseAmounts dense_amounts(Workload const& workload, DenseTeam const& team, Method const method) {
    DenseAmounts made;
    made.words = team.words * team.lanes;
    std::vector<DensePlan> const plans = workload_plans(workload, team);
    bool throws = false;
    for (DensePlan const& plan : plans) {
        made.digits += plan.digits / (workload.mixed() ? static_cast<double>(plans.size()) : 1);
        made.max_pass_digits = std::max<double>(made.max_pass_digits, plan.digits);
        throws = throws || plan.throws;
    }
    double const repair = std::max(0.0, words_expected(workload, method) - made.digits * made.words);
    (throws ? made.thrown : made.probes) = repair * (throws ? 1 : team.probes());
    return made;
}

// `dense`: boards; words; words, if there is a pass; random words of the longest pass; random words of balls; probes;
// probes of mixed k; words of further planes.
BoardAmounts dense_board(Workload const& workload) {
    DenseTeam const team = *dense_team(workload);
    DenseAmounts const of = dense_amounts(workload, team, Method::dense);
    return {{1, of.words, of.max_pass_digits != 0 ? of.words : 0, of.max_pass_digits * of.words, of.thrown, of.probes,
             workload.mixed() ? of.probes : 0, further_planes(workload) * of.words},
            team.boards == 2 || team.words == 128};
}

bool draws_dense(Workload const& workload, bool const by_threads) {
    std::optional<DenseTeam> const team = dense_team(workload);
    return team && (team->lanes == 1) == by_threads;
}

// `dense_warp`: boards; words; words, if there is a pass; random words of the pass; random words of balls; probes;
// further planes.
BoardAmounts dense_warp_board(Workload const& workload) {
    DenseAmounts const of = dense_amounts(workload, *dense_warp_team(workload), Method::dense_warp);
    return {{1, of.words, of.max_pass_digits != 0 ? of.words : 0, of.digits * of.words, of.thrown, of.probes,
             further_planes(workload)}};
}

// Halving by a warp: boards; steps; steps of each 32 rows; further planes.
BoardAmounts halving_board(Workload const& workload) {
    double const words = workload.shape.words();
    double const steps = words_expected(workload, Method::halving) / words;
    return {{1, steps, steps * std::ceil(words / 32), further_planes(workload)}};
}

bool any_board(Workload const&) { return true; }

constexpr TimedMethod timed_methods[] = {
    {"pooled",
     "pooled",
     [](Workload const& workload) { return draws_pooled(workload, false); },
     pooled_board,
     {{20.6, 0.876, 0.388, 0.585, 0.339, 0.22, 2.03}, 53200, 0.801},
     {{18.9, 1.28, 0.387, 0.652, 0.462, 0.268, 2.56}, 53300, 0.769},
     {{21.6, 1.41, 0.607, 0.641, 0.456, 0.297, 2.26}, 50200, 0.808}},
    {"pooled_large",
     "pooled",
     [](Workload const& workload) { return draws_pooled(workload, true); },
     pooled_board,
     {{54.7, 1.01, 0.293, 0.837, 0.621, 0.0759}, 33400, 0.82},
     {{81.4, 1.15, 0.462, 1.02, 1.0}, 26300, 0.81},
     {{94.7, 1.34, 0.686, 1.05, 1.02, 0.0366}, 24900, 0.802}},
    {"tree",
     "tree",
     [](Workload const& workload) { return why_not_tree(workload).empty(); },
     tree_board,
     {{2.04, 1.31, 0.111, 0.971, 25.3, 4.54}, 61100, 0.602},
     {{0.991, 1.77, 0.773, 0.769, 33.2, 5.21}, 56600, 0.56},
     {{1.29, 2.04, 0.406, 0.948, 35.2, 4.83}, 52800, 0.523}},
    {"dense",
     "dense",
     [](Workload const& workload) { return draws_dense(workload, true); },
     dense_board,
     {{20.7, 0.284, 1.06, 0.356, 0.577, 0.713, 0.149, 0.985}, 44800, 0.812},
     {{24.2, 0.276, 1.74, 2.0, 2.99, 1.34, 0.967, 1.54}, 45400, 0.885},
     {{13.6, 0.629, 2.53, 3.24, 2.99, 1.79, 0.21, 1.38}, 41100, 0.854}},
    {"dense_team",
     "dense",
     [](Workload const& workload) { return draws_dense(workload, false); },
     dense_board,
     {{75.4, 1.09, 1.33, 0.31, 0.562, 1.67, 1.07}, 6590, 1},
     {{211, 0, 0, 1.9, 0, 2.26, 0.0623}, 5430, 1},  // one fit for both: few boards of this kind were measured
     {{211, 0, 0, 1.9, 0, 2.26, 0.0623}, 5430, 1}},
    {"dense_warp",
     "dense_warp",
     [](Workload const& workload) { return dense_warp_team(workload).has_value(); },
     dense_warp_board,
     {{242, 0.466, 0.299, 0.367, 2.39, 1.49, 181}, 2150, 1},
     {{235, 0.55, 0.314, 0.621, 3.43, 1.69, 192}, 2200, 1},
     {{252, 0.718, 0.0776, 0.902, 3.43, 1.62, 181}, 2220, 1}},
    {"warpwise_reduce",
     "warpwise_reduce",
     any_board,
     halving_board,
     {{46.3, 30.2, 0, 74.3}, 2300, 1},
     {{95.7, 32.4, 0, 141}, 2210, 1},
     {{52.4, 47.3, 0, 66.9}, 2060, 1}},
    {"warpwise_folded",
     "warpwise_folded",
     any_board,
     halving_board,
     {{114, 24.1, 14.4, 62.9}, 2680, 1},
     {{78.7, 31, 24.7, 87.6}, 2540, 1},
     {{82.8, 29.2, 32.6, 30}, 2490, 1}},
};

double expected_time(TimedMethod const& method, Workload const& workload, std::uint64_t const streams) {
    MethodCosts const& costs = method.costs(workload.engine);
    BoardAmounts const board = method.board(workload);
    double const full = std::inner_product(board.amounts.begin(), board.amounts.end(), costs.picoseconds.begin(), 0.0);
    return full * (board.special ? costs.special : 1) *
           std::hypot(static_cast<double>(streams), costs.saturation_streams);
}

}  // namespace

std::vector<std::string> variants_by_expected_time(Workload const& workload, std::uint64_t const streams) {
    std::vector<std::pair<double, std::string>> timed;
    for (TimedMethod const& method : timed_methods) {
        if (method.draws(workload))
            timed.emplace_back(expected_time(method, workload, streams), method.variant);
    }
    std::sort(timed.begin(), timed.end());
    std::vector<std::string> names;
    for (auto& [time, name] : timed)
        names.push_back(std::move(name));
    return names;
}

std::vector<MethodAmounts> amounts_of_methods(Workload const& workload) {
    std::vector<MethodAmounts> found;
    for (TimedMethod const& method : timed_methods) {
        if (method.draws(workload))
            found.push_back({method.name, method.variant, method.board(workload)});
    }
    return found;
}

}  // namespace lockstep::random_grids
