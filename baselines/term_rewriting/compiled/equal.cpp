#include "baselines/term_rewriting/compiled/equal.hpp"

#include <unordered_set>
#include <utility>
#include <vector>

namespace lockstep::term_rewriting::compiled {

namespace {

struct PairHash {
    std::size_t operator()(std::pair<Word const*, Word const*> const& pair) const {
        return (reinterpret_cast<std::size_t>(pair.first) * 0x9e3779b97f4a7c15u) ^
               reinterpret_cast<std::size_t>(pair.second);
    }
};

}  // namespace

bool equal_normal_forms(TermLayout const& layout, Word const* left, Word const* right) {
    // Most comparisons are short. Only a long one stores the pairs it has compared, which avoids exponential time for
    // shared terms.
    constexpr std::size_t long_comparison = 1000;
    std::size_t steps = 0;
    std::unordered_set<std::pair<Word const*, Word const*>, PairHash> seen;
    std::vector<std::pair<Word const*, Word const*>> open = {{left, right}};
    while (!open.empty()) {
        auto const [a, b] = open.back();
        open.pop_back();
        if (a == b)
            continue;
        if (layout.symbol(*a) != layout.symbol(*b))
            return false;
        if (++steps > long_comparison && !seen.emplace(a, b).second)
            continue;
        for (std::size_t i = layout.arguments(*a); i-- > 0;)
            open.emplace_back(layout.argument(a, i), layout.argument(b, i));
    }
    return true;
}

}  // namespace lockstep::term_rewriting::compiled
