#pragma once
// What compilers and machines say about a user's file, in the words of its author. A generated text names the lines of
// that file by #line with a name of the experiment.

#include <string>
#include <string_view>

#include "harness/bench/error.hpp"
#include "harness/jit/compile_error.hpp"
#include "harness/simt/error.hpp"

namespace lockstep::jit {

struct UserFile {
    std::string path;        // for messages
    std::string line_name;   // the name in #line, such as "rules"
    std::string name_space;  // of the code, before that of the machine, such as "lockstep::rule_interpreter::rule_file"
    std::string kind;        // "the rule file"
    std::string cache_name;  // of the folder of its compiled code, as in CompileContext
    std::string actor;       // whose instructions the code has: "a rule"
    std::string memory;      // what it may access: "its columns"
};

// The compiler's first error with a line of the user's file; if there is none, the error itself.
bench::Error compile_error_of(UserFile const& file, CompileError const& error);

// What a machine refuses while it runs the code, with the line of the user's file where it has one.
bench::Error run_error_of(UserFile const& file, simt::Error const& error);

// The first line of the user's file that a text names as addr2line does, or 0.
std::size_t first_line_of(UserFile const& file, std::string_view places);

}  // namespace lockstep::jit
