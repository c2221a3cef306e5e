#include "reference_cpu/object_layout/algorithm2.hpp"

#include <bit>
#include <memory>
#include <mutex>
#include <queue>
#include <variant>

#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"
#include "reference_cpu/object_layout/tracing_case.hpp"

namespace lockstep::object_layout {

TracedTraffic trace_by_algorithm2(std::span<Agent* const> base) {
    TracedTraffic traced;
    std::queue<std::variant<Agent const*, Street const*>> queue;
    for (Agent const* const agent : base)
        queue.push(agent);
    std::vector<Agent const*> agents;
    std::vector<Street const*> streets;
    while (!queue.empty()) {
        auto const next = queue.front();
        queue.pop();
        if (Agent const* const* const agent = std::get_if<Agent const*>(&next)) {
            if (!traced.agent_ids.emplace(*agent, static_cast<std::uint32_t>(agents.size())).second)
                continue;
            agents.push_back(*agent);
            queue.push(static_cast<Street const*>((*agent)->street));
        } else {
            Street const* const street = std::get<Street const*>(next);
            if (!traced.street_ids.emplace(street, static_cast<std::uint32_t>(streets.size())).second)
                continue;
            streets.push_back(street);
            for (Street const* const neighbor : street->neighbors)
                queue.push(neighbor);
        }
    }
    for (Street const* const street : streets) {
        traced.length.push_back(street->length);
        traced.street_velocity.push_back(street->max_velocity);
        traced.offset.push_back(static_cast<std::uint32_t>(traced.contents.size()));
        traced.size.push_back(static_cast<std::uint32_t>(street->neighbors.size()));
        for (Street const* const neighbor : street->neighbors)
            traced.contents.push_back(traced.street_ids.at(neighbor));
    }
    for (Agent const* const agent : agents) {
        Car const* const car = dynamic_cast<Car const*>(agent);
        traced.tag.push_back(car != nullptr ? 0 : 1);
        traced.street.push_back(traced.street_ids.at(agent->street));
        traced.progress.push_back(agent->progress);
        traced.agent_velocity.push_back(car != nullptr ? car->max_velocity : 0);
    }
    return traced;
}

TracingWorld make_tracing_world(bench::Problem const& problem) {
    if (problem.first_unit != 0) {
        throw bench::Error("program tracing has no shards", "an object's id depends on all objects",
                           "Run it without --shard.");
    }
    std::shared_ptr<Traffic const> const traffic = traffic_of(problem);
    TracingWorld world;
    world.streets = make_streets(*traffic->network);
    // Interleaves cars and pedestrians in proportion to their numbers.
    std::uint64_t cars = 0;
    std::uint64_t pedestrians = 0;
    std::uint64_t const agents = problem.units < world.streets.size() ? 0 : problem.units - world.streets.size();
    for (std::uint64_t i = 0; i < agents; ++i) {
        bool const car =
            cars < traffic->cars && (cars + 1) * (traffic->pedestrians + 1) <= (pedestrians + 1) * (traffic->cars + 1);
        bool const take_car = car || pedestrians == traffic->pedestrians;
        std::uint64_t const number = take_car ? cars++ : traffic->cars + pedestrians++;
        world.agents.push_back(make_agent(*traffic, world.streets, number));
        world.base.push_back(world.agents.back().get());
    }
    return world;
}

std::string tracing_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("program") != "tracing")
        return "it supports only program tracing";
    if (axes.text("network") != "random")
        return "it supports only the random network";
    return axes.integer("types") != 2 ? "the model has exactly two classes of agents" : "";
}

namespace {

// Folds a street's neighbours, in order, into one word.
std::uint32_t folded(std::span<std::uint32_t const> ids) {
    std::uint32_t sum = static_cast<std::uint32_t>(ids.size());
    for (std::uint32_t const id : ids)
        sum = sum * 0x9E3779B1u + id;
    return sum;
}

class Algorithm2Case : public TracingCase {
public:
    explicit Algorithm2Case(bench::Problem const& problem) : TracingCase(problem) {}
    void reset() override { traced_ = {}; }
    void run(simt::Stream) override { traced_ = trace_by_algorithm2(world().base); }
    bench::UnitResult street(Street const& street) override {
        auto const found = traced_.street_ids.find(&street);
        if (found == traced_.street_ids.end())
            return not_traced();
        std::uint32_t const id = found->second;
        std::span<std::uint32_t const> const all(traced_.contents);
        return {id, std::bit_cast<std::uint32_t>(traced_.length[id]),
                std::bit_cast<std::uint32_t>(traced_.street_velocity[id]),
                folded(all.subspan(traced_.offset[id], traced_.size[id]))};
    }
    bench::UnitResult agent(Agent const& agent) override {
        std::uint32_t const id = traced_.agent_ids.at(&agent);
        return {id, std::bit_cast<std::uint32_t>(traced_.progress[id]),
                std::bit_cast<std::uint32_t>(traced_.agent_velocity[id]), 2 * traced_.street[id] + traced_.tag[id]};
    }

private:
    TracedTraffic traced_;
};

}  // namespace

bench::UnitResult traced_object(bench::Problem const& problem, std::uint64_t unit) {
    static std::mutex mutex;
    static bench::Problem kept;
    static std::unique_ptr<Algorithm2Case> traced;
    std::lock_guard const lock(mutex);
    if (!traced || !(kept.axes == problem.axes) || kept.seed != problem.seed || kept.units != problem.units) {
        traced = std::make_unique<Algorithm2Case>(problem);
        traced->run({});
        kept = problem;
    }
    return unit < problem.units ? traced->results({&unit, 1}).front() : bench::UnitResult();
}

std::uint32_t folded_neighbors(std::span<std::uint32_t const> ids) { return folded(ids); }

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::cpu {

void add_algorithm2(bench::Experiment& experiment) {
    experiment.references.push_back({.name = "traced_objects", .unit = traced_object, .first_unit_prepares = true});
    experiment.variants.push_back(bench::cpu::make_variant(
        "algorithm2", bench::Role::paper, "traced_objects",
        "Algorithm 2 with corrections: a queue and hash tables, one core",
        [](bench::Problem const& problem) {
            traced_object(problem, 0);
            return std::make_unique<Algorithm2Case>(problem);
        },
        tracing_unsupported_reason));
}

}  // namespace lockstep::object_layout::cpu
