// The reference of program maps: applies all maps to one element.

#include "common/object_layout/maps.hpp"

#include <bit>

namespace lockstep::object_layout {

namespace {

bench::UnitResult reference_element(bench::Problem const& problem, std::uint64_t unit) {
    float x = cpu::element_at(unit);
    for (unsigned map = 0; map < static_cast<unsigned>(problem.axes.integer("chain")); ++map)
        x = cpu::map_element(map, x);
    return {std::bit_cast<std::uint32_t>(x)};
}

}  // namespace

std::string maps_unsupported_reason(bench::Axes const& axes) {
    return axes.text("program") == "maps" ? "" : "it supports only program maps";
}

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::cpu {

void add_maps(bench::Experiment& experiment) {
    experiment.references.push_back({"mapped_elements", reference_element});
}

}  // namespace lockstep::object_layout::cpu
