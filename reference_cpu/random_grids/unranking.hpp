#pragma once
// Executable specification of `unranked`: sets are drawn by their number, without a loop over their sites.
//
// A set of up to 64 sites consists of up to four parts of at most `half` = 16 sites, two parts per word.
//   count:  split k among the words, and each word's count among its parts, each split with half a random word and an
//           alias table (unrank_tables.hpp, which says why that is exact).
//   number: four parts, whose counts have p_0 to p_3 masks, get a uniform number below p = p_0 p_1 p_2 p_3 from two
//           random words U by Lemire's multiplication: floor(U p / 2^64), rejected if (U p mod 2^64) < (2^64 mod p), so
//           all numbers are equally likely. Its digits to these bases are numbers of masks, in ascending order.
// Counts have probabilities in proportion to the number of their sets, and every set with these counts is equally
// likely: so is every set.
//
// Eight parts form a group and share words: four sets of up to 32 sites, or two of up to 64. The order of draws: first
// the fields of all splits (a word's upper half, then its lower), then, split by split, full words for fields that do
// not decide, and last the number of parts 0 to 3 and that of parts 4 to 7. Sets past the end of a stream have no
// sites.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/random_grids/unrank_tables.hpp"

namespace lockstep::random_grids {

class Unranking {
public:
    // word_form: split of a word into parts. pair_form: split of a set into words. A set has as many words as its sites
    // need, unless `words` says 2.
    Unranking(unsigned sites, unsigned half, SplitForm const& word_form, SplitForm const& pair_form, unsigned words = 0)
        : half_(half), bits_(word_form.word_bits), masks_(make_masks(half)) {
        if (words == 0)
            words = sites <= 2 * half ? 1 : 2;
        for (unsigned word = 0; word < words; ++word) {
            unsigned const here = std::min(2 * half, sites - std::min(sites, 2 * half * word));
            unsigned const low = std::min(here, half);
            parts_.push_back(make_part_sets(low, half));
            parts_.push_back(make_part_sets(here - low, half));
            splits_.push_back(make_split_table(low, here - low, word_form));
        }
        if (words == 2) {
            unsigned const low = std::min(sites, 2 * half);
            pair_ = make_split_table(low, sites - low, pair_form);
        }
    }

    unsigned parts_per_set() const { return static_cast<unsigned>(parts_.size()); }
    unsigned sets_per_group() const { return 8 / parts_per_set(); }
    unsigned splits_per_set() const { return parts_per_set() - 1; }

    // Draws the next group's sets; set i has occupied[i] sites.
    template <class NextWord>
    std::vector<std::uint64_t> draw(std::vector<unsigned> const& occupied, NextWord&& next_word) const {
        std::vector<unsigned> fields;
        for (std::size_t i = 0; i < occupied.size() * splits_per_set(); i += 2) {
            unsigned const word = next_word();
            fields.push_back(word >> bits_ / 2);
            fields.push_back(word & ((1u << bits_ / 2) - 1));
        }
        std::vector<unsigned> counts;
        for (std::size_t i = 0; i < occupied.size(); ++i) {
            for (unsigned const count : draw_counts(next_word, occupied[i], fields.data() + i * splits_per_set()))
                counts.push_back(count);
        }
        std::vector<std::uint64_t> masks;
        for (unsigned first = 0; first < 8; first += 4) {
            for (std::uint64_t const mask : draw_masks(next_word, counts, first))
                masks.push_back(mask);
        }
        std::vector<std::uint64_t> sets(occupied.size(), 0);
        for (unsigned part = 0; part < 8; ++part)
            sets[part / parts_per_set()] |= masks[part] << (part % parts_per_set() * half_);
        return sets;
    }

    // Number of the k sites in each part, with one field per split: first into words, then each word.
    template <class NextWord>
    std::vector<unsigned> draw_counts(NextWord&& next_word, unsigned k, unsigned const* fields) const {
        std::vector<unsigned> in_words = {k};
        if (pair_) {
            in_words[0] = draw_split(*pair_, next_word, k, *fields++);
            in_words.push_back(k - in_words[0]);
        }
        std::vector<unsigned> counts;
        for (std::size_t word = 0; word < in_words.size(); ++word) {
            counts.push_back(draw_split(splits_[word], next_word, in_words[word], *fields++));
            counts.push_back(in_words[word] - counts.back());
        }
        return counts;
    }

    // Draws the masks of four parts, from part `first` on, with these counts.
    template <class NextWord>
    std::array<std::uint64_t, 4> draw_masks(NextWord&& next_word, std::vector<unsigned> const& counts,
                                            unsigned first) const {
        __extension__ using Wide = unsigned __int128;
        std::array<PartSets, 4> parts;
        std::uint64_t all = 1;
        for (unsigned i = 0; i < 4; ++i) {
            parts[i] = parts_[(first + i) % parts_per_set()][counts[first + i]];
            all *= parts[i].sets;
        }
        Wide const range = Wide{1} << 2 * bits_;
        Wide product = 0;
        do {
            Wide const upper = next_word();
            product = (upper << bits_ | next_word()) * all;
        } while (product % range < range % all);
        std::uint64_t number = static_cast<std::uint64_t>(product / range);
        std::array<std::uint64_t, 4> masks{};
        for (unsigned i = 4; i-- > 0;) {
            masks[i] = masks_[parts[i].first + number % parts[i].sets];
            number /= parts[i].sets;
        }
        return masks;
    }

    template <class NextWord>
    static unsigned draw_split(SplitTable const& table, NextWord&& next_word, unsigned k, unsigned field) {
        __extension__ using Wide = unsigned __int128;
        SplitForm const& form = table.form;
        for (;; field = next_word() >> (form.word_bits - form.field_bits())) {
            std::size_t const column = (std::size_t{k} << form.column_bits) + (field >> form.fraction_bits());
            unsigned const entry = table.entries[column];
            unsigned const undecided = entry >> (32 - form.field_bits());
            unsigned const* const tails = table.tails.data() + column * 2 * form.tail_words;
            Wide tail = 0;
            Wide end = 0;
            Wide begin = 0;
            // Draws word by word until the tail differs from both bounds.
            for (unsigned i = 0; field == undecided && i < form.tail_words && (tail == end || tail == begin); ++i) {
                tail = tail << form.word_bits | next_word();
                end = end << form.word_bits | tails[i];
                begin = begin << form.word_bits | tails[form.tail_words + i];
            }
            if (field < undecided || (field == undecided && tail < end))
                return entry & 0xFFu;
            if (field > undecided || tail >= begin)
                return entry >> 8 & 0xFFu;
        }
    }

private:
    unsigned half_;
    unsigned bits_;
    std::vector<std::uint16_t> masks_;
    std::vector<std::vector<PartSets>> parts_;  // for each part of a set, by count
    std::vector<SplitTable> splits_;
    std::optional<SplitTable> pair_;
};

}  // namespace lockstep::random_grids
