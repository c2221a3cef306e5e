#pragma once
// Boards of more than 64 sites by a tree of counts, down to sets of 64 sites that are drawn by their number; one thread
// per stream, blocks as in unranked.hpp (reference_cpu/random_grids/tree.hpp defines the method and
// says why it is exact).
//
// Any number of occupied sites costs the same: nothing depends on it but the addresses of look-ups. Bottleneck:
// instructions and look-ups in shared memory, with similar load. A group of 128 sites takes 8 random words, 7 splits
// and 8 masks: 232 instructions and 62 passes of shared memory (METHOD.md counts the others). Tables of groups and sets
// are in shared memory; those of larger nodes are in device memory, one look-up of 8 bytes per 128 sites. What
// diverges: words and fields that do not decide, and numbers that might be rejected. Bytes: 4 per word if stored, 4 per
// stream if folded; 219 KiB of tables per block. Precondition: more than 64 sites, one colour.

#include "common/random_grids/four_words.hpp"
#include "common/random_grids/packed_rows.hpp"
#include "kernels/random_grids/keyed_philox.hpp"
#include "kernels/random_grids/rounds.hpp"
#include "kernels/random_grids/tree_sets.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// `levels`: those above level 0 that the code has. `words`: those of the largest number of sets.
template <class Engine, unsigned levels, unsigned words>
class TreeDrawer {
public:
    __device__ TreeDrawer(TreeTile& tile, TreeParameters const& p, Engine const& engine)
        : tile_(tile), p_(p), engine_(engine), lane_(threadIdx.x % 32) {}

    // Starts a board with k occupied sites.
    __device__ void start(unsigned k) {
#pragma unroll
        for (unsigned level = 0; level <= levels; ++level)
            counts_[level] = k;
    }

    // Splits all nodes that begin at this group; group after group. Returns the number of the group's occupied sites.
    __device__ unsigned count(unsigned group) {
        if (group % 2 != 0)
            return counts_[0];
        unsigned const level = group == 0 ? p_.top : static_cast<unsigned>(__ffs(static_cast<int>(group))) - 1;
        unsigned const sites = p_.sites - 128 * group;
        unsigned here = counts_[0];
#pragma unroll
        for (unsigned at = levels; at > 0; --at) {
            if (level == at)
                here = counts_[at];
            if (at <= level) {
                unsigned low = here;
                if (sites > 64u << at)
                    low = draw_low<words>(sites < 128u << at ? p_.ends[at] : p_.nodes[at], engine_, here, engine_());
                counts_[at - 1] = here - low;
                here = low;
            }
        }
        return here;
    }

    // Draws the four words of a group with this number of occupied sites. `end`: of the last group, if it has fewer
    // than 128 sites.
    template <bool end>
    __device__ void draw(unsigned occupied, unsigned sites, unsigned (&drawn)[4]) {
        random::Words4 const four = four_words(engine_);
        unsigned low = occupied;
        if constexpr (!end) {
            low = draw_low_of_group(occupied, four.x);
        } else if (sites > 64) {
            low = draw_low<words>(p_.ends[0], engine_, occupied, four.x);
        }
        unsigned const in_set[2] = {low, occupied - low};
        unsigned const fields[2][3] = {{four.y, four.y << 16, four.z}, {four.z << 16, four.w, four.w << 16}};
        bool const last[2] = {end && sites < 64, end && sites > 64};
        SetSplits const sets[2] = {splits_of(p_, last[0]), splits_of(p_, last[1])};
        // Usually all fields decide. A set with an undecided field is split again by the exact path.
        InParts in[2];
        bool undecided[2] = {};
#pragma unroll
        for (unsigned i = 0; i < 2; ++i) {
            in[i] = split_set(tile_, sets[i], lane_, p_.part_bytes, in_set[i], fields[i],
                              [&](auto&& view, unsigned k, unsigned field) {
                                  return split_by_field<bits_of_words<Engine>()>(view, k, field, undecided[i]);
                              });
        }
        if (undecided[0] || undecided[1]) {
#pragma unroll
            for (unsigned i = 0; i < 2; ++i) {
                if (undecided[i]) {
                    SetSplit<Engine> const split = split_set_exactly(tile_, p_, last[i], engine_, in_set[i],
                                                                     fields[i][0], fields[i][1], fields[i][2]);
                    resume(engine_, split.engine);
                    in[i] = split.in;
                }
            }
        }
        random::Words4 const numbers = four_words(engine_);
        draw_words(sets[0], in[0], numbers.x, numbers.y, drawn[0], drawn[1]);
        draw_words(sets[1], in[1], numbers.z, numbers.w, drawn[2], drawn[3]);
    }

private:
    // Like draw_low, from the copy in shared memory: half of a word decides, except for one word in 1024.
    __device__ unsigned draw_low_of_group(unsigned k, unsigned word) {
        bool const many = k > 64;
        unsigned const row = many ? 128 - k : k;
        unsigned const entry = shared_at(tile_.groups, __funnelshift_l(word, row, tree_group_column_bits) * 4);
        unsigned low = __byte_perm(entry, 0, word < entry ? 0x4440u : 0x4441u);
        low = many ? 64 - low : low;
        if ((word ^ entry) < 65536)
            low = draw_low<words>(p_.nodes[0], engine_, k, word);
        return low;
    }

