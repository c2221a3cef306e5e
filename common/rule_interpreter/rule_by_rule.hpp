#pragma once
// Host side of interpreters that launch one rule at a time, so that the end of a launch is the barrier between rules
// (section 3). On the way to a fixed point, the host reads after every pass whether any state changed. For `.cu` files.

#include "common/rule_interpreter/job_case.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

class RuleByRuleCase : public JobCase {
public:
    // The kernels of the plan are those of one pass, in order.
    RuleByRuleCase(Job const& job, LayoutName layout, LaunchPlan plan)
        : JobCase(job, layout, std::move(plan)), any_change_(1) {}

protected:
    void launch_all(Parameters const& parameters, simt::Stream stream) override {
        Parameters p = parameters;
        p.any_change = any_change_.data();
        if (p.until != Until::steps)
            any_change_.fill_bytes(0);  // it waits for the device, so it must not run where nothing reads the word
        for (p.pass = 1; p.pass <= p.passes; ++p.pass) {
            p.rule = 0;
            for (Kernel const kernel : plan().kernels) {
                launch_one(kernel, p, stream);
                ++p.rule;
            }
            if (p.until == Until::steps)
                continue;
            synchronize(stream);
            if (any_change_.to_vector().front() != p.pass)
                return;
        }
    }

private:
    Buffer<unsigned> any_change_;  // the last pass in which a state changed
};

inline bench::Variant rule_by_rule_variant(std::string const& name, std::string const& description,
                                           std::function<LaunchPlan(Job const&, bench::Axes const&)> plan,
                                           UnsupportedReason unsupported_reason, bool divided = false) {
    bench::Variant variant =
        job_variant(name, bench::Role::baseline, description, plan, std::move(unsupported_reason), divided);
    variant.make = [plan = std::move(plan)](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
        Job const job = job_of(problem);
        return std::make_unique<RuleByRuleCase>(job, layout_from_string(problem.axes.text("layout")),
                                                plan(job, problem.axes));
    };
    return variant;
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
