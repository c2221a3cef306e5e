#include "harness/bench/streamed_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "harness/bench/error.hpp"
#include "harness/bench/mapped_write.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::bench {

namespace {

constexpr std::uint64_t max_piece = std::uint64_t{1} << 30;  // bytes per call: Linux transfers less than 2 GiB

}  // namespace

StreamedFile::StreamedFile() : target_("standard output"), kind_(OutputTarget::standard_output) {}

StreamedFile::StreamedFile(std::filesystem::path target) : target_(std::move(target)), kind_(output_target(target_)) {
    if (kind_ == OutputTarget::file)
        open_scratch();
}

StreamedFile::~StreamedFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
    if (registered_ && !renamed_)
        ::unlink(scratch_.c_str());
}

// The lock tells other processes that the file's writer lives.
void StreamedFile::open_scratch() {
    create_parent_folders(target_);
    scratch_ = scratch_name(target_);
    registered_.emplace(scratch_);
    descriptor_ = ::open(scratch_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) {
        int const number = errno;
        registered_.reset();
        throw cannot_write(target_, number);
    }
    static_cast<void>(::flock(descriptor_, LOCK_SH | LOCK_NB));
}

void StreamedFile::write(void const* const bytes, std::uint64_t const count) {
    if (kind_ == OutputTarget::nothing)
        return;
    if (kind_ == OutputTarget::standard_output) {
        if (std::fwrite(bytes, 1, count, stdout) != count)
            throw cannot_write(target_, errno);
        return;
    }
    auto const* const from = static_cast<char const*>(bytes);
    bool const mapped = is_for_mapped_write(descriptor_, count, threads::shared_pool().width()) &&
                        write_mapped(descriptor_, from, count, written_);
    // One core: write() holds a lock of the file, for which others would only wait.
    if (!mapped)
        write_at(from, count, written_);
    written_ += count;
}

void StreamedFile::write_at(char const* const bytes, std::uint64_t const count, std::uint64_t const offset) const {
    std::uint64_t done = 0;
    while (done < count) {
        ssize_t const got =
            ::pwrite(descriptor_, bytes + done, std::min(count - done, max_piece), static_cast<off_t>(offset + done));
        if (got < 0 && errno != EINTR)
            throw cannot_write(target_, errno);
        done += got > 0 ? static_cast<std::uint64_t>(got) : 0;
    }
}

void StreamedFile::finish(Durable const durable) {
    if (kind_ == OutputTarget::standard_output && std::fflush(stdout) != 0)
        throw cannot_write(target_, errno);
    if (kind_ != OutputTarget::file)
        return;
    // Some file systems have no fsync and say so with EINVAL.
    if (durable == Durable::yes && ::fsync(descriptor_) != 0 && errno != EINVAL)
        throw cannot_write(target_, errno);
    // Network file systems report a full disk only here.
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
        throw cannot_write(target_, errno);
    if (::rename(scratch_.c_str(), target_.c_str()) != 0)
        throw cannot_write(target_, errno);
    renamed_ = true;
    if (durable == Durable::yes)
        sync_folder_of(target_);
}

}  // namespace lockstep::bench
