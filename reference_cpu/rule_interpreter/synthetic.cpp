// Specification of the synthetic rules (section 6).

#include <array>
#include <bit>

#include "harness/bench/cpu_clones.hpp"
#include "harness/bench/digest.hpp"
#include "reference_cpu/rule_interpreter/states.hpp"

namespace lockstep::rule_interpreter {

namespace {

using Matrix = std::array<std::array<float, max_matrix_size>, max_matrix_size>;

// The N rows of the next B. M = N: the product. M < N: B without its first M rows, then the product. M > N: row r is
// the sum of the product's rows r, r + N, r + 2N ...
Matrix next_b(Shape const& shape, Matrix const& b, Matrix const& product) {
    auto const [m, n, o] = shape;
    Matrix next{};
    for (unsigned row = 0; row < n; ++row) {
        for (unsigned column = 0; column < o; ++column) {
            if (m < n) {
                next[row][column] = row + m < n ? b[row + m][column] : product[row + m - n][column];
                continue;
            }
            next[row][column] = product[row][column];
            for (unsigned other = row + n; other < m; other += n)
                next[row][column] += product[other][column];
        }
    }
    return next;
}

}  // namespace

LOCKSTEP_CPU_CLONES std::uint32_t product_checksum(Shape const& shape, std::uint32_t value, std::uint32_t i,
                                                   unsigned load) {
    std::uint32_t word = value * 0x9E3779B1u + i * 0x85EBCA6Bu;
    word ^= word >> 15;
    float const start = std::bit_cast<float>(0x3F800000u | word >> 9);  // in [1, 2)
    float const small = start * 0x1p-12f;
    if (shape == Shape(1)) {
        float const a = small - 1.0f;
        float b = start;
        for (unsigned step = 0; step < load; ++step)
            b = __builtin_fmaf(a, b, 1.0f);
        return std::bit_cast<std::uint32_t>(b);
    }
    auto const [m, n, o] = shape;  // A is m x n, B is n x o
    Matrix a{};
    Matrix b{};
    for (unsigned row = 0; row < m; ++row) {
        // Nearly a rotation of the rows, so that B keeps changing. The rows that contribute to one row of the next B
        // sum to 1, so that B remains bounded.
        unsigned const large = m < n ? row : (row + 1) % n;
        unsigned contributing = 0;
        for (unsigned other = row % n; other < m; other += n)
            ++contributing;
        float rest = 1.0f / static_cast<float>(contributing);
        for (unsigned column = 0; column < n; ++column) {
            if (column == large)
                continue;
            a[row][column] = small * (1.0f + static_cast<float>(row * n + column) / static_cast<float>(2 * m * n));
            rest = rest - a[row][column];
        }
        a[row][large] = rest;
    }
    for (unsigned row = 0; row < n; ++row) {
        for (unsigned column = 0; column < o; ++column) {
            float const number = static_cast<float>(row * o + column + 1);
            b[row][column] = __builtin_fmaf(start, number / static_cast<float>(n * o), 0.5f);
        }
    }
    for (unsigned step = 0; step < load; ++step) {
        Matrix product{};
        for (unsigned row = 0; row < m; ++row) {
            for (unsigned column = 0; column < o; ++column) {
                float sum = a[row][0] * b[0][column];
                for (unsigned k = 1; k < n; ++k)
                    sum = __builtin_fmaf(a[row][k], b[k][column], sum);
                product[row][column] = sum;
            }
        }
        b = next_b(shape, b, product);
    }
    float checksum = 0;
    for (unsigned row = 0; row < n; ++row) {
        for (unsigned column = 0; column < o; ++column)
            checksum = __builtin_fmaf(b[row][column], static_cast<float>(row * o + column + 1), checksum);
    }
    return std::bit_cast<std::uint32_t>(checksum);
}

namespace {

std::vector<std::uint32_t> several_results(Job const& job, std::uint64_t state) {
    Workload const& w = job.workload;
    std::vector<std::uint32_t> results(w.range, result_unset);
    for (unsigned step = 0; step < w.steps; ++step) {
        for (unsigned rule = 0; rule < several_rules; ++rule) {
            for (unsigned i = 0; i < range_of_rule(w.range, rule); ++i) {
                std::uint32_t const value = cpu::initial_value(job.draw(), state, i);
                std::uint32_t const before = results[i];
                bool const enabled = rule == 0 ? value != 0 : (before >> (rule + 3) & 1) != 0;
                if (enabled)
                    results[i] = product_checksum(1, rule == 0 ? value : before + rule, i, w.load);
            }
        }
    }
    return results;
}

// Word k of an instance is a hash of its value and k; the rule stores the complement of word + k.
std::vector<std::uint32_t> accesses_results(Job const& job, std::uint64_t state) {
    Workload const& w = job.workload;
    std::vector<std::uint32_t> results(std::size_t{w.range} * w.accesses, result_unset);
    for (unsigned i = 0; i < w.range; ++i) {
        if (cpu::initial_value(job.draw(), state, i) == 0)
            continue;
        for (unsigned word = 0; word < w.accesses; ++word) {
            std::uint32_t const loaded = cpu::initial_value(job.draw(), state, word * w.range + i);
            results[std::size_t{word} * w.range + i] = ~(loaded + word);
        }
    }
    return results;
}

}  // namespace

std::vector<std::uint32_t> synthetic_results(Job const& job, std::uint64_t state) {
    Workload const& w = job.workload;
    if (w.base == RuleBase::several)
        return several_results(job, state);
    if (w.base == RuleBase::accesses)
        return accesses_results(job, state);
    std::vector<std::uint32_t> results(w.range, result_unset);
    for (unsigned i = 0; i < w.range; ++i) {
        std::uint32_t const value = cpu::initial_value(job.draw(), state, i);
        if (value != 0)
            results[i] = product_checksum(w.shape, value, i, w.load);
    }
    return results;
}

bench::UnitResult summary_of(std::vector<std::uint32_t> const& results) {
    std::uint64_t sum = 0;
    std::uint32_t written = 0;
    for (std::uint32_t i = 0; i < results.size(); ++i) {
        sum += bench::cpu::mix(std::uint64_t{i} << 32 | results[i]);
        written += results[i] != result_unset;
    }
    return {static_cast<std::uint32_t>(sum), static_cast<std::uint32_t>(sum >> 32), written};
}

bench::UnitResult run_state(Job const& job, std::uint64_t state) {
    if (job.workload.base == RuleBase::sudoku)
        return words_of(conclude(puzzle_of(job, state), job.workload.bound, job.workload.until));
    if (job.workload.base == RuleBase::search)
        return cpu::words_of(backtrack(puzzle_of(job, state), solutions_sought));
    return summary_of(synthetic_results(job, state));
}

}  // namespace lockstep::rule_interpreter
