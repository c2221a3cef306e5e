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

// What the boards of a kernel have in common. `height`: of boards of width 15, whose rows are parts; 0 for other
// boards. The second plane has `full_sets` full sets and another one of `end_parts` parts, of which the last one may
// have fewer sites; 0: any number of sites.
template <unsigned height_, unsigned full_sets, unsigned end_parts>
struct ColourBuild {
    static constexpr unsigned height = height_;
    static constexpr bool knows_second = end_parts != 0;

    // The fewest and the most sites that a plane may have.
    __host__ __device__ static constexpr unsigned min_sites(unsigned plane) {
        unsigned const before_last = full_sets * colour_set_sites + (end_parts - 1) * colour_part_sites;
        return plane == 0 ? height * colour_part_sites : knows_second ? before_last + 1 : 0;
    }
    __host__ __device__ static constexpr unsigned max_sites(unsigned plane) {
        if (plane == 0 ? height != 0 : knows_second)
            return plane == 0 ? min_sites(0) : min_sites(1) - 1 + colour_part_sites;
        return colour_groups * colour_group_sites;
    }
    // Parts of the set that begins at a site of a plane, at most four: the others have no sites on any board.
    __host__ __device__ static constexpr unsigned parts_from(unsigned plane, unsigned site) {
        unsigned const sites = max_sites(plane) > site ? max_sites(plane) - site : 0;
        unsigned const parts = (sites + colour_part_sites - 1) / colour_part_sites;
        return parts < 4 ? parts : 4;
    }
};

template <class Engine, class Build>
class ColourDrawer {
public:
    __device__ ColourDrawer(ColourTile& tile, ColourParameters const& p, Engine const& engine)
        : tile_(tile), p_(p), engine_(engine), lane_(threadIdx.x % 32 * p.one) {}

    // Splits the counts of both planes between their groups.
    __device__ void start() {
#pragma unroll
        for (unsigned plane = 0; plane < colour_planes; ++plane) {
            unsigned const k = p_.grid.occupied[plane];
            in_first_[plane] = k;
            if (has_more(plane, colour_group_sites))
                in_first_[plane] = draw_low<colour_words>(p_.planes[plane].top, engine_, k, engine_());
        }
    }

    // Draws a plane as a packed set.
    template <unsigned plane>
    __device__ ColourSet draw() {
        ColourSet set{};
        draw_group<plane, 0>(in_first_[plane], set);
        draw_group<plane, colour_group_sites>(p_.grid.occupied[plane] - in_first_[plane], set);
        return set;
    }

private:
    // Whether a plane has more sites.
    __device__ bool has_more(unsigned plane, unsigned sites) const {
        if (Build::min_sites(plane) > sites)
            return true;
        return Build::max_sites(plane) > sites && p_.planes[plane].sites > sites;
    }

    // Sites of a plane from this one on.
    __device__ unsigned sites_from(unsigned plane, unsigned first) const {
        bool const known = Build::min_sites(plane) == Build::max_sites(plane);
        return (known ? Build::min_sites(plane) : p_.planes[plane].sites) - first;
    }

    // Draws the group that begins at site `first`, with k occupied sites.
    template <unsigned plane, unsigned first>
    __device__ void draw_group(unsigned k, ColourSet& set) {
        unsigned* const pairs = set.pairs + first / (2 * colour_part_sites);
        if constexpr (Build::max_sites(plane) > first + colour_set_sites) {
            if (has_more(plane, first + colour_set_sites))
                return draw_two<plane, first>(k, pairs);
        }
        if constexpr (Build::max_sites(plane) > first) {
            if (has_more(plane, first))
                draw_one<plane, first>(k, pairs);
        }
    }

    template <unsigned plane, unsigned first>
    __device__ void draw_one(unsigned k, unsigned* pairs) {
        random::Words4 const a = four_words(engine_);
        unsigned const fields[3] = {a.x, a.x << 16, a.y};
        bool undecided = false;
        InParts in = split<plane, first>(k, fields, undecided);
        if (undecided)
            in = split_exactly<plane, first>(k, fields);
        put_masks<plane, first>(in, a.z, a.w, pairs);
    }

