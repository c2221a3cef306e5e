#include "harness/jit/cache.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "harness/bench/error.hpp"
#include "harness/jit/sha256.hpp"

namespace lockstep::jit {

namespace {

std::string environment(char const* name) {
    char const* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bench::Error unusable(std::string const& folder, Untrusted const& why) {
    return bench::Error("cannot use the cache " + folder, why.reason,
                        (why.remedy.empty() ? "Set" : why.remedy) + " LOCKSTEP_CACHE to another folder.");
}

// A line of sha256sum.
std::string digest_line(std::string const& path, std::string const& image) {
    return sha256(image) + "  " + std::filesystem::path(path).filename().string() + "\n";
}

void write_entry_file(std::string const& path, std::string const& text) {
    try {
        write_own_file(path, text);
    } catch (Untrusted const& why) {
        throw unusable(std::filesystem::path(path).parent_path().string(), why);
    }
}

}  // namespace

std::string cache_folder() {
    if (std::string const own = environment("LOCKSTEP_CACHE"); !own.empty())
        return own;
    if (std::string const cache = environment("XDG_CACHE_HOME"); !cache.empty())
        return cache + "/lockstep";
    if (std::string const home = environment("HOME"); !home.empty() && access(home.c_str(), W_OK) == 0)
        return home + "/.cache/lockstep";
    std::string const temporary = environment("TMPDIR");
    return (temporary.empty() ? "/tmp" : temporary) + "/lockstep-" + std::to_string(geteuid());
}

std::string own_cache_folder(std::string const& name) {
    std::string const folder = cache_folder();
    try {
        return own_folder(folder, name);
    } catch (Untrusted const& why) {
        throw unusable(folder + "/" + name, why);
    }
}

std::string cache_file_name(std::string const& text, std::string const& key) {
    return sha256(std::to_string(key.size()) + " " + key + text);
}

std::optional<std::string> cached_image(std::string const& base, std::string const& suffix) {
    std::string const path = base + suffix;
    std::optional<std::string> const line = read_own_file(path + ".sha256");
    if (!line)
        return {};
    std::optional<std::string> image = read_own_file(path);
    if (!image || *line != digest_line(path, *image))
        return {};
    return image;
}

void store_image(std::string const& base, std::string const& suffix, std::string const& text,
                 std::string const& image) {
    std::string const path = base + suffix;
    write_entry_file(base + ".cpp", text);
    write_entry_file(path, image);
    write_entry_file(path + ".sha256", digest_line(path, image));
}

std::unique_ptr<ScratchFolder> cache_scratch(std::string const& folder) {
    try {
        return std::make_unique<ScratchFolder>(folder);
    } catch (Untrusted const& why) {
        throw unusable(folder, why);
    }
}

void own_cache_text(std::string const& path, std::string const& text) {
    if (read_own_file(path) != text)
        write_entry_file(path, text);
}

}  // namespace lockstep::jit
