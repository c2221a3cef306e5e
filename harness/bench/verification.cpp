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

// The first units: three, then more for 20 ms. Their time is the estimate for one unit.
struct FirstUnits {
    std::vector<UnitResult> results;
    double seconds_per_unit = 0;
    double bytes_per_unit = 0;
};

FirstUnits compute_first_units(Reference const& reference, Problem const& problem) {
    FirstUnits first;
    Clock::time_point const start = Clock::now();
    std::size_t words = 0;
    while (first.results.size() < problem.units && (first.results.size() < 3 || seconds_since(start) < 0.02)) {
        first.results.push_back(reference.unit(problem, problem.first_unit + first.results.size()));
        words += first.results.back().size();
    }
    double const count = static_cast<double>(first.results.size());
    first.seconds_per_unit = seconds_since(start) / count;
    first.bytes_per_unit = sizeof(UnitResult) + 16 + 4.0 * static_cast<double>(words) / count;
    return first;
}

// Returns the offsets of `count` of `units` units in ascending order: the first and the last unit, and between them one
// random unit from each of `count` equal parts.
std::vector<std::uint64_t> sample_of(std::uint64_t const units, std::uint64_t const count) {
    std::mt19937_64 engine(20260101);
    std::vector<std::uint64_t> sample(count);
    double const part = static_cast<double>(units) / static_cast<double>(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        double const fraction = count == units ? 0.0 : static_cast<double>(engine() >> 11) * 0x1p-53;
        std::uint64_t const unit =
            count == units ? i : static_cast<std::uint64_t>((static_cast<double>(i) + fraction) * part);
        sample[i] = std::min(unit, units - 1);
    }
    sample.front() = 0;
    sample.back() = units - 1;
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
// and the last unit. Reuses the results in `first`, because a unit may take seconds and may be the only one.
std::vector<std::optional<UnitResult>> compute_units(Reference const& reference, Problem const& problem,
                                                     std::vector<std::uint64_t> const& sample, FirstUnits const& first,
                                                     ReferenceBudget const& budget) {
    std::vector<std::optional<UnitResult>> results(sample.size());
    auto const compute = [&](std::size_t const i) {
        results[i] = sample[i] < first.results.size() ? first.results[sample[i]]
                                                      : reference.unit(problem, problem.first_unit + sample[i]);
    };
    // A block takes about a millisecond, which limits the accesses to the clock and the counter.
    std::size_t const block =
        static_cast<std::size_t>(std::clamp(1e-3 / std::max(first.seconds_per_unit, 1e-9), 1., 4096.));
    std::size_t const blocks = simt::ceil_div(sample.size(), block);
    StridedOrder const order(blocks);
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure;
    std::mutex failure_mutex;
    Clock::time_point const start = Clock::now();
    auto const work = [&] {
        try {
            for (std::size_t taken = next++; taken <= blocks; taken = next++) {
                if (taken == 0) {
                    compute(sample.size() - 1);
                    continue;
                }
                if (seconds_since(start) > 2 * budget.seconds)
                    return;
                std::size_t const begin = order(taken - 1) * block;
                std::size_t const end = std::min(begin + block, sample.size() - 1);
                for (std::size_t i = begin; i < end; ++i)
                    compute(i);
            }
        } catch (...) {
            std::lock_guard const lock(failure_mutex);
            failure = std::current_exception();
            next = blocks + 1;
        }
    };
    compute(0);  // its result is in `first`
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
    double const units = static_cast<double>(problem.units);
    bool const every = units * first.seconds_per_unit <= budget.seconds &&
                       units * first.bytes_per_unit <= static_cast<double>(budget.bytes);
    double const fitting = std::min(budget.sample_seconds / std::max(first.seconds_per_unit, 1e-9),
                                    static_cast<double>(budget.bytes) / first.bytes_per_unit);
    std::uint64_t const count = every ? problem.units : static_cast<std::uint64_t>(std::clamp(fitting, 2.0, units));

    std::vector<std::uint64_t> const sample = sample_of(problem.units, count);
    std::vector<std::optional<UnitResult>> results = compute_units(reference, problem, sample, first, budget);
    expected.units.reserve(count);
    expected.results.reserve(count);
    for (std::size_t i = 0; i < sample.size(); ++i) {
        if (!results[i])
            continue;
        expected.units.push_back(problem.first_unit + sample[i]);
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
