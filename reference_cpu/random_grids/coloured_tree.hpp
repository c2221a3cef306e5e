#pragma once
// Executable specification of `tree` for boards of two colours.
//
// Both planes are drawn as packed sets: k_0 of the board's N sites, then k_1 of the k_0 sites of the first plane, which
// are numbered in the order of their sites. Site i of the second set is the i-th site of the first plane (deposit()).
// Every k_0-set is equally likely (tree.hpp has the proof; only the sizes of the parts differ), and for each of them
// every k_1-set of its sites is: so is every pair of nested sets.
//
// A set of n sites consists of groups of two sets of four parts of `half` sites; the last one may have fewer. The order
// of draws: for each plane of more than one group, a word that splits its count between the two groups; then plane by
// plane and group by group. A group of two sets takes four words, of which the first splits its count between them and
// the others are the fields of their splits, and then four words for the two numbers. A group of one set takes four
// words: three fields, half a word that is not used, and the number. Words that do not decide, and numbers that are
// rejected, take further words, as in tree.hpp. A plane without candidates takes no words.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "common/random_grids/four_words.hpp"
#include "reference_cpu/random_grids/tree.hpp"

namespace lockstep::random_grids {

class ColouredTree {
public:
    using FindTable = std::function<TreeTable const&(unsigned low, unsigned high)>;

    // The sizes of the planes' candidates are known before anything is drawn: those of the board, and the occupied ones
    // of the first plane. `half`: sites of a part.
    ColouredTree(unsigned sites, std::vector<unsigned> occupied, unsigned half, SplitForm const& word_form,
                 SplitForm const& pair_form, FindTable find_table)
        : occupied_(std::move(occupied)), half_(half), find_table_(std::move(find_table)) {
        for (unsigned const plane_occupied : occupied_) {
            candidates_.push_back(sites);
            for (unsigned const size : {std::min(sites, set_sites()), sites % set_sites()}) {
                if (size != 0 && !sets_.contains(size))
                    sets_.emplace(size, Unranking(size, half, word_form, pair_form, 2));
            }
            sites = plane_occupied;
        }
    }

    // Draws one board. Returns the sites of each plane, one bool per site of the board.
    template <class Engine>
    std::vector<std::vector<bool>> draw(Engine& engine) const {
        auto const next_word = [&] { return static_cast<unsigned>(engine()); };
        std::vector<unsigned> in_first;  // of the groups of each plane
        for (std::size_t plane = 0; plane < occupied_.size(); ++plane) {
            unsigned const sites = candidates_[plane];
            in_first.push_back(occupied_[plane]);
            if (sites > group_sites())
                in_first.back() = tree_detail::draw_low(find_table_(group_sites(), sites - group_sites()),
                                                        occupied_[plane], next_word(), next_word);
        }
        std::vector<std::vector<bool>> planes;
        for (std::size_t plane = 0; plane < occupied_.size(); ++plane) {
            std::vector<bool> set;
            unsigned k = in_first[plane];
            for (unsigned first = 0; first < candidates_[plane]; first += group_sites()) {
                draw_group(std::min(candidates_[plane] - first, group_sites()), k, engine, set);
                k = occupied_[plane] - in_first[plane];
            }
            planes.push_back(plane == 0 ? set : deposit(planes.back(), set));
        }
        return planes;
    }

    // The sites of `plane` whose numbers among its sites are in `set`.
    static std::vector<bool> deposit(std::vector<bool> const& plane, std::vector<bool> const& set) {
        std::vector<bool> sites(plane.size(), false);
        std::size_t number = 0;
        for (std::size_t site = 0; site < plane.size(); ++site) {
            if (plane[site])
                sites[site] = set[number++];
        }
        return sites;
    }

private:
    unsigned set_sites() const { return 4 * half_; }
    unsigned group_sites() const { return 8 * half_; }

    template <class Engine>
    void draw_group(unsigned sites, unsigned k, Engine& engine, std::vector<bool>& drawn) const {
        auto const next_word = [&] { return static_cast<unsigned>(engine()); };
        auto const bits = static_cast<unsigned>(std::bit_width(std::uint64_t{Engine::max()}));
        auto const high = [&](unsigned word) { return word >> bits / 2; };
        auto const low = [&](unsigned word) { return word & ((1u << bits / 2) - 1); };
        random::Words4 const a = cpu::four_words(engine);
        if (sites <= set_sites()) {
            std::vector<unsigned> const fields = {high(a.x), low(a.x), high(a.y)};
            put_set(sites, sets_.at(sites).draw_counts(next_word, k, fields.data()), a.z, a.w, next_word, drawn);
            return;
        }
        unsigned const rest = sites - set_sites();
        unsigned const first = tree_detail::draw_low(find_table_(set_sites(), rest), k, a.x, next_word);
        std::vector<unsigned> const fields = {high(a.y), low(a.y), high(a.z), low(a.z), high(a.w), low(a.w)};
        std::vector<unsigned> const counts = sets_.at(set_sites()).draw_counts(next_word, first, fields.data());
        std::vector<unsigned> const others = sets_.at(rest).draw_counts(next_word, k - first, fields.data() + 3);
        random::Words4 const b = cpu::four_words(engine);
        put_set(set_sites(), counts, b.x, b.y, next_word, drawn);
        put_set(rest, others, b.z, b.w, next_word, drawn);
    }

    // Draws the masks of a set whose parts have these counts, and appends its sites.
    template <class NextWord>
    void put_set(unsigned sites, std::vector<unsigned> const& counts, unsigned first, unsigned second,
                 NextWord&& next_word, std::vector<bool>& drawn) const {
        unsigned used = 0;
        auto const next = [&] { return used < 2 ? (used++ == 0 ? first : second) : next_word(); };
        auto const masks = sets_.at(sites).draw_masks(next, counts, 0);
        for (unsigned site = 0; site < sites; ++site)
            drawn.push_back((masks[site / half_] >> site % half_ & 1) != 0);
    }

    std::vector<unsigned> occupied_;
    std::vector<unsigned> candidates_;  // of each plane
    unsigned half_;
    FindTable find_table_;
    std::map<unsigned, Unranking> sets_;  // by the number of sites
};

}  // namespace lockstep::random_grids
