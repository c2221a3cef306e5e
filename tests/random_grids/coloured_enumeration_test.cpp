// Boards of two colours by `tree`. Exact, for all strings of narrow words: the splits of one set, with parts of one
// site. Exact, too: how both planes make a board. By chi-square over all boards: the splits between sets and between
// groups, the masks, and the joint law of both planes. Also planted errors that the checks must detect.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "harness/random/philox.hpp"
#include "harness/stats/goodness_of_fit.hpp"
#include "reference_cpu/random_grids/coloured_tree.hpp"
#include "tests/random_grids/enumeration.hpp"

namespace lockstep::random_grids::tests {
namespace {

using Plane = std::vector<bool>;
using Planes = std::vector<Plane>;
using Law = std::map<std::uint64_t, std::uint64_t>;  // sets, or boards, and how many strings draw them

// Independent of the engines under test.
class FairWords {
public:
    explicit FairWords(unsigned seed) : engine_(seed) {}
    static constexpr unsigned max() { return 0xFFFFFFFFu; }
    unsigned operator()() { return static_cast<unsigned>(engine_()); }

private:
    std::mt19937 engine_;
};

std::uint64_t set_of(Plane const& plane) {
    std::uint64_t number = 0;
    for (std::size_t site = plane.size(); site-- > 0;)
        number = number << 1 | (plane[site] ? 1 : 0);
    return number;
}

ColouredTree tree_of(unsigned sites, std::vector<unsigned> const& occupied, unsigned first_half,
                     ColouredTree::FindTable const& find_table = tree_table) {
    SplitForm const form{32, 3, 3};
    return {sites, occupied, first_half, form, form, find_table};
}

// A string of words of four bits that are read in halves. With parts of one site, the numbers of masks select nothing,
// and no field takes the lower half of a block's second word: these bits are fixed.
class Halves {
public:
    explicit Halves(std::vector<unsigned> const& string) : string_(string) {}
    static constexpr unsigned max() { return 15; }
    unsigned operator()() {
        unsigned const upper = half();
        return upper << 2 | half();
    }
    random::Words4 next4() {
        unsigned const first = (*this)();
        return {first, half() << 2, 1, 1};
    }
    bool needs_more() const { return read_ > string_.size(); }

private:
    // After the end, arbitrary bits, so that loops terminate.
    unsigned half() {
        if (read_++ < string_.size())
            return string_[read_ - 1];
        filler_ = filler_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<unsigned>(filler_ >> 40) % 4;
    }

    std::vector<unsigned> const& string_;
    std::size_t read_ = 0;
    std::uint64_t filler_ = 1;
};

constexpr SplitForm narrow{4, 1, 1};

// Whether the first split of a plane of `sites` sites is rejected: its field does not decide, and neither does the word
// after the three fields.
bool is_rejected(std::vector<unsigned> const& string, unsigned sites, unsigned k) {
    SplitTable const table = make_split_table(std::min(sites, 2u), sites - std::min(sites, 2u), narrow);
    std::size_t const column = (std::size_t{k} << narrow.column_bits) + (string[0] >> narrow.fraction_bits());
    if (string.size() < 5 || string[0] != table.entries[column] >> (32 - narrow.field_bits()))
        return false;
    unsigned const tail = string[3] << 2 | string[4];
    return tail >= table.tails[2 * column] && tail < table.tails[2 * column + 1];
}

// The law of a plane of up to four parts of one site: three fields, and a further word for each. Only the first split
// can reject, and its count is the plane's, so what follows a rejection is as if nothing had been drawn: these strings
// are left out. A string that ends early counts for all its continuations.
class LawOfPlane {
public:
    LawOfPlane(unsigned sites, unsigned k, bool leaves_out_rejected = true)
        : tree_(sites, {k}, 1, narrow, narrow, tree_table), sites_(sites), k_(k), leaves_out_(leaves_out_rejected) {
        add_strings();
    }

    bool is_uniform() const { return uniform(law_, sites_, k_); }
    Law& law() { return law_; }

private:
    static constexpr std::size_t longest = 3 + 2 * 3;

