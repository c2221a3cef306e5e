#pragma once
// The cache of code that is compiled at run time. File names are digests of the text and of the compile options.

#include <string>

namespace lockstep::jit {

// $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else ~/.cache/lockstep, else a per-user folder under /tmp.
std::string cache_folder();

// Returns the folder `name` below cache_folder(), and creates it if it is missing. Only this user can write to it,
// because the program runs the code in it. Throws bench::Error if another user owns it.
std::string own_cache_folder(std::string const& name);

// Returns the file name for `text` compiled with the options `key`: 32 hexadecimal digits.
std::string cache_file_name(std::string const& text, std::string const& key);

// Returns true if `base` + `suffix` was compiled from exactly this text. `base`.cpp stores the text, because file names
// might collide.
bool is_cached(std::string const& text, std::string const& base, std::string const& suffix);

}  // namespace lockstep::jit
