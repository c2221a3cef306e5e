#pragma once
// From an address in the program's code to a source line, by addr2line (binutils or LLVM).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simt/hooks/checks.hpp"

namespace lockstep::simt::hooks {

// The place of a call instruction, given by its return address. Of inlined functions the innermost one outside the
// emulator's and the standard library's headers is named, so that an access by an atomic or by a SharedArray is at the
// kernel's line. The results are kept, and do not change.
Place const& locate(std::uintptr_t return_address);

// Looks up many places, for later calls of locate(): one process is started per module.
void locate_at_once(std::vector<std::uintptr_t> const& return_addresses);

bool is_header_of_emulator(std::string_view file);  // or of the system

// False for these headers.
bool is_in_kernel(Place const& place);

}  // namespace lockstep::simt::hooks
