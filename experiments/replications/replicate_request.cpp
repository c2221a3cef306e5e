#include "experiments/replications/replicate_request.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "common/replications/measures.hpp"
#include "experiments/replications/parquet.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/whole_number.hpp"
#include "harness/cli/distinct_files.hpp"
#include "harness/jit/parameters.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::replications {

namespace {

constexpr char const* page = "examples/replications/models/README.md describes model files.";

void define_options(cli::CommandLine& app, bench::Experiment const& experiment, Request& request) {
    app.add_optional_argument("MODEL", request.model, "pi, mm1 or walk");
    app.add_option(
        "--model", request.model_file,
        "A file with a model of your own (examples/replications/models/README.md). It is compiled and run as "
        "code: use only files that you trust");
    app.add_option("--set", request.settings, "model file: NAME=VALUE sets a parameter; may be repeated");
    app.add_option("--replications", request.replications, "Independent runs of each point");
    std::vector<std::string> const names = {"draws", "clients", "steps", "utilisation", "chunks", "engine", "block"};
    cli::add_axes(app, cli::axes_named(experiment, names), request.axes);
    app.add_option("--scheme", request.scheme, "sequential, threads, warps, lanes:K, cooperative[:K] or auto");
    app.add_option("--machine", request.machine, "auto, cpu, emulator or cuda");
    app.add_option("--devices", request.devices, "machine cuda: GPUs of this host that share the replications");
    app.add_option("--seed", request.seed, "The same seed gives the same numbers");
    app.add_option("--confidence", request.analysis.confidence, "Level of every interval");
    app.add_option("--interval", request.interval,
                   "Interval for means: student (Student's t), or skewed (corrected for skewness)");
    app.add_option("--quantiles", request.quantiles, "Also estimate these quantiles of each measure, such as 0.5,0.9");
    app.add_option("--precision", request.analysis.relative_precision,
                   "Continue until half the width of the interval of every mean is at most this share of the mean");
    app.add_option("--absolute-precision", request.analysis.absolute_precision,
                   "Continue until half the width of the interval of every mean is at most this");
    app.add_option("--max-replications", request.max_replications,
                   "Limit for a precision, per point; if the precision is not reached, the exit code is 3");
    app.add_option("--design", request.design,
                   "A CSV file: a header of parameters, then one line per point; - is standard input");
    app.add_option("--warm-up", request.warm_up,
                   "model file: means leave out the first N steps of each replication, or as many as MSER-5 finds in "
                   "the first replications (mser-5)");
    app.add_flag("--common-random-numbers", request.common_random_numbers,
                 "model file: all points of a design draw the same numbers; also estimates differences from point 0");
    app.add_flag("--antithetic", request.analysis.antithetic,
                 "model file: every second replication draws 1 - u where the one before it draws u");
    app.add_option("--series", request.series,
                   "model file: write the means' values after each step of each replication to this file, as CSV, or "
                   "Parquet if its name ends in .parquet");
    app.add_option("--coverage", request.coverage,
                   "Divide the replications into samples of N and print the share of sample intervals that contain the "
                   "estimate from all replications; it should be close to --confidence");
    app.add_option("--csv", request.csv, "Write every replication to this file");
    app.add_timeout(request.timeout);
    app.add_json(request.json, "Print the estimates as JSON");
    app.add_max_input();
}

// Throws bench::Error for options of other models, which would have no effect.
void check_parameters(cli::CommandLine const& app, Request const& request) {
    struct Parameter {
        char const* option;
        Model model;
    };
    bool const own = !request.model_file.empty();
    for (Parameter const& parameter :
         {Parameter{"--draws", Model::pi}, Parameter{"--clients", Model::mm1}, Parameter{"--utilisation", Model::mm1},
          Parameter{"--steps", Model::walk}, Parameter{"--chunks", Model::walk}}) {
        if (!app.given(parameter.option) || (!own && model_from_string(request.model) == parameter.model))
            continue;
        throw bench::Error(
            std::string(parameter.option) + " has no effect for " + (own ? "a model file" : request.model),
            "it is a parameter of " + std::string(to_string(parameter.model)),
            own ? "Use --set NAME=VALUE." : "Leave it out.");
    }
    if (app.given("--max-replications") && !app.given("--precision") && !app.given("--absolute-precision"))
        throw bench::Error("--max-replications has no effect", "no precision is asked for",
                           "Add --precision or use --replications.");
    if (own && app.given("--engine"))
        throw bench::Error("--engine has no effect for a model file", "its streams are Philox's", "Leave it out.");
    for (char const* const option : {"--set", "--warm-up", "--common-random-numbers", "--antithetic", "--series"}) {
        if (!own && app.given(option))
            throw bench::Error(std::string(option) + " needs --model", "it is for models of your own", page);
    }
    if (request.common_random_numbers && request.design.empty())
        throw bench::Error("--common-random-numbers has no effect", "there is one point", "Add --design FILE.");
}

// Throws bench::Error for a number 0 that asks for nothing. Some options have it where they are not given.
void check_zeros(cli::CommandLine const& app, Request const& request) {
    for (char const* const size : {"draws", "clients", "steps"}) {
        std::string const text = bench::whole_number(request.axes.at(size));
        if (!text.empty() && text.find_first_not_of('0') == std::string::npos)
            throw bench::Error(std::string("no ") + size + " in a replication", std::string("--") + size + " is 0",
                               "Give at least 1.");
    }
    struct Zero {
        char const* option;
        bool is_zero;
    };
    for (Zero const& zero : {Zero{"--precision", request.analysis.relative_precision == 0},
                             Zero{"--absolute-precision", request.analysis.absolute_precision == 0},
                             Zero{"--coverage", request.coverage == 0}}) {
        if (zero.is_zero && app.given(zero.option))
            throw bench::Error(std::string("invalid ") + zero.option + " 0", "it must be above 0", "Leave it out.");
    }
}

// Throws bench::Error for options that the machine would ignore, and for more GPUs than there are.
void check_machine(cli::CommandLine const& app, Request const& request) {
    bool const sequential = request.scheme == "sequential";
    std::string const where = sequential ? "scheme sequential" : "machine " + request.machine;
    if (app.given("--block") && (sequential || request.machine == "cpu"))
        throw bench::Error("--block has no effect with " + where, "its replications are in no blocks", "Leave it out.");
    if (request.devices == 1)
        return;
    if (sequential || request.machine == "cpu" || request.machine == "emulator")
        throw bench::Error("--devices has no effect with " + where, "it counts the GPUs that share the replications",
                           "Leave it out.");
    std::size_t const gpus = simt::cuda_device_count();
    if (request.devices > gpus)
        throw bench::Error("cannot use " + std::to_string(request.devices) + " devices",
                           "this host has " + std::to_string(gpus) + " GPUs",
                           gpus == 0 ? "Leave --devices out." : "Lower --devices.");
}

std::vector<double> probabilities_of(std::string const& text) {
    std::vector<double> all;
    for (char const *at = text.data(), *const end = at + text.size(); at < end;) {
        double value = 0;
        auto const [stop, error] = std::from_chars(at, end, value);
        if (error != std::errc() || (stop != end && *stop != ',') || stop + 1 == end || !(value > 0 && value < 1))
            throw bench::Error("quantiles " + text + " do not parse", "they are numbers above 0 and below 1",
                               "Try 0.5,0.9.");
        all.push_back(value);
        at = stop == end ? end : stop + 1;
    }
    return all;
}

MeanInterval mean_interval_of(std::string const& text) {
    if (text == "skewed")
        return MeanInterval::skewed;
    if (text == "student")
        return MeanInterval::student;
    throw bench::Error("interval " + text + " is unknown", "skewed or student is expected", "Leave it out.");
}

void check_warm_up(std::string const& text) {
    bool const number = !text.empty() && text.size() <= 10 && text.find_first_not_of("0123456789") == text.npos;
    if (!text.empty() && text != "mser-5" && !number)
        throw bench::Error("warm-up " + text + " does not parse", "a number of steps, or mser-5, is expected",
                           "Try --warm-up mser-5.");
}

void check(Request const& request) {
    if (request.replications == 0)
        throw bench::Error("no replications to run", "--replications is 0", "Give at least 1.");
    if (request.devices == 0 || request.devices > 64)
        throw bench::Error("--devices " + std::to_string(request.devices) + " is out of range",
                           "a number from 1 to 64 is expected", "Try --devices 2.");
    Analysis const& analysis = request.analysis;
    if (!(analysis.relative_precision >= 0 && analysis.relative_precision < 1)) {
        throw bench::Error("precision " + std::to_string(analysis.relative_precision) + " is out of range",
                           "a share of the mean, above 0 and below 1", "Try 0.01.");
    }
    if (!(analysis.absolute_precision >= 0))
        throw bench::Error("absolute precision " + std::to_string(analysis.absolute_precision) + " is out of range",
                           "half the width of an interval is positive", "Try 0.01.");
    if (!(analysis.confidence > 0 && analysis.confidence < 1))
        throw bench::Error("confidence " + std::to_string(analysis.confidence) + " is out of range",
                           "a level above 0 and below 1", "Try 0.95.");
    if (request.stops_by_precision() && request.max_replications < request.replications) {
        throw bench::Error("--max-replications " + std::to_string(request.max_replications) + " is too small",
                           "--replications is " + std::to_string(request.replications));
    }
    if (analysis.antithetic && (request.replications % 2 != 0 || request.max_replications % 2 != 0))
        throw bench::Error("an odd number of replications", "--antithetic makes pairs of them", "Give an even number.");
    if (std::max(request.replications, request.stops_by_precision() ? request.max_replications : 0) > 1u << 28)
        throw bench::Error("too many replications", "at most 2^28", "Split the job with --seed.");
    bool const odd = analysis.antithetic && request.coverage % 2 != 0;
    if (request.coverage != 0 && (request.coverage < 2 || odd || request.coverage > request.replications / 20))
        throw bench::Error("samples of " + std::to_string(request.coverage) + " replications do not fit",
                           odd ? "antithetic replications are pairs" : "there are 20 samples or more, of at least 2",
                           "Raise --replications.");
    check_warm_up(request.warm_up);
}

std::unique_ptr<Simulation> built_in(Request const& request, bench::Axes const& axes, Mapping const& mapping) {
    Model const model = model_from_string(request.model);
    char const* const items = model == Model::pi ? "draws" : model == Model::mm1 ? "clients" : "steps";
    DesignPoint const point = {static_cast<std::uint64_t>(axes.integer(items)), axes.real("utilisation"),
                               static_cast<unsigned>(axes.integer("chunks"))};
    std::vector<DesignPoint> points = {point};
    std::set<std::string> given;
    for (auto const& [name, text] : request.axes) {
        if (!text.empty())
            given.insert(name);
    }
    if (!request.design.empty())
        points =
            parse_design(bench::read_input(request.design, bench::Input::design), request.design, model, point, given);
    return make_built_in(model, engine_from_string(axes.text("engine")), points, mapping);
}

std::unique_ptr<ModelSimulation> own_model(Request const& request, Mapping const& mapping) {
    model_file::ModelFile const file = model_file::read_model_file(request.model_file);
    jit::Settings const settings = jit::named_values(request.settings, "--set", "VALUE");
    ModelOptions options;
    options.parameters = {jit::parameter_bits(file.parameters, file.path, settings)};
    if (!request.design.empty())
        options.parameters =
            parse_design(bench::read_input(request.design, bench::Input::design), request.design, file, settings);
    for (std::size_t point = 0; point < options.parameters.size() && !file.means.empty(); ++point) {
        if (options.parameters[point][file.steps_parameter()] == 0)
            throw bench::Error("no steps in a replication", "steps is 0 at point " + std::to_string(point),
                               "Give at least 1.");
    }
    options.common_random_numbers = request.common_random_numbers;
    options.antithetic = request.analysis.antithetic;
    if ((!request.warm_up.empty() || !request.series.empty()) && file.means.empty())
        throw bench::Error(std::string(request.series.empty() ? "--warm-up" : "--series") + " has no effect",
                           file.path + " has no mean", "Write mean NAME = EXPRESSION;");
    return make_model_simulation(file, options, mapping);
}

}  // namespace

