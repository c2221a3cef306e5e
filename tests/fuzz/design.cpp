// Designs of experiments (`replicate --design`), for each model.

#include "experiments/replications/design.hpp"

#include <cstdio>

#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

namespace {

using replications::DesignPoint;
using replications::Model;

std::string design_text(Model const model, std::vector<DesignPoint> const& points) {
    std::string text = model == Model::pi    ? "draws\n"
                       : model == Model::mm1 ? "clients,utilisation\n"
                                             : "steps,chunks\n";
    for (DesignPoint const& point : points) {
        text += std::to_string(point.items);
        char utilisation[40];
        std::snprintf(utilisation, sizeof utilisation, ",%.17g", point.utilisation);
        if (model != Model::pi)
            text += model == Model::mm1 ? utilisation : "," + std::to_string(point.chunks);
        text += "\n";
    }
    return text;
}

bool same(DesignPoint const& left, DesignPoint const& right) {
    return left.items == right.items && left.utilisation == right.utilisation && left.chunks == right.chunks;
}

}  // namespace

void design(std::string const& input) {
    DesignPoint const defaults = {100, 0.75, 30};
    for (Model const model : {Model::pi, Model::mm1, Model::walk}) {
        std::vector<DesignPoint> points;
        if (!accepts([&] { points = replications::parse_design(input, "design.csv", model, defaults); }))
            continue;
        std::vector<DesignPoint> const printed =
            replications::parse_design(design_text(model, points), "printed.csv", model, defaults);
        require(std::equal(points.begin(), points.end(), printed.begin(), printed.end(), same),
                "a printed design is the design");
    }
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(design)
