// Job reordering on one core: Algorithm 1 as printed, and by counting. A unit is 1024 elements of the base array; its
// result is their positions in the job array. The class of an element is drawn uniformly, as in the authors' program.

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "common/object_layout/job_elements.hpp"
#include "common/object_layout/job_order.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::object_layout::cpu {

std::vector<unsigned> positions_of_jobs(std::vector<unsigned> const& jobs, std::size_t elements);

namespace {

class JobsCase : public bench::Case {
public:
    JobsCase(bench::Problem const& problem, bool as_printed)
        : Case(problem),
          as_printed_(as_printed),
          types_(static_cast<unsigned>(problem.axes.integer("types"))),
          tags_(element_tags(problem)),
          starts_(job_counters(types_)) {}

    void reset() override {
        positions_.clear();
        jobs_.assign(as_printed_ ? 0 : padded_jobs(tags_, types_, 32), no_job - 1);
    }
    void run(simt::Stream) override {
        if (as_printed_) {
            jobs_ = job_array_as_printed(tags_, types_, 32, &scans_);
        } else {
            job_array_into(tags_, types_, 32, starts_, jobs_);
        }
    }
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        if (positions_.empty())
            positions_ = positions_of_jobs(jobs_, tags_.size());
        std::vector<bench::UnitResult> found;
        for (std::uint64_t const unit : units)
            found.push_back(folded_positions(positions_, unit));
        return found;
    }
    bench::Work work() const override {
        double const elements = static_cast<double>(tags_.size());
        return {elements, 8 * elements, elements};
    }
    bench::Metrics metrics() const override {
        bench::Metrics metrics = {{"no_job_lanes", static_cast<double>(padded_jobs(tags_, types_, 32) - tags_.size())}};
        if (as_printed_)
            metrics["visits"] = static_cast<double>(scans_.visits);
        return metrics;
    }

private:
    bool as_printed_;
    unsigned types_;
    std::vector<unsigned> tags_;
    std::vector<unsigned> starts_;
    std::vector<unsigned> jobs_;
    std::vector<unsigned> positions_;
    ScanCount scans_;
};

bench::Variant variant_of(std::string const& name, bench::Role role, std::string const& description, bool as_printed) {
    return bench::cpu::make_variant(
        name, role, "job_places", description,
        [as_printed](bench::Problem const& problem) {
            positions_of_unit(problem, 0);
            return std::make_unique<JobsCase>(problem, as_printed);
        },
        jobs_unsupported_reason);
}

}  // namespace

// Returns the position of each element. Throws if a job is not the index of an element.
std::vector<unsigned> positions_of_jobs(std::vector<unsigned> const& jobs, std::size_t elements) {
    std::vector<unsigned> positions(elements, no_job);
    for (std::size_t position = 0; position < jobs.size(); ++position) {
        if (jobs[position] != no_job)
            positions.at(jobs[position]) = static_cast<unsigned>(position);
    }
    return positions;
}

void add_jobs(bench::Experiment& experiment) {
    experiment.references.push_back({.name = "job_places", .unit = positions_of_unit, .first_unit_prepares = true});
    experiment.variants.push_back(variant_of("jobs_as_printed", bench::Role::paper,
                                             "Algorithm 1: an array of indices per class, one core", true));
    experiment.variants.push_back(variant_of("jobs_counted", bench::Role::ours,
                                             "Algorithm 1 by counting: the classes' positions first, one core", false));
}

}  // namespace lockstep::object_layout::cpu

namespace lockstep::object_layout {

bench::UnitResult positions_of_unit(bench::Problem const& problem, std::uint64_t unit) {
    static std::mutex mutex;
    static bench::Problem kept;
    static std::shared_ptr<std::vector<unsigned> const> positions;
    std::lock_guard const lock(mutex);
    if (!positions || !(kept.axes == problem.axes) || kept.seed != problem.seed || kept.units != problem.units) {
        std::vector<unsigned> const tags = element_tags(problem);
        unsigned const types = static_cast<unsigned>(problem.axes.integer("types"));
        positions = std::make_shared<std::vector<unsigned> const>(
            cpu::positions_of_jobs(cpu::job_array_as_printed(tags, types, 32), tags.size()));
        kept = problem;
    }
    return folded_positions(*positions, unit);
}

}  // namespace lockstep::object_layout
