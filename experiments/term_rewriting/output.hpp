#pragma once
// Where normal forms go: standard output, or a file that is renamed into place once it is whole. Written in pieces, as
// a normal form may be larger than memory when it is written out.

#include <cstdio>
#include <string>
#include <string_view>

namespace lockstep::term_rewriting {

class Output {
public:
    // Empty: standard output. Throws bench::Error where the file cannot be written.
    explicit Output(std::string path);
    ~Output();
    Output(Output const&) = delete;
    Output& operator=(Output const&) = delete;

    void write(std::string_view text);
    void commit();  // without it a file is left as it was

private:
    [[noreturn]] void fail() const;

    std::string path_;
    std::string partial_;
    std::FILE* file_;
};

}  // namespace lockstep::term_rewriting
