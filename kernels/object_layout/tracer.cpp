// The library's tracer on the simulation's objects, on one core. It uses class descriptions instead of code per class.

#include <memory>

#include "harness/bench/make_variant.hpp"
#include "kernels/object_layout/library/object_image.hpp"
#include "kernels/object_layout/library/traffic_model.hpp"
#include "reference_cpu/object_layout/tracing_case.hpp"

namespace lockstep::object_layout::cpu {

namespace {

class LibraryTracing : public TracingCase {
public:
    explicit LibraryTracing(bench::Problem const& problem) : TracingCase(problem) {}

    void reset() override {
        image_ = {};
        street_ids_.clear();
        agent_ids_.clear();
    }
    void run(simt::Stream) override {
        Roots const roots = roots_of(std::span<Agent* const>(world().base));
        image_ = trace(traffic_model(), roots, access_of(traffic_model(), roots, "move"));
    }
    bench::Metrics metrics() const override {
        return {{"column_bytes", static_cast<double>(image_.bytes())},
                {"null_bytes", static_cast<double>(image_.null_bytes())},
                {"bytes_with_one_numbering", static_cast<double>(image_.bytes_with_one_numbering())}};
    }

protected:
    bench::UnitResult street(Street const& street) override {
        find_ids();
        auto const found = street_ids_.find(&street);
        if (found == street_ids_.end())
            return not_traced();
        std::uint32_t const id = found->second;
        std::uint32_t const array = image_.column("Street.neighbors").words[id];
        std::span<std::uint32_t const> const all(image_.arrays.contents);
        return {id, image_.column("Street.length").words[id], word("Street.max_velocity", id, street.max_velocity),
                folded_neighbors(all.subspan(image_.arrays.offset[array], image_.arrays.size[array]))};
    }
    bench::UnitResult agent(Agent const& agent) override {
        find_ids();
        std::uint32_t const id = agent_ids_.at(&agent);
        bool const car = image_.hierarchy_of("Agent").tags[id] == traffic_model().class_named("Car");
        return {id, image_.column("Agent.progress").words[id], car ? image_.column("Car.max_velocity").words[id] : 0,
                2 * image_.column("Agent.street").words[id] + (car ? 0 : 1)};
    }

private:
    // Returns a word of a column. Without cars, no method reads the velocity, so it has no column, and `otherwise`
    // holds the value from the object.
    std::uint32_t word(std::string const& field, std::uint32_t id, float otherwise) const {
        if (image_.access.declared(field))
            return image_.column(field).words[id];
        std::uint32_t bits = 0;
        __builtin_memcpy(&bits, &otherwise, sizeof bits);
        return bits;
    }
    void find_ids() {
        if (!agent_ids_.empty() || image_.base_ids.empty())
            return;
        auto const& agents = image_.hierarchy_of("Agent").objects;
        auto const& streets = image_.hierarchy_of("Street").objects;
        for (std::uint32_t id = 0; id < agents.size(); ++id)
            agent_ids_[agents[id]] = id;
        for (std::uint32_t id = 0; id < streets.size(); ++id)
            street_ids_[streets[id]] = id;
    }

    ObjectImage image_;
    std::unordered_map<void const*, std::uint32_t> street_ids_, agent_ids_;
};

}  // namespace

void add_tracer(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cpu::make_variant(
        "tracer", bench::Role::ours, "traced_objects",
        "the library's tracer: class descriptions and a hash table of addresses, one core",
        [](bench::Problem const& problem) {
            traced_object(problem, 0);
            return std::make_unique<LibraryTracing>(problem);
        },
        tracing_unsupported_reason));
}

}  // namespace lockstep::object_layout::cpu
