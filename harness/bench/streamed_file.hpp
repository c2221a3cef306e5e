#pragma once
// A file that is written in pieces and appears whole: the pieces go to a scratch file in the target's folder, which
// finish() renames to the target. write_file_atomically() in atomic_file.hpp is for one text.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/output_target.hpp"
#include "harness/bench/scratch_registry.hpp"

namespace lockstep::bench {

// Creates the parent folders. /dev/null and standard output are written to as they are; see output_target(). Without
// finish(), an existing file stays as it is. All functions throw bench::Error if writing fails.
class StreamedFile {
public:
    StreamedFile();  // standard output
    explicit StreamedFile(std::filesystem::path target);
    StreamedFile(StreamedFile const&) = delete;
    StreamedFile& operator=(StreamedFile const&) = delete;
    ~StreamedFile();

    // All cores, if there are enough, write a large piece to a file in memory.
    void write(void const* bytes, std::uint64_t count);
    void write(std::string_view text) { write(text.data(), text.size()); }
    void finish(Durable durable = Durable::yes);

private:
    void open_scratch();
    void write_at(char const* bytes, std::uint64_t count, std::uint64_t offset) const;

    std::filesystem::path target_;
    OutputTarget kind_;
    std::string scratch_;
    std::optional<RegisteredScratch> registered_;
    int descriptor_ = -1;
    std::uint64_t written_ = 0;  // bytes of the scratch file
    bool renamed_ = false;
};

}  // namespace lockstep::bench
