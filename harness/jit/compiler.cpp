#include "harness/jit/compiler.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

extern char** environ;

namespace lockstep::jit {

std::string cpp_compiler() {
    if (char const* const own = std::getenv("CXX"); own != nullptr && *own != '\0')
        return own;
    return access(LOCKSTEP_CPP_COMPILER, X_OK) == 0 ? LOCKSTEP_CPP_COMPILER : "c++";
}

// The files that the compiler makes are this user's alone: the shell sets the umask, which the calling threads share,
// and the compiler's own temporary files are in `scratch`, because other users may be able to change those in $TMPDIR.
int run_compiler(std::vector<std::string> const& command, std::string const& scratch, std::string const& log) {
    std::vector<std::string> words = {"sh", "-c", "umask 077; TMPDIR=$0; export TMPDIR; exec \"$@\"", scratch};
    words.insert(words.end(), command.begin(), command.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
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

}  // namespace lockstep::jit
