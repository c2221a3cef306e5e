#include "harness/cli/process.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>
#include <vector>

#include "harness/bench/error.hpp"
#include "harness/bench/interrupt.hpp"

namespace lockstep::cli {

namespace {

constexpr rlim_t min_stack = rlim_t{1} << 20;
constexpr rlim_t usual_stack = rlim_t{8} << 20;

bool is_closed(int const descriptor) { return ::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF; }

void open_standard_descriptors() {
    for (int const descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (!is_closed(descriptor))
            continue;
        // Standard output is opened for reading: a result that cannot be printed has to be an error.
        int const opened = ::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
        if (opened >= 0 && opened != descriptor) {
            ::dup2(opened, descriptor);
            ::close(opened);
        }
    }
}

// The system grows the first thread's stack up to the limit that holds at that time; other threads get their size from
// the default attributes, which glibc reads before main().
void raise_stack_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= min_stack)
        return;
    rlim_t const found = limit.rlim_cur;
    limit.rlim_cur = usual_stack;
    if (limit.rlim_max < usual_stack)
        limit.rlim_max = usual_stack;
    if (::setrlimit(RLIMIT_STACK, &limit) != 0) {
        throw bench::Error("cannot run with a stack of " + std::to_string(found / 1024) + " KiB",
                           "the limit is below " + std::to_string(min_stack / 1024) + " KiB",
                           "raise it with ulimit -s");
    }
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, usual_stack);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

struct Kept {
    std::shared_ptr<void> used;
    std::function<bool()> is_busy;
};

std::vector<Kept>& all_kept() {
    static std::vector<Kept> kept;
    return kept;
}

}  // namespace

void prepare_process() {
    open_standard_descriptors();
    bench::handle_ending_signals();
    raise_stack_limit();
}

void finish_output() {
    errno = 0;
    std::cout.flush();
    bool const good = std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (good)
        return;
    throw bench::Error("cannot write to standard output", errno != 0 ? std::strerror(errno) : "a write failed",
                       "redirect it to a file with enough space, or to /dev/null");
}

void keep_until_exit(std::shared_ptr<void> used, std::function<bool()> is_busy) {
    std::erase_if(all_kept(), [](Kept const& kept) { return !kept.is_busy(); });
    all_kept().push_back({std::move(used), std::move(is_busy)});
}

int end_process(int const code) {
    for (Kept const& kept : all_kept()) {
        if (kept.is_busy()) {
            std::cout.flush();
            std::cerr.flush();
            std::fflush(nullptr);
            std::_Exit(code);
        }
    }
    all_kept().clear();
    return code;
}

}  // namespace lockstep::cli
