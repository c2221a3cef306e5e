// lockstep devices: the machines of this computer, and why a machine is not available; --json for scripts.

#include <fmt/format.h>

#include <ostream>
#include <thread>

#include "harness/bench/provenance.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/cli/builtin.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::cli {

int devices_command(Program const& program, DevicesOptions const& options, std::ostream& out) {
    if (options.json) {
        char const* const command[] = {"lockstep", "devices", "--json"};
        print_json(bench::context_text(bench::collect_provenance(program.source_directory, 3, command)) + "\n");
        return 0;
    }
    out << fmt::format("cpu       {}, {} threads\n", bench::cpu_name(), std::thread::hardware_concurrency());
    out << "emulator  kernels executed on the CPU, to verify results but not to measure time\n";
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty())
        out << fmt::format("cuda      none ({})\n", list.reason);
    for (simt::DeviceInfo const& device : list.devices) {
        out << fmt::format(
            "cuda      {}, compute capability {}.{}, {} multiprocessors at {:.0f} MHz, {:.1f} GiB, {:.0f} MiB of L2, "
            "driver {}.{}, runtime {}.{}, results in {}\n",
            device.name, device.compute_capability_major, device.compute_capability_minor, device.multiprocessors,
            device.clock_khz / 1000.0, static_cast<double>(device.memory_bytes) / (1024.0 * 1024 * 1024),
            static_cast<double>(device.l2_bytes) / (1024.0 * 1024), device.driver_version / 1000,
            device.driver_version % 1000 / 10, device.runtime_version / 1000, device.runtime_version % 1000 / 10,
            bench::slug(device.name));
    }
    return 0;
}

}  // namespace lockstep::cli
