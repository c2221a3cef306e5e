#pragma once
// Boards of two colours by a tree of counts (reference_cpu/random_grids/coloured_tree.hpp defines the method and says
// why it is exact); one thread per stream, blocks as in unranked.hpp.
//
// The first plane stays in registers, two parts of 15 sites per word. The second one is drawn in the same way, packed
// into words without gaps, and deposited: a table of bytes spreads the next bits over the occupied ones of eight sites
// of the first plane. Bottleneck: instructions. What diverges: words and fields that do not decide, and numbers that
// might be rejected. Bytes: 4 per word if stored, 4 per stream if folded; 222 KiB of tables per block.

#include "common/random_grids/colour_shape.hpp"
#include "common/random_grids/four_words.hpp"
#include "common/random_grids/packed_rows.hpp"
#include "kernels/random_grids/colour_deposit.hpp"
#include "kernels/random_grids/colour_sets.hpp"
#include "kernels/random_grids/rounds.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// `known_sites`: of the board, if all boards of the kernel have so many, else 0.
template <class Engine, unsigned known_sites>
class ColourDrawer {
public:
    __device__ ColourDrawer(ColourTile& tile, ColourParameters const& p, Engine const& engine)
        : tile_(tile), p_(p), engine_(engine), lane_(threadIdx.x % 32) {}

    // Splits the counts of both planes between their groups.
    __device__ void start() {
#pragma unroll
        for (unsigned plane = 0; plane < colour_planes; ++plane) {
            unsigned const k = p_.grid.occupied[plane];
            in_first_[plane] = k;
            if (sites_of(plane) > colour_group_sites)
                in_first_[plane] = draw_low<colour_words>(p_.planes[plane].top, engine_, k, engine_());
        }
    }

    // Draws a plane as a packed set.
    __device__ ColourSet draw(unsigned plane) {
        unsigned const in_first = plane == 0 ? in_first_[0] : in_first_[1];
        ColourSet set{};
#pragma unroll
        for (unsigned group = 0; group < colour_groups; ++group) {
            if (sites_of(plane) > group * colour_group_sites) {
                unsigned const sites = sites_of(plane) - group * colour_group_sites;
                unsigned const k = group == 0 ? in_first : p_.grid.occupied[plane] - in_first;
                if (sites > colour_set_sites)
                    draw_two(plane, sites, k, set.pairs + 4 * group);
                else
                    draw_one(plane, sites, k, set.pairs + 4 * group);
            }
        }
        return set;
    }

private:
    __device__ unsigned sites_of(unsigned plane) const {
        return known_sites != 0 && plane == 0 ? known_sites : p_.planes[plane].sites;
    }

    __device__ void draw_one(unsigned plane, unsigned sites, unsigned k, unsigned* pairs) {
        random::Words4 const a = four_words(engine_);
        unsigned const fields[3] = {a.x, a.x << 16, a.y};
        bool undecided = false;
        InParts in = split(plane, sites, k, fields, undecided);
        if (undecided)
            in = split_exactly(plane, sites, k, fields);
        put_masks(plane, sites, in, a.z, a.w, pairs);
    }

    __device__ void draw_two(unsigned plane, unsigned sites, unsigned k, unsigned* pairs) {
        unsigned const rest = sites - colour_set_sites;
        random::Words4 const a = four_words(engine_);
        bool const full = rest >= colour_set_sites;
        unsigned const low = draw_low<colour_words>(full ? p_.group : p_.planes[plane].end_group, engine_, k, a.x);
        unsigned const fields[2][3] = {{a.y, a.y << 16, a.z}, {a.z << 16, a.w, a.w << 16}};
        bool undecided[2] = {};
        InParts first = split(plane, colour_set_sites, low, fields[0], undecided[0]);
        InParts second = split(plane, rest, k - low, fields[1], undecided[1]);
        if (undecided[0] || undecided[1]) {
            if (undecided[0])
                first = split_exactly(plane, colour_set_sites, low, fields[0]);
            if (undecided[1])
                second = split_exactly(plane, rest, k - low, fields[1]);
        }
        random::Words4 const b = four_words(engine_);
        put_masks(plane, colour_set_sites, first, b.x, b.y, pairs);
        put_masks(plane, rest, second, b.z, b.w, pairs + 2);
    }

    // Splits a set by fields alone. All lanes agree on whether this is the plane's last set, which has fewer sites.
    __device__ InParts split(unsigned plane, unsigned sites, unsigned k, unsigned const (&fields)[3], bool& undecided) {
        auto const by_field = [&](auto&& view, unsigned in, unsigned field) {
            return split_by_field<bits_of_words<Engine>()>(view, in, field, undecided);
        };
        if (sites >= colour_set_sites)
            return split_colour_set<false>(tile_, p_, plane, lane_, k, fields, by_field);
        return split_colour_set<true>(tile_, p_, plane, lane_, k, fields, by_field);
    }

