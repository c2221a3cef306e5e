#include "harness/simt/hooks/binutils.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace lockstep::simt::hooks {

std::optional<Module> module_of(std::uintptr_t pc) {
    Dl_info info{};
    link_map* map = nullptr;
    if (dladdr1(reinterpret_cast<void*>(pc), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
        map == nullptr) {
        return std::nullopt;
    }
    if (*map->l_name != 0) {
        return Module{map->l_name, map->l_addr};
    }
    // /proc/self/exe would be the child's in the child.
    std::array<char, 4096> own{};
    ssize_t const length = readlink("/proc/self/exe", own.data(), own.size() - 1);
    return Module{length > 0 ? own.data() : "/proc/self/exe", map->l_addr};
}

std::string output_of(std::vector<std::string> const& command) {
    int ends[2];
    if (pipe(ends) != 0) {
        return {};
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (std::string const& word : command) {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    pid_t process = 0;
    bool const started = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string text;
    std::array<char, 4096> part;
    for (ssize_t count; started && (count = read(ends[0], part.data(), part.size())) > 0;) {
        text.append(part.data(), static_cast<std::size_t>(count));
    }
    close(ends[0]);
    int status = 0;
    if (!started || waitpid(process, &status, 0) != process || status != 0) {
        return {};
    }
    return text;
}

std::string hexadecimal(std::uintptr_t value) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%zx", static_cast<std::size_t>(value));
    return text.data();
}

}  // namespace lockstep::simt::hooks
