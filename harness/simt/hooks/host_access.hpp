#pragma once
// Accesses of the host's instrumented code.

namespace lockstep::simt::hooks {

struct Access;

// Reports an access to device memory, unless a library does it that works for the device. Cheap for all other accesses.
void check_host_access(Access const& access);

}  // namespace lockstep::simt::hooks
