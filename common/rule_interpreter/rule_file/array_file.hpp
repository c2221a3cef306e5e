#pragma once
// Columns of states in files: .npy (format versions 1 to 3, shape (states, size) or (states,)), or raw values in the
// order of states. Files are untrusted: a header is read strictly, and a file must have exactly the bytes that its
// header or its declaration says. Large files are read and written in pieces.

#include <cstdint>
#include <string>
#include <string_view>

#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "harness/bench/streamed_file.hpp"

namespace lockstep::rule_interpreter::rule_file {

struct ArrayShape {
    Type type = Type::u32;
    std::uint64_t states = 0;
    std::uint64_t size = 1;  // values per state
};

// The shape that the head of an .npy file says, and the number of bytes before its values. `head` is the beginning of
// the file, at least max_npy_head bytes or all of it. Throws bench::Error with `path`.
inline constexpr std::size_t max_npy_head = 65536 + 12;
struct NpyHead {
    ArrayShape shape;
    std::uint64_t bytes = 0;
};
NpyHead parse_npy_head(std::string_view head, std::string const& path);
std::string npy_head(ArrayShape const& shape);

bool is_npy(std::string const& path);

// An open file with the values of a column.
class ArrayReader {
public:
    // `size` 0: as the .npy file says. Throws bench::Error if the file does not have this type and size.
    ArrayReader(std::string const& path, Type type, std::uint64_t size);
    ArrayReader(ArrayReader const&) = delete;
    ArrayReader& operator=(ArrayReader const&) = delete;
    ~ArrayReader();

    ArrayShape const& shape() const { return shape_; }
    // Throws bench::Error if the file has become shorter.
    void read(std::uint64_t first_state, std::uint64_t states, void* to) const;

private:
    void open_npy(std::uint64_t bytes, Type type, std::uint64_t size);
    void open_raw(std::uint64_t bytes, Type type, std::uint64_t size);

    std::string path_;
    int descriptor_ = -1;
    ArrayShape shape_;
    std::uint64_t begin_ = 0;  // of the values in the file
};

// Writes states in order to a file, which appears with finish().
class ArrayWriter {
public:
    ArrayWriter(std::string const& path, ArrayShape const& shape);

    void write(void const* values, std::uint64_t bytes);
    void finish() { file_.finish(); }

private:
    bench::StreamedFile file_;
    std::string head_;  // until the first write
};

}  // namespace lockstep::rule_interpreter::rule_file
