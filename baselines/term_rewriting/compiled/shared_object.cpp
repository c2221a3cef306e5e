#include "baselines/term_rewriting/compiled/shared_object.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "baselines/term_rewriting/compiled/memory.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"

extern char** environ;

namespace lockstep::term_rewriting::compiled {

namespace {

// A long text is a large system: there the compiler's time counts more.
[[maybe_unused]] constexpr std::size_t long_text = std::size_t{1} << 20;

char const* level_for([[maybe_unused]] std::string const& text) {
#if defined(LOCKSTEP_COMPILE_SOONER) || defined(LOCKSTEP_ADDRESS_SANITIZER) || defined(LOCKSTEP_THREAD_SANITIZER)
    return "-O0";  // tests of a build that is not timed: many systems, each run for milliseconds
#else
    return text.size() < long_text ? "-O2" : "-O1";
#endif
}

std::vector<std::string> options_for(std::string const& text) {
    return {"-std=c++17", level_for(text), "-fPIC", "-shared", "-w", "-fno-exceptions"};
}

std::string environment(char const* name) {
    char const* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// Runs the command with its output in `log`; its exit status, or -1 where it cannot be run.
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

std::string first_line_with(std::string const& text, std::string const& word) {
    std::size_t const at = text.find(word);
    if (at == text.npos)
        return text.substr(0, text.find('\n'));
    std::size_t const start = text.rfind('\n', at);
    std::size_t const first = start == text.npos ? 0 : start + 1;
    return text.substr(first, text.find('\n', at) - first);
}

std::string key_of(std::vector<std::string> const& options) {
    std::string key = cpp_compiler();
    for (std::string const& option : options)
        key += " " + option;
    return key;
}

// Compiles into the cache; files get their names once they are whole, so programs may do this at the same time.
void compile(std::string const& text, std::string const& base, std::vector<std::string> const& options,
             std::string const& instead) {
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
            throw bench::Error("cannot compile the system", "no C++ compiler: " + command[0] + " does not run",
                               "Install one, set CXX, or " + instead);
        }
        throw bench::Error("cannot compile the system", first_line_with(log, "error"), "Try to " + instead);
    }
    std::filesystem::rename(unique + ".cpp", base + ".cpp");
    std::filesystem::rename(unique + ".so", base + ".so");
}

Program const* built_in(std::string const& text) {
    unsigned long long count = 0;
    BuiltIn const* const programs = built_in_programs(count);
    unsigned long long const digest = text_digest(text);
    for (unsigned long long i = 0; i < count; ++i) {
        if (programs[i].digest == digest)
            return programs[i].program();
    }
    return nullptr;
}

void make_constants(Program const& program) {
    TermLayout const layout(program);
    Word const* entry = program.constant_table;
    Word* offset = program.constants;
    for (Word i = 0; i < program.constant_count; ++i) {
        Word const symbol = *entry++;
        Word const count = *entry++;
        *offset = layout.head(symbol);
        for (Word argument = 0; argument < count; ++argument)
            layout.set_argument(offset, argument, program.constants + *entry++);
        offset += layout.words(layout.head(symbol));
    }
}

Program const* open_object(std::string const& path) {
    void* const object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const symbol = object == nullptr ? nullptr : dlsym(object, "lockstep_program");
    if (symbol == nullptr) {
        std::filesystem::remove(path);
        throw bench::Error("cannot load " + path, dlerror(), "It has been removed; try again.");
    }
    return reinterpret_cast<Program const* (*)()>(symbol)();
}

}  // namespace

std::string cache_folder() {
    if (std::string const own = environment("LOCKSTEP_CACHE"); !own.empty())
        return own;
    if (std::string const cache = environment("XDG_CACHE_HOME"); !cache.empty())
        return cache + "/lockstep";
    if (std::string const home = environment("HOME"); !home.empty() && access(home.c_str(), W_OK) == 0)
        return home + "/.cache/lockstep";
    return "/tmp/lockstep-" + std::to_string(getuid());
}

std::string cpp_compiler() {
    if (std::string const own = environment("CXX"); !own.empty())
        return own;
    return access(LOCKSTEP_CPP_COMPILER, X_OK) == 0 ? LOCKSTEP_CPP_COMPILER : "c++";
}

std::string own_cache_folder(std::string const& name) {
    std::string const folder = cache_folder() + "/" + name;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    struct stat owner = {};
    if (stat(folder.c_str(), &owner) != 0 || owner.st_uid != geteuid() || access(folder.c_str(), W_OK) != 0) {
        throw bench::Error("cannot use the cache " + folder, "it is not this user's to write",
                           "Set LOCKSTEP_CACHE to another folder.");
    }
    chmod(folder.c_str(), 0700);
    return folder;
}

std::string cache_name(std::string const& text, std::string const& key) {
    char name[40];
    std::snprintf(name, sizeof name, "%016llx%016llx", text_digest(text), text_digest(key + "\n" + text));
    return name;
}

bool is_cached(std::string const& text, std::string const& base, std::string const& suffix) {
    std::error_code error;
    return std::filesystem::exists(base + suffix, error) && std::filesystem::exists(base + ".cpp", error) &&
           bench::read_file(base + ".cpp") == text;
}

std::string shared_object(std::string const& text, std::vector<std::string> const& options,
                          std::string const& instead) {
    std::string const base = own_cache_folder("rewrite") + "/" + cache_name(text, key_of(options));
    if (!is_cached(text, base, ".so"))
        compile(text, base, options, instead);
    return base + ".so";
}

bool is_compiled(std::string const& text) {
    return built_in(text) != nullptr ||
           is_cached(text, cache_folder() + "/rewrite/" + cache_name(text, key_of(options_for(text))), ".so");
}

Program const& load_program(std::string const& text) {
    static std::mutex mutex;
    static std::map<std::string, Program const*> loaded;
    std::unique_lock const lock(mutex);
    std::string const name = cache_name(text, key_of(options_for(text)));
    if (auto const found = loaded.find(name); found != loaded.end())
        return *found->second;
    Program const* program = built_in(text);
    if (program == nullptr)
        program = open_object(shared_object(text, options_for(text), "use --engine oracle."));
    make_constants(*program);
    loaded[name] = program;
    return *program;
}

}  // namespace lockstep::term_rewriting::compiled
