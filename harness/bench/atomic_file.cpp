#include "harness/bench/atomic_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/output_target.hpp"

namespace lockstep::bench {

namespace {

// Removes the scratch file unless it was renamed.
class Scratch {
public:
    explicit Scratch(std::filesystem::path path) : path_(std::move(path)) {}
    Scratch(Scratch const&) = delete;
    Scratch& operator=(Scratch const&) = delete;
    ~Scratch() {
        if (!path_.empty()) {
            std::error_code ignored;
            std::filesystem::remove(path_, ignored);
        }
    }
    std::filesystem::path const& path() const { return path_; }
    void release() { path_.clear(); }

private:
    std::filesystem::path path_;
};

Error cannot_write(std::filesystem::path const& path, std::string const& why) {
    return Error("cannot write " + path.string(), why, "choose another folder with --out");
}

}  // namespace

void write_file_atomically(std::filesystem::path const& path, std::string_view text) {
    OutputTarget const target = output_target(path);
    if (target == OutputTarget::nothing)
        return;
    if (target == OutputTarget::standard_output) {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
            throw cannot_write(path, std::strerror(errno));
        return;
    }
    std::error_code code;
    if (path.has_parent_path()) {
        std::filesystem::create_directories(path.parent_path(), code);
        if (code)
            throw cannot_write(path, code.message());
    }
    // The process ID keeps two processes that write the same results from sharing a scratch file.
    Scratch scratch(path.string() + ".part-" + std::to_string(::getpid()));
    {
        std::ofstream stream(scratch.path(), std::ios::binary | std::ios::trunc);
        if (!stream)
            throw cannot_write(path, std::strerror(errno));
        stream.write(text.data(), static_cast<std::streamsize>(text.size()));
        stream.flush();
        if (!stream)
            throw cannot_write(path, std::strerror(errno));
    }
    std::filesystem::rename(scratch.path(), path, code);
    if (code)
        throw cannot_write(path, code.message());
    scratch.release();
}

std::string read_file(std::filesystem::path const& path) { return read_input(path, Input::own_file); }

}  // namespace lockstep::bench
