#include "harness/cli/limits_command.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/interrupt.hpp"
#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/limits/report.hpp"
#include "harness/bench/measure.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/pattern.hpp"
#include "harness/bench/provenance.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/compile_limits.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::cli {

namespace {

struct Options {
    std::string out;
    bool json = false;
    std::string only;
    unsigned repetitions = 15;
};

Options parse(std::filesystem::path const& source_directory, int argc, char const* const* argv) {
    Options options;
    options.out = (source_directory / "results").string();
    CommandLine line(
        "limits",
        "Measures the limits of this device: memory, the L2 cache, random accesses, arithmetic, special functions, "
        "warp operations, shared memory, random words, launches, barriers, transfers and compilation at run time. "
        "Each result is checked before its time counts. Without a GPU: the CPU.");
    line.add_option("--out", options.out, "Folder in which to write <device>/limits.json");
    line.add_json(options.json, "Print that file instead of the table");
    line.add_option("--only", options.only, "The limits whose names contain a match of this regular expression");
    line.add_option("--repetitions", options.repetitions, "Samples per limit, at least 6 for an interval");
    line.add_max_input();
    line.parse(argc, argv);
    bench::Pattern const only(options.only, "--only");  // rejected before anything is printed
    if (options.repetitions < 6 || options.repetitions > 10000) {
        throw bench::Error("invalid --repetitions " + std::to_string(options.repetitions),
                           "must be an integer from 6 to 10000");
    }
    return options;
}

// As large as the device's memory allows. A third of the L2 cache leaves room for copies: Hopper's cache has two
// partitions, and a multiprocessor reads the other's lines through its own.
limits::Scale scale_for(simt::DeviceInfo const& device) {
    limits::Scale scale;
    scale.multiprocessors = static_cast<unsigned>(device.multiprocessors);
    scale.cached_bytes = device.l2_bytes / 3;
    while (scale.stream_bytes > device.memory_bytes / 8) {
        scale.stream_bytes /= 2;
    }
    std::erase_if(scale.table_bytes, [&](std::uint64_t bytes) { return bytes > device.memory_bytes / 2; });
    return scale;
}

std::vector<limits::Limit> all_limits(simt::Machine machine, limits::Scale const& scale) {
    std::vector<limits::Limit> all = limits::limits_of(machine, scale);
#if defined(LOCKSTEP_WITH_CUDA)
    if (machine == simt::Machine::cuda) {
        for (limits::Limit& limit : limits::cuda::compile_limits()) {
            all.push_back(std::move(limit));
        }
    }
#endif
    return all;
}

std::vector<limits::Limit> selected(std::vector<limits::Limit> all, std::string const& only) {
    if (only.empty()) {
        return all;
    }
    std::string names;
    for (limits::Limit const& limit : all) {
        names += (names.empty() ? "" : ", ") + limit.name;
    }
    bench::Pattern const pattern(only, "--only");
    std::erase_if(all, [&](limits::Limit const& limit) { return !pattern.is_in(limit.name); });
    if (all.empty()) {
        throw bench::Error("no limit matches " + only, "the limits are " + names);
    }
    return all;
}

class Session {
public:
    Session(Options const& options, bench::Provenance const& provenance)
        : options_(options),
          file_(std::filesystem::path(options.out) / provenance.device_slug / "limits.json", provenance),
          machine_(provenance.gpu ? simt::Machine::cuda : simt::Machine::cpu),
          stopwatch_(bench::make_stopwatch(machine_)),
          cpu_stopwatch_(bench::make_stopwatch(simt::Machine::cpu)),
          clock_meter_(limits::make_clock_meter(machine_)) {
        settings_.repetitions = static_cast<int>(options.repetitions);
        settings_.clock_meter = clock_meter_.get();
        if (provenance.gpu) {
            settings_.scale = scale_for(*provenance.gpu);
            facts_ = limits::device_facts(*provenance.gpu);
        }
        limits_ = selected(all_limits(machine_, settings_.scale), options.only);
    }

    int run() {
        if (!options_.json) {
            std::cout << limits::table_heading(machine_) << '\n';
        }
        bool failed = false;
        for (std::size_t i = 0; i < limits_.size(); ++i) {
            announce(i);
            limits::LimitRow const row = measure(limits_[i]);
            announce_end();
            if (!options_.json) {
                std::cout << limits::table_line(row) << std::endl;
            }
            failed = failed || bench::is_failure(row.measured.status);
            rows_.push_back(row);
            file_.set_limits(limits::counted_limits(rows_));
            file_.put(limits::case_record(row));
        }
        if (options_.json) {
            print_json(bench::read_file(file_.path()));
        } else {
            std::cout << "written to " << bench::one_line(file_.path().string()) << '\n';
        }
        return failed ? 1 : 0;
    }

private:
    limits::LimitRow measure(limits::Limit const& limit) {
        bool const of_gpu = limit.machine == simt::Machine::cuda;
        limits::MeasureSettings settings = settings_;
        if (!of_gpu) {
            settings.clock_meter = nullptr;
        }
        limits::LimitRow row{limits::measure_limit(limit, of_gpu ? *stopwatch_ : *cpu_stopwatch_, settings), {}, {}};
        if (of_gpu) {
            row.documented = limits::documented(limit, facts_, row.measured.clock_hz);
            row.before = limits::measured_before(limit.name, facts_.device.name);
        }
        return row;
    }

    // Shows the current measurement on a terminal; the result overwrites it.
    void announce(std::size_t index) const {
        if (!terminal_) {
            return;
        }
        std::fprintf(stderr, "\r\033[K%zu of %zu: %s (%s)", index + 1, limits_.size(), limits_[index].name.c_str(),
                     limits_[index].description.c_str());
        std::fflush(stderr);
    }
    void announce_end() const {
        if (terminal_) {
            std::fprintf(stderr, "\r\033[K");
        }
    }

    Options options_;
    bench::ResultsFile file_;
    simt::Machine machine_;
    std::unique_ptr<bench::Stopwatch> stopwatch_;
    std::unique_ptr<bench::Stopwatch> cpu_stopwatch_;
    std::unique_ptr<limits::ClockMeter> clock_meter_;
    limits::MeasureSettings settings_;
    limits::DeviceFacts facts_;
    std::vector<limits::Limit> limits_;
    std::vector<limits::LimitRow> rows_;
    bool terminal_ = isatty(STDERR_FILENO) != 0;
};

}  // namespace

int limits_command(std::filesystem::path const& source_directory, int argc, char const* const* argv) {
    Options const options = parse(source_directory, argc, argv);
    std::vector<char const*> whole(argv, argv + argc);
    whole.insert(whole.begin(), "lockstep");
    bench::Provenance const provenance =
        bench::collect_provenance(source_directory, static_cast<int>(whole.size()), whole.data());
    bench::InterruptScope const interrupts;
    try {
        Session session(options, provenance);
        if (!provenance.gpu) {
            std::cerr << "no GPU (" << provenance.no_gpu_because << "): measuring the limits of this CPU, "
                      << provenance.cpu_name << '\n';
        }
        return session.run();
    } catch (bench::Interrupted const&) {
        std::cerr << "\ninterrupted; earlier measurements are kept\n";
        return 128 + bench::interrupting_signal();
    }
}

int limits_command(Program const& program, int const argc, char const* const* const argv) {
    return limits_command(program.source_directory, argc, argv);
}

}  // namespace lockstep::cli
