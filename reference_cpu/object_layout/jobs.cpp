// Job reordering on one core: Algorithm 1 as printed, and by counting. A unit are 1024 elements of the base array; its
// result are their places in the job array. The class of an element is drawn uniformly, as in the authors' program.

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "common/object_layout/job_elements.hpp"
#include "common/object_layout/job_order.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::object_layout::cpu {

std::vector<unsigned> places_of_jobs(std::vector<unsigned> const& jobs, std::size_t elements);

namespace {

class JobsCase : public bench::Case {
public:
    JobsCase(bench::Problem const& problem, bool as_printed)
        : Case(problem),
          as_printed_(as_printed),
          types_(static_cast<unsigned>(problem.axes.integer("types"))),
          tags_(element_tags(problem)),
          starts_(types_ + 1) {}

    void reset() override {
        places_.clear();
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
        if (places_.empty())
            places_ = places_of_jobs(jobs_, tags_.size());
        std::vector<bench::UnitResult> found;
        for (std::uint64_t const unit : units)
            found.push_back(folded_places(places_, unit));
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
    std::vector<unsigned> places_;
    ScanCount scans_;
};

bench::Variant variant_of(std::string const& name, bench::Role role, std::string const& description, bool as_printed) {
    return bench::cpu::make_variant(
        name, role, "job_places", description,
        [as_printed](bench::Problem const& problem) {
            places_of_unit(problem, 0);
            return std::make_unique<JobsCase>(problem, as_printed);
        },
        refuses_jobs);
}

}  // namespace

// The place of each element. Throws where the array is no job array of these elements.
std::vector<unsigned> places_of_jobs(std::vector<unsigned> const& jobs, std::size_t elements) {
    std::vector<unsigned> places(elements, no_job);
    for (std::size_t place = 0; place < jobs.size(); ++place) {
        if (jobs[place] != no_job)
            places.at(jobs[place]) = static_cast<unsigned>(place);
    }
    return places;
}

void add_jobs(bench::Experiment& experiment) {
    experiment.references.push_back({"job_places", places_of_unit});
    experiment.variants.push_back(
        variant_of("jobs_as_printed", bench::Role::paper, "Algorithm 1: an array of indices a class, one core", true));
    experiment.variants.push_back(variant_of("jobs_counted", bench::Role::ours,
                                             "Algorithm 1 by counting: classes' places first, one core", false));
}

}  // namespace lockstep::object_layout::cpu

namespace lockstep::object_layout {

bench::UnitResult places_of_unit(bench::Problem const& problem, std::uint64_t unit) {
    static std::mutex mutex;
    static bench::Problem kept;
    static std::shared_ptr<std::vector<unsigned> const> places;
    std::lock_guard const lock(mutex);
    if (!places || !(kept.axes == problem.axes) || kept.seed != problem.seed || kept.units != problem.units) {
        std::vector<unsigned> const tags = element_tags(problem);
        unsigned const types = static_cast<unsigned>(problem.axes.integer("types"));
        places = std::make_shared<std::vector<unsigned> const>(
            cpu::places_of_jobs(cpu::job_array_as_printed(tags, types, 32), tags.size()));
        kept = problem;
    }
    return folded_places(*places, unit);
}

}  // namespace lockstep::object_layout
