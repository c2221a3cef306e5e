#include "harness/bench/whole_digests.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::bench {

namespace {

// Cases with equal keys have equal results.
std::string key_of(PlannedCase const& planned, CaseRecord const& record) {
    Reference const& reference = planned.experiment->reference(record.reference);
    std::string key = record.experiment + "/" + record.reference;
    for (auto const& [name, value] : record.axes.values()) {
        auto const& ignored = reference.ignored_axes;
        if (std::find(ignored.begin(), ignored.end(), name) == ignored.end())
            key += "/" + name + ":" + value;
    }
    for (std::uint64_t const number : {record.seed, record.first_unit, record.measured_units})
        key += "/" + std::to_string(number);
    return key;
}

std::string source_of(Variant const& variant) { return variant.source.empty() ? variant.name : variant.source; }

std::vector<std::string> kernel_names(CaseRecord const& record) {
    std::vector<std::string> names;
    for (auto const& kernel : record.kernels)
        names.push_back(kernel.name);
    return names;
}

// A variant that chooses, such as `auto`, is in a file of its own but runs the kernels of the variant that it chose.
bool same_kernels(CaseRecord const& a, CaseRecord const& b) {
    return a.machine == b.machine && !a.kernels.empty() && kernel_names(a) == kernel_names(b);
}

std::string against(CaseRecord const& other) {
    return "whole digest against " + other.variant + " on " + other.machine;
}

}  // namespace

std::string WholeDigests::add(PlannedCase const& planned, Variant const& ran, CaseRecord& record) {
    if (!record.digest || planned.variant->compare)
        return {};
    std::string const source = source_of(ran);
    std::vector<Entry>& others = entries_[key_of(planned, record)];
    for (Entry& other : others) {
        if (other.record.digest != record.digest)
            return "its digest differs from that of " + other.record.variant + " on " + other.record.machine;
        if (other.source == source || same_kernels(other.record, record))
            continue;
        if (record.verified == verified_sample)
            record.verified = against(other.record);
        if (other.record.verified == verified_sample) {
            other.record.verified = against(record);
            changed_.push_back(other.record);
        }
    }
    others.push_back({source, record});
    return {};
}

std::vector<CaseRecord> WholeDigests::take_changed() { return std::exchange(changed_, {}); }

}  // namespace lockstep::bench
