#pragma once
// Writes to a file in memory (tmpfs) by all cores. write() holds a lock of the file while it copies, so that several
// cores are no faster than one; stores to mapped pages do not. But a mapped page is cleared before it is written, so
// that two cores that map are slower than one that writes.

#include <cstddef>
#include <cstdint>

namespace lockstep::bench {

// True if the file is in memory, and this size and so many cores are worth it.
bool is_for_mapped_write(int descriptor, std::uint64_t count, std::size_t cores);

// Writes `count` bytes at `offset`, the end of the file. The file must be open for reading and writing. Returns false
// if it can't, such as for lack of memory; the bytes in the file are then unspecified, and write() says why.
bool write_mapped(int descriptor, char const* bytes, std::uint64_t count, std::uint64_t offset);

}  // namespace lockstep::bench
