#pragma once
// The workload of replications, as read from the axes, and the definition of the models.
//
// A unit is one replication. It draws from one stream of random words, named by (seed, replication, point): three
// independent words seed the three components of taus88 (Random Spacing). A replication's number is never a seed.
//
// pi: `draws` points of the unit square, two words each (x, then y; unit_float).
//   Result: the number of points with x*x + y*y < 1 in single precision, as 64 bits.
//
// mm1: `clients` customers of a queue with one server, first come first served, empty at the start.
//   Two words per customer: the gap since the previous arrival, then the service. Services have mean 1, and gaps have
//   mean 1 / utilisation. Time is an integer number of units of 2^-23.
//   Result: sums over all customers of the server's idle time before them, of their time in the queue and of their time
//   in the system, 64 bits each.
//
// walk: `steps` steps on a torus of 60 x 50 squares, divided into `chunks` equal rectangles (30: 6 x 5 of 10 x 10
// squares; 4: 2 x 2 of 30 x 25 squares).
//   Two words choose the first square, so every square is equally likely at every step. Then there is one word per
//   step, whose upper two bits are its direction: +x, -x, +y, -y.
//   Result: the last square (x + 65536 y), its chunk, and the number of steps from one chunk into another.
//
// chunk_walk: the walk, with a way to move per chunk. Way k turns a step's word into another by `rounds` rounds of code
// of its own (ways.hpp), whose upper two bits are the direction.
//
// branches: `steps` steps. A step's word selects one of `ways` ways, which turns it into another word by `rounds`
// rounds; then `loads` words of memory are added, each at the place that the sum so far determines.
//   Result: the sum over all steps, 64 bits.
//
// The paper states neither the rates of the queue nor the size of the map; these values are ours.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/replications/point.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::replications {

enum class Model { pi, mm1, walk, chunk_walk, branches };
enum class Engine { taus88, philox10 };

struct Workload {
    Model model = Model::pi;
    Engine engine = Engine::taus88;
    Point point;
};

// A job: `replications` replications of each point, starting with number `first_replication`. Results are stored point
// by point. Each replication depends only on (seed, its number, its point's number).
struct Job {
    Model model = Model::pi;
    Engine engine = Engine::taus88;
    std::uint64_t seed = 0;
    std::uint64_t first_replication = 0;
    std::uint64_t replications = 0;
    std::vector<Point> points;

    std::uint64_t size() const { return replications * points.size(); }
};

unsigned words_per_result(Model model);

// Throws bench::Error if `items` exceeds max_items, `utilisation` is outside 0.01 .. 0.99, or `chunks` is neither 4 nor
// 30.
Point make_point(Model model, std::uint64_t items, double utilisation, unsigned chunks);

std::string_view to_string(Model model);
// One of the paper's models, which users replicate. Throws bench::Error.
Model model_from_string(std::string const& name);
// Whether lanes can share a replication of the model; if not, why.
std::string why_not_shared(Model model);
Engine engine_from_string(std::string const& name);

Workload read_workload(bench::Axes const& axes);  // throws bench::Error
Job job_of(bench::Problem const& problem);

// The axes with their defaults.
std::vector<bench::Axis> workload_axes();

// Items, bytes and operations of a job. An item is a draw, a client or a step; an operation is a random word.
bench::Work work_of(Job const& job);

}  // namespace lockstep::replications
