#include "experiments/replications/model_run.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "common/replications/model_file/arguments.hpp"
#include "experiments/replications/model_code.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/compiler.hpp"
#include "harness/jit/device.hpp"
#include "harness/jit/faults.hpp"
#include "harness/jit/shared_object.hpp"
#include "harness/jit/whole_text.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/error.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::replications::model_file {

namespace {

constexpr std::uint64_t max_blocks = 1u << 22;   // lanes and teams go on with further replications
constexpr std::size_t shared_bytes = 12 * 1024;  // at least those of TeamTile for the largest Piece and Sums

// Without pointers.
Arguments arguments_of(ModelFile const& file, ModelJob const& job, bool recording) {
    Arguments a;
    a.seed = job.seed;
    a.first_replication = job.first;
    a.replications = job.count;
    a.size = job.size();
    a.warm_up = job.warm_up;
    a.common = job.common_random_numbers ? 1 : 0;
    a.antithetic = job.antithetic ? 1 : 0;
    a.parameter_count = static_cast<unsigned>(file.parameters.size());
    a.series_steps = recording ? job.steps : 0;
    return a;
}

std::vector<std::uint64_t> parameters_of(ModelJob const& job) {
    std::vector<std::uint64_t> all;
    for (std::vector<std::uint64_t> const& point : job.parameters)
        all.insert(all.end(), point.begin(), point.end());
    return all;
}

ModelOutcomes room_for(ModelFile const& file, ModelJob const& job, bool recording) {
    ModelOutcomes outcomes;
    outcomes.words.resize(job.size() * (2 + file.means.size() + file.results.size()));
    outcomes.series.resize(recording ? job.size() * job.steps * file.means.size() : 0);
    return outcomes;
}

class CpuRunner : public ModelRunner {
public:
    CpuRunner(ModelFile const& file, bool sequential) : file_(file), sequential_(sequential) {
        static jit::CompileContext const context = {"replicate", "the model", "use --machine cuda."};
        std::vector<std::string> options = jit::cpu_options();
        options.insert(options.end(), std::begin(jit::line_options), std::end(jit::line_options));
        std::vector<std::string> const checks = jit::bounds_options();
        options.insert(options.end(), checks.begin(), checks.end());
        try {
            run_ = reinterpret_cast<decltype(run_)>(
                jit::symbol_in(jit::shared_object(cpu_text(file), options, context), "lockstep_run"));
        } catch (jit::CompileError const& error) {
            throw jit::compile_error_of(user_file(file), error);
        }
    }

    ModelOutcomes run(ModelJob const& job, bool recording) override {
        ModelOutcomes outcomes = room_for(file_, job, recording);
        std::vector<std::uint64_t> const parameters = parameters_of(job);
        Arguments a = arguments_of(file_, job, recording);
        static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
        a.parameters = reinterpret_cast<unsigned long long const*>(parameters.data());
        a.outcomes = reinterpret_cast<unsigned long long*>(outcomes.words.data());
        a.series = recording ? outcomes.series.data() : nullptr;
        run_all(a, recording);
        return outcomes;
    }

private:
    void run_all(Arguments const& a, bool recording) const {
        std::atomic<std::uint64_t> next = 0;
        auto const take = [&] {
            for (std::uint64_t index = next++; index < a.size; index = next++)
                run_(&a, index, recording ? 1 : 0);
        };
        auto const work = [&](std::size_t) {
            try {
                jit::catching_faults(take);
            } catch (jit::Fault const&) {
                next = a.size;  // for all threads
                throw;
            }
        };
        jit::FaultHandlers const handlers;
        try {
            if (sequential_)
                work(0);
            else
                threads::shared_pool().run(std::min<std::uint64_t>(threads::shared_pool().width(), a.size), work);
        } catch (jit::Fault const& fault) {
            throw jit::fault_error_of(user_file(file_), fault);
        }
    }

    ModelFile const file_;
    bool const sequential_;
    void (*run_)(Arguments const*, unsigned long long index, int recording) = nullptr;
};

class KernelRunner : public ModelRunner {
public:
    KernelRunner(ModelFile const& file, simt::Machine machine, Scheme const& scheme, unsigned block)
        : file_(file), scheme_(scheme), block_(block), device_(jit::device_of(machine)) {
        lane_plan(scheme, block, file.composes, 1, 1);
    }

    ModelOutcomes run(ModelJob const& job, bool recording) override {
        ModelOutcomes outcomes = room_for(file_, job, recording);
        std::vector<std::uint64_t> const parameters = parameters_of(job);
        auto const device_parameters = stored<std::uint64_t>(parameters);
        auto words = allocated<std::uint64_t>(outcomes.words.size());
        auto series = allocated<double>(outcomes.series.size());
        Arguments a = arguments_of(file_, job, recording);
        a.parameters = reinterpret_cast<unsigned long long const*>(device_parameters.data());
        a.outcomes = reinterpret_cast<unsigned long long*>(words.data());
        a.series = series.data();
        if (recording)
            series.fill(0);
        LanePlan plan = lane_plan(scheme_, block_, file_.composes, job.size(), job.steps);
        if (recording && plan.team)
            plan = lane_plan({"threads", 0}, block_, false, job.size(), job.steps);
        launch(plan, a, recording);
        words.download(outcomes.words);
        if (recording)
            series.download(outcomes.series);
        return outcomes;
    }

private:
    template <class T>
    jit::DeviceArray<T> allocated(std::size_t size) const {
        jit::DeviceArray<T> array(device_, size);
        if (array.missing())
            throw bench::Error("not enough memory", std::to_string(size * sizeof(T)) + " bytes are not free",
                               "Use fewer replications.");
        return array;
    }
    template <class T>
    jit::DeviceArray<T> stored(std::vector<T> const& values) const {
        jit::DeviceArray<T> array = allocated<T>(values.size());
        if (!values.empty())
            array.upload(values);
        return array;
    }

    void launch(LanePlan const& plan, Arguments& a, bool recording) {
        a.lanes = plan.lanes;
        std::string const name = !plan.team        ? (recording ? "record" : "run")
                                 : plan.lanes > 32 ? "run_in_blocks"
                                                   : "run_in_warps";
        std::uint64_t const lanes_per_replication = plan.team ? plan.lanes : 32 / plan.lanes;
        simt::LaunchShape shape;
        shape.block.x = plan.block;
        shape.grid.x = static_cast<unsigned>(std::clamp<std::uint64_t>(
            simt::ceil_div(a.size * lanes_per_replication, std::uint64_t{plan.block}), 1, max_blocks));
        shape.shared_bytes = plan.team && plan.lanes > 32 ? shared_bytes : 0;
        try {
            jit::Kernels const& kernels =
                device_.load(plan.team ? team_text(file_) : lane_text(file_), kernel_context());
            device_.launch(name, kernels.at(name), shape, &a);
            device_.synchronize();
        } catch (jit::CompileError const& error) {
            throw jit::compile_error_of(user_file(file_), error);
        } catch (simt::Error const& error) {
            throw jit::run_error_of(user_file(file_), error);
        }
    }

    ModelFile const file_;
    Scheme const scheme_;
    unsigned const block_;
    jit::Device& device_;
};

}  // namespace

std::unique_ptr<ModelRunner> make_model_runner(ModelFile const& file, simt::Machine machine, Scheme const& scheme,
                                               unsigned block) {
    check_scheme(scheme, machine);
    if (machine == simt::Machine::cpu)
        return std::make_unique<CpuRunner>(file, scheme.name == "sequential");
    return std::make_unique<KernelRunner>(file, machine, scheme, block);
}

}  // namespace lockstep::replications::model_file
