#include "harness/jit/own_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>

namespace lockstep::jit {

namespace {

constexpr mode_t others_write = S_IWGRP | S_IWOTH;
constexpr int max_links = 40;

[[noreturn]] void fail(std::string const& reason, std::string const& remedy = {}) { throw Untrusted{reason, remedy}; }

// A scratch name must not be that of another process or of another call.
std::string scratch_pattern(std::string const& name) { return name + ".part-XXXXXX"; }

// The folders that hold the program, from "/" down.
std::filesystem::path const& folder_of_program() {
    static std::filesystem::path const folder = [] {
        std::error_code error;
        return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    }();
    return folder;
}

bool holds_program(std::filesystem::path const& folder) {
    for (std::filesystem::path at = folder_of_program(); !at.empty(); at = at.parent_path()) {
        if (at == folder)
            return true;
        if (at == at.root_path())
            break;
    }
    return false;
}

// In a container that maps few users, the files of root belong to a user without a name, as "/" does.
bool is_root(uid_t user) {
    struct stat top = {};
    return user == 0 || (stat("/", &top) == 0 && user == top.st_uid);
}

bool is_mine(struct stat const& found) { return found.st_uid == geteuid(); }

std::string owner_of(std::string const& path, struct stat const& found) {
    return path + " belongs to user " + std::to_string(found.st_uid);
}

// Checks a folder above the cache.
void check_way(std::string const& path, struct stat const& found) {
    if (holds_program(path))
        return;
    if (!is_mine(found) && !is_root(found.st_uid))
        fail(owner_of(path, found));
    if ((found.st_mode & others_write) != 0 && (found.st_mode & S_ISVTX) == 0)
        fail("other users can write to " + path, "Run chmod go-w " + path + ", or set");
}

// Checks a folder of the cache.
void check_own(std::string const& path, struct stat const& found) {
    if (S_ISLNK(found.st_mode))
        fail(path + " is a symbolic link", "Remove it, or set");
    if (!S_ISDIR(found.st_mode))
        fail(path + " is not a folder");
    if (!is_mine(found))
        fail(owner_of(path, found));
    if ((found.st_mode & others_write) != 0)
        fail("other users can write to " + path, "Remove it, or set");
}

// Walks along a path, one name at a time, and resolves symbolic links.
class Walk {
public:
    explicit Walk(std::filesystem::path const& way) {
        for (std::filesystem::path const& name : way.relative_path())
            names_.push_back(name.string());
    }

    // Goes through folders that may belong to root, and creates missing ones.
    void go() {
        check();
        while (!names_.empty()) {
            std::string const name = names_.front();
            names_.pop_front();
            if (name.empty() || name == ".")
                continue;
            if (name == "..") {
                at_ = at_.parent_path();
                continue;
            }
            std::filesystem::path const next = at_ / name;
            struct stat found = look(next);
            if (S_ISLNK(found.st_mode)) {
                follow(next, found);
                continue;
            }
            at_ = next;
            check();
        }
    }

    // The last folder that may belong to root. It is named by the user, so it is no link.
    void go_into(std::string const& name) {
        std::filesystem::path const next = at_ / name;
        if (S_ISLNK(look(next).st_mode))
            fail(next.string() + " is a symbolic link");
        at_ = next;
        check();
    }

    // Goes into a folder of this user alone, and creates it if it is missing.
    void enter(std::string const& name) {
        std::filesystem::path const next = at_ / name;
        check_own(next.string(), look(next));
        at_ = next;
    }

    std::string place() const { return at_.string(); }

private:
    void check() const {
        struct stat found = {};
        if (lstat(at_.c_str(), &found) != 0)
            fail(at_.string() + ": " + std::strerror(errno));
        if (!S_ISDIR(found.st_mode))
            fail(at_.string() + " is not a folder");
        check_way(at_.string(), found);
    }

