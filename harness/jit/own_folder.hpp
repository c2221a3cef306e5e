#pragma once
// Folders and files that no other user can change, because the program runs the code in them.

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::jit {

// Why a folder is not usable, and what the user can do.
struct Untrusted {
    std::string reason;
    std::string remedy;  // may be empty
};

// Returns `folder`/`below` without symbolic links, and creates missing folders with mode 0700, whatever the umask is.
// Throws Untrusted if another user can change what is in it:
//   - Each folder on the way belongs to this user or to root, and other users cannot write to it, unless its sticky bit
//     lets them rename only their own files, as in /tmp. Folders above this program are exempt: whoever can write there
//     can replace the program.
//   - `folder` itself is no symbolic link.
//   - All of `below` belongs to this user, is no symbolic link, and has no other writer.
std::string own_folder(std::string const& folder, std::string const& below);

// Returns the contents of a file that belongs to this user and that no other user can write to; nothing if there is no
// such file. Does not follow a symbolic link and does not wait for a pipe.
std::optional<std::string> read_own_file(std::string const& path);

// Writes the file beside its target, for this user alone, and renames it. Throws Untrusted.
void write_own_file(std::string const& path, std::string_view text);

// A new folder in a folder, for this user alone. The destructor removes it with its contents, unless keep() was called.
class ScratchFolder {
public:
    explicit ScratchFolder(std::string const& parent);
    ScratchFolder(ScratchFolder const&) = delete;
    ScratchFolder& operator=(ScratchFolder const&) = delete;
    ~ScratchFolder();
    std::string const& path() const { return path_; }
    void keep() { kept_ = true; }

private:
    std::string path_;
    bool kept_ = false;
};

}  // namespace lockstep::jit
