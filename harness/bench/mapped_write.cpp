#include "harness/bench/mapped_write.hpp"

#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "harness/bench/parallel_chunks.hpp"

// Numbers of Linux that older headers lack.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace lockstep::bench {

namespace {

constexpr decltype(statfs::f_type) tmpfs = 0x01021994;              // TMPFS_MAGIC of linux/magic.h
constexpr std::uint64_t min_bytes = std::uint64_t{4} << 20;         // below it, threads cost more than they gain
constexpr std::size_t min_cores = 4;                                // below it, write() is faster
constexpr std::uint64_t bytes_per_step = std::uint64_t{256} << 10;  // stays in a core's cache after it is populated

class Mapping {
public:
    Mapping(int const descriptor, std::uint64_t const first, std::uint64_t const bytes)
        : address_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, static_cast<off_t>(first))),
          bytes_(bytes) {
        if (exists())
            static_cast<void>(::madvise(address_, bytes_, MADV_HUGEPAGE));  // where the system allows it
    }
    Mapping(Mapping const&) = delete;
    Mapping& operator=(Mapping const&) = delete;
    ~Mapping() {
        if (exists())
            ::munmap(address_, bytes_);
    }

    bool exists() const { return address_ != MAP_FAILED; }
    char* begin() const { return static_cast<char*>(address_); }

private:
    void* address_;
    std::uint64_t bytes_;
};

}  // namespace

bool is_for_mapped_write(int const descriptor, std::uint64_t const count, std::size_t const cores) {
    struct statfs where;
    return count >= min_bytes && cores >= min_cores && ::fstatfs(descriptor, &where) == 0 && where.f_type == tmpfs;
}

bool write_mapped(int const descriptor, char const* const bytes, std::uint64_t const count,
                  std::uint64_t const offset) {
    auto const page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::uint64_t const before = offset % page;  // bytes that the first page already has
    std::uint64_t const length = before + count;
    if (::ftruncate(descriptor, static_cast<off_t>(offset + count)) != 0)
        return false;
    Mapping const mapping(descriptor, offset - before, length);
    if (!mapping.exists())
        return false;
    std::atomic<bool> complete = true;
    std::uint64_t const steps = (length + bytes_per_step - 1) / bytes_per_step;
    parallel_chunks(steps, 1, [&](std::size_t, std::size_t const first, std::size_t const last) {
        for (std::size_t step = first; step < last && complete; ++step) {
            std::uint64_t const from = step * bytes_per_step;
            std::uint64_t const to = std::min(from + bytes_per_step, length);
            // A store to a page that the file system can't provide would end the process by SIGBUS.
            if (::madvise(mapping.begin() + from, to - from, MADV_POPULATE_WRITE) != 0) {
                complete = false;
                return;
            }
            std::uint64_t const begin = std::max(from, before);
            std::memcpy(mapping.begin() + begin, bytes + (begin - before), to - begin);
        }
    });
    return complete;
}

}  // namespace lockstep::bench
