#pragma once
// Proof by enumeration: an algorithm reads every string of `depth` narrow words. Among the strings that are long
// enough, every set must occur exactly equally often. This is exact and not statistical: a bias of one string is
// detected.

#include <cstdint>
#include <map>

namespace lockstep::random_grids::tests {

// An engine that reads one string of words of `bits` bits. After the end, it returns arbitrary words, so that loops
// terminate, and reports this as exhausted().
template <unsigned bits>
class Script {
public:
    using result_type = unsigned;
    static constexpr unsigned min() { return 0; }
    static constexpr unsigned max() { return (1u << bits) - 1; }

    Script(std::uint64_t string, unsigned depth) : string_(string), left_(depth) {}

    unsigned operator()() {
        if (left_ == 0) {
            exhausted_ = true;
            filler_ = filler_ * 6364136223846793005u + 1442695040888963407u;
            return static_cast<unsigned>(filler_ >> 40) & max();
        }
        --left_;
        unsigned const word = static_cast<unsigned>(string_) & max();
        string_ >>= bits;
        return word;
    }

    bool exhausted() const { return exhausted_; }

private:
    std::uint64_t string_;
    unsigned left_;
    bool exhausted_ = false;
    std::uint64_t filler_ = 1;
};

// Number of strings that result in each set. draw(script) returns the set as bits.
template <unsigned bits, class Draw>
std::map<std::uint64_t, std::uint64_t> enumerate(unsigned depth, Draw&& draw) {
    std::map<std::uint64_t, std::uint64_t> counts;
    for (std::uint64_t string = 0; string < std::uint64_t{1} << (bits * depth); ++string) {
        Script<bits> script(string, depth);
        std::uint64_t const set = draw(script);
        if (!script.exhausted())
            ++counts[set];
    }
    return counts;
}

inline double binomial(unsigned n, unsigned k) {
    double value = 1;
    for (unsigned i = 0; i < k; ++i)
        value = value * (n - i) / (i + 1);
    return value;
}

// Returns true if all C(n, k) sets occur equally often.
inline bool uniform(std::map<std::uint64_t, std::uint64_t> const& counts, unsigned sites, unsigned occupied) {
    if (static_cast<double>(counts.size()) != binomial(sites, occupied))
        return false;
    for (auto const& [set, count] : counts) {
        if (count != counts.begin()->second)
            return false;
    }
    return true;
}

}  // namespace lockstep::random_grids::tests
