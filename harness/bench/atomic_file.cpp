#include "harness/bench/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <system_error>

#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/streamed_file.hpp"

namespace lockstep::bench {

namespace {

std::string suggestion_for(int const error_number) {
    switch (error_number) {
        case ENOSPC:
        case EDQUOT:
            return "free space there, then repeat the command";
        case EFBIG:
            return "raise the limit of file sizes with ulimit -f";
        case EMFILE:
            return "raise the limit of open files with ulimit -n";
        case EBADF:
            return "open it or name a file";
        default:
            return "choose another folder for it";
    }
}

std::filesystem::path folder_of(std::filesystem::path const& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// Two signs are needed: processes of another container are not seen from here, and a writer locks its file only after
// it has created it.
bool is_abandoned(std::filesystem::path const& scratch, std::string_view const process) {
    long id = 0;
    auto const [end, code] = std::from_chars(process.data(), process.data() + process.size(), id);
    bool const is_number = code == std::errc() && (end == process.data() + process.size() || *end == '-') && id > 0;
    if (!is_number || ::kill(static_cast<pid_t>(id), 0) == 0 || errno != ESRCH)
        return false;
    int const descriptor = ::open(scratch.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0)
        return false;
    bool const locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return locked;
}

void remove_abandoned(std::filesystem::path const& target, std::string const& prefix) {
    std::error_code code;
    for (std::filesystem::directory_iterator entry(folder_of(target), code), end; !code && entry != end;
         entry.increment(code)) {
        std::string const name = entry->path().filename().string();
        if (name.starts_with(prefix) && is_abandoned(entry->path(), std::string_view(name).substr(prefix.size())))
            ::unlink(entry->path().c_str());
    }
}

}  // namespace

Error cannot_write(std::filesystem::path const& path, int const error_number) {
    return Error("cannot write " + path.string(), std::strerror(error_number), suggestion_for(error_number));
}

void create_parent_folders(std::filesystem::path const& path) {
    std::error_code code;
    std::filesystem::create_directories(folder_of(path), code);
    if (code)
        throw cannot_write(path, code.value());
}

// A rename is on the disk only when its folder is. The file itself is valid either way, so errors do not matter.
void sync_folder_of(std::filesystem::path const& path) {
    int const descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    static_cast<void>(::fsync(descriptor));
    ::close(descriptor);
}

std::string scratch_name(std::filesystem::path const& path) {
    // The process and a number keep two writers of one file from sharing a scratch file.
    static std::atomic<unsigned> number = 0;
    remove_abandoned(path, path.filename().string() + ".part-");
    return path.string() + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(number.fetch_add(1));
}

void write_file_atomically(std::filesystem::path const& path, std::string_view const text, Durable const durable) {
    StreamedFile file(path);
    file.write(text);
    file.finish(durable);
}

std::string read_file(std::filesystem::path const& path) { return read_input(path, Input::own_file); }

}  // namespace lockstep::bench
