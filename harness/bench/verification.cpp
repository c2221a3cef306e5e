#include "harness/bench/verification.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <thread>

#include "harness/bench/parallel_chunks.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/threads/in_threads.hpp"

namespace lockstep::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point const start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The groups of a problem's units. The first and the last group may be incomplete.
class Groups {
public:
    Groups(Reference const& reference, Problem const& problem)
        : problem_(problem),
          size_(std::max<std::uint64_t>(reference.units_per_group, 1)),
          before_(problem.first_unit / size_) {}

    std::uint64_t size() const { return size_; }
    // Precondition: the problem has units.
    std::uint64_t count() const { return (problem_.first_unit + problem_.units - 1) / size_ - before_ + 1; }
    // The offset in the problem of the first unit of group 0 to count().
    std::uint64_t begin(std::uint64_t const group) const {
        std::uint64_t const unit = (before_ + group) * size_;
        return group == 0 ? 0 : std::min(unit - problem_.first_unit, problem_.units);
    }
    bool ends_at(std::uint64_t const offset) const {
        return offset == problem_.units || (problem_.first_unit + offset) % size_ == 0;
    }

private:
    Problem const& problem_;
    std::uint64_t size_;
    std::uint64_t before_;
};

// The first units: three, then more for 20 ms, then the rest of their group. Their mean time is the estimate for a
// group, without the first unit if that prepares the others.
struct FirstUnits {
    std::vector<UnitResult> results;
    double seconds_per_group = 0;
    double bytes_per_unit = 0;
};

FirstUnits compute_first_units(Reference const& reference, Problem const& problem) {
    FirstUnits first;
    Groups const groups(reference, problem);
    Clock::time_point start = Clock::now();
    double computed = 0;  // groups since `start`
    std::size_t words = 0;
    auto const are_enough = [&](std::size_t const count) {
        return count == problem.units || (count >= 3 && seconds_since(start) >= 0.02 && groups.ends_at(count));
    };
    while (!are_enough(first.results.size())) {
        first.results.push_back(reference.unit(problem, problem.first_unit + first.results.size()));
        std::size_t const count = first.results.size();
        words += first.results.back().size();
        computed += count == 1 || groups.ends_at(count - 1) ? 1 : 0;
        if (count == 1 && reference.first_unit_prepares && problem.units > 1) {
            start = Clock::now();
            computed = groups.ends_at(count) ? 0 : 1;
        }
    }
    first.seconds_per_group = seconds_since(start) / computed;
    first.bytes_per_unit =
        sizeof(UnitResult) + 16 + 4.0 * static_cast<double>(words) / static_cast<double>(first.results.size());
    return first;
}

// Some groups of a problem.
struct Sample {
    std::vector<std::uint64_t> units;  // their offsets in the problem, in ascending order
    std::vector<std::size_t> groups;   // where each group begins in `units`, and the end of the last one
};

// Returns `count` groups: all, or the first and the last one, and between them one random group from each of as many
// equal parts. Precondition: at least two groups, if there are as many.
Sample sample_of(Groups const& groups, std::uint64_t const count) {
    std::uint64_t const all = groups.count();
    auto const part = [&](std::uint64_t const i) { return all / count * i + all % count * i / count; };
    std::mt19937_64 engine(20260101);
    Sample sample;
    sample.groups.push_back(0);
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t group = part(i) + engine() % (part(i + 1) - part(i));
        if (i == 0)
            group = 0;
        else if (i == count - 1)
            group = all - 1;
        for (std::uint64_t unit = groups.begin(group); unit < groups.begin(group + 1); ++unit)
            sample.units.push_back(unit);
        sample.groups.push_back(sample.units.size());
    }
    return sample;
}

// An order of blocks 0 .. count - 1 that begins with block 0 and whose every prefix is spread over all blocks.
class StridedOrder {
public:
    explicit StridedOrder(std::size_t const count)
        : count_(count),
          step_(std::max<std::size_t>(1, static_cast<std::size_t>(0.618034 * static_cast<double>(count)))) {
        while (std::gcd(step_, count_) > 1)
            ++step_;
    }
    std::size_t operator()(std::size_t const i) const { return i * step_ % count_; }

private:
    std::size_t count_;
    std::size_t step_;
};

// Computes the units of `sample` on all threads until they are done or the deadline passes. Always computes the first
// and the last group. Reuses the results in `first`, because a unit may take seconds and may be the only one.
std::vector<std::optional<UnitResult>> compute_units(Reference const& reference, Problem const& problem,
                                                     Sample const& sample, FirstUnits const& first,
                                                     ReferenceBudget const& budget) {
    std::vector<std::optional<UnitResult>> results(sample.units.size());
    auto const compute = [&](std::size_t const group) {
        for (std::size_t i = sample.groups[group]; i < sample.groups[group + 1]; ++i) {
            std::uint64_t const unit = sample.units[i];
            results[i] =
                unit < first.results.size() ? first.results[unit] : reference.unit(problem, problem.first_unit + unit);
        }
    };
    // A block takes about a millisecond, which limits the accesses to the clock and the counter.
    std::size_t const block =
        static_cast<std::size_t>(std::clamp(1e-3 / std::max(first.seconds_per_group, 1e-9), 1., 4096.));
    std::size_t const last = sample.groups.size() - 2;
    std::size_t const blocks = simt::ceil_div(last + 1, block);
    StridedOrder const order(blocks);
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure;
    std::mutex failure_mutex;
    Clock::time_point const start = Clock::now();
    auto const work = [&] {
        try {
            for (std::size_t taken = next++; taken <= blocks; taken = next++) {
                if (taken == 0) {
                    compute(last);
                    continue;
                }
                if (seconds_since(start) > 2 * budget.seconds)
                    return;
                std::size_t const begin = order(taken - 1) * block;
                std::size_t const end = std::min(begin + block, last);
                for (std::size_t group = begin; group < end; ++group)
                    compute(group);
            }
        } catch (...) {
            std::lock_guard const lock(failure_mutex);
            failure = std::current_exception();
            next = blocks + 1;
        }
    };
    compute(0);  // its results are in `first`
    unsigned const threads = budget.threads != 0 ? budget.threads : std::max(1u, std::thread::hardware_concurrency());
    threads::in_threads(std::min<std::size_t>(threads, blocks + 1), threads, [&](std::size_t) { work(); });
    if (failure)
        std::rethrow_exception(failure);
    return results;
}

