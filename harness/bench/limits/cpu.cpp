// The CPU's limits, measured with plain loops: a copy and random loads by all cores, population counts and integer
// multiply-adds by one core. On an x86 CPU with popcnt, the population counts use that instruction, which the compiler
// may not assume by default.
//
// The threads are those of the program's pool, which a probe's constructor creates: before any clock starts, and before
// the stopwatch pins the calling thread, because new threads inherit its CPU.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::limits {

namespace {

class CpuCopyProbe : public Probe {
public:
    explicit CpuCopyProbe(std::size_t words) : from_(words), to_(words), parts_(threads::shared_pool().width()) {
        for (std::size_t i = 0; i < words; ++i) {
            from_[i] = value(i);
        }
    }
    void reset() override { std::fill(to_.begin(), to_.end(), 0); }
    void run(simt::Stream) override {
        threads::shared_pool().run(parts_, [this](std::size_t part) {
            std::size_t const begin = from_.size() * part / parts_;
            std::size_t const end = from_.size() * (part + 1) / parts_;
            std::memcpy(to_.data() + begin, from_.data() + begin, (end - begin) * sizeof(std::uint64_t));
        });
    }
    std::string check() override {
        for (std::size_t i = 0; i < to_.size(); i = i + 1 < to_.size() ? std::min(i + 4093, to_.size() - 1) : i + 1) {
            if (to_[i] != value(i)) {
                return difference("word", i, to_[i], value(i));
            }
        }
        return {};
    }
    double items() const override { return bytes(); }
    double bytes() const override { return 2.0 * sizeof(std::uint64_t) * static_cast<double>(from_.size()); }

private:
    static std::uint64_t value(std::size_t index) { return (index + 1) * 0x9E3779B97F4A7C15ull; }

    std::vector<std::uint64_t> from_;
    std::vector<std::uint64_t> to_;
    std::size_t parts_;
};

// Independent random 4-byte loads by all cores.
class CpuRandomLoadProbe : public Probe {
public:
    explicit CpuRandomLoadProbe(std::size_t words) : table_(words), sums_(threads::shared_pool().width()) {
        for (std::size_t i = 0; i < words; ++i) {
            table_[i] = value(i);
        }
    }
    void reset() override { std::fill(sums_.begin(), sums_.end(), 0); }
    void run(simt::Stream) override {
        threads::shared_pool().run(sums_.size(), [this](std::size_t part) {
            sums_[part] = sum(part, [this](std::size_t index) { return table_[index]; });
        });
    }
    std::string check() override {
        for (std::size_t part = 0; part < sums_.size(); ++part) {
            std::uint32_t const expected = sum(part, value);
            if (sums_[part] != expected) {
                return difference("sum", part, sums_[part], expected);
            }
        }
        return {};
    }
    double items() const override { return static_cast<double>(sums_.size()) * accesses; }

private:
    static constexpr std::uint32_t accesses = 1u << 22;  // per core

    static std::uint32_t value(std::size_t index) { return static_cast<std::uint32_t>(index) * 0x9E3779B1u + 7u; }

    // Addresses do not depend on loaded values. The table's size is a power of two.
    template <class Load>
    std::uint32_t sum(std::size_t part, Load const& load) const {
        std::uint32_t result = 0;
        std::uint32_t state = static_cast<std::uint32_t>(part + 1) * 0x85EBCA6Bu;
        for (std::uint32_t n = 0; n < accesses; ++n) {
            state = state * 1664525u + 1013904223u;
            result += load((state ^ (state >> 16)) & (table_.size() - 1));
        }
        return result;
    }

