// A chain of maps over an array: lazy and fused into one kernel (Section 4.1), or unfused, with a kernel and an array
// per map.

#include <memory>

#include "common/object_layout/maps.hpp"

#include "harness/bench/make_variant.hpp"
#include "harness/bench/stored_case.hpp"
#include "kernels/object_layout/library/sections.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// Map number `map` of the chain. Each map has its own type, as each block of a program has.
template <unsigned map>
struct ChainMap {
    __device__ float operator()(float x) const { return map_element(map, x); }
};

namespace {

using Floats = Buffer<float>;

class ChainCase : public bench::LOCKSTEP_MACHINE::StoredCase {
public:
    ChainCase(bench::Problem const& problem, bool fused)
        : StoredCase(problem, 1),
          fused_(fused),
          chain_(static_cast<unsigned>(problem.axes.integer("chain"))),
          in_(problem.units) {
        std::vector<float> elements(problem.units);
        for (std::size_t i = 0; i < elements.size(); ++i)
            elements[i] = element_at(problem.first_unit + i);
        in_.upload(elements);
        if (!fused_) {
            between_[0] = Floats(chain_ > 1 ? problem.units : 0);
            between_[1] = Floats(chain_ > 2 ? problem.units : 0);
        }
    }

    void run(simt::Stream stream) override {
        float* const out = reinterpret_cast<float*>(output().data());
        if (fused_) {
            fused(over(in_, stream), std::integral_constant<unsigned, 0>(), out);
        } else {
            unfused(std::make_integer_sequence<unsigned, max_maps>(), out, stream);
        }
    }
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
    // Builds one expression of all maps and runs it as one kernel.
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
        return attributes("evaluate", evaluate_kernel<Expression>, evaluation_shape(problem().units));
    }
    // Runs one kernel per map. Each reads the array that its predecessor writes.
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
};

}  // namespace

void add_maps(bench::Experiment& experiment) {
    for (bool const fused : {true, false}) {
        experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
            fused ? "maps_fused" : "maps_unfused", fused ? bench::Role::paper : bench::Role::baseline,
            "mapped_elements",
            fused ? "cascaded maps fused into one kernel by expression templates (Section 4.1)"
                  : "a kernel and an array in memory per map",
            [fused](bench::Problem const& problem) { return std::make_unique<ChainCase>(problem, fused); },
            maps_unsupported_reason));
    }
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