Request read_request(int argc, char const* const* argv, bench::Experiment const& experiment) {
    Request request;
    cli::CommandLine app("replicate", "Run independent replications of a stochastic model, and estimate its results");
    define_options(app, experiment, request);
    app.parse(argc, argv);
    check(request);
    if (request.model.empty() == request.model_file.empty())
        throw bench::Error(request.model.empty() ? "no model" : "two models",
                           "a built-in model or a model file is expected", "Try pi, mm1, walk or --model FILE.");
    if (request.model_file.empty())
        request.axes["model"] = to_string(model_from_string(request.model));
    check_parameters(app, request);
    check_zeros(app, request);
    check_machine(app, request);
    cli::require_distinct_files({request.model_file, request.design}, {request.csv, request.series});
    if (is_parquet(request.series))
        require_parquet();
    request.analysis.quantiles = probabilities_of(request.quantiles);
    request.analysis.mean_interval = mean_interval_of(request.interval);
    return request;
}

std::vector<std::unique_ptr<Simulation>> simulations_of(Request const& request, bench::Experiment const& experiment,
                                                        ModelSimulation*& own) {
    bench::Axes const axes = cli::axes_from(experiment, request.axes);
    experiment.check(axes);
    for (std::string const& path : {request.design, request.model_file})
        cli::check_standard_input(path);
    Mapping const mapping = {parse_scheme(request.scheme), static_cast<unsigned>(axes.integer("block")), request.seed};
    own = nullptr;
    std::vector<std::unique_ptr<Simulation>> all;
    for (std::uint64_t device = 0; device < request.devices; ++device) {
        if (request.model_file.empty()) {
            all.push_back(built_in(request, axes, mapping));
            continue;
        }
        std::unique_ptr<ModelSimulation> simulation = own_model(request, mapping);
        own = device == 0 ? simulation.get() : own;
        all.push_back(std::move(simulation));
    }
    return all;
}

}  // namespace lockstep::replications
