#include "harness/cli/time_limit.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>

#include "harness/bench/background_groups.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/scratch_registry.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/ranks/ranks.hpp"
#include "harness/simt/emulator/watchdog.hpp"

namespace lockstep::cli {

namespace {

constexpr double max_seconds = 1e9;         // that every system's timer takes
constexpr double seconds_for_the_root = 1;  // to print before another rank's end makes mpirun end it

// Written before the timer is set, because a signal handler may not allocate.
std::string message;
std::string document;
struct sigaction before;

void write_whole(int descriptor, std::string const& text) {
    for (std::size_t at = 0; at < text.size();) {
        ssize_t const count = ::write(descriptor, text.data() + at, text.size() - at);
        if (count <= 0)
            return;
        at += static_cast<std::size_t>(count);
    }
}

[[noreturn]] void end_program(std::string const& json, std::string const& line, int code) {
    bench::end_background_groups();
    bench::remove_scratch_files();
    write_whole(STDOUT_FILENO, json);
    write_whole(STDERR_FILENO, line);
    ::_exit(code);
}

void end_at_limit(int) { end_program(document, message, TimeLimit::exit_code); }

std::string line_of(std::string const& text) {
    std::string const over_a_bar = ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";
    return over_a_bar + "lockstep: " + text + "\n";
}

void set_texts(double seconds) {
    message.clear();
    document.clear();
    if (!ranks::is_root())
        return;
    char text[100];
    std::snprintf(text, sizeof text, "not finished after %g s (limit) Raise --timeout.", seconds);
    message = line_of(text);
    document = json_error(text);
}

std::string path_of_code;
std::string kind_of_code;

// In the emulator's own thread, so that it may allocate. The user's file has no lanes, blocks or kernels.
void end_with_mistake(char const* what) {
    std::string_view const told = what;
    std::string const why = std::string(told.substr(0, told.find(" ("))) + ": an endless loop";
    std::string const text =
        bench::message_line(bench::Error("cannot run " + path_of_code, why, "Correct " + kind_of_code + ".").what());
    end_program(ranks::is_root() ? json_error(text) : "", line_of(text), 2);
}

void set_timer(double seconds) {
    double const whole = std::floor(seconds);
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(whole);
    timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
    if (seconds > 0 && whole == 0)
        timer.it_value.tv_usec = std::max<suseconds_t>(1, timer.it_value.tv_usec);  // 0 would mean never
    ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

TimeLimit::TimeLimit(double seconds) : is_set_(seconds > 0) {
    if (!is_set_)
        return;
    set_texts(seconds);
    struct sigaction action {};
    action.sa_handler = end_at_limit;
    action.sa_flags = SA_ONSTACK;  // the code's own stack may be almost full
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGALRM, &action, &before);
    set_timer(std::min(seconds, max_seconds) + (ranks::is_root() ? 0 : seconds_for_the_root));
}

TimeLimit::~TimeLimit() {
    if (!is_set_)
        return;
    set_timer(0);
    ::sigaction(SIGALRM, &before, nullptr);
}

EndlessTurns::EndlessTurns(std::string const& path, std::string const& kind) {
    path_of_code = path;
    kind_of_code = kind;
    simt::emulator::set_tell_endless(end_with_mistake);
}

EndlessTurns::~EndlessTurns() { simt::emulator::set_tell_endless(nullptr); }

}  // namespace lockstep::cli
