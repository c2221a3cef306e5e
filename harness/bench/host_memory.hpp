#pragma once
// The machine's memory, asked before a job takes more: the system would kill the program instead of failing an
// allocation.

#include <cstdint>
#include <string>

namespace lockstep::bench {

// Bytes of memory that this machine has, or 0 if the system does not say.
std::uint64_t host_memory();

// Bytes that programs can take now, with those of files that the system can drop. If the system does not say that: the
// bytes that nothing uses.
std::uint64_t available_host_memory();

// Throws Error if the job needs more bytes than this machine has. `job` begins the sentence: "cannot simulate 5
// agents".
void require_memory(std::string const& job, double bytes);

}  // namespace lockstep::bench
