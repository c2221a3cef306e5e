#pragma once
// Check for variants that support one colour only.

#include <string>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

inline std::string one_colour(bench::Axes const& axes) {
    return read_workload(axes).planes() > 1 ? "it draws one colour only" : "";
}

}  // namespace lockstep::random_grids
