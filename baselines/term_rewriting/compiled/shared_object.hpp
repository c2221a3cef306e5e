#pragma once
// Generated C++ as a program that can be called: one that was compiled with this build, else a shared object that the
// system's C++ compiler makes, kept in a cache by the content of text and command.

#include <string>
#include <vector>

#include "baselines/term_rewriting/compiled/abi.hpp"

namespace lockstep::term_rewriting::compiled {

// $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else ~/.cache/lockstep, else a folder of the user's own under /tmp.
std::string cache_folder();

// $CXX, else the compiler that built this program where it is still there, else c++.
std::string cpp_compiler();

// A folder below cache_folder() that this user alone can write: what lies there is run. Throws bench::Error.
std::string own_cache_folder(std::string const& name);

// A name for `text`, which was made as `key` says: hexadecimal digits.
std::string cache_name(std::string const& text, std::string const& key);

// True where `base` + `suffix` was made of this very text, which is in `base`.cpp: a name alone might collide.
bool is_cached(std::string const& text, std::string const& base, std::string const& suffix);

// The path of a shared object made of `text` with these options of the C++ compiler, which runs unless the object is in
// the cache. Throws bench::Error where there is no compiler, or it refuses the text; `instead` is what the user may do
// then.
std::string shared_object(std::string const& text, std::vector<std::string> const& options, std::string const& instead);

// True where load_program() will not have to compile.
bool is_compiled(std::string const& text);

// Programs stay loaded. Throws bench::Error where there is no compiler, or it refuses the text.
Program const& load_program(std::string const& text);

// A program that was compiled with this build.
struct BuiltIn {
    unsigned long long digest;  // of its text
    Program const* (*program)();
};
BuiltIn const* built_in_programs(unsigned long long& count);

// 64-bit FNV-1a.
unsigned long long text_digest(std::string const& text);

}  // namespace lockstep::term_rewriting::compiled
