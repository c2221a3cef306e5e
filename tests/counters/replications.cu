// Kernels of replications: a thread, a warp and a cooperating warp or block per replication.

#include "baselines/replications/threads.hpp"
#include "common/replications/mm1.hpp"
#include "common/replications/pi.hpp"
#include "common/replications/walk.hpp"
#include "harness/random/taus88.hpp"
#include "kernels/replications/cooperative_block.hpp"
#include "kernels/replications/cooperative_warp.hpp"
#include "kernels/replications/warps.hpp"
#include "tests/counters/cases.hpp"

namespace lockstep::replications::cuda {
namespace {

using counters::Outcome;
using Engine = random::cuda::Taus88;

constexpr unsigned replications = 128;
constexpr unsigned block = 128;
constexpr unsigned warps_launched = 32;  // each has a replication

// The points of the experiment's default axes, with fewer items.
constexpr Point pi = {.items = 100};
constexpr Point mm1 = {.items = 50, .inverse_rate = 87381};
constexpr Point walk = {.items = 100, .chunk_width = 10, .chunk_height = 10};
constexpr Point long_pi = {.items = 2048};
constexpr Point long_walk = {.items = 1024, .chunk_width = 10, .chunk_height = 10};

// A job of one point, in device memory.
template <class Model>
struct Work {
    Buffer<Point> points;
    Buffer<unsigned> results;
    JobParameters job;

    Work(Point const& point, unsigned size)
        : points(counters::filled(std::vector{point})),
          results(counters::zeros<unsigned>(size * Model::words_per_result)),
          job{1, 0, size, size, points.data()} {}
};

template <class Model, Point const& point>
void by_threads(Outcome& outcome) {
    Work<Model> work(point, replications);
    threads<Model, Engine><<<replications / block, block>>>(work.job, 32u, work.results.data());
    outcome.launched();
    outcome.add(work.results);
}

template <class Model, Point const& point>
void by_warps(Outcome& outcome) {
    Work<Model> work(point, warps_launched);
    warps<Model, Engine><<<warps_launched / (block / 32), block>>>(work.job, 1u, work.results.data());
    outcome.launched();
    outcome.add(work.results);
}

// The jumps to the runs of a team's lanes.
template <class Model>
Buffer<Engine::JumpAhead> jumps_of(unsigned lanes, unsigned run) {
    std::vector<Engine::JumpAhead> jumps(lanes);
    Engine::jump_table(Model::words_before, static_cast<unsigned long long>(run) * Model::words_per_item, jumps.data(),
                       lanes);
    return counters::filled(jumps);
}

template <class Model, Point const& point>
void by_teams_of_a_warp(Outcome& outcome) {
    constexpr unsigned teams = 8;
    Work<Model> work(point, teams);
    auto const jumps = jumps_of<Model>(32, point.items / 32);
    TeamParameters<Engine::JumpAhead> const team = {32, 1, point.items / 32, jumps.data(), nullptr};
    cooperative_warp<Model, Engine>
        <<<teams / (block / 32), block, sizeof(typename Model::Table)>>>(work.job, team, work.results.data());
    outcome.launched();
    outcome.add(work.results);
}

template <class Model, Point const& point>
void by_teams_of_a_block(Outcome& outcome) {
    constexpr unsigned teams = 8;
    Work<Model> work(point, teams);
    auto const jumps = jumps_of<Model>(block, point.items / block);
    TeamParameters<Engine::JumpAhead> const team = {block, 1, point.items / block, jumps.data(), nullptr};
    cooperative_block<Model, Engine>
        <<<teams, block, sizeof(TeamTile<Model>)>>>(work.job, team, TeamMemory{}, work.results.data());
    outcome.launched();
    outcome.add(work.results);
}

}  // namespace
}  // namespace lockstep::replications::cuda

int main(int argc, char** argv) {
    using namespace lockstep::replications::cuda;
    constexpr lockstep::counters::Case cases[] = {
        {"threads-pi", by_threads<Pi, pi>},
        {"threads-mm1", by_threads<Mm1, mm1>},
        {"threads-walk", by_threads<Walk, walk>},
        {"warps-pi", by_warps<Pi, pi>},
        {"warps-walk", by_warps<Walk, walk>},
        {"cooperative-warp-walk", by_teams_of_a_warp<Walk, long_walk>},
        {"cooperative-block-pi", by_teams_of_a_block<Pi, long_pi>},
    };
    return lockstep::counters::run_cases(cases, argc, argv);
}