std::string hexadecimal(std::uint64_t const value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string exact_difference(UnitResult const& expected, UnitResult const& actual) {
    if (expected == actual)
        return {};
    if (expected.size() != actual.size()) {
        return std::to_string(actual.size()) + " words, the reference has " + std::to_string(expected.size());
    }
    auto const mismatch = std::mismatch(expected.begin(), expected.end(), actual.begin());
    return "word " + std::to_string(mismatch.first - expected.begin()) + " is " + hexadecimal(*mismatch.second) +
           ", the reference has " + hexadecimal(*mismatch.first);
}

// The comparison of a range of units.
struct Difference {
    std::uint64_t digest = 0;
    std::size_t wrong = 0;
    std::string first;

    void add(Difference const& later) {
        digest += later.digest;
        if (wrong == 0)
            first = later.first;
        wrong += later.wrong;
    }
};

// Compares the results from `start` on. Uses all cores, because a sample may have a hundred million words.
Difference difference_of(Compare const& compare, Expected const& expected, std::size_t const start,
                         std::vector<UnitResult> const& actual) {
    constexpr std::size_t min_per_chunk = 256;  // fewer units do not justify a thread
    std::vector<Difference> parts(chunk_count(actual.size(), min_per_chunk));
    parallel_chunks(actual.size(), min_per_chunk,
                    [&](std::size_t const part, std::size_t const first, std::size_t const last) {
                        Difference found;
                        for (std::size_t i = first; i < last; ++i) {
                            std::uint64_t const unit = expected.units[start + i];
                            found.digest += unit_digest(unit, actual[i]);
                            std::string const difference = compare(expected.results[start + i], actual[i]);
                            if (!difference.empty() && found.wrong++ == 0)
                                found.first = "unit " + std::to_string(unit) + ": " + difference;
                        }
                        parts[part] = found;
                    });
    Difference all;
    for (Difference const& part : parts)
        all.add(part);
    return all;
}

}  // namespace

Expected compute_expected(Reference const& reference, Problem const& problem, ReferenceBudget const& budget) {
    Expected expected;
    if (problem.units == 0) {
        expected.complete = true;
        return expected;
    }
    FirstUnits const first = compute_first_units(reference, problem);
    Groups const groups(reference, problem);
    double const all = static_cast<double>(groups.count());
    double const bytes = static_cast<double>(budget.bytes);
    bool const every = all * first.seconds_per_group <= budget.seconds &&
                       static_cast<double>(problem.units) * first.bytes_per_unit <= bytes;
    double const fitting = std::min(budget.sample_seconds / std::max(first.seconds_per_group, 1e-9),
                                    bytes / (first.bytes_per_unit * static_cast<double>(groups.size())));
    std::uint64_t const count =
        every ? groups.count() : static_cast<std::uint64_t>(std::clamp(fitting, std::min(2.0, all), all));

    Sample const sample = sample_of(groups, count);
    std::vector<std::optional<UnitResult>> results = compute_units(reference, problem, sample, first, budget);
    expected.units.reserve(sample.units.size());
    expected.results.reserve(sample.units.size());
    for (std::size_t i = 0; i < sample.units.size(); ++i) {
        if (!results[i])
            continue;
        expected.units.push_back(problem.first_unit + sample.units[i]);
        expected.results.push_back(std::move(*results[i]));
    }
    expected.complete = expected.units.size() == problem.units;
    return expected;
}

std::string disagreement(Case& subject, Variant const& variant, Expected const& expected) {
    Compare const compare = variant.compare ? variant.compare : exact_difference;
    std::size_t const chunk = std::size_t{1} << 16;
    Difference all;
    for (std::size_t start = 0; start < expected.units.size(); start += chunk) {
        std::size_t const size = std::min(chunk, expected.units.size() - start);
        std::span<std::uint64_t const> const units(expected.units.data() + start, size);
        std::vector<UnitResult> const actual = subject.results(units);
        if (actual.size() != size)
            return "the case returned " + std::to_string(actual.size()) + " of " + std::to_string(size) + " results";
        all.add(difference_of(compare, expected, start, actual));
    }
    if (all.wrong != 0) {
        return all.first + " (" + std::to_string(all.wrong) + " of " + std::to_string(expected.units.size()) +
               " units differ)";
    }
    if (expected.complete && !variant.compare) {
        std::uint64_t const said = subject.digest();
        if (said != all.digest) {
            return "the digest is " + hexadecimal(said) + " but the results add up to " + hexadecimal(all.digest);
        }
    }
    return {};
}

}  // namespace lockstep::bench
