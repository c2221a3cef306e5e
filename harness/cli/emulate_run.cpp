#include "harness/cli/emulate_run.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/bench/error.hpp"
#include "harness/cli/emulate_timeout.hpp"
#include "harness/simt/cuda_api/tell_error.hpp"
#include "harness/simt/emulator/watchdog.hpp"
#include "harness/simt/error.hpp"
#if defined(LOCKSTEP_SIMT_HOOKS)
#include "harness/simt/hooks/checks.hpp"
#include "harness/simt/hooks/type_alignments.hpp"
#endif

namespace lockstep::cli {
namespace {

// The rule of a program whose time is over, whose finding this process prints, because the other may be stuck.
constexpr char const* timed_out = "timeout";

// The rule of a program that calls what none of its files defines. Not a finding, but a mistake of the caller.
constexpr char const* not_loaded = "not-loaded";

// A file in memory that the process of the program appends to and this one reads when it has ended.
class Findings {
public:
    Findings() : file_(memfd_create("findings", 0)) {
        if (file_ < 0)
            throw bench::Error("cannot start the program", std::strerror(errno));
    }
    ~Findings() { close(file_); }
    Findings(Findings const&) = delete;
    Findings& operator=(Findings const&) = delete;

    // Prints the finding too. Called in the process of the program.
    void add(Finding const& finding) const {
        std::cout.flush();
        std::fflush(stdout);
        std::cerr << "lockstep: " << finding.text << '\n';
        note(finding);
    }

    // As add(), but this process prints it.
    void note(Finding const& finding) const {
        std::string const line =
            finding.rule + '\t' + finding.file + '\t' + std::to_string(finding.line) + '\t' + finding.text + '\n';
        if (write(file_, line.data(), line.size()) < 0)
            std::abort();
    }

    std::vector<Finding> read_all() const {
        std::string text(static_cast<std::size_t>(std::max<off_t>(0, lseek(file_, 0, SEEK_END))), '\0');
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, pread(file_, text.data(), text.size(), 0))));
        std::vector<Finding> findings;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            Finding finding;
            std::istringstream words(line);
            std::string number;
            std::getline(words, finding.rule, '\t');
            std::getline(words, finding.file, '\t');
            std::getline(words, number, '\t');
            std::getline(words, finding.text);
            finding.line = static_cast<unsigned>(std::strtoul(number.c_str(), nullptr, 10));
            findings.push_back(std::move(finding));
        }
        return findings;
    }

private:
    int file_;
};

