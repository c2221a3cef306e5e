#include "harness/jit/compiler.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <regex>
#include <sstream>
#include <thread>

#include "harness/bench/background_groups.hpp"

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

// The file that the shell would run for this word, after all links. Empty if there is none.
std::filesystem::path file_of(std::string const& word) {
    std::error_code error;
    if (word.find('/') != word.npos)
        return std::filesystem::canonical(word, error);
    char const* const variable = std::getenv("PATH");
    std::istringstream folders(variable == nullptr ? "" : variable);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::filesystem::path const file = std::filesystem::path(folder.empty() ? "." : folder) / word;
        if (access(file.c_str(), X_OK) == 0)
            return std::filesystem::canonical(file, error);
    }
    return {};
}

bool is_name_of_gcc(std::filesystem::path const& file) {
    static std::regex const name("(.*-)?g\\+\\+(-[0-9.]+)?");
    return std::regex_match(file.filename().string(), name);
}

// A new process reads a line before it begins. The line comes once its group is registered, because a signal that comes
// before would not end it. If this process has ended by then, there is no line.
class StartLine {
public:
    StartLine() {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_) != 0)
            ends_[0] = ends_[1] = -1;
    }
    ~StartLine() {
        for (int const end : ends_) {
            if (end >= 0)
                ::close(end);
        }
    }
    StartLine(StartLine const&) = delete;
    StartLine& operator=(StartLine const&) = delete;
    explicit operator bool() const { return ends_[0] >= 0; }

    int input() const { return ends_[0]; }  // of the new process
    void send() const { static_cast<void>(::send(ends_[1], "\n", 1, MSG_NOSIGNAL)); }

private:
    int ends_[2];
};

// Waits for a process that leads a registered group, and kills the group at the deadline. Returns false if it did.
bool ends_before(pid_t const leader, std::optional<std::chrono::steady_clock::time_point> const deadline) {
    for (;;) {
        siginfo_t info{};
        // The number must mean this process until the group is no longer registered, so nothing waits for it here.
        int const options = WEXITED | WNOWAIT | (deadline ? WNOHANG : 0);
        int const failed = waitid(P_PID, static_cast<id_t>(leader), &info, options);
        if ((failed == 0 && info.si_pid == leader) || (failed != 0 && errno != EINTR))
            return true;
        if (!deadline)
            continue;
        if (std::chrono::steady_clock::now() >= *deadline) {
            ::kill(-leader, SIGKILL);
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

}  // namespace

std::vector<std::string> cpp_compiler() {
    char const* const variable = std::getenv("CXX");
    std::string const named = variable == nullptr ? "" : variable;
    std::istringstream text(named);
    std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    if (!words.empty())
        return access(named.c_str(), X_OK) == 0 ? std::vector{named} : words;
    return {access(LOCKSTEP_CPP_COMPILER, X_OK) == 0 ? LOCKSTEP_CPP_COMPILER : "c++"};
}

std::vector<std::string> bounds_options() {
    return {is_gcc(cpp_compiler()) ? "-fsanitize=bounds-strict" : "-fsanitize=bounds",
            "-fsanitize-undefined-trap-on-error"};
}

bool is_gcc(std::vector<std::string> const& command) {
    for (std::string const& word : command) {
        if (!word.starts_with('-') && (is_name_of_gcc(word) || is_name_of_gcc(file_of(word))))
            return true;
    }
#if defined(__GNUC__) && !defined(__clang__)
    return command == std::vector<std::string>{LOCKSTEP_CPP_COMPILER} &&
           file_of(LOCKSTEP_CPP_COMPILER).filename().string().find("clang") == std::string::npos;
#else
    return false;
#endif
}

std::string text_of(std::vector<std::string> const& command) {
    std::string text;
    for (std::string const& word : command)
        text += text.empty() ? word : " " + word;
    return text;
}

// The files that the compiler makes are this user's alone: the shell sets the umask, which the calling threads share,
// and the compiler's own temporary files are in `scratch`, because other users may be able to change those in $TMPDIR.
int run_compiler(std::vector<std::string> const& command, std::string const& scratch, std::string const& log,
                 std::optional<std::chrono::steady_clock::time_point> const deadline) {
    StartLine const start;
    if (!start)
        return compiler_does_not_run;
    std::vector<std::string> words = {
        "sh", "-c", "umask 077; TMPDIR=$0; export TMPDIR; read -r line || exit 127; exec \"$@\" </dev/null", scratch};
    words.insert(words.end(), command.begin(), command.end());
    std::vector<char*> const arguments = pointers_to(words);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, start.input(), STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A group of its own, which can be ended as a whole, also by what ends this process (bench/background_groups.hpp).
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t child = 0;
    int const failed = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        return compiler_does_not_run;
    bool in_time = true;
    {
        bench::RegisteredGroup const group(child);
        start.send();
        in_time = ends_before(child, deadline);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || !in_time)
        return in_time ? compiler_does_not_run : compiler_is_too_slow;
    bool const not_run = !WIFEXITED(status) || WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127;
    return not_run ? compiler_does_not_run : WEXITSTATUS(status);
}

pid_t start_shell(std::string const& script, std::vector<std::string> const& words, int kept,
                  std::function<void(pid_t)> const& registers) {
    StartLine const start;
    if (!start)
        return -1;
    std::vector<std::string> all = {"sh", "-c", script};
    all.insert(all.end(), words.begin(), words.end());
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, start.input(), STDIN_FILENO);
    for (int const standard : {STDOUT_FILENO, STDERR_FILENO})
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
    if (failed != 0)
        return -1;
    registers(child);
    start.send();
    return child;
}

}  // namespace lockstep::jit
