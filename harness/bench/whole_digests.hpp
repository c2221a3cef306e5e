#pragma once
// Compares the digests of whole outputs between variants. If the reference computes only a sample of the units, an
// equal digest of an independently written variant verifies the rest.

#include <map>
#include <string>
#include <vector>

#include "harness/bench/plan.hpp"
#include "harness/bench/record.hpp"

namespace lockstep::bench {

inline constexpr char const* verified_every_unit = "every unit";
inline constexpr char const* verified_sample = "sample";

// The digests of the cases of one run.
class WholeDigests {
public:
    // Adds a verified case that has a digest. `ran`: the variant that did the work. Cases with the same reference and
    // the same problem must have the same digest; returns the difference to an earlier one, or an empty text. Otherwise
    // changes `record.verified`, if a variant of another source file, which ran other kernels, has the same digest.
    std::string add(PlannedCase const& planned, Variant const& ran, CaseRecord& record);

    // Earlier records whose `verified` changed since the last call.
    std::vector<CaseRecord> take_changed();

private:
    struct Entry {
        std::string source;
        CaseRecord record;
    };
    std::map<std::string, std::vector<Entry>> entries_;
    std::vector<CaseRecord> changed_;
};

}  // namespace lockstep::bench
