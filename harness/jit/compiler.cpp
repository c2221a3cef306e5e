#include "harness/jit/compiler.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

extern char** environ;

namespace lockstep::jit {

namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

// The descriptors that a new program would get, beyond the standard ones.
std::vector<int> inherited_descriptors() {
    std::vector<int> found;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
        int const number = std::atoi(entry.path().filename().c_str());
        int const flags = ::fcntl(number, F_GETFD);
        if (number > STDERR_FILENO && flags >= 0 && (flags & FD_CLOEXEC) == 0)
            found.push_back(number);
    }
    return found;
}

}  // namespace

std::string cpp_compiler() {
    if (char const* const own = std::getenv("CXX"); own != nullptr && *own != '\0')
        return own;
    return access(LOCKSTEP_CPP_COMPILER, X_OK) == 0 ? LOCKSTEP_CPP_COMPILER : "c++";
}

bool has_own_cpp_compiler() { return cpp_compiler() == LOCKSTEP_CPP_COMPILER; }

// The files that the compiler makes are this user's alone: the shell sets the umask, which the calling threads share,
// and the compiler's own temporary files are in `scratch`, because other users may be able to change those in $TMPDIR.
int run_compiler(std::vector<std::string> const& command, std::string const& scratch, std::string const& log) {
    std::vector<std::string> words = {"sh", "-c", "umask 077; TMPDIR=$0; export TMPDIR; exec \"$@\"", scratch};
    words.insert(words.end(), command.begin(), command.end());
    std::vector<char*> const arguments = pointers_to(words);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    int const failed = posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    bool const not_run = WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127;
    return not_run ? -1 : WEXITSTATUS(status);
}

pid_t start_shell(std::string const& script, std::vector<std::string> const& words, int kept) {
    std::vector<std::string> all = {"sh", "-c", script};
    all.insert(all.end(), words.begin(), words.end());
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int const standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
    for (int const number : inherited_descriptors())
        posix_spawn_file_actions_addclose(&actions, number);
    posix_spawn_file_actions_adddup2(&actions, kept, kept);  // also inherited if it is closed for other programs
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    pid_t child = 0;
    int const failed = posix_spawn(&child, "/bin/sh", &actions, &attributes, pointers_to(all).data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0 ? child : -1;
}

}  // namespace lockstep::jit