    std::vector<std::uint32_t> table_;
    std::vector<std::uint32_t> sums_;
};

constexpr unsigned cpu_chains = 8;
constexpr unsigned cpu_steps = 1u << 18;

using Chains = std::uint32_t[cpu_chains];

std::uint32_t start(unsigned chain) { return (chain + 1) * 0x9E3779B1u; }

// x += popcount(x)
void count_as_compiled(Chains& x) {
    for (unsigned n = 0; n < cpu_steps; ++n) {
        for (std::uint32_t& word : x) {
            word += static_cast<std::uint32_t>(std::popcount(word));
        }
    }
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) void count_by_instruction(Chains& x) {
    for (unsigned n = 0; n < cpu_steps; ++n) {
        for (std::uint32_t& word : x) {
            word += static_cast<std::uint32_t>(__builtin_popcount(word));
        }
    }
}
#endif

struct CpuPopulationCount {
    static void run(Chains& x) {
#if defined(__x86_64__)
        if (__builtin_cpu_supports("popcnt")) {
            return count_by_instruction(x);
        }
#endif
        count_as_compiled(x);
    }
    // Counts the bits in a loop, independently of any instruction.
    static std::uint32_t expected(unsigned chain) {
        std::uint32_t x = start(chain);
        for (unsigned n = 0; n < cpu_steps; ++n) {
            std::uint32_t count = 0;
            for (std::uint32_t rest = x; rest != 0; rest &= rest - 1) {
                ++count;
            }
            x += count;
        }
        return x;
    }
};

// x = a x + c
struct CpuMultiplyAdd {
    static constexpr std::uint32_t factor = 1664525;
    static constexpr std::uint32_t summand = 1013904223;
    static void run(Chains& x) {
        for (unsigned n = 0; n < cpu_steps; ++n) {
            for (std::uint32_t& word : x) {
                word = word * factor + summand;
            }
        }
    }
    // The same map composed with itself by doubling: cpu_steps is a power of two.
    static std::uint32_t expected(unsigned chain) {
        std::uint32_t a = factor;
        std::uint32_t c = summand;
        for (unsigned n = 1; n < cpu_steps; n *= 2) {
            c = a * c + c;
            a = a * a;
        }
        return a * start(chain) + c;
    }
};

template <class Operation>
class CpuLoopProbe : public Probe {
public:
    void reset() override { std::fill(std::begin(x_), std::end(x_), 0u); }
    void run(simt::Stream) override {
        Chains x;
        for (unsigned i = 0; i < cpu_chains; ++i) {
            x[i] = start(i);
        }
        Operation::run(x);
        std::copy(std::begin(x), std::end(x), std::begin(x_));
    }
    std::string check() override {
        for (unsigned i = 0; i < cpu_chains; ++i) {
            std::uint32_t const expected = Operation::expected(i);
            if (x_[i] != expected) {
                return difference("chain", i, x_[i], expected);
            }
        }
        return {};
    }
    double items() const override { return double{cpu_chains} * cpu_steps; }

private:
    Chains x_ = {};
};

template <class Operation>
Limit loop_limit(char const* name, char const* item, char const* description) {
    return {
        name, item, description, simt::Machine::cpu, Quantity::rate, false, [](Scale const&) -> std::unique_ptr<Probe> {
            return std::make_unique<CpuLoopProbe<Operation>>();
        }};
}

}  // namespace

std::vector<Limit> cpu_limits() {
    Limit copy{
        "copy", "B", "all cores, one memcpy per core; bytes read and bytes written", simt::Machine::cpu, Quantity::rate,
        false,  {}};
    copy.make = [](Scale const& scale) -> std::unique_ptr<Probe> {
        // 256 MiB each way, larger than any cache; less at a small scale.
        std::uint64_t const bytes = std::min(scale.stream_bytes, std::uint64_t{1} << 28);
        return std::make_unique<CpuCopyProbe>(bytes / sizeof(std::uint64_t));
    };
    Limit random_load{"random_load.1GB",
                      "loads",
                      "all cores, random 4-byte loads from one table",
                      simt::Machine::cpu,
                      Quantity::rate,
                      false,
                      {}};
    random_load.make = [](Scale const& scale) -> std::unique_ptr<Probe> {
        std::uint64_t const bytes = std::min(scale.stream_bytes, std::uint64_t{1} << 30);
        return std::make_unique<CpuRandomLoadProbe>(std::bit_floor(bytes / sizeof(std::uint32_t)));
    };
    return {copy, random_load, loop_limit<CpuPopulationCount>("popc", "POPC", "one core, x += popcount(x) on 8 words"),
            loop_limit<CpuMultiplyAdd>("imad", "IMAD", "one core, x = a x + c on 8 words")};
}

}  // namespace lockstep::limits
