#include "reference_cpu/term_rewriting/compiled/equal.hpp"

#include <unordered_set>
#include <utility>
#include <vector>

#include "reference_cpu/term_rewriting/compiled/memory.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

struct PairHash {
    std::size_t operator()(std::pair<Word const*, Word const*> const& pair) const {
        return (reinterpret_cast<std::size_t>(pair.first) * 0x9e3779b97f4a7c15u) ^
               reinterpret_cast<std::size_t>(pair.second);
    }
};

}  // namespace

bool equal_normal_forms(Word const* left, Word const* right) {
    // Most comparisons are short. Only a long one remembers its pairs, so that shared terms do not take exponential
    // time.
    constexpr std::size_t long_comparison = 1000;
    std::size_t steps = 0;
    std::unordered_set<std::pair<Word const*, Word const*>, PairHash> seen;
    std::vector<std::pair<Word const*, Word const*>> open = {{left, right}};
    while (!open.empty()) {
        auto const [a, b] = open.back();
        open.pop_back();
        if (a == b)
            continue;
        if (symbol_of(a) != symbol_of(b))
            return false;
        if (++steps > long_comparison && !seen.emplace(a, b).second)
            continue;
        std::size_t const count = arguments_of(*a);
        for (std::size_t i = count; i > 0; --i)
            open.emplace_back(reinterpret_cast<Word const*>(a[i]), reinterpret_cast<Word const*>(b[i]));
    }
    return true;
}

}  // namespace lockstep::term_rewriting::compiled
