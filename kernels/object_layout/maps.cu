// A chain of maps over an array: lazy and fused into one kernel (Section 4.1), and unfused, a kernel and an array a
// map. And n bodies through the library: traced, in columns, two sections a tick.

#include <cmath>
#include <memory>

#include "common/object_layout/maps.hpp"
#include "kernels/object_layout/library/device_columns.hpp"

#include "harness/bench/stored_output.hpp"
#include "kernels/object_layout/library/device_objects.hpp"
#include "kernels/object_layout/library/sections.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// Map number `map` of the chain; each is a type of its own, as each block of a program is.
template <unsigned map>
struct ChainMap {
    __device__ float operator()(float x) const { return map_element(map, x); }
};

struct BodyColumns {
    DeviceColumn<float> x, y, z, velocity_x, velocity_y, velocity_z, mass;
    unsigned size;
};

struct PullBlock {
    BodyColumns bodies;

    __device__ void operator()(unsigned id, unsigned) const {
        float const x = bodies.x[id];
        float const y = bodies.y[id];
        float const z = bodies.z[id];
        float force_x = 0;
        float force_y = 0;
        float force_z = 0;
        for (unsigned other = 0; other < bodies.size; ++other) {
            float const to_x = bodies.x[other] - x;
            float const to_y = bodies.y[other] - y;
            float const to_z = bodies.z[other] - z;
            float const square = to_x * to_x + to_y * to_y + to_z * to_z + softening;
            float const pull = bodies.mass[other] / (square * sqrtf(square));
            force_x += to_x * pull;
            force_y += to_y * pull;
            force_z += to_z * pull;
        }
        bodies.velocity_x[id] = bodies.velocity_x[id] + force_x * tick_length;
        bodies.velocity_y[id] = bodies.velocity_y[id] + force_y * tick_length;
        bodies.velocity_z[id] = bodies.velocity_z[id] + force_z * tick_length;
    }
};

struct MoveBodyBlock {
    BodyColumns bodies;

    __device__ void operator()(unsigned id, unsigned) const {
        bodies.x[id] = bodies.x[id] + bodies.velocity_x[id] * tick_length;
        bodies.y[id] = bodies.y[id] + bodies.velocity_y[id] * tick_length;
        bodies.z[id] = bodies.z[id] + bodies.velocity_z[id] * tick_length;
    }
};

namespace {

using Floats = Buffer<float>;

class ChainCase : public bench::Case {
public:
    ChainCase(bench::Problem const& problem, bool fused)
        : Case(problem),
          fused_(fused),
          chain_(static_cast<unsigned>(problem.axes.integer("chain"))),
          in_(problem.units),
          out_(problem, 1) {
        std::vector<float> elements(problem.units);
        for (std::size_t i = 0; i < elements.size(); ++i)
            elements[i] = element_at(problem.first_unit + i);
        in_.upload(elements);
        if (!fused_) {
            between_[0] = Floats(chain_ > 1 ? problem.units : 0);
            between_[1] = Floats(chain_ > 2 ? problem.units : 0);
        }
    }

    void reset() override { out_.poison(); }
    void run(simt::Stream stream) override {
        float* const out = reinterpret_cast<float*>(out_.data());
        if (fused_) {
            fused(over(in_, stream), std::integral_constant<unsigned, 0>(), out);
        } else {
            unfused(std::make_integer_sequence<unsigned, max_maps>(), out, stream);
        }
    }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return out_.results(units);
    }
    std::uint64_t digest() override { return out_.digest(); }
    bench::Work work() const override {
        double const elements = static_cast<double>(problem().units);
        return {elements, 8 * elements * (fused_ ? 1 : chain_), 2 * elements * chain_};
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        if (problem().units == 0 || !fused_)
            return {};
        return {attributes_of(over(in_), std::integral_constant<unsigned, 0>())};
    }

private:
    // One expression of all maps, then one kernel.
    template <class Section, unsigned map>
    void fused(Section const& section, std::integral_constant<unsigned, map>, float* out) {
        if (map == chain_) {
            section.into(out);
        } else if constexpr (map < max_maps) {
            fused(section.map(ChainMap<map>()), std::integral_constant<unsigned, map + 1>(), out);
        }
    }
    template <class Section, unsigned map>
    simt::KernelAttributes attributes_of(Section const& section, std::integral_constant<unsigned, map>) const {
        if constexpr (map < max_maps) {
            if (map != chain_)
                return attributes_of(section.map(ChainMap<map>()), std::integral_constant<unsigned, map + 1>());
        }
        using Expression = std::remove_cvref_t<decltype(section.expression())>;
        return attributes("evaluate", evaluate_kernel<Expression>, section_shape(problem().units));
    }
    // A kernel a map; each reads what the one before has written.
    template <unsigned... maps>
    void unfused(std::integer_sequence<unsigned, maps...>, float* out, simt::Stream stream) {
        float const* from = in_.data();
        auto const one = [&](unsigned map, auto function) {
            if (map >= chain_)
                return;
            float* const into = map + 1 == chain_ ? out : between_[map % 2].data();
            Lazy<Source<float>>({from}, problem().units, stream).map(function).into(into);
            from = into;
        };
        (one(maps, ChainMap<maps>()), ...);
    }

