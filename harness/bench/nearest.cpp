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
    // Names come from files of users. The distance of two words takes as much time as the product of their lengths, and
    // nobody mistypes a longer word than this.
    constexpr std::size_t max_length = 100;
    constexpr std::size_t max_candidates = 10000;
    std::string best;
    if (word.size() > max_length)
        return best;
    if (word.size() == 1)
        return best;  // every other letter would be near
    std::size_t const allowed = std::max<std::size_t>(word.size() > 4 ? 2 : 1, word.size() / 3);
    unsigned best_distance = static_cast<unsigned>(allowed) + 1;
    for (std::string const& candidate : candidates.first(std::min(candidates.size(), max_candidates))) {
        std::size_t const longer = std::max(word.size(), candidate.size());
        if (longer - std::min(word.size(), candidate.size()) >= best_distance)
            continue;  // the distance is not less than the difference
        unsigned const distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(std::string_view const word, std::span<std::string const> const candidates) {
    bool const means_cuda =
        word == "gpu" && std::find(candidates.begin(), candidates.end(), "cuda") != candidates.end();
    std::string const near = means_cuda ? "cuda" : nearest(word, candidates);
    if (!near.empty())
        return "did you mean " + near + "?";
    if (candidates.empty())
        return "";
    // A file of a user's may declare a million names.
    constexpr std::size_t max_characters = 4000;
    std::size_t characters = 0;
    std::size_t shown = 0;
    while (shown < candidates.size() && (shown == 0 || characters + candidates[shown].size() <= max_characters))
        characters += candidates[shown++].size();
    std::string const rest =
        shown < candidates.size() ? " or " + std::to_string(candidates.size() - shown) + " more" : "";
    return "choose from " + joined(candidates.first(shown)) + rest;
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
