#pragma once
// Files that a command must not mix up.

#include <string>
#include <vector>

namespace lockstep::cli {

// Throws bench::Error if an output is also an input, whose text would be lost, or if two outputs are one file. Empty
// names, "-" and files that are not regular, such as /dev/null, are left out. Call it before the work begins.
void require_distinct_files(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs);

}  // namespace lockstep::cli
