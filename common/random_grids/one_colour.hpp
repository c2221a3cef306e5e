#pragma once
// Why a variant that draws among all sites alone does not take several colours.

#include <string>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

inline std::string one_colour(bench::Axes const& axes) {
    return read_workload(axes).planes() > 1 ? "it draws one colour" : "";
}

}  // namespace lockstep::random_grids