// An error of the emulator ends with "in kernel 'name', ..., at file:line". An assertion may have any words before it.
Finding finding_of(std::string const& text) {
    Finding finding{"undefined-operation", text, "", 0};
    std::size_t const kernel = text.find(" in kernel '");
    std::size_t const at = text.find(" at ", kernel == std::string::npos ? 0 : kernel);
    std::size_t const colon = text.find(':', at == std::string::npos ? 0 : at);
    if (at != std::string::npos && colon != std::string::npos) {
        finding.file = text.substr(at + 4, colon - at - 4);
        finding.line = static_cast<unsigned>(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
    }
    return finding;
}

// Lane and line of the latest report. A program may have several threads.
class LatestPlace {
public:
    void set(std::string place) {
        std::lock_guard const lock(mutex_);
        place_ = std::move(place);
    }
    bool is_in(std::string_view message) {
        std::lock_guard const lock(mutex_);
        return !place_.empty() && message.find(place_) != std::string_view::npos;
    }

private:
    std::mutex mutex_;
    std::string place_;
};

// Not destroyed: the program may end anywhere.
LatestPlace& latest_place() {
    static auto& made = *new LatestPlace;
    return made;
}

#if defined(LOCKSTEP_SIMT_HOOKS)
std::string rule_of(simt::hooks::Problem problem) {
    using simt::hooks::Problem;
    switch (problem) {
        case Problem::race:
            return "race";
        case Problem::unset_memory:
            return "unset-memory";
        case Problem::out_of_bounds:
            return "out-of-bounds";
        case Problem::not_device_memory:
            return "not-device-memory";
        case Problem::null_pointer:
            return "null-pointer";
        case Problem::freed_memory:
            return "freed-memory";
        case Problem::constant_written:
            return "constant-written";
        case Problem::division_by_zero:
            return "division-by-zero";
        case Problem::stack_overflow:
            return "stack-overflow";
        case Problem::bad_address:
            return "bad-address";
        case Problem::insufficient_scope:
            return "insufficient-scope";
        case Problem::device_memory_on_host:
            return "device-memory-on-host";
    }
    return "check";
}

// Of this process. Not destroyed: the program may end anywhere.
simt::hooks::Checks const* checking = nullptr;

void print_counters() {
    std::cout.flush();
    std::fflush(stdout);
    auto const* const alignments = static_cast<char const*>(dlsym(RTLD_DEFAULT, "lockstep_alignments"));
    std::cerr << simt::hooks::annotated(
        checking->counters(simt::hooks::TypeAlignments(alignments != nullptr ? alignments : "")));
}

// Called before the program's variables are initialised, which registers them.
void start_checks(RunRequest const& request, Findings const& findings) {
    simt::hooks::Settings settings;
    settings.counters = request.counters;
    settings.host_accesses = true;
    settings.on_report = [&findings](simt::hooks::Report const& report) {
        std::string const text = report.text();
        latest_place().set(text.substr(std::min(text.size(), text.find(" in kernel '"))));
        findings.add({rule_of(report.problem), text, report.where.at.file, report.where.at.line});
    };
    checking = new simt::hooks::Checks(settings);
    if (request.counters)
        std::atexit(print_counters);
}
#endif

// For launch errors, which are told without an argument.
Findings const* findings_of_process = nullptr;

void add_unnoticed() {
    for (simt::cuda::Unnoticed const& failure : simt::cuda::unnoticed()) {
        findings_of_process->add(
            {failure.rule, failure.text + ", and the program does not check for errors afterwards (cudaGetLastError)",
             failure.file, failure.line});
    }
}

// Of an operation that has ended a launch. The checks have reported theirs, or another access of this lane and line.
void add_error(char const* message) {
    if (!latest_place().is_in(message))
        findings_of_process->add(finding_of(message));
}

void tell_endless(char const* message) {
    Finding finding = finding_of(message);
    finding.rule = "endless-loop";
    findings_of_process->add(finding);
}

void set_limit(RunRequest const& request) {
    end_in(request.timeout_seconds, request.object, [seconds = request.timeout_seconds](Stopped const& stopped) {
        std::string const place = stopped.line == 0 ? "" : ", at " + stopped.file + ":" + std::to_string(stopped.line);
        findings_of_process->note(
            {timed_out,
             "the program is not done in " + std::to_string(seconds) + " s (it is in " + stopped.where + place + ")",
             stopped.file, stopped.line});
        std::cout.flush();
        std::fflush(stdout);
    });
}

// The process of the program: does not return.
[[noreturn]] void run_program(RunRequest const& request, Findings const& findings, pid_t parent) {
    // A program that does not end would go on after a signal to this command alone.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    simt::emulator::ScopedOptions const* const scope = new simt::emulator::ScopedOptions(request.options);
    static_cast<void>(scope);  // for the whole life of the process
    findings_of_process = &findings;
    std::atexit(add_unnoticed);
    simt::emulator::set_tell_endless(tell_endless);
    simt::cuda::set_tell_error(add_error);
    for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
        std::signal(signal, SIG_DFL);
    if (request.timeout_seconds != 0)
        set_limit(request);
#if defined(LOCKSTEP_SIMT_HOOKS)
    if (request.checks)
        start_checks(request, findings);
#endif
    void* const object = dlopen(request.object.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* const entry = object == nullptr ? nullptr : dlsym(object, "main");
    if (entry == nullptr) {
        // The file's name in front is that of an entry of the cache.
        std::string const why = dlerror();
        std::size_t const name = why.find(": ");
        findings.note({not_loaded, name == std::string::npos ? why : why.substr(name + 2), "", 0});
        _exit(2);
    }
    std::vector<std::string> arguments = request.arguments;
    std::vector<char*> argv;
    for (std::string& argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    int code = 1;
    try {
        code = reinterpret_cast<int (*)(int, char**, char**)>(entry)(static_cast<int>(arguments.size()), argv.data(),
                                                                     environ);
    } catch (simt::Error const& error) {
        add_error(error.what());
    } catch (std::exception const& error) {
        std::cerr << "lockstep: the program threw an exception (" << error.what() << ")\n";
    }
    std::exit(code);
}

std::string end_of(int status, unsigned timeout_seconds) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM && timeout_seconds != 0)
        return "not done in " + std::to_string(timeout_seconds) + " s";
    if (WIFSIGNALED(status))
        return std::string("signal ") + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
    return WEXITSTATUS(status) == 0 ? "" : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

EmulatedRun run_emulated(RunRequest const& request) {
    Findings const findings;
    std::cout.flush();
    std::fflush(nullptr);
    auto const start = std::chrono::steady_clock::now();
    pid_t const parent = getpid();
    pid_t const child = fork();
    if (child < 0)
        throw bench::Error("cannot start the program", std::strerror(errno));
    if (child == 0)
        run_program(request, findings, parent);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    EmulatedRun run;
    run.order = order_name(request.options.order);
    run.seed = request.options.seed;
    run.findings = findings.read_all();
    for (Finding const& finding : run.findings) {
        if (finding.rule == not_loaded)
            throw bench::Error("cannot load the program", finding.text, "Name all files that define its functions.");
        if (finding.rule == timed_out)
            std::cerr << "lockstep: " << finding.text << '\n';
    }
    run.end = end_of(status, request.timeout_seconds);
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return run;
}

std::string order_name(simt::emulator::LaneOrder order) {
    using simt::emulator::LaneOrder;
    switch (order) {
        case LaneOrder::ascending:
            return "ascending";
        case LaneOrder::descending:
            return "descending";
        case LaneOrder::random:
            return "random";
        case LaneOrder::unfair:
            return "unfair";
    }
    return "";
}

}  // namespace lockstep::cli
