// Reference `dense`, and a variant of it that counts words.

#include "reference_cpu/random_grids/dense.hpp"

#include <algorithm>

#include "common/random_grids/engines.hpp"
#include "common/random_grids/fold.hpp"
#include "common/random_grids/mixed_occupied.hpp"
#include "harness/bench/make_variant.hpp"
#include "reference_cpu/random_grids/after.hpp"
#include "reference_cpu/random_grids/cpu_case.hpp"
#include "reference_cpu/random_grids/step_statistics.hpp"

namespace lockstep::random_grids {

namespace {

// Stores the words of boards, or folds the words of each lane.
class LaneWriter {
public:
    LaneWriter(Workload const& workload, DenseTeam const& team) : workload_(workload), team_(team) {
        if (workload.output == Output::folded)
            result_.assign(team.lanes, 0);
    }

    void put(std::vector<std::uint32_t> const& drawn) {
        std::vector<std::uint32_t> const set = after_draw(workload_, drawn);
        for (unsigned i = 0; i < workload_.shape.words(); ++i) {
            if (workload_.output == Output::stored) {
                result_.push_back(set[i]);
            } else {
                result_[i % team_.lanes] = cpu::fold(result_[i % team_.lanes], set[i]);
            }
        }
    }

    // Outputs the planes of the boards of a group: stored board by board, or folded plane by plane, in the order of
    // drawing.
    void put_group(std::vector<std::vector<std::vector<std::uint32_t>>> const& planes) {
        std::size_t const boards = planes[0].size();
        bool const by_board = workload_.output == Output::stored;
        for (std::size_t i = 0; i < planes.size() * boards; ++i) {
            put(by_board ? planes[i % planes.size()][i / planes.size()] : planes[i / boards][i % boards]);
        }
    }

    bench::UnitResult take() { return std::move(result_); }

private:
    Workload const& workload_;
    DenseTeam const& team_;
    bench::UnitResult result_;
};

// Calls after_group(boards, words drawn) after each group of boards.
template <class AfterGroup>
bench::UnitResult dense_unit(DenseTeamFunction team_of, bench::Problem const& problem, std::uint64_t unit,
                             AfterGroup&& after_group) {
    Workload const workload = read_workload(problem.axes);
    DenseTeam const team = *team_of(workload);
    std::vector<DensePlan> const plans = workload_plans(workload, team);
    LaneWriter writer(workload, team);
    unsigned const base = cpu::mixed_base(problem.seed, unit);
    std::vector<std::uint32_t> all = workload.shape.all_sites();
    all.resize(team.lanes * team.words, 0);
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        std::vector<Engine> engines;
        for (unsigned lane = 0; lane < team.lanes; ++lane)
            engines.push_back(Engine::stream(problem.seed, unit, lane));
        std::uint64_t words = 0;
        auto const next_word = [&](unsigned lane) {
            ++words;
            return engines[lane]();
        };
        for (unsigned first = 0; first < workload.length; first += team.boards) {
            std::uint64_t const before = words;
            unsigned const boards = std::min(team.boards, workload.length - first);
            std::vector<std::vector<std::uint32_t>> sets(boards, all);
            std::vector<std::vector<std::vector<std::uint32_t>>> planes;
            for (unsigned plane = 0; plane < workload.planes(); ++plane) {
                std::vector<DenseJob> jobs;
                for (unsigned i = 0; i < boards; ++i) {
                    unsigned const sites = workload.shape.sites();
                    unsigned const k =
                        workload.mixed() ? cpu::mixed_occupied(base, first + i, sites) : workload.occupied[plane];
                    jobs.push_back({sets[i], k, plans[workload.mixed() ? std::min(k, sites - k) : plane]});
                }
                sets = draw_dense(team, team.probes(), jobs, next_word);
                planes.push_back(sets);
            }
            writer.put_group(planes);
            after_group(boards, words - before);
        }
        return writer.take();
    });
}

bench::Metrics count_dense_words(DenseTeamFunction team_of, bench::Problem const& problem) {
    Workload const workload = read_workload(problem.axes);
    double sum = 0;
    double boards = 0;
    std::uint64_t const streams = std::max<std::uint64_t>(
        32, static_cast<std::uint64_t>(2e7 / (workload.length * static_cast<double>(workload.words_per_board()))));
    for (std::uint64_t i = 0; i < std::min(problem.units, streams); ++i) {
        dense_unit(team_of, problem, problem.first_unit + i, [&](unsigned drawn, std::uint64_t words) {
            boards += drawn;
            sum += static_cast<double>(words);
        });
    }
    return {{"words_mean", boards == 0 ? 0 : sum / (boards * workload.planes())}};
}

// Adds the reference and its variant that counts words.
void add_reference(bench::Experiment& experiment, std::string const& name, DenseTeamFunction team_of, Method method,
                   std::string const& description, std::string (*why_not)(Workload const&)) {
    auto const unit = [team_of](bench::Problem const& problem, std::uint64_t number) {
        return dense_unit(team_of, problem, number, [](unsigned, std::uint64_t) {});
    };
    auto const count = [team_of](bench::Problem const& problem) { return count_dense_words(team_of, problem); };
    experiment.references.push_back({name, unit});
    experiment.variants.push_back(bench::cpu::make_variant(
        name, bench::Role::reference, name, description,
        [=](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
            return std::make_unique<CpuCase>(problem, team_of(read_workload(problem.axes))->lanes, method, unit, count);
        },
        [why_not](bench::Axes const& axes) -> std::string { return why_not(read_workload(axes)); }));
}

}  // namespace

namespace cpu {

void add_dense(bench::Experiment& experiment) {
    add_reference(experiment, "dense", dense_team, Method::dense,
                  "one dense pass of density near k/N and an exact repair, on one CPU thread", why_not_dense);
    add_reference(experiment, "dense_warp", dense_warp_team, Method::dense_warp,
                  "the same, from the words of 32 engines", why_not_dense_warp);
}

}  // namespace cpu

}  // namespace lockstep::random_grids
