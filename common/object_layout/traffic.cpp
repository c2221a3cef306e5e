#include "common/object_layout/traffic.hpp"

#include <algorithm>
#include <mutex>

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/city.hpp"
#include "common/object_layout/tick_words.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/random/bounded.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout {

namespace {

std::uint64_t share_of(std::uint64_t all, unsigned kinds, unsigned kind) {
    return all / kinds + (kind < all % kinds ? 1 : 0);
}

// The most recent traffic, stored because a verification calls traffic_of() for every unit.
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

// If the axis `agents` gives the total, a fifth of the agents are cars, as in the paper.
void read_agents(bench::Axes const& axes, Traffic& traffic) {
    traffic.cars = static_cast<std::uint64_t>(axes.integer("cars"));
    traffic.pedestrians = static_cast<std::uint64_t>(axes.integer("pedestrians"));
    if (std::uint64_t const agents = static_cast<std::uint64_t>(axes.integer("agents")); agents != 0) {
        traffic.cars = agents / 5;
        traffic.pedestrians = agents - traffic.cars;
    }
}

std::shared_ptr<Network const> make_network(bench::Axes const& axes, std::uint64_t seed) {
    std::string const& file = axes.text("network");
    if (is_city(file))
        return std::make_shared<Network const>(city_from_text(seed, file));
    if (file != "random")
        return std::make_shared<Network const>(read_network(bench::read_input(file, bench::Input::network), file));
    return std::make_shared<Network const>(random_network(seed, static_cast<unsigned>(axes.integer("streets"))));
}

void check_counts(Traffic const& traffic, std::uint64_t streets) {
    if (traffic.agents() > 0x7fffffff)
        throw bench::Error("too many agents", "the limit is 2^31 - 1", "Use --shard.");
    if (traffic.agents() > 0 && streets == 0) {
        throw bench::Error("the agents have no street", "the network has no streets", "Give --streets 1 or more.");
    }
    if (traffic.types > max_types) {
        throw bench::Error(std::to_string(traffic.types) + " classes of agents are too many",
                           "the limit is " + std::to_string(max_types));
    }
}

}  // namespace

std::shared_ptr<Network const> network_of(bench::Axes const& axes, std::uint64_t seed) {
    static std::mutex mutex;
    static std::string name;
    static std::shared_ptr<Network const> network;
    std::lock_guard const lock(mutex);
    std::string const asked = axes.text("network") + "\n" + axes.text("streets") + "\n" + std::to_string(seed);
    if (!network || name != asked) {
        network = make_network(axes, seed);
        name = asked;
    }
    return network;
}

unsigned Traffic::type_of(std::uint64_t number) const {
    auto const after = std::upper_bound(first_of_type.begin(), first_of_type.end(), number);
    return static_cast<unsigned>(after - first_of_type.begin()) - 1;
}

Birth birth_of(std::uint64_t seed, unsigned streets, std::uint64_t number) {
    cpu::Philox words = cpu::Philox::stream(seed, number, birth_of_agent);
    Birth initial = {};
    initial.street = random::cpu::bounded(words, streets);
    initial.progress = static_cast<float>(random::cpu::bounded(words, 10));
    initial.max_velocity = static_cast<float>(65 + random::cpu::bounded(words, 20));
    return initial;
}

Mode mode_from_string(std::string const& name) {
    bench::require_known("mode", name, {"faithful", "live"});
    return name == "live" ? Mode::live : Mode::faithful;
}

float weather_from_string(std::string const& name) {
    bench::require_known("weather", name, {"good", "bad"});
    return name == "good" ? 1.0f : 0.75f;
}

Traffic make_traffic(Traffic traffic) {
    unsigned const streets = traffic.network->streets();
    check_counts(traffic, streets);
    traffic.table.resize(streets);
    for (unsigned street = 0; street < streets; ++street) {
        traffic.table[street] = cpu::Philox::stream(traffic.seed, street, birth_of_table)() >> 1;
    }
    traffic.first_of_type = {0};
    for (unsigned type = 0; type < traffic.types; ++type) {
        unsigned const kinds = is_car(type) ? simt::ceil_div(traffic.types, 2u) : traffic.types / 2;
        std::uint64_t const all = traffic.types == 1 ? traffic.agents()
                                  : is_car(type)     ? traffic.cars
                                                     : traffic.pedestrians;
        traffic.first_of_type.push_back(traffic.first_of_type.back() + share_of(all, kinds, kind_of(type)));
    }
    return traffic;
}

std::shared_ptr<Traffic const> traffic_of(bench::Problem const& problem) {
    Kept& last = kept();
    std::lock_guard const lock(last.mutex);
    if (last.traffic && last.seed == problem.seed && last.axes == problem.axes)
        return last.traffic;
    Traffic traffic;
    traffic.seed = problem.seed;
    read_agents(problem.axes, traffic);
    traffic.types = static_cast<unsigned>(problem.axes.integer("types"));
    traffic.ticks = static_cast<unsigned>(problem.axes.integer("ticks"));
    traffic.weather = weather_from_string(problem.axes.text("weather"));
    traffic.mode = mode_from_string(problem.axes.text("mode"));
    traffic.network = network_of(problem.axes, problem.seed);
    last.traffic = std::make_shared<Traffic const>(make_traffic(std::move(traffic)));
    last.seed = problem.seed;
    last.axes = problem.axes;
    return last.traffic;
}

std::uint64_t agents_of(bench::Axes const& axes) {
    Traffic traffic;
    read_agents(axes, traffic);
    return traffic.agents();
}

namespace {

std::uint64_t streets_in(bench::Axes const& axes) {
    bool const random = axes.text("network") == "random";
    return random ? static_cast<std::uint64_t>(axes.integer("streets")) : network_of(axes, 0)->streets();
}

}  // namespace

void check_traffic(bench::Axes const& axes) {
    Traffic traffic;
    read_agents(axes, traffic);
    traffic.types = static_cast<unsigned>(axes.integer("types"));
    check_counts(traffic, streets_in(axes));
}

void check_streets(bench::Axes const& axes) {
    if (axes.integer("elements") > 0 && streets_in(axes) == 0) {
        throw bench::Error("the elements have no street", "the network has no streets", "Give --streets 1 or more.");
    }
}

}  // namespace lockstep::object_layout
