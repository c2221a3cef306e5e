// A model file as a simulation: compiles it, and reads its outcomes.

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>

#include "common/replications/model_file/arguments.hpp"
#include "experiments/replications/model_run.hpp"
#include "experiments/replications/simulation.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::replications {

namespace {

using namespace model_file;

std::string text_of(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

std::string text_of(Type type, std::uint64_t bits) {
    switch (type) {
        case Type::u32:
        case Type::u64:
            return std::to_string(bits);
        case Type::i32:
            return std::to_string(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
        case Type::i64:
            return std::to_string(static_cast<std::int64_t>(bits));
        case Type::f32:
            return text_of(double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))});
        default:
            return text_of(std::bit_cast<double>(bits));
    }
}

char const* reason_of(MisusedDraw draw) {
    switch (draw) {
        case misused_below:
            return "below(n) draws with an n that is not 1 to 2^32 - 1";
        case misused_chance:
            return "chance(p) draws with a p that is not between 0 and 1";
        case misused_mean:
            return "a draw has a mean that is negative or not finite";
        case misused_phases:
            return "erlang(phases, mean) draws with phases that are not 1 to 2^32 - 1";
        default:
            return "normal(mean, deviation) draws with a deviation that is negative or not finite";
    }
}

class OwnModel : public ModelSimulation {
public:
    OwnModel(ModelFile const& file, ModelOptions const& options, Mapping const& mapping)
        : file_(file), mapping_(mapping) {
        job_.seed = mapping.seed;
        job_.parameters = options.parameters;
        job_.common_random_numbers = options.common_random_numbers;
        job_.antithetic = options.antithetic;
        for (std::size_t point = 0; point < points(); ++point) {
            if (items(point) > max_items)
                throw bench::Error("a replication of " + std::to_string(items(point)) + " steps is too long",
                                   "the limit is 2^30", "Use more replications instead.");
            job_.steps = std::max(job_.steps, items(point));
        }
    }

    std::string name() const override { return file_.path; }
    std::vector<std::string> measure_names() const override { return file_.measure_names(); }
    std::size_t points() const override { return job_.parameters.size(); }
    std::uint64_t items(std::size_t point) const override { return job_.parameters[point][file_.steps_parameter()]; }
    std::size_t mean_count() const override { return file_.means.size(); }
    void set_warm_up(std::uint64_t steps) override { job_.warm_up = steps; }

    std::vector<bench::UnitResult> run(bench::Machine machine, std::uint64_t first, std::uint64_t count) override {
        if (count == 0)
            return {};
        job_.first = first;
        job_.count = count;
        ModelOutcomes const outcomes = runner(machine).run(job_, false);
        std::vector<bench::UnitResult> results(job_.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            check(outcomes, i);
            // The status, which says what the values of the means were, comes last.
            for (std::size_t word = 1; word <= stride(); ++word) {
                std::uint64_t const bits = outcomes.words[i * stride() + word % stride()];
                results[i].push_back(static_cast<std::uint32_t>(bits));
                results[i].push_back(static_cast<std::uint32_t>(bits >> 32));
            }
        }
        return results;
    }

    std::vector<double> measures(std::size_t, bench::UnitResult const& result) const override {
        std::vector<double> values;
        for (std::size_t word = 1; word + 1 < stride(); ++word)
            values.push_back(std::bit_cast<double>(word_of(result, word)));
        return values;
    }

    void check_means(std::size_t point, std::vector<bench::UnitResult> const& results) const override {
        std::uint64_t seen = 0;
        for (bench::UnitResult const& result : results)
            seen |= word_of(result, stride() - 1);
        for (std::size_t mean = 0; mean < mean_count(); ++mean) {
            bool const small = (seen >> (first_small_mean + mean) & 1) != 0;
            bool const large = (seen >> (first_large_mean + mean) & 1) != 0;
            if (small && !large)
                throw bench::Error("the mean " + file_.means[mean].name + " of point " + std::to_string(point) +
                                       " of " + file_.path + " is not accurate",
                                   "its values are below 2^-22, and are rounded to multiples of 2^-32",
                                   "Use another unit, or a result.");
        }
    }

