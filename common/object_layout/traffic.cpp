#include "common/object_layout/traffic.hpp"

#include <algorithm>
#include <mutex>

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/tick_words.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/random/bounded.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout {

namespace {

std::uint64_t share_of(std::uint64_t all, unsigned kinds, unsigned kind) {
    return all / kinds + (kind < all % kinds ? 1 : 0);
}

// The last traffic that was asked for: a verification asks once a unit.
struct Kept {
    std::mutex mutex;
    bench::Axes axes;
    std::uint64_t seed = 0;
    std::shared_ptr<Traffic const> traffic;
};

Kept& kept() {
    static Kept last;
    return last;
}

// A fifth of the agents are cars, as in the paper, where the axis `agents` gives the sum.
void read_agents(bench::Axes const& axes, Traffic& traffic) {
    traffic.cars = static_cast<std::uint64_t>(axes.integer("cars"));
    traffic.pedestrians = static_cast<std::uint64_t>(axes.integer("pedestrians"));
    if (std::uint64_t const agents = static_cast<std::uint64_t>(axes.integer("agents")); agents != 0) {
        traffic.cars = agents / 5;
        traffic.pedestrians = agents - traffic.cars;
    }
}

std::shared_ptr<Network const> network_of(bench::Axes const& axes, std::uint64_t seed) {
    std::string const& file = axes.text("network");
    if (file != "random")
        return std::make_shared<Network const>(parse_network(bench::read_file(file), file));
    return std::make_shared<Network const>(random_network(seed, static_cast<unsigned>(axes.integer("streets"))));
}

void check_counts(Traffic const& traffic, std::uint64_t streets) {
    if (traffic.agents() > 0x7fffffff)
        throw bench::Error("too many agents", "at most 2^31 - 1", "Use --shard.");
    if (traffic.agents() > 0 && streets == 0) {
        throw bench::Error("agents have no street to be on", "the network has no streets", "Give --streets 1 or more.");
    }
    if (traffic.types > max_types) {
        throw bench::Error(std::to_string(traffic.types) + " classes of agents are too many",
                           "there are " + std::to_string(max_types));
    }
}

}  // namespace

unsigned Traffic::type_of(std::uint64_t number) const {
    auto const after = std::upper_bound(first_of_type.begin(), first_of_type.end(), number);
    return static_cast<unsigned>(after - first_of_type.begin()) - 1;
}

Birth birth_of(std::uint64_t seed, unsigned streets, std::uint64_t number) {
    cpu::Philox words = cpu::Philox::stream(seed, number, birth_of_agent);
    Birth birth = {};
    birth.street = random::cpu::bounded(words, streets);
    birth.progress = static_cast<float>(random::cpu::bounded(words, 10));
    birth.max_velocity = static_cast<float>(65 + random::cpu::bounded(words, 20));
    return birth;
}

Mode mode_from_string(std::string const& name) {
    bench::require_known("mode", name, {"faithful", "live"});
    return name == "live" ? Mode::live : Mode::faithful;
}

float weather_from_string(std::string const& name) {
    bench::require_known("weather", name, {"good", "bad"});
    return name == "good" ? 1.0f : 0.75f;
}

Traffic make_traffic(Traffic asked) {
    unsigned const streets = asked.network->streets();
    check_counts(asked, streets);
    asked.table.resize(streets);
    for (unsigned street = 0; street < streets; ++street) {
        asked.table[street] = cpu::Philox::stream(asked.seed, street, birth_of_table)() >> 1;
    }
    asked.first_of_type = {0};
    for (unsigned type = 0; type < asked.types; ++type) {
        unsigned const kinds = is_car(type) ? simt::ceil_div(asked.types, 2u) : asked.types / 2;
        std::uint64_t const all = asked.types == 1 ? asked.agents() : is_car(type) ? asked.cars : asked.pedestrians;
        asked.first_of_type.push_back(asked.first_of_type.back() + share_of(all, kinds, kind_of(type)));
    }
    return asked;
}

std::shared_ptr<Traffic const> traffic_of(bench::Problem const& problem) {
    Kept& last = kept();
    std::lock_guard const lock(last.mutex);
    if (last.traffic && last.seed == problem.seed && last.axes == problem.axes)
        return last.traffic;
    Traffic asked;
    asked.seed = problem.seed;
    read_agents(problem.axes, asked);
    asked.types = static_cast<unsigned>(problem.axes.integer("types"));
    asked.ticks = static_cast<unsigned>(problem.axes.integer("ticks"));
    asked.weather = weather_from_string(problem.axes.text("weather"));
    asked.mode = mode_from_string(problem.axes.text("mode"));
    bool const same = last.traffic && last.seed == problem.seed &&
                      last.axes.text("network") == problem.axes.text("network") &&
                      last.axes.text("streets") == problem.axes.text("streets");
    asked.network = same ? last.traffic->network : network_of(problem.axes, problem.seed);
    last.traffic = std::make_shared<Traffic const>(make_traffic(std::move(asked)));
    last.seed = problem.seed;
    last.axes = problem.axes;
    return last.traffic;
}

std::uint64_t agents_of(bench::Axes const& axes) {
    Traffic traffic;
    read_agents(axes, traffic);
    return traffic.agents();
}

void check_traffic(bench::Axes const& axes) {
    Traffic traffic;
    read_agents(axes, traffic);
    traffic.types = static_cast<unsigned>(axes.integer("types"));
    bool const random = axes.text("network") == "random";
    check_counts(traffic,
                 random ? static_cast<std::uint64_t>(axes.integer("streets")) : network_of(axes, 0)->streets());
}

}  // namespace lockstep::object_layout
