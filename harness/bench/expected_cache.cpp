#include "harness/bench/expected_cache.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::bench {

namespace {

constexpr std::size_t max_entries = 16;

Problem without(Problem const& problem, std::vector<std::string> const& ignored) {
    Problem rest{Axes(), problem.seed, problem.first_unit, problem.units};
    for (auto const& [name, value] : problem.axes.values()) {
        if (std::find(ignored.begin(), ignored.end(), name) == ignored.end())
            rest.axes.set(name, value);
    }
    return rest;
}

bool same(Problem const& left, Problem const& right) {
    return left.axes == right.axes && left.seed == right.seed && left.first_unit == right.first_unit &&
           left.units == right.units;
}

std::size_t bytes_of(Expected const& expected) {
    std::size_t bytes = expected.units.size() * (sizeof(std::uint64_t) + sizeof(UnitResult) + 16);
    for (UnitResult const& result : expected.results)
        bytes += result.size() * sizeof(result[0]);
    return bytes;
}

}  // namespace

Expected const& ExpectedCache::get(std::string const& experiment, Reference const& reference, Problem const& problem,
                                   ReferenceBudget const& budget) {
    Problem const key = without(problem, reference.ignored_axes);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
        if (entry->experiment != experiment || entry->reference != reference.name || !same(entry->problem, key))
            continue;
        if (!entry->expected.complete && budget.seconds > entry->budget_seconds) {
            entries_.erase(entry);
            break;
        }
        entries_.splice(entries_.begin(), entries_, entry);
        return entry->expected;
    }
    make_room(budget.bytes);
    Expected expected = compute_expected(reference, problem, budget);
    std::size_t const bytes = bytes_of(expected);
    entries_.push_front({experiment, reference.name, key, std::move(expected), bytes, budget.seconds});
    return entries_.front().expected;
}

// Makes room for one more entry: evicts entries until the others have at most `max_bytes` bytes in total.
void ExpectedCache::make_room(std::size_t const max_bytes) {
    std::size_t bytes = 0;
    std::size_t kept = 0;
    auto entry = entries_.begin();
    while (entry != entries_.end() && kept + 1 < max_entries && bytes + entry->bytes <= max_bytes) {
        bytes += entry->bytes;
        ++kept;
        ++entry;
    }
    entries_.erase(entry, entries_.end());
}

}  // namespace lockstep::bench
