// The reference as a variant: plain C++ objects and virtual calls, one thread.

#include "kernels/object_layout/traffic_figures.hpp"
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

    // Tick by tick over all agents: the program that the paper's programmers would write (Section 7.3).
    void run(simt::Stream) override {
        Surroundings const surroundings = surroundings_of(traffic());
        for (unsigned tick = 0; tick < traffic().ticks; ++tick) {
            for (std::uint64_t i = 0; i < agents_.size(); ++i)
                agents_[i]->move(surroundings, problem().first_unit + i, tick);
        }
        for (std::uint64_t i = 0; i < agents_.size(); ++i)
            store(i, agents_[i]->progress, agents_[i]->street->number);
    }

private:
    std::vector<std::unique_ptr<Street>> streets_;
    std::vector<std::unique_ptr<Agent>> agents_;
};

}  // namespace

void add_objects(bench::Experiment& experiment);

void add_objects(bench::Experiment& experiment) {
    experiment.references.push_back({"objects", reference_agent});
    bench::Variant variant;
    variant.name = "objects";
    variant.role = bench::Role::reference;
    variant.reference = "objects";
    variant.description = "plain C++ objects, pointers and virtual calls, one thread";
    variant.make = [](bench::Problem const& problem) { return std::make_unique<ObjectsCase>(problem); };
    variant.refuses = [](bench::Axes const& axes) { return refuses_cpu_traffic(axes); };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::object_layout::cpu
