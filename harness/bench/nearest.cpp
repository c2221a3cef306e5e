#include "harness/bench/nearest.hpp"

#include <algorithm>

namespace lockstep::bench {

unsigned edit_distance(std::string_view const a, std::string_view const b) {
    // Three rows of the prefix table: the second-last (for swaps), the last and the current one.
    std::vector<unsigned> older(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = static_cast<unsigned>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<unsigned>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            unsigned const replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped)
                row[j] = std::min(row[j], older[j - 2] + 1);
        }
        older.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

std::string nearest(std::string_view const word, std::span<std::string const> const candidates) {
    constexpr std::size_t longest = 200;  // what a longer one means, nobody can tell
    std::string best;
    if (word.size() > longest)
        return best;
    std::size_t const allowed = std::max<std::size_t>(word.size() > 3 ? 2 : 1, word.size() / 3);
    unsigned best_distance = static_cast<unsigned>(allowed) + 1;
    for (std::string const& candidate : candidates) {
        unsigned const distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(std::string_view const word, std::span<std::string const> const candidates) {
    std::string const near = nearest(word, candidates);
    if (!near.empty())
        return "did you mean " + near + "?";
    return candidates.empty() ? std::string() : "choose from " + joined(candidates);
}

std::string joined(std::span<std::string const> const words, std::string_view const separator) {
    std::string text;
    for (std::string const& word : words) {
        if (!text.empty())
            text += separator;
        text += word;
    }
    return text;
}

}  // namespace lockstep::bench