    __device__ InParts split_exactly(unsigned plane, unsigned sites, unsigned k, unsigned const (&fields)[3]) {
        SetSplit<Engine> const exact = split_colour_set_exactly(tile_, p_, plane, sites < colour_set_sites, engine_, k,
                                                                fields[0], fields[1], fields[2]);
        resume(engine_, exact.engine);
        return exact.in;
    }

    // Draws the two words of a set from the two words of a number.
    __device__ void put_masks(unsigned plane, unsigned sites, InParts const& in, unsigned high, unsigned low,
                              unsigned* pairs) {
        constexpr unsigned bits = bits_of_words<Engine>();
        constexpr unsigned long long max_part = max_masks(colour_part_sites);
        constexpr unsigned long long max_sets = max_part * max_part * max_part * max_part;
        FourParts four;
        if (sites >= colour_set_sites) {
#pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                four.parts[i] = shared_at(tile_.parts, in.bytes[i]);
        } else {
#pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                four.parts[i] = shared_at(tile_.parts, in.bytes[i] + (1 + 4 * plane + i) * ColourTile::parts_bytes);
        }
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
        unsigned const pack = p_.planes[plane].pack;
        pairs[0] = mask_at(tile_.masks, masks[1]) * pack + mask_at(tile_.masks, masks[0]);
        pairs[1] = mask_at(tile_.masks, masks[3]) * pack + mask_at(tile_.masks, masks[2]);
    }

    ColourTile& tile_;
    ColourParameters const& p_;
    Engine engine_;
    unsigned lane_;
    unsigned in_first_[colour_planes];  // occupied sites of the planes' first groups
};

// Puts all parts of both planes, in order: put(part, word).
template <class Drawer, class Put>
__device__ inline void draw_coloured(ColourTile& tile, Drawer& drawer, Put&& put) {
    drawer.start();
    ColourSet const first = drawer.draw(0);
#pragma unroll
    for (unsigned i = 0; i < 4 * colour_groups; ++i) {
        put(2 * i, first.pairs[i] & 0xFFFFu);
        put(2 * i + 1, first.pairs[i] >> 16);
    }
    unsigned bits[4 * colour_groups];
    pack_colour(drawer.draw(1), bits);
#pragma unroll
    for (unsigned i = 0; i < 4 * colour_groups; ++i) {
        unsigned const low = first.pairs[i] & 0xFFFFu;
        put(2 * i, deposit_part(tile, low, bits[0]));
        put(2 * i + 1, deposit_part(tile, first.pairs[i] >> 16, bits[0] >> __popc(low)));
        auto const sites = static_cast<unsigned>(__popc(first.pairs[i]));
        // At most 30 (7 - i) bits are left, so only their words are shifted.
#pragma unroll
        for (unsigned word = 0; 32 * word < 30 * (4 * colour_groups - 1 - i); ++word)
            bits[word] = __funnelshift_r(bits[word], word + 1 < 4 * colour_groups ? bits[word + 1] : 0, sites);
    }
}

// `height`: of boards of width 15, whose rows are parts; 0 for other boards.
template <class Engine, bool stored, unsigned height>
__device__ inline void draw_coloured_stream(ColourTile& tile, ColourParameters const& parameters,
                                            unsigned long long stream, unsigned* results) {
    GridParameters const& p = parameters.grid;
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    auto const engine = keyed_stream<Engine>(parameters.keys, p.seed, p.first_unit + stream);
    ColourDrawer<std::remove_const_t<decltype(engine)>, height * colour_part_sites> drawer(tile, parameters, engine);
    unsigned const sites = height != 0 ? height * colour_part_sites : p.width * p.height;
    for (unsigned board = 0; board < p.length; ++board) {
        RowCutter cutter(p.width);
        draw_coloured(tile, drawer, [&](unsigned part, unsigned word) {
            if (part * colour_part_sites >= sites)
                return;
            if constexpr (height != 0) {
                sink.put(word);
            } else {
                unsigned const left = sites - part * colour_part_sites;
                cutter.put(word, left < colour_part_sites ? left : colour_part_sites,
                           [&](unsigned row) { sink.put(row); });
            }
        });
    }
    sink.finish();
}

template <class Engine, bool stored, unsigned height, unsigned threads = tree_max_threads>
__global__ void __launch_bounds__(threads, 1)
    coloured_boards(__grid_constant__ ColourParameters const parameters, unsigned* const results) {
    auto& tile = shared_memory<ColourTile>();
    copy_colour_tables(tile, parameters);
    __syncthreads();
    for_each_stream(parameters.grid.streams, [&](unsigned long long stream) {
        draw_coloured_stream<Engine, stored, height>(tile, parameters, stream, results);
    });
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
