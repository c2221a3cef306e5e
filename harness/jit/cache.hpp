#pragma once
// The cache of what is compiled at run time. Names are made of the text and of how it is compiled.

#include <string>

namespace lockstep::jit {

// $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else ~/.cache/lockstep, else a folder of the user's own under /tmp.
std::string cache_folder();

// The folder `name` below cache_folder(), which is made if it is missing. Only this user can write to it, because the
// program runs what lies there. Throws bench::Error where another user owns it.
std::string own_cache_folder(std::string const& name);

// A file name for what is made of `text` as `key` says: 32 hexadecimal digits.
std::string cache_file_name(std::string const& text, std::string const& key);

// True if `base` + `suffix` was made of this very text, which is kept in `base`.cpp: names alone might collide.
bool is_cached(std::string const& text, std::string const& base, std::string const& suffix);

}  // namespace lockstep::jit
