#include "harness/cli/time_limit.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <string>

#include "harness/bench/background_groups.hpp"
#include "harness/bench/scratch_registry.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/ranks/ranks.hpp"

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

void end_program(int) {
    bench::end_background_groups();
    bench::remove_scratch_files();
    write_whole(STDOUT_FILENO, document);
    write_whole(STDERR_FILENO, message);
    ::_exit(TimeLimit::exit_code);
}

void set_texts(double seconds) {
    message.clear();
    document.clear();
    if (!ranks::is_root())
        return;
    char text[100];
    std::snprintf(text, sizeof text, "not finished after %g s (limit) Raise --timeout.", seconds);
    std::string const over_a_bar = ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";
    message = over_a_bar + "lockstep: " + text + "\n";
    document = json_error(text);
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
    action.sa_handler = end_program;
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

}  // namespace lockstep::cli