    // Draws the two words of a set from the two words of a number.
    __device__ void draw_words(SetSplits const& set, InParts const& in, unsigned high, unsigned low, unsigned& first,
                               unsigned& second) {
        constexpr unsigned bits = bits_of_words<Engine>();
        constexpr unsigned long long max_sets = max_masks(16) * max_masks(16) * max_masks(16) * max_masks(16);
        FourParts four;
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
            four.parts[i] = shared_at(tile_.parts, in.bytes[i] + set.parts + i * set.next_part);
        unsigned masks[4];
        unsigned long long const fraction = take_digits<bits>(high, low, four.parts, p_.mask_bytes, masks);
        if (static_cast<unsigned>(fraction >> bits) <= static_cast<unsigned>(max_sets >> bits)) {
            DigitsDrawn<Engine> const again = redraw_digits<Engine>(
                engine_, fraction, four, p_.mask_bytes, {engine_, {masks[0], masks[1], masks[2], masks[3]}});
            resume(engine_, again.engine);
#pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                masks[i] = again.masks[i];
        }
        first = mask_at(tile_.masks, masks[1]) * 65536u + mask_at(tile_.masks, masks[0]);
        second = mask_at(tile_.masks, masks[3]) * 65536u + mask_at(tile_.masks, masks[2]);
    }

    TreeTile& tile_;
    TreeParameters const& p_;
    Engine engine_;
    unsigned lane_;
    unsigned counts_[levels + 1];  // occupied sites of the node of each level that begins next
};

// Draws the boards of a stream. `whole`: rows are whole words, so that packed sites are rows.
template <class Engine, bool stored, unsigned levels, unsigned words, bool whole>
__device__ inline void draw_tree(TreeTile& tile, TreeParameters const& parameters, unsigned long long stream,
                                 unsigned* results) {
    GridParameters const& p = parameters.grid;
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    auto const engine = keyed_stream<Engine>(parameters.keys, p.seed, p.first_unit + stream);
    TreeDrawer<std::remove_const_t<decltype(engine)>, levels, words> drawer(tile, parameters, engine);
    Occupied const occupied(p, p.first_unit + stream);
    RowCutter cutter(p.width);
    auto const put = [&](unsigned word, unsigned count) {
        if constexpr (whole)
            sink.put(word);
        else
            cutter.put(word, count, [&](unsigned row) { sink.put(row); });
    };
    unsigned const full_groups = parameters.sites / 128;
    unsigned const end_sites = parameters.sites % 128;
    unsigned drawn[4];
    for (unsigned board = 0; board < p.length; ++board) {
        drawer.start(occupied(p, board, 0));
        for (unsigned group = 0; group < full_groups; ++group) {
            drawer.template draw<false>(drawer.count(group), 128, drawn);
#pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                put(drawn[i], 32);
        }
        if (end_sites != 0) {
            drawer.template draw<true>(drawer.count(full_groups), end_sites, drawn);
#pragma unroll
            for (unsigned i = 0; i < 4; ++i) {
                if (end_sites > 32 * i)
                    put(drawn[i], end_sites - 32 * i < 32 ? end_sites - 32 * i : 32);
            }
        }
    }
    sink.finish();
}

template <class Engine, bool stored, unsigned levels, unsigned words, bool whole, unsigned threads = tree_max_threads>
__global__ void __launch_bounds__(threads, 1)
    tree_boards(__grid_constant__ TreeParameters const parameters, unsigned* const results) {
    auto& tile = held_tile(shared_memory<TreeTile>(), parameters.one);
    copy_tree_tables(tile, parameters);
    __syncthreads();
    for_each_stream(parameters.grid.streams, [&](unsigned long long stream) {
        draw_tree<Engine, stored, levels, words, whole>(tile, parameters, stream, results);
    });
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
