#include "harness/bench/input_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>

#include "harness/bench/error.hpp"

namespace lockstep::bench {

namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

struct Kind {
    char const* what;  // after "cannot be" in an error
    std::uint64_t limit;
    bool streams;  // "-" is standard input
};

// In the order of Input. Each limit is far above every real file of its kind.
constexpr std::array<Kind, 13> kinds = {{
    {"a term system", 64 * mebibyte, true},
    {"an annotated source", 16 * mebibyte, true},
    {"a design", 16 * mebibyte, true},
    {"a network", 256 * mebibyte, true},
    {"a file of puzzles", 64 * mebibyte, true},
    {"a rule file", mebibyte, true},
    {"a model file", mebibyte, true},
    {"a file of command lines", 16 * mebibyte, true},
    {"a mask", mebibyte, true},
    {"a file of numbers of sites", 256 * mebibyte, true},
    {"a results file", 256 * mebibyte, false},
    {"a CUDA source", 16 * mebibyte, false},
    {"such a file", 1024 * mebibyte, false},
}};

std::atomic<std::uint64_t> max_input_given = 0;

struct StandardInput {
    std::mutex mutex;
    std::optional<std::string> text;
};

StandardInput& kept_input() {
    static StandardInput kept;
    return kept;
}

// "64 MiB"; bytes, if the size is not a whole number of KiB.
std::string size_text(std::uint64_t const bytes) {
    constexpr std::array<char const*, 4> units = {"bytes", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    std::uint64_t value = bytes;
    for (; unit + 1 < units.size() && value != 0 && value % 1024 == 0; ++unit)
        value /= 1024;
    return std::to_string(value) + " " + units[unit];
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    ~Descriptor() {
        if (number_ >= 0)
            ::close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

// One read of one input.
class Reading {
public:
    Reading(std::string const& path, Input kind, std::uint64_t before)
        : name_(path == standard_input ? "standard input" : path),
          kind_(kinds[static_cast<std::size_t>(kind)]),
          raisable_(kind != Input::own_file),
          before_(before),
          limit_(raisable_ && max_input_given != 0 ? max_input_given.load() : kind_.limit) {}

    std::string file(std::string const& path) const {
        if (path.find('\0') != std::string::npos)
            fail("its name has a NUL byte, at which the system would end it");
        // A device is not even opened, because that alone can have an effect (a tape rewinds).
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0)
            fail(std::strerror(errno));
        require_regular(status);
        // What the path names may have changed since. O_NONBLOCK: opening a FIFO does not wait for a writer.
        Descriptor const opened(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        if (opened.number() < 0 || ::fstat(opened.number(), &status) != 0)
            fail(std::strerror(errno));
        require_regular(status);
        std::uint64_t const size = status.st_size > 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
        if (size > left())
            too_large(size);
        return text_of(opened.number(), size);
    }

    std::string stream() const {
        if (!kind_.streams)
            throw UnreadableInput("cannot read -", std::string("standard input cannot be ") + kind_.what,
                                  "name a file");
        StandardInput& kept = kept_input();
        std::lock_guard const lock(kept.mutex);
        if (!kept.text)
            kept.text = text_of(STDIN_FILENO, 0);
        else if (kept.text->size() > left())
            too_large(kept.text->size());
        return *kept.text;
    }

private:
    [[noreturn]] void fail(std::string const& why, std::string const& suggestion = {}) const {
        throw UnreadableInput("cannot read " + name_, why, suggestion);
    }

    [[noreturn]] void too_large(std::uint64_t size) const {
        std::string const what = size > limit_ ? "it is" : "with the files read before, it is";
        fail(what + " larger than the limit of " + size_text(limit_), raisable_ ? "raise it with --max-input" : "");
    }

    void require_regular(struct stat const& status) const {
        if (S_ISREG(status.st_mode))
            return;
        if (S_ISDIR(status.st_mode))
            fail("it is a folder");
        char const* const what = S_ISFIFO(status.st_mode)   ? "a FIFO"
                                 : S_ISSOCK(status.st_mode) ? "a socket"
                                                            : "a device";
        fail("it is " + std::string(what),
             kind_.streams ? "give a regular file, or - for standard input" : "give a regular file");
    }

    std::uint64_t left() const { return limit_ - std::min(limit_, before_); }

    // Reads until the end, but at most one byte more than is left.
    std::string text_of(int descriptor, std::uint64_t expected_size) const {
        constexpr std::size_t piece = 1 << 16;
        std::string text;
        text.reserve(expected_size);
        std::array<char, piece> buffer;
        while (text.size() <= left()) {
            std::size_t const wanted = std::min<std::uint64_t>(piece, left() - text.size() + 1);
            ssize_t const got = ::read(descriptor, buffer.data(), wanted);
            if (got == 0)
                return text;
            if (got > 0)
                text.append(buffer.data(), static_cast<std::size_t>(got));
            else if (errno == EAGAIN && descriptor == STDIN_FILENO)
                wait_for(descriptor);
            else if (errno != EINTR)
                fail(std::strerror(errno));
        }
        too_large(text.size());
    }

    // Standard input is non-blocking if another process that has it made it so.
    static void wait_for(int descriptor) {
        pollfd waiting = {descriptor, POLLIN, 0};
        ::poll(&waiting, 1, -1);
    }

    std::string name_;
    Kind const& kind_;
    bool raisable_;
    std::uint64_t before_;
    std::uint64_t limit_;
};

}  // namespace

void begin_inputs(std::uint64_t const max_input) {
    max_input_given = max_input;
    StandardInput& kept = kept_input();
    std::lock_guard const lock(kept.mutex);
    kept.text.reset();
}

std::string read_input(std::filesystem::path const& path, Input const kind, std::uint64_t const read_before) {
    Reading const reading(path.string(), kind, read_before);
    return path == standard_input ? reading.stream() : reading.file(path.string());
}

}  // namespace lockstep::bench
