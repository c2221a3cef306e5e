#include "experiments/random_grids/site_counts.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "harness/bench/error.hpp"

namespace lockstep::random_grids {

std::vector<std::uint16_t> parse_site_counts(std::string const& text, std::string const& path,
                                             unsigned const max_count) {
    std::vector<std::uint16_t> counts;
    std::string_view left = text;
    while (!left.empty()) {
        std::size_t const end = std::min(left.find('\n'), left.size());
        std::string_view line = left.substr(0, end);
        left.remove_prefix(std::min(end + 1, left.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        unsigned value = 0;
        auto const [stop, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error != std::errc() || stop != line.data() + line.size() || value > max_count) {
            throw bench::Error(
                "cannot use the numbers of sites in " + path,
                "line " + std::to_string(counts.size() + 1) + " is not a number from 0 to " + std::to_string(max_count),
                "The file has one number per line.");
        }
        counts.push_back(static_cast<std::uint16_t>(value));
    }
    if (counts.empty())
        throw bench::Error("cannot use the numbers of sites in " + path, "it is empty",
                           "The file has one number per line.");
    return counts;
}

std::vector<std::vector<CountedBoard>> BoardsBySites::boards(std::uint64_t const first, std::uint64_t const count) {
    if (first < read_ || next_.empty()) {
        read_ = 0;
        next_.assign(*std::max_element(counts_.begin(), counts_.end()) + std::size_t{1}, 0);
    }
    std::vector<std::vector<CountedBoard>> boards(next_.size());
    for (; read_ < first + count; ++read_) {
        std::uint64_t const number = next_[counts_[read_]]++;
        if (read_ >= first)
            boards[counts_[read_]].push_back({static_cast<std::size_t>(read_ - first), number});
    }
    return boards;
}

}  // namespace lockstep::random_grids
