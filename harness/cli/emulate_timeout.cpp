#include "harness/cli/emulate_timeout.hpp"

#include <execinfo.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <thread>
#include <utility>

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/instruction.hpp"
#include "harness/simt/emulator/watchdog.hpp"
#if defined(LOCKSTEP_SIMT_HOOKS)
#include "harness/simt/hooks/binutils.hpp"
#include "harness/simt/hooks/symbols.hpp"
#endif

namespace lockstep::cli {
namespace {

// Of the thread that got the signal, which waits in its handler meanwhile, so that its lane stays where it is.
struct Frozen {
    simt::emulator::Lane const* lane = nullptr;
    std::array<void*, 64> frames{};  // from the innermost one outwards
    int depth = 0;
};

Frozen frozen;
sem_t is_frozen;
std::atomic<bool> freezes{false};
unsigned looks = 0;

// In the handler. Between two lanes' turns the scheduler runs, so a launch is looked at again a millisecond later.
bool looks_again() {
    constexpr unsigned max_looks = 200;
    if (frozen.lane != nullptr || !simt::emulator::watches_this_thread() || ++looks == max_looks) {
        return false;
    }
    itimerval const soon{{0, 0}, {0, 1000}};
    return setitimer(ITIMER_REAL, &soon, nullptr) == 0;
}

void freeze(int, siginfo_t*, void* context) {
    int const before = errno;
    frozen.lane = simt::emulator::turns_of_this_thread().lane.load();
    if (looks_again()) {
        errno = before;
        return;
    }
    // Who tells may wait for a lock that this thread holds; then the signal ends the process a little later.
    constexpr unsigned seconds_to_tell = 5;
    if (!freezes.exchange(true)) {
        std::signal(SIGALRM, SIG_DFL);
        alarm(seconds_to_tell);
        if (frozen.lane == nullptr) {
            frozen.depth = backtrace(frozen.frames.data(), static_cast<int>(frozen.frames.size()));
        } else {  // on a stack that unwinders do not know the end of
            frozen.frames[0] = reinterpret_cast<void*>(simt::emulator::instruction_of(context) + 1);
            frozen.depth = 1;
        }
        sem_post(&is_frozen);
    }
    for (;;) {
        pause();
    }
}

// The innermost frame that is in the program's own lines.
void locate_frame(Stopped& stopped, std::string const& object) {
#if defined(LOCKSTEP_SIMT_HOOKS)
    for (int i = 0; i < frozen.depth; ++i) {
        auto const address = reinterpret_cast<std::uintptr_t>(frozen.frames[static_cast<std::size_t>(i)]);
        auto const module = simt::hooks::module_of(address - 1);
        if (!module || module->path != object) {
            continue;
        }
        simt::hooks::Place const& place = simt::hooks::locate(address);
        if (simt::hooks::is_in_kernel(place)) {
            stopped.file = place.file;
            stopped.line = place.line;
            return;
        }
    }
#else
    static_cast<void>(stopped);
    static_cast<void>(object);
#endif
}

// A lane's own text ends with the line at which it was last seen, if it has been anywhere.
Stopped describe(std::string const& object) {
    Stopped stopped{"the host's code", "", 0};
    locate_frame(stopped, object);
    // Without checks, blocks run on several CPU threads, and the one that got the signal may wait for the others.
    bool const is_elsewhere = frozen.lane == nullptr;
    simt::emulator::Lane const* const lane = is_elsewhere ? simt::emulator::lane_of_long_turn() : frozen.lane;
    if (lane == nullptr) {
        return stopped;
    }
    std::string const text = lane->block().location(*lane);
    simt::emulator::Index const& thread = lane->thread;
    std::size_t const at = text.rfind(", at ");
    stopped.where = "thread (" + std::to_string(thread.x) + "," + std::to_string(thread.y) + "," +
                    std::to_string(thread.z) + ") " + text.substr(0, at);
    std::size_t const colon = text.rfind(':');
    if ((stopped.line == 0 || is_elsewhere) && at != std::string::npos && colon != std::string::npos && colon > at) {
        stopped.file = text.substr(at + 5, colon - at - 5);
        stopped.line = static_cast<unsigned>(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
    }
    return stopped;
}

}  // namespace

void end_in(unsigned seconds, std::string const& object, std::function<void(Stopped const&)> tell) {
    std::array<void*, 1> first{};
    backtrace(first.data(), 1);  // the first call allocates memory, which a handler must not
    sem_init(&is_frozen, 0, 0);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm_only, nullptr);  // as the thread begins with
    auto const wait = [alarm_only, object, tell = std::move(tell)] {
        while (sem_wait(&is_frozen) != 0) {
        }
        tell(describe(object));
        std::signal(SIGALRM, SIG_DFL);
        pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
        pthread_kill(pthread_self(), SIGALRM);
    };
    bool has_thread = true;
    try {
        std::thread(wait).detach();
    } catch (std::exception const&) {  // the system refuses threads: the signal ends the process without a word
        has_thread = false;
    }
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
    struct sigaction action {};
    action.sa_sigaction = freeze;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    if (has_thread) {
        sigaction(SIGALRM, &action, nullptr);
    }
    alarm(seconds);
}

}  // namespace lockstep::cli
