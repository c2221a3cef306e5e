#include "harness/jit/shared_object.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "harness/bench/error.hpp"
#include "harness/jit/cache.hpp"
#include "harness/jit/compile_error.hpp"
#include "harness/jit/own_folder.hpp"

extern char** environ;

namespace lockstep::jit {

namespace {

// Runs the command with its output in `log`. Returns its exit status, or -1 if it does not run. The files that the
// compiler makes are this user's alone: the shell sets the umask, which the calling threads share, and the compiler's
// own temporary files are in `scratch`, because other users may be able to change those in $TMPDIR.
int run_command(std::vector<std::string> const& command, std::string const& scratch, std::string const& log) {
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

// Returns the first line with the word, or the first line of the text.
std::string line_with(std::string const& text, std::string const& word) {
    std::size_t const at = text.find(word);
    if (at == text.npos)
        return text.substr(0, text.find('\n'));
    std::size_t const start = text.rfind('\n', at);
    std::size_t const first = start == text.npos ? 0 : start + 1;
    return text.substr(first, text.find('\n', at) - first);
}

// Compiles in a folder of its own, so several programs can compile the same text at the same time. Equal texts give
// equal objects: the path of that folder is not in them.
void compile(std::string const& text, std::string const& base, std::vector<std::string> const& options,
             CompileContext const& context) {
    std::unique_ptr<ScratchFolder const> const scratch = cache_scratch(std::filesystem::path(base).parent_path());
    std::string const source = scratch->path() + "/text.cpp";
    std::string const object = scratch->path() + "/text.so";
    std::string const log = scratch->path() + "/log";
    std::vector<std::string> command = {cpp_compiler()};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"-ffile-prefix-map=" + scratch->path() + "=.", "-o", object, source});
    own_cache_text(source, text);
    own_cache_text(log, "");
    int const status = run_command(command, scratch->path(), log);
    if (status < 0) {
        throw bench::Error("cannot compile " + context.subject, "no C++ compiler: " + command[0] + " does not run",
                           "Install one, set CXX, or " + context.alternative);
    }
    std::optional<std::string> const image = status == 0 ? read_own_file(object) : std::nullopt;
    if (!image) {
        std::string const printed = read_own_file(log).value_or("");
        throw CompileError(bench::Error("cannot compile " + context.subject, line_with(printed, "error"),
                                        "Try to " + context.alternative),
                           printed);
    }
    store_image(base, ".so", text, *image);
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
    if (!cached_image(base, ".so"))
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