    template <unsigned plane, unsigned first>
    __device__ void draw_two(unsigned k, unsigned* pairs) {
        constexpr unsigned second = first + colour_set_sites;
        random::Words4 const a = four_words(engine_);
        bool const full = !has_end<plane, second>();
        unsigned const low = draw_low<colour_words>(full ? p_.group : p_.planes[plane].end_group, engine_, k, a.x);
        unsigned const fields[2][3] = {{a.y, a.y << 16, a.z}, {a.z << 16, a.w, a.w << 16}};
        bool undecided[2] = {};
        InParts in[2] = {split<plane, first>(low, fields[0], undecided[0]),
                         split<plane, second>(k - low, fields[1], undecided[1])};
        if (undecided[0] || undecided[1]) {
            if (undecided[0])
                in[0] = split_exactly<plane, first>(low, fields[0]);
            if (undecided[1])
                in[1] = split_exactly<plane, second>(k - low, fields[1]);
        }
        random::Words4 const b = four_words(engine_);
        put_masks<plane, first>(in[0], b.x, b.y, pairs);
        put_masks<plane, second>(in[1], b.z, b.w, pairs + 2);
    }

    // Whether the set that begins at site `first` is the plane's last one and not full. All lanes agree.
    template <unsigned plane, unsigned first>
    __device__ bool has_end() const {
        return !has_more(plane, first + colour_set_sites - 1);
    }

    // Splits a set by fields alone.
    template <unsigned plane, unsigned first>
    __device__ InParts split(unsigned k, unsigned const (&fields)[3], bool& undecided) {
        constexpr unsigned bits = bits_of_words<Engine>();
        auto const by_field = [&](auto&& view, unsigned in, unsigned field) {
            return split_by_field<bits>(view, in, field, undecided);
        };
        if (!has_end<plane, first>())
            return split_colour_set<false>(tile_, p_, plane, lane_, k, fields, by_field);
        constexpr unsigned parts = Build::parts_from(plane, first);
        if constexpr (parts < 4)
            return split_few_parts<parts, bits>(tile_, p_, plane, k, fields, undecided);
        else
            return split_colour_set<true>(tile_, p_, plane, lane_, k, fields, by_field);
    }

    template <unsigned plane, unsigned first>
    __device__ InParts split_exactly(unsigned k, unsigned const (&fields)[3]) {
        SetSplit<Engine> const exact = split_colour_set_exactly(tile_, p_, plane, has_end<plane, first>(), engine_, k,
                                                                fields[0], fields[1], fields[2]);
        resume(engine_, exact.engine);
        return exact.in;
    }