    std::vector<Series> record(bench::Machine machine, std::size_t point, std::uint64_t first,
                               std::uint64_t count) override {
        ModelJob job = job_;
        job.first = first;
        job.count = count;
        // The streams of a point have its number, so the others run, too.
        ModelOutcomes const outcomes = runner(machine).run(job, true);
        std::vector<Series> all;
        for (std::uint64_t i = point * count; i < (point + 1) * count; ++i) {
            Series series;
            double const* const values = outcomes.series.data() + i * job.steps * mean_count();
            for (std::uint64_t step = 0; step < outcomes.words[i * stride() + 1]; ++step)
                series.emplace_back(values + step * mean_count(), values + (step + 1) * mean_count());
            all.push_back(std::move(series));
        }
        return all;
    }

    std::string csv_header() const override {
        std::string header = "point,replication";
        for (ParameterLine const& parameter : file_.parameters)
            header += "," + parameter.name;
        header += ",steps_taken";
        for (std::string const& name : measure_names())
            header += "," + name;
        return header + "\n";
    }
    std::string csv_line(std::size_t point, std::uint64_t replication, bench::UnitResult const& result) const override {
        std::string line = std::to_string(point) + "," + std::to_string(replication);
        for (std::size_t i = 0; i < file_.parameters.size(); ++i)
            line += "," + text_of(file_.parameters[i].type, job_.parameters[point][i]);
        line += "," + std::to_string(word_of(result, 0));
        for (double const value : measures(point, result))
            line += "," + text_of(value);
        return line + "\n";
    }

private:
    std::size_t stride() const { return 2 + file_.means.size() + file_.results.size(); }
    static std::uint64_t word_of(bench::UnitResult const& result, std::size_t word) {
        return std::uint64_t{result[2 * word + 1]} << 32 | result[2 * word];
    }

    ModelRunner& runner(bench::Machine machine) {
        std::unique_ptr<ModelRunner>& found = runners_[machine];
        if (!found)
            found = make_model_runner(file_, machine, mapping_.scheme, mapping_.block);
        return *found;
    }

    void check(ModelOutcomes const& outcomes, std::size_t i) const {
        std::uint64_t const status = outcomes.words[i * stride()] & error_bits;
        if (status == 0)
            return;
        std::string const which = "replication " + std::to_string(job_.first + i % job_.count) + " of point " +
                                  std::to_string(i / job_.count) + " of " + file_.path;
        for (unsigned draw = 0; draw < misused_draws; ++draw) {
            if ((status >> first_misused_draw & 1u << draw) != 0)
                throw bench::Error(which + " has no result", reason_of(static_cast<MisusedDraw>(draw)),
                                   "Correct the model file, or its parameters.");
        }
        if ((status & mean_out_of_range) != 0)
            throw bench::Error(which + " has no mean", "a value is not a number, or is not below 2^30 in magnitude",
                               "Use another unit, or a result.");
        if ((status & not_finished) != 0)
            throw bench::Error(which + " did not finish",
                               "finished() is false after " + std::to_string(items(i / job_.count)) + " steps",
                               "Raise the parameter steps.");
        if ((status & no_steps) != 0) {
            std::uint64_t const taken = outcomes.words[i * stride() + 1];
            throw bench::Error(
                which + " has no mean",
                "it ended after " + std::to_string(taken) + " steps" + (job_.warm_up > 0 ? ", within the warm-up" : ""),
                job_.warm_up > 0 ? "Shorten --warm-up, or use a result." : "Use a result.");
        }
        throw bench::Error(which + " cannot be shared by lanes", "its steps draw different numbers of words",
                           "Use --scheme threads, or draw equally often in every piece().");
    }

    ModelFile const file_;
    Mapping const mapping_;
    ModelJob job_;
    std::map<bench::Machine, std::unique_ptr<ModelRunner>> runners_;
};

}  // namespace

std::unique_ptr<ModelSimulation> make_model_simulation(ModelFile const& file, ModelOptions const& options,
                                                       Mapping const& mapping) {
    return std::make_unique<OwnModel>(file, options, mapping);
}

}  // namespace lockstep::replications
