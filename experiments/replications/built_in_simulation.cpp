// The models pi, mm1 and walk as simulations.

#include <utility>

#include "experiments/replications/simulation.hpp"

namespace lockstep::replications {

namespace {

class BuiltIn : public Simulation {
public:
    BuiltIn(Model model, Engine engine, std::vector<DesignPoint> points, Mapping const& mapping)
        : points_(std::move(points)), mapping_(mapping), job_{model, engine, mapping.seed, 0, 0, {}} {
        for (DesignPoint const& point : points_)
            job_.points.push_back(make_point(model, point.items, point.utilisation, point.chunks));
    }

    std::string name() const override { return std::string(to_string(job_.model)); }
    std::vector<std::string> measure_names() const override { return replications::measure_names(job_.model); }
    std::size_t points() const override { return points_.size(); }
    std::uint64_t items(std::size_t point) const override { return points_[point].items; }

    std::vector<bench::UnitResult> run(bench::Machine machine, std::uint64_t first, std::uint64_t count) override {
        job_.first_replication = first;
        job_.replications = count;
        if (job_.size() == 0)
            return {};
        std::unique_ptr<bench::Case> const made = make_case(mapping_.scheme, machine, job_, mapping_.block);
        made->reset();
        made->run({});
        std::vector<std::uint64_t> units;
        for (std::uint64_t i = 0; i < job_.size(); ++i)
            units.push_back(first + i);
        return made->results(units);
    }

    std::vector<double> measures(std::size_t point, bench::UnitResult const& result) const override {
        return measures_of(job_.model, points_[point], result);
    }
    std::string csv_header() const override { return replications::csv_header(job_.model); }
    std::string csv_line(std::size_t point, std::uint64_t replication, bench::UnitResult const& result) const override {
        return replications::csv_line(job_.model, points_[point], point, replication, result);
    }

private:
    std::vector<DesignPoint> points_;
    Mapping mapping_;
    Job job_;
};

}  // namespace

std::unique_ptr<Simulation> make_built_in(Model model, Engine engine, std::vector<DesignPoint> const& points,
                                          Mapping const& mapping) {
    return std::make_unique<BuiltIn>(model, engine, points, mapping);
}

}  // namespace lockstep::replications
