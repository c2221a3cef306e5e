#include "common/rule_interpreter/rule_file/array_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/bench/error.hpp"
#include "harness/bench/output_target.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

constexpr std::uint64_t max_piece = std::uint64_t{1} << 30;  // bytes per call: Linux transfers less than 2 GiB

[[noreturn]] void fail(std::string const& path, std::string const& why, std::string const& suggestion = "") {
    throw bench::Error("cannot read " + path, why, suggestion);
}

// Opens a regular file. O_NONBLOCK: opening a FIFO does not wait for a writer.
int open_regular(std::string const& path, std::uint64_t& bytes) {
    struct stat status {};
    if (path.find('\0') != path.npos)
        fail(path, "its name has a NUL byte");
    if (::stat(path.c_str(), &status) != 0)
        fail(path, std::strerror(errno));
    if (!S_ISREG(status.st_mode))
        fail(path, S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
    int const descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        fail(path, std::strerror(errno));
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        fail(path, "it is not a regular file");
    }
    bytes = static_cast<std::uint64_t>(status.st_size);
    return descriptor;
}

// Returns the number of bytes read, which is smaller at the end of the file.
std::uint64_t read_at(int descriptor, std::uint64_t offset, void* to, std::uint64_t bytes, std::string const& path) {
    std::uint64_t done = 0;
    while (done < bytes) {
        ssize_t const got = ::pread(descriptor, static_cast<char*>(to) + done, std::min(bytes - done, max_piece),
                                    static_cast<off_t>(offset + done));
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            fail(path, std::strerror(errno));
        done += got > 0 ? static_cast<std::uint64_t>(got) : 0;
    }
    return done;
}

std::string shape_text(ArrayShape const& shape) {
    return "(" + std::to_string(shape.states) + ", " + std::to_string(shape.size) + ")";
}

std::string const& checked_target(std::string const& path) {
    if (bench::output_target(path) == bench::OutputTarget::standard_output)
        throw bench::Error("cannot write " + path, "values do not go to standard output", "Name a file.");
    return path;
}

}  // namespace

ArrayReader::ArrayReader(std::string const& path, Type const type, std::uint64_t const size) : path_(path) {
    std::uint64_t bytes = 0;
    descriptor_ = open_regular(path, bytes);
    try {
        if (is_npy(path))
            open_npy(bytes, type, size);
        else
            open_raw(bytes, type, size);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

ArrayReader::~ArrayReader() { ::close(descriptor_); }

void ArrayReader::open_npy(std::uint64_t const bytes, Type const type, std::uint64_t const size) {
    std::string head(std::min<std::uint64_t>(bytes, max_npy_head), '\0');
    head.resize(read_at(descriptor_, 0, head.data(), head.size(), path_));
    NpyHead const read = parse_npy_head(head, path_);
    shape_ = read.shape;
    begin_ = read.bytes;
    if (shape_.type != type)
        fail(path_,
             "its type is " + std::string(to_string(shape_.type)) + ", and the column's is " +
                 std::string(to_string(type)),
             "Convert it, or change the column.");
    if (shape_.size < 1 || shape_.size > max_size)
        fail(path_,
             "its shape is " + shape_text(shape_) + ", and a state has 1 to " + std::to_string(max_size) + " values");
    if (size != 0 && shape_.size != size)
        fail(path_, "its shape is " + shape_text(shape_) + ", and the column's size is " + std::to_string(size),
             "The shape must be (states, " + std::to_string(size) + ").");
    std::uint64_t expected = 0;
    if (__builtin_mul_overflow(shape_.states, shape_.size * bytes_of(type), &expected) || expected != bytes - begin_)
        fail(path_,
             "its shape is " + shape_text(shape_) + ", and it has " + std::to_string(bytes - begin_) +
                 " bytes of values",
             "The file is damaged.");
}

void ArrayReader::open_raw(std::uint64_t const bytes, Type const type, std::uint64_t const size) {
    if (size == 0)
        fail(path_, "the column has no size, which only an .npy file tells", "Give the column a size.");
    std::uint64_t const state = size * bytes_of(type);
    if (bytes % state != 0)
        fail(path_, "it has " + std::to_string(bytes) + " bytes, and a state has " + std::to_string(state),
             "A raw file has the values of whole states.");
    shape_ = {type, bytes / state, size};
}

void ArrayReader::read(std::uint64_t const first_state, std::uint64_t const states, void* to) const {
    std::uint64_t const state = shape_.size * bytes_of(shape_.type);
    if (read_at(descriptor_, begin_ + first_state * state, to, states * state, path_) != states * state)
        fail(path_, "it became shorter");
}

ArrayWriter::ArrayWriter(std::string const& path, ArrayShape const& shape) : file_(checked_target(path)) {
    head_ = is_npy(path) ? npy_head(shape) : "";
}

void ArrayWriter::write(void const* values, std::uint64_t const bytes) {
    file_.write(std::exchange(head_, ""));
    file_.write(values, bytes);
}

}  // namespace lockstep::rule_interpreter::rule_file
