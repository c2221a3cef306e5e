#pragma once
// The output for normal forms: standard output, or a file that is renamed into place once it is complete. Text is
// written in pieces, because a printed normal form may be larger than memory.

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "harness/bench/scratch_registry.hpp"

namespace lockstep::term_rewriting {

class Output {
public:
    // An empty path and - mean standard output. Creates the parent folders of a file. Throws bench::Error if it cannot
    // be written.
    explicit Output(std::string path);
    ~Output();
    Output(Output const&) = delete;
    Output& operator=(Output const&) = delete;

    void write(std::string_view text);
    void commit();  // without it, an existing file does not change

private:
    [[noreturn]] void fail() const;
    bool is_scratch() const { return registered_.has_value(); }

    std::string path_;  // empty: standard output
    std::string partial_;
    std::optional<bench::RegisteredScratch> registered_;
    std::FILE* file_;
};

}  // namespace lockstep::term_rewriting
