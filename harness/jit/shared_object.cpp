#include "harness/jit/shared_object.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/cache.hpp"

extern char** environ;

namespace lockstep::jit {

namespace {

// Runs the command with its output in `log`. Returns its exit status, or -1 where it does not run.
int run_command(std::vector<std::string> const& command, std::string const& log) {
    std::vector<char*> arguments;
    for (std::string const& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    int const failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
}

// The line of the text that holds the word, or the first line.
std::string line_with(std::string const& text, std::string const& word) {
    std::size_t const at = text.find(word);
    if (at == text.npos)
        return text.substr(0, text.find('\n'));
    std::size_t const start = text.rfind('\n', at);
    std::size_t const first = start == text.npos ? 0 : start + 1;
    return text.substr(first, text.find('\n', at) - first);
}

// Compiles into the cache. Files get their final names once they are complete, so several programs may compile the same
// text at the same time.
void compile(std::string const& text, std::string const& base, std::vector<std::string> const& options,
             CompileContext const& context) {
    std::string const unique = base + "." + std::to_string(getpid());
    std::vector<std::string> command = {cpp_compiler()};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"-o", unique + ".so", unique + ".cpp"});
    bench::write_file_atomically(unique + ".cpp", text);
    int const status = run_command(command, unique + ".log");
    std::string const log = std::filesystem::exists(unique + ".log") ? bench::read_file(unique + ".log") : "";
    std::filesystem::remove(unique + ".log");
    if (status != 0) {
        std::filesystem::remove(unique + ".cpp");
        if (status < 0) {
            throw bench::Error("cannot compile " + context.subject, "no C++ compiler: " + command[0] + " does not run",
                               "Install one, set CXX, or " + context.alternative);
        }
        throw bench::Error("cannot compile " + context.subject, line_with(log, "error"),
                           "Try to " + context.alternative);
    }
    std::filesystem::rename(unique + ".cpp", base + ".cpp");
    std::filesystem::rename(unique + ".so", base + ".so");
}

}  // namespace

std::string cpp_compiler() {
    if (char const* const own = std::getenv("CXX"); own != nullptr && *own != '\0')
        return own;
    return access(LOCKSTEP_CPP_COMPILER, X_OK) == 0 ? LOCKSTEP_CPP_COMPILER : "c++";
}

std::string shared_object(std::string const& text, std::vector<std::string> const& options,
                          CompileContext const& context) {
    std::string key = cpp_compiler();
    for (std::string const& option : options)
        key += " " + option;
    std::string const base = own_cache_folder(context.cache_name) + "/" + cache_file_name(text, key);
    if (!is_cached(text, base, ".so"))
        compile(text, base, options, context);
    return base + ".so";
}

void* symbol_in(std::string const& shared_object, std::string const& symbol) {
    void* const object = dlopen(shared_object.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const address = object == nullptr ? nullptr : dlsym(object, symbol.c_str());
    if (address == nullptr) {
        std::string const reason = dlerror();
        std::filesystem::remove(shared_object);
        throw bench::Error("cannot load " + shared_object, reason, "It has been removed from the cache. Try again.");
    }
    return address;
}

}  // namespace lockstep::jit
