#pragma once
// Which structs a source line copies that are aligned to more than 4 bytes, so that nvcc joins accesses to their words.
// `lockstep emulate --counters` asks the compiler for it (harness/jit/struct_alignments.hpp).

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "harness/simt/hooks/checks.hpp"

namespace lockstep::simt::hooks {

class TypeAlignments {
public:
    TypeAlignments() = default;
    // Of lines "load bytes line file" and "store bytes line file".
    explicit TypeAlignments(std::string_view text);

    // The largest alignment of a struct that the line loads or stores; 1 if it is not known.
    unsigned at(Place const& place, bool is_store) const;

private:
    std::map<std::pair<unsigned, bool>, std::map<std::string, unsigned>> lines_;  // bytes by line and file
};

}  // namespace lockstep::simt::hooks
