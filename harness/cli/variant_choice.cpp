#include "harness/cli/variant_choice.hpp"

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::cli {

void require_machine(std::string const& name) {
    if (name == "gpu" || name == "nvidia")
        throw bench::Error("unknown machine " + name, "not in the list", "did you mean cuda?");
    bench::require_known("machine", name, {"auto", "cpu", "emulator", "cuda"});
}

std::vector<bench::Machine> machines_to_try(std::string const& name, std::vector<bench::Machine> const& automatic) {
    simt::DeviceList const list = simt::cuda_devices();
    if (name == "auto") {
        std::vector<bench::Machine> machines = automatic;
        if (list.devices.empty())
            std::erase(machines, bench::Machine::cuda);
        return machines;
    }
    require_machine(name);
    bench::Machine const machine = simt::machine_from_string(name);
    if (machine == bench::Machine::cuda && list.devices.empty())
        throw bench::Error("cannot use machine cuda", list.reason, "use --machine emulator");
    return {machine};
}

bench::Variant const& choose_variant(bench::Experiment const& experiment, bench::Axes const& axes,
                                     std::vector<bench::Machine> const& machines, std::vector<std::string> const& names,
                                     std::string const& problem) {
    std::string why;
    for (bench::Machine const machine : machines) {
        for (std::string const& name : names) {
            for (bench::Variant const& variant : experiment.variants) {
                if (variant.name != name || variant.machine != machine)
                    continue;
                std::string const reason = variant.unsupported_reason(axes);
                if (reason.empty())
                    return variant;
                why = name + " does not support this: " + reason;
            }
        }
    }
    if (why.empty()) {
        why = "it does not exist on machine";
        for (bench::Machine const machine : machines)
            why += (machine == machines.front() ? " " : " or ") + std::string(simt::to_string(machine));
    }
    throw bench::Error(problem, why, "`lockstep list` shows the variants");
}

}  // namespace lockstep::cli