    void add_strings() {
        if (leaves_out_ && string_.size() == 5 && is_rejected(string_, sites_, k_))
            return;
        Halves halves(string_);
        std::uint64_t const set = set_of(tree_.draw(halves)[0]);
        if (!halves.needs_more()) {
            law_[set] += std::uint64_t{1} << 2 * (longest - string_.size());
            return;
        }
        if (string_.size() == longest)
            return;
        for (unsigned value = 0; value < 4; ++value) {
            string_.push_back(value);
            add_strings();
            string_.pop_back();
        }
    }

    ColouredTree tree_;
    unsigned sites_;
    unsigned k_;
    bool leaves_out_;
    std::vector<unsigned> string_;
    Law law_;
};

TEST(ColouredEnumeration, SplitsOfOneSet) {
    for (unsigned sites = 1; sites <= 4; ++sites) {
        for (unsigned k = 0; k <= sites; ++k)
            EXPECT_TRUE(LawOfPlane(sites, k).is_uniform()) << sites << ' ' << k;
    }
}

// Both planes from the planes' own laws: planes of one group are drawn one after the other, each as if it were alone,
// and no word is read twice.
template <class Deposit>
Planes draw_apart(unsigned sites, std::vector<unsigned> const& occupied, unsigned first_half, FairWords& first,
                  FairWords& second, Deposit&& deposit) {
    Planes planes;
    planes.push_back(tree_of(sites, {occupied[0]}, first_half).draw(first)[0]);
    planes.push_back(deposit(planes[0], tree_of(occupied[0], {occupied[1]}, first_half).draw(second)[0]));
    return planes;
}

TEST(ColouredEnumeration, PlanesAreIndependent) {
    for (auto const& occupied : std::vector<std::vector<unsigned>>{{4, 2}, {12, 5}, {15, 15}, {7, 0}, {16, 1}}) {
        ColouredTree const tree = tree_of(16, occupied, 2);
        FairWords one(3);
        FairWords other(3);
        for (unsigned i = 0; i < 200; ++i) {
            EXPECT_EQ(tree.draw(one), draw_apart(16, occupied, 2, other, other, ColouredTree::deposit));
            EXPECT_EQ(one(), other());
        }
    }
}

// For every first plane, the sets of its sites are in one-to-one correspondence with the packed sets.
TEST(ColouredEnumeration, DepositsAreOneToOne) {
    constexpr unsigned sites = 7;
    for (unsigned first = 0; first < 1u << sites; ++first) {
        Plane plane;
        for (unsigned site = 0; site < sites; ++site)
            plane.push_back((first >> site & 1) != 0);
        Law seen;
        auto const candidates = static_cast<unsigned>(std::popcount(first));
        for (unsigned packed = 0; packed < 1u << candidates; ++packed) {
            Plane set;
            for (unsigned i = 0; i < candidates; ++i)
                set.push_back((packed >> i & 1) != 0);
            std::uint64_t const deposited = set_of(ColouredTree::deposit(plane, set));
            EXPECT_EQ(deposited & ~std::uint64_t{first}, 0u);
            EXPECT_EQ(std::popcount(deposited), std::popcount(packed));
            ++seen[deposited];
        }
        EXPECT_EQ(seen.size(), std::size_t{1} << candidates);
    }
}

// Chi-square over all pairs of nested sets; draw() returns a board.
template <class Draw>
double p_of_boards(unsigned sites, std::vector<unsigned> const& occupied, unsigned boards, Draw&& draw) {
    auto const nested = static_cast<std::size_t>(binomial(sites, occupied[0]) * binomial(occupied[0], occupied[1]));
    Law law;
    for (unsigned i = 0; i < boards; ++i) {
        Planes const planes = draw();
        EXPECT_EQ(static_cast<unsigned>(std::popcount(set_of(planes[0]))), occupied[0]);
        EXPECT_EQ(static_cast<unsigned>(std::popcount(set_of(planes[1]))), occupied[1]);
        EXPECT_EQ(set_of(planes[1]) & ~set_of(planes[0]), 0u);
        ++law[set_of(planes[0]) << 32 | set_of(planes[1])];
    }
    EXPECT_LE(law.size(), nested);
    std::vector<std::uint64_t> counts;
    for (auto const& [board, count] : law)
        counts.push_back(count);
    counts.resize(nested, 0);
    return stats::chi_square_uniform(counts).p;
}

double p_of_tree(unsigned sites, std::vector<unsigned> const& occupied, unsigned first_half,
                 ColouredTree::FindTable const& find_table = tree_table) {
    ColouredTree const tree = tree_of(sites, occupied, first_half, find_table);
    FairWords engine(11);
    return p_of_boards(sites, occupied, 40000, [&] { return tree.draw(engine); });
}

// One set, two sets, two groups, in either plane, full and not.
TEST(ColouredEnumeration, BoardsOfTwoColoursAreUniform) {
    struct Case {
        unsigned sites;
        std::vector<unsigned> occupied;
        unsigned first_half;
    };
    for (Case const& c : std::vector<Case>{{4, {3, 2}, 1},
                                           {6, {3, 1}, 1},
                                           {8, {6, 2}, 1},
                                           {9, {8, 4}, 1},
                                           {11, {9, 1}, 1},
                                           {13, {12, 11}, 1},
                                           {16, {15, 2}, 1},
                                           {16, {2, 1}, 1},
                                           {8, {5, 3}, 2},
                                           {15, {13, 1}, 2},
                                           {19, {2, 1}, 2},
                                           {32, {31, 1}, 2},
                                           {20, {19, 2}, 3}}) {
        EXPECT_GT(p_of_tree(c.sites, c.occupied, c.first_half), 1e-3) << c.sites << ' ' << c.occupied[0];
    }
}

// Negative controls.

TEST(ColouredEnumerationCatches, OneStringOfAQuarterOfAMillion) {
    LawOfPlane plane(4, 2);
    ++plane.law().begin()->second;
    EXPECT_FALSE(plane.is_uniform());
}

// Strings that go on after a rejection are not all as long.
TEST(ColouredEnumerationCatches, StringsThatAreRejected) { EXPECT_FALSE(LawOfPlane(4, 2, false).is_uniform()); }

TEST(ColouredEnumerationCatches, PlanesFromTheSameWords) {
    // Planes of one set take four words each, so both engines stay in step.
    FairWords first(5);
    FairWords second(5);
    EXPECT_LT(p_of_boards(4, {3, 2}, 20000,
                          [&] {
                              return draw_apart(4, {3, 2}, 1, first, second, ColouredTree::deposit);
                          }),
              1e-6);
}

// Every part takes the first bits of the packed set, as if the bits of the parts before had not been used.
TEST(ColouredEnumerationCatches, BitsThatAreUsedTwice) {
    FairWords engine(5);
    auto const again = [](Plane const& plane, Plane const& set) {
        Plane sites(plane.size(), false);
        std::size_t number = 0;
        auto left = static_cast<int>(std::popcount(set_of(set)));
        for (std::size_t site = 0; site < plane.size(); ++site) {
            number = site % 4 == 0 ? 0 : number;
            if (plane[site] && set[number++] && left-- > 0)
                sites[site] = true;
        }
        for (std::size_t site = plane.size(); site-- > 0 && left > 0;) {
            if (plane[site] && !sites[site]) {
                sites[site] = true;
                --left;
            }
        }
        return sites;
    };
    EXPECT_LT(p_of_boards(8, {5, 2}, 20000, [&] { return draw_apart(8, {5, 2}, 1, engine, engine, again); }), 1e-6);
}

// The last group is split like a full one.
TEST(ColouredEnumerationCatches, AnEndWithTheTableOfAFullGroup) {
    auto const table_of_full = [](unsigned low, unsigned high) -> TreeTable const& {
        return tree_table(low, low == 4 ? 4 : high);
    };
    EXPECT_GT(p_of_tree(8, {2, 1}, 1, table_of_full), 1e-3);
    EXPECT_LT(p_of_tree(7, {2, 1}, 1, table_of_full), 1e-6);
}

}  // namespace
}  // namespace lockstep::random_grids::tests
