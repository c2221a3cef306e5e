#include "baselines/term_rewriting/compiled/equal.hpp"

#include <tuple>
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
    std::vector<std::pair<Word const*, Word const*>> open;
    for (;;) {
        bool const same = left == right || (++steps > long_comparison && !seen.emplace(left, right).second);
        if (!same && layout.symbol(left) != layout.symbol(right))
            return false;
        std::size_t const count = same ? 0 : layout.arguments(left);
        if (count == 0) {
            if (open.empty())
                return true;
            std::tie(left, right) = open.back();
            open.pop_back();
            continue;
        }
        // The first argument is next, so that a comparison along first arguments takes no memory.
        Word const* const a = left;
        Word const* const b = right;
        for (std::size_t i = count; i-- > 1;)
            open.emplace_back(layout.argument(a, i), layout.argument(b, i));
        left = layout.argument(a, 0);
        right = layout.argument(b, 0);
    }
}

}  // namespace lockstep::term_rewriting::compiled