    // Draws the two words of a set from the two words of a number.
    template <unsigned plane, unsigned first>
    __device__ void put_masks(InParts const& in, unsigned high, unsigned low, unsigned* pairs) {
        constexpr unsigned bits = bits_of_words<Engine>();
        constexpr unsigned parts = Build::parts_from(plane, first);
        constexpr unsigned long long max_part = max_masks(colour_part_sites);
        constexpr unsigned long long max_sets = max_part * max_part * max_part * max_part;
        bool const end = has_end<plane, first>();
        FourParts four;  // parts without sites have one mask, which is 0
#pragma unroll
        for (unsigned i = 0; i < parts; ++i) {
            if (end)
                four.parts[i] = shared_at(tile_.parts, in.bytes[i] + (1 + 4 * plane + i) * ColourTile::parts_bytes);
            else
                four.parts[i] = shared_at(tile_.parts, in.bytes[i]);
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
        unsigned sites[4] = {};
#pragma unroll
        for (unsigned i = 0; i < parts; ++i)
            sites[i] = mask_at(tile_.masks, masks[i]);
        pairs[0] = sites[1] * p_.planes[plane].pack + sites[0];
        pairs[1] = sites[3] * p_.planes[plane].pack + sites[2];
    }

    ColourTile& tile_;
    ColourParameters const& p_;
    Engine engine_;
    unsigned lane_;
    unsigned in_first_[colour_planes];  // occupied sites of the planes' first groups
};

// Puts all parts of both planes: put(plane, part, word). `in_order`: plane after plane; otherwise a part of the first
// plane is put when it is needed for the second one, so that it is taken from its word only once.
template <bool in_order, class Drawer, class Put>
__device__ inline void draw_coloured(ColourTile& tile, Drawer& drawer, Put&& put) {
    drawer.start();
    ColourSet const first = drawer.template draw<0>();
    auto const put_first = [&](unsigned i) {
        put(0, 2 * i, first.pairs[i] & 0xFFFFu);
        put(0, 2 * i + 1, first.pairs[i] >> 16);
    };
    if constexpr (in_order) {
#pragma unroll
        for (unsigned i = 0; i < 4 * colour_groups; ++i)
            put_first(i);
    }
    unsigned bits[4 * colour_groups];
    pack_colour(drawer.template draw<1>(), bits);
#pragma unroll
    for (unsigned i = 0; i < 4 * colour_groups; ++i) {
        if constexpr (!in_order)
            put_first(i);
        unsigned const low = first.pairs[i] & 0xFFFFu;
        put(1, 2 * i, deposit_part(tile, low, bits[0]));
        put(1, 2 * i + 1, deposit_part(tile, first.pairs[i] >> 16, bits[0] >> __popc(low)));
        auto const sites = static_cast<unsigned>(__popc(first.pairs[i]));
        // At most 30 (7 - i) bits are left, so only their words are shifted.
#pragma unroll
        for (unsigned word = 0; 32 * word < 30 * (4 * colour_groups - 1 - i); ++word)
            bits[word] = __funnelshift_r(bits[word], word + 1 < 4 * colour_groups ? bits[word + 1] : 0, sites);
    }
}

template <class Engine, bool stored, class Build>
__device__ inline void draw_coloured_stream(ColourTile& tile, ColourParameters const& parameters,
                                            unsigned long long stream, unsigned* results) {
    GridParameters const& p = parameters.grid;
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    auto const engine = keyed_stream<Engine>(parameters.keys, p.seed, p.first_unit + stream);
    ColourDrawer<std::remove_const_t<decltype(engine)>, Build> drawer(tile, parameters, engine);
    constexpr bool in_order = !stored || Build::height == 0;
    unsigned const sites = Build::height != 0 ? Build::height * colour_part_sites : p.width * p.height;
    for (unsigned board = 0; board < p.length; ++board) {
        RowCutter cutter(p.width);
        draw_coloured<in_order>(tile, drawer, [&](unsigned plane, unsigned part, unsigned word) {
            if (part * colour_part_sites >= sites)
                return;
            if constexpr (!in_order) {
                sink.put_at(plane * Build::height + part, word);
            } else if constexpr (Build::height != 0) {
                sink.put(word);
            } else {
                unsigned const left = sites - part * colour_part_sites;
                cutter.put(word, left < colour_part_sites ? left : colour_part_sites,
                           [&](unsigned row) { sink.put(row); });
            }
        });
        if constexpr (!in_order)
            sink.advance(colour_planes * Build::height);
    }
    sink.finish();
}

template <class Engine, bool stored, class Build, unsigned threads = tree_max_threads>
__global__ void __launch_bounds__(threads, 1)
    coloured_boards(__grid_constant__ ColourParameters const parameters, unsigned* const results) {
    auto& tile = held_tile(shared_memory<ColourTile>(), parameters.one);
    copy_colour_tables(tile, parameters);
    __syncthreads();
    for_each_stream(parameters.grid.streams, [&](unsigned long long stream) {
        draw_coloured_stream<Engine, stored, Build>(tile, parameters, stream, results);
    });
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
