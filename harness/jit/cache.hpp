#pragma once
// The cache of code that is compiled at run time. An entry has the name of the SHA-256 digest of its text and of the
// compile options. It consists of
//   NAME.cpp      the text, for people
//   NAME.so       the machine code, or NAME.image for a GPU
//   NAME.so.sha256  its digest, as sha256sum prints it. It is written last: without it there is no entry.
// An image is used only if it has its digest, so an interrupted write, a full disk or a damaged file leads to another
// compilation. own_folder.hpp keeps other users out.

#include <memory>
#include <optional>
#include <string>

#include "harness/jit/own_folder.hpp"

namespace lockstep::jit {

// $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else ~/.cache/lockstep, else a per-user folder in $TMPDIR or /tmp.
std::string cache_folder();

// Returns the folder `name` below cache_folder(), and creates it if it is missing, with mode 0700. Throws bench::Error
// if another user can change what is in it, because the program runs the code in it.
std::string own_cache_folder(std::string const& name);

// Returns the file name for `text` compiled with the options `key`: 64 hexadecimal digits.
std::string cache_file_name(std::string const& text, std::string const& key);

// Returns the image `base` + `suffix`, or nothing unless it is complete, unchanged, and this user's alone.
std::optional<std::string> cached_image(std::string const& base, std::string const& suffix);

// Stores an entry: its text, image and digest. Several processes can store the same entry at the same time. Throws
// bench::Error.
void store_image(std::string const& base, std::string const& suffix, std::string const& text, std::string const& image);

// Returns a new folder for temporary files in a folder of the cache. Throws bench::Error.
std::unique_ptr<ScratchFolder> cache_scratch(std::string const& folder);

// Makes the file `path` in a folder of the cache contain exactly `text`. Throws bench::Error.
void own_cache_text(std::string const& path, std::string const& text);

}  // namespace lockstep::jit
