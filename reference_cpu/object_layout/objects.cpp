// The reference as a variant: plain C++ objects and virtual calls, one thread.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "harness/bench/make_variant.hpp"
#include "reference_cpu/object_layout/cpu_traffic_case.hpp"
#include "reference_cpu/object_layout/world.hpp"

namespace lockstep::object_layout::cpu {

namespace {

class ObjectsCase : public CpuTrafficCase {
public:
    explicit ObjectsCase(bench::Problem const& problem)
        : CpuTrafficCase(problem), streets_(make_streets(*traffic().network)) {}

    void reset() override {
        CpuTrafficCase::reset();
        agents_.clear();
        for (std::uint64_t i = 0; i < problem().units; ++i)
            agents_.push_back(make_agent(traffic(), streets_, problem().first_unit + i));
    }

    // Moves all agents tick by tick: the program that the paper expects programmers to write (Section 7.3).
    void run(simt::Stream) override {
        Surroundings const surroundings = surroundings_of(traffic());
        for (unsigned tick = 0; tick < traffic().ticks; ++tick) {
            for (std::uint64_t i = 0; i < agents_.size(); ++i)
                agents_[i]->move(surroundings, problem().first_unit + i, tick);
        }
        for (std::uint64_t i = 0; i < agents_.size(); ++i)
            store(i, agents_[i]->progress, agents_[i]->street->number);
    }

    // Metrics of the agents' behaviour, from a second run: changes of street and backward steps per agent and tick in
    // the last tenth of the ticks, and the number of streets with agents at the end.
    bench::Metrics metrics() const override {
        Activity of_class[2];
        for (std::uint64_t i = 0; i < problem().units; ++i)
            watch(problem().first_unit + i, of_class[traffic().type_of(problem().first_unit + i) % 2]);
        bench::Metrics metrics;
        for (unsigned parity = 0; parity < 2; ++parity) {
            Activity const& activity = of_class[parity];
            std::string const name = parity == 0 ? "car_" : "pedestrian_";
            if (activity.ticks == 0)
                continue;
            metrics[name + "streets"] = static_cast<double>(activity.streets.size());
            metrics[name + "hops_per_tick"] = activity.hops / activity.ticks;
            metrics[name + "back_per_tick"] = activity.back / activity.ticks;
            metrics[name + "still_walking"] = activity.movers / activity.agents;
            metrics[name + "speed_min"] = activity.least * 60;
            metrics[name + "speed_max"] = activity.most * 60;
        }
        return metrics;
    }

private:
    struct Activity {
        std::set<unsigned> streets;
        double agents = 0;
        double movers = 0;  // agents that changed their street in the last tenth of the ticks
        double ticks = 0;
        double hops = 0;
        double back = 0;
        double least = 0;  // change of progress in a tick
        double most = 0;
    };

    void watch(std::uint64_t number, Activity& activity) const {
        Surroundings const surroundings = surroundings_of(traffic());
        std::unique_ptr<Agent> const agent = make_agent(traffic(), streets_, number);
        bool moved = false;
        for (unsigned tick = 0; tick < traffic().ticks; ++tick) {
            Street const* const street = agent->street;
            float const progress = agent->progress;
            agent->move(surroundings, number, tick);
            if (agent->street != street || agent->progress == 0) {
                moved = moved || (agent->street != street && tick >= traffic().ticks / 10 * 9);
            } else {
                double const step = static_cast<double>(agent->progress) - static_cast<double>(progress);
                activity.least = std::min(activity.least, step);
                activity.most = std::max(activity.most, step);
            }
            if (tick < traffic().ticks / 10 * 9)
                continue;
            ++activity.ticks;
            activity.hops += agent->street != street ? 1 : 0;
            activity.back += agent->street == street && agent->progress < progress ? 1 : 0;
        }
        ++activity.agents;
        activity.movers += moved ? 1 : 0;
        activity.streets.insert(agent->street->number);
    }

    std::vector<std::unique_ptr<Street>> streets_;
    std::vector<std::unique_ptr<Agent>> agents_;
};

}  // namespace

void add_objects(bench::Experiment& experiment) {
    experiment.references.push_back({.name = "objects", .unit = reference_agent, .first_unit_prepares = true});
    experiment.variants.push_back(bench::cpu::make_variant(
        "objects", bench::Role::reference, "objects", "plain C++ objects, pointers and virtual calls, one thread",
        [](bench::Problem const& problem) { return std::make_unique<ObjectsCase>(problem); },
        [](bench::Axes const& axes) { return cpu_traffic_unsupported_reason(axes); }));
}

}  // namespace lockstep::object_layout::cpu