    // Returns what a name is. The name is in a folder that was checked, so nobody else can replace it.
    static struct stat look(std::filesystem::path const& path) {
        struct stat found = {};
        bool made = false;
        if (lstat(path.c_str(), &found) != 0) {
            if (errno != ENOENT)
                fail(path.string() + ": " + std::strerror(errno));
            made = mkdir(path.c_str(), 0700) == 0;
            if (!made && errno != EEXIST)
                fail(path.string() + ": " + std::strerror(errno));
            if (made && chmod(path.c_str(), 0700) != 0)  // mkdir applies the umask
                fail(path.string() + ": " + std::strerror(errno));
            if (lstat(path.c_str(), &found) != 0)
                fail(path.string() + ": " + std::strerror(errno));
        }
        return found;
    }

    void follow(std::filesystem::path const& link, struct stat const& found) {
        if (!is_mine(found) && !is_root(found.st_uid))
            fail("the symbolic link " + owner_of(link.string(), found));
        std::error_code error;
        std::filesystem::path const target = std::filesystem::read_symlink(link, error);
        if (error || ++links_ > max_links)
            fail(link.string() + ": " + (error ? error.message() : "too many symbolic links"));
        std::deque<std::string> names;
        for (std::filesystem::path const& name : target.relative_path())
            names.push_back(name.string());
        names_.insert(names_.begin(), names.begin(), names.end());
        if (target.is_absolute())
            at_ = "/";
    }

    std::filesystem::path at_ = "/";
    std::deque<std::string> names_;
    int links_ = 0;
};

}  // namespace

std::string own_folder(std::string const& folder, std::string const& below) {
    std::error_code error;
    std::filesystem::path path = std::filesystem::absolute(folder, error).lexically_normal();
    if (error)
        fail(error.message());
    if (!path.has_filename())
        path = path.parent_path();
    Walk walk(path.parent_path());
    walk.go();
    if (path.has_filename())
        walk.go_into(path.filename().string());
    for (std::filesystem::path const& name : std::filesystem::path(below))
        walk.enter(name.string());
    std::string place = walk.place();
    if (chmod(place.c_str(), 0700) != 0 || access(place.c_str(), W_OK) != 0)
        fail(place + ": " + std::strerror(errno));
    return place;
}

std::optional<std::string> read_own_file(std::string const& path) {
    int const file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return {};
    struct Closed {
        int file;
        ~Closed() { close(file); }
    } const closed{file};
    struct stat found = {};
    if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || !is_mine(found) || (found.st_mode & others_write) != 0)
        return {};
    std::string text(static_cast<std::size_t>(found.st_size), '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        ssize_t const got = read(file, text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return {};
        size += static_cast<std::size_t>(got);
    }
    return text;
}

void write_own_file(std::string const& path, std::string_view text) {
    std::string scratch = scratch_pattern(path);
    int const file = mkstemp(scratch.data());
    if (file < 0)
        fail(path + ": " + std::strerror(errno));
    int failed = fchmod(file, 0600) == 0 ? 0 : errno;
    while (failed == 0 && !text.empty()) {
        ssize_t const put = write(file, text.data(), text.size());
        if (put < 0 && errno != EINTR)
            failed = errno;
        text.remove_prefix(put > 0 ? static_cast<std::size_t>(put) : 0);
    }
    if (close(file) != 0 && failed == 0)
        failed = errno;
    if (failed == 0 && rename(scratch.c_str(), path.c_str()) != 0)
        failed = errno;
    if (failed != 0) {
        unlink(scratch.c_str());
        fail(path + ": " + std::strerror(failed));
    }
}

ScratchFolder::ScratchFolder(std::string const& parent) : path_(scratch_pattern(parent + "/compile")) {
    if (mkdtemp(path_.data()) == nullptr || chmod(path_.c_str(), 0700) != 0)
        fail(path_ + ": " + std::strerror(errno));
}

ScratchFolder::~ScratchFolder() {
    if (kept_)
        return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace lockstep::jit