    bool fused_;
    unsigned chain_;
    Floats in_;
    Floats between_[2];
    bench::LOCKSTEP_MACHINE::StoredOutput out_;
};

ClassModel const& body_model() {
    static ClassModel const model = [] {
        ClassModel made;
        made.add<Body>("Body")
            .number("x", &Body::x)
            .number("y", &Body::y)
            .number("z", &Body::z)
            .number("velocity_x", &Body::velocity_x)
            .number("velocity_y", &Body::velocity_y)
            .number("velocity_z", &Body::velocity_z)
            .number("mass", &Body::mass);
        std::set<std::string> const moving = {"Body.x",          "Body.y",          "Body.z",
                                              "Body.velocity_x", "Body.velocity_y", "Body.velocity_z"};
        std::set<std::string> all = moving;
        all.insert("Body.mass");
        made.method("simulate", "Body", all, moving);
        return made;
    }();
    return model;
}

class BodiesCase : public bench::Case {
public:
    explicit BodiesCase(bench::Problem const& problem)
        : Case(problem), ticks_(static_cast<unsigned>(problem.axes.integer("ticks"))), problem_(problem) {}

    void reset() override {
        objects_.reset();
        bodies_ = make_bodies(problem_);
        std::vector<Body*> base;
        for (Body& body : bodies_)
            base.push_back(&body);
        Roots const roots = roots_of(std::span<Body* const>(base));
        image_ = trace(body_model(), roots, access_of(body_model(), roots, "simulate"));
        objects_ = std::make_unique<DeviceObjects>(image_);
        objects_->begin_section();
    }
    void run(simt::Stream stream) override {
        if (bodies_.empty())
            return;
        auto const column = [&](char const* field) { return objects_->column<float>(std::string("Body.") + field); };
        unsigned const size = static_cast<unsigned>(bodies_.size());
        BodyColumns const columns = {column("x"),          column("y"),          column("z"),    column("velocity_x"),
                                     column("velocity_y"), column("velocity_z"), column("mass"), size};
        for (unsigned tick = 0; tick < ticks_; ++tick) {
            each(size, 0, 1, PullBlock{columns}, stream);
            each(size, 0, 1, MoveBodyBlock{columns}, stream);
        }
        objects_->end_section();
    }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        if (!bodies_.empty())
            objects_->fetch();
        std::vector<bench::UnitResult> found;
        for (std::uint64_t const unit : units) {
            Body const& body = bodies_[unit];
            bench::UnitResult result;
            for (float const value : {body.x, body.y, body.z, body.velocity_x, body.velocity_y, body.velocity_z})
                result.push_back(bits_of(value));
            found.push_back(std::move(result));
        }
        return found;
    }
    bench::Work work() const override {
        double const pairs = static_cast<double>(bodies_.size()) * static_cast<double>(bodies_.size()) * ticks_;
        return {pairs, 28.0 * static_cast<double>(bodies_.size()), 20 * pairs};
    }
    bool repeatable() const override { return false; }

private:
    static std::uint32_t bits_of(float value) {
        std::uint32_t bits = 0;
        __builtin_memcpy(&bits, &value, sizeof bits);
        return bits;
    }

    unsigned ticks_;
    bench::Problem problem_;
    std::vector<Body> bodies_;
    ObjectImage image_;
    std::unique_ptr<DeviceObjects> objects_;
};

bench::Variant variant_of(std::string const& name, bench::Role role, std::string const& reference,
                          std::string const& description, std::string (*unsupported_reason)(bench::Axes const&)) {
    bench::Variant variant;
    variant.name = name;
    variant.role = role;
    variant.machine = machine;
    variant.reference = reference;
    variant.description = description;
    variant.unsupported_reason = unsupported_reason;
    return variant;
}

}  // namespace

void add_maps(bench::Experiment& experiment);

void add_maps(bench::Experiment& experiment) {
    for (bool const fused : {true, false}) {
        bench::Variant variant = variant_of(fused ? "maps_fused" : "maps_unfused",
                                            fused ? bench::Role::paper : bench::Role::baseline, "mapped_elements",
                                            fused ? "cascaded maps as one kernel, by expression templates (Section 4.1)"
                                                  : "a kernel and an array in memory for each map",
                                            maps_unsupported_reason);
        variant.make = [fused](bench::Problem const& problem) { return std::make_unique<ChainCase>(problem, fused); };
        experiment.variants.push_back(std::move(variant));
    }
    bench::Variant variant =
        variant_of("bodies_columns", bench::Role::paper, "bodies",
                   "n bodies through the library: columns, two sections a tick", bodies_unsupported_reason);
    variant.make = [](bench::Problem const& problem) {
        body_after(problem, 0);
        return std::make_unique<BodiesCase>(problem);
    };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
