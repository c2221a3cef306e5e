#include "harness/bench/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/interrupt.hpp"

namespace lockstep::bench {

namespace {

using Clock = std::chrono::steady_clock;

// Returns false if another process holds the lock.
bool try_lock(int const descriptor) {
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return false;
        if (errno != EINTR)
            break;  // this file system has no locks
    }
    return true;
}

// The former holder removes the lock file, so a lock that was waited for may be of a file without a name.
bool is_named(int const descriptor, std::filesystem::path const& path) {
    struct stat held {};
    struct stat named {};
    return ::fstat(descriptor, &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

}  // namespace

FileLock::FileLock(std::filesystem::path const& path)
    : lock_(path.parent_path() / ("." + path.filename().string() + ".lock")) {
    create_parent_folders(path);
    Clock::time_point const give_up = Clock::now() + std::chrono::minutes(1);
    while (true) {
        bool locked = false;
        {
            // A signal that came now would leave the file.
            SignalsWait const until_it_is_registered;
            descriptor_ = ::open(lock_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
            if (descriptor_ < 0)
                throw cannot_write(path, errno);
            locked = try_lock(descriptor_);
            if (locked && is_named(descriptor_, lock_)) {
                registered_.emplace(lock_.string());
                return;
            }
        }
        ::close(descriptor_);
        if (Clock::now() >= give_up)
            throw Error("cannot write " + path.string(), "another process has locked " + lock_.string(),
                        "wait for it or end it");
        if (!locked)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

FileLock::~FileLock() {
    SignalsWait const until_it_is_gone;
    registered_.reset();
    ::unlink(lock_.c_str());
    ::close(descriptor_);
}

}  // namespace lockstep::bench
