#include "harness/jit/cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/text_digest.hpp"

namespace lockstep::jit {

namespace {

std::string environment(char const* name) {
    char const* const value = std::getenv(name);
    return value == nullptr ? "" : value;
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

std::string own_cache_folder(std::string const& name) {
    std::string const folder = cache_folder() + "/" + name;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    struct stat owner = {};
    if (stat(folder.c_str(), &owner) != 0 || owner.st_uid != geteuid() || access(folder.c_str(), W_OK) != 0) {
        throw bench::Error("cannot use the cache " + folder, "this user does not own it or cannot write to it",
                           "Set LOCKSTEP_CACHE to another folder.");
    }
    chmod(folder.c_str(), 0700);
    return folder;
}

std::string cache_file_name(std::string const& text, std::string const& key) {
    char name[40];
    std::snprintf(name, sizeof name, "%016llx%016llx", text_digest(text), text_digest(key + "\n" + text));
    return name;
}

bool is_cached(std::string const& text, std::string const& base, std::string const& suffix) {
    std::error_code error;
    return std::filesystem::exists(base + suffix, error) && std::filesystem::exists(base + ".cpp", error) &&
           bench::read_file(base + ".cpp") == text;
}

}  // namespace lockstep::jit
