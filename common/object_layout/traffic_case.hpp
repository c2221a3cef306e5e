#pragma once
// A simulation as a case: one launch, or one launch per class, and metrics of the lanes' work. Include it in `.cu`
// files, after their kernels.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "common/object_layout/methods.hpp"
#include "common/object_layout/traffic_memory.hpp"
#include "common/object_layout/traffic_metrics.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/bench/stored_case.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

using TrafficKernel = void (*)(TrafficParameters);

// The simulation that a case runs.
struct TrafficRequest {
    std::shared_ptr<Traffic const> traffic;
    TrafficOptions options;
    unsigned long long first_number = 0;
    unsigned agents = 0;
};

inline TrafficRequest request_of(bench::Problem const& problem) {
    return {traffic_of(problem), options_of(problem.axes), problem.first_unit, static_cast<unsigned>(problem.units)};
}

inline bench::Problem problem_of(TrafficRequest const& request) {
    return {{}, request.traffic->seed, request.first_number, request.agents};
}

class TrafficCase : public bench::LOCKSTEP_MACHINE::StoredCase {
public:
    // Launches all jobs at once or, with `launch_per_class`, the jobs of each class separately.
    TrafficCase(std::string name, TrafficKernel kernel, TrafficRequest const& request, bool launch_per_class = false)
        : StoredCase(problem_of(request), 2),
          name_(std::move(name)),
          kernel_(kernel),
          request_(request),
          memory_(request.traffic, request.options, request.first_number, request.agents) {
        unsigned const block = request.options.block == 0 ? 128 : request.options.block;
        if (launch_per_class) {
            for (auto const& [first, end] : memory_.jobs_of_classes())
                add_launch(first, end, block);
        } else if (memory_.job_count() != 0) {
            add_launch(0, memory_.job_count(), block);
        }
    }

    void reset() override {
        StoredCase::reset();
        memory_.begin();
        begin();
    }
    void run(simt::Stream stream) override {
        begin_run();
        for_each_launch([&](unsigned first_tick, unsigned ticks) {
            for (auto [shape, parameters] : launches_) {
                parameters.first_tick = first_tick;
                parameters.ticks = ticks;
                simt::LOCKSTEP_MACHINE::launch(name_.c_str(), kernel_, shape, stream, parameters);
            }
        });
    }
    bench::Work work() const override { return work_of(request_.traffic->ticks, request_.agents, request_.options); }
    std::vector<simt::KernelAttributes> kernels() const override {
        if (launches_.empty())
            return {};
        return {simt::LOCKSTEP_MACHINE::attributes(name_.c_str(), kernel_, launches_.front().first)};
    }
    // A second run would continue from the final state of the first.
    bool repeatable() const override { return false; }
    bench::Metrics metrics() const override {
        auto const number = [this](unsigned index) { return number_at(memory_.parameters().numbering, index); };
        return lane_metrics(*request_.traffic, request_.options, request_.agents, memory_.jobs(), number);
    }

protected:
    TrafficMemory& memory() { return memory_; }
    // Every run() must call it: the states have to be collected again.
    void begin_run() { collected_ = false; }
    // Calls launch(first tick, ticks) for the ticks of each launch; without ticks there is none.
    template <class Launch>
    void for_each_launch(Launch const& launch) const {
        unsigned const ticks = request_.traffic->ticks;
        unsigned const most = ticks_per_launch(ticks, request_.options);
        for (unsigned first = 0; first < ticks; first += most)
            launch(first, std::min(most, ticks - first));
    }
    // Hooks for objects that consist of more than their fields.
    virtual void begin() {}
    virtual void collect_into(unsigned* results) { memory_.collect(results); }

private:
    void add_launch(unsigned first, unsigned end, unsigned block) {
        TrafficParameters parameters = memory_.parameters();
        parameters.first_job = first;
        parameters.end_job = end;
        launches_.push_back({{.grid = {(end - first + block - 1) / block}, .block = {block}}, parameters});
    }
    void complete() override {
        if (collected_)
            return;
        if (memory_.unknown() != 0) {
            throw simt::Error("an agent has an unknown class (its tag is none of the " +
                              std::to_string(request_.traffic->types) + " classes)");
        }
        collect_into(output().data());
        collected_ = true;
    }

    std::string name_;
    TrafficKernel kernel_;
    TrafficRequest request_;
    TrafficMemory memory_;
    std::vector<std::pair<simt::LaunchShape, TrafficParameters>> launches_;
    bool collected_ = false;
};

// Returns the kernel for a mode, a layout and a number of classes. `Family` instantiates its kernels with
// `Family::template kernel<Mode, Layout, Types>()`. Only mode live with layout soa supports more than two classes.
template <class Family>
TrafficKernel kernel_for(Mode mode, Layout layout, unsigned types) {
    auto const of_mode = [&]<class M>() -> TrafficKernel {
        return layout == Layout::soa     ? Family::template kernel<M, Soa, 2>()
               : layout == Layout::aosoa ? Family::template kernel<M, Aosoa, 2>()
                                         : Family::template kernel<M, Aos, 2>();
    };
    if (types > 2)
        return Family::template kernel<Live, Soa, max_types>();
    return mode == Mode::live ? of_mode.template operator()<Live>() : of_mode.template operator()<Faithful>();
}

inline std::string classes_unsupported_reason(bench::Axes const& axes) {
    if (axes.integer("types") <= 2 || (axes.text("mode") == "live" && axes.text("layout") == "soa"))
        return "";
    return "more than two classes require mode live and layout soa";
}

// A variant of the traffic simulation on this machine. `divides` says whether it can divide the ticks into several
// launches.
inline bench::Variant traffic_variant(std::string const& name, bench::Role role, std::string const& description,
                                      std::function<std::unique_ptr<bench::Case>(TrafficRequest const&)> make,
                                      std::function<std::string(bench::Axes const&)> unsupported_reason,
                                      bool divides = false) {
    return bench::LOCKSTEP_MACHINE::make_variant(
        name, role, "objects", description,
        [make = std::move(make)](bench::Problem const& problem) { return make(request_of(problem)); },
        [unsupported_reason = std::move(unsupported_reason), divides](bench::Axes const& axes) -> std::string {
            std::string const other = program_unsupported_reason(axes, "traffic");
            if (!other.empty())
                return other;
            if (!divides && axes.integer("launch_ticks") != 0)
                return "it has all ticks in one launch: launch_ticks 0";
            return unsupported_reason(axes);
        });
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
