#pragma once
// Halving for eight streams at once in the lanes of a CPU's vectors, with XORWOW: what all_cores does with boards of
// several words. Each lane has its own stream, board and count; a lane whose set is complete hands it on and begins its
// next one, so none waits for another.
//
// Words of a set lie in vectors, word i of all eight lanes side by side. A step costs about 27 vector operations a
// word.

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "common/random_grids/fold.hpp"
#include "common/random_grids/mixed_occupied.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/random/xorwow.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::random_grids {

inline constexpr unsigned vector_lanes = 8;
using Vector = std::uint32_t __attribute__((vector_size(4 * vector_lanes)));

// Eight XORWOW engines (harness/random/xorwow.hpp), their registers and Weyl sequences side by side.
class EightXorwow {
public:
    void set(unsigned lane, random::cpu::Xorwow const& engine) {
        static_assert(sizeof(engine) == 6 * sizeof(std::uint32_t) && std::is_trivially_copyable_v<random::cpu::Xorwow>);
        auto const words = std::bit_cast<std::array<std::uint32_t, 6>>(engine);
        for (unsigned i = 0; i < 6; ++i)
            state_[i][lane] = words[i];
    }

    void next(Vector& word) {
        Vector const leaving = state_[0] ^ (state_[0] >> 2);
        Vector const last = state_[4];
        state_[0] = state_[1];
        state_[1] = state_[2];
        state_[2] = state_[3];
        state_[3] = last;
        state_[4] = last ^ (last << 4) ^ leaving ^ (leaving << 1);
        state_[5] += 362437;
        word = state_[4] + state_[5];
    }

private:
    std::array<Vector, 6> state_;
};

// Set bits of each lane over many words, by carry-save adders: four words make one of weight four.
class LaneCount {
public:
    void add_four(Vector const* words) {
        Vector first, second, fours;
        add(ones_, words[0], words[1], first);
        add(ones_, words[2], words[3], second);
        add(twos_, first, second, fours);
        accumulate(fours, sum_fours_);
    }

    void total(Vector& count) const {
        count = sum_fours_ * 4;
        Vector part = {};
        accumulate(twos_, part);
        count += part * 2;
        part = Vector{};
        accumulate(ones_, part);
        count += part;
    }

private:
    // A full adder: `weight` keeps the sum's bit, `carry` has twice its weight.
    static void add(Vector& weight, Vector const& a, Vector const& b, Vector& carry) {
        Vector const either = weight ^ a;
        carry = (weight & a) | (either & b);
        weight = either ^ b;
    }

    static void accumulate(Vector const& bits, Vector& count) {
        Vector x = bits - ((bits >> 1) & 0x55555555u);
        x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
        x = (x + (x >> 4)) & 0x0F0F0F0Fu;
        x += x >> 8;
        count += (x + (x >> 16)) & 0x3Fu;
    }

    Vector ones_ = {};
    Vector twos_ = {};
    Vector sum_fours_ = {};
};

// All boards of up to eight streams. `all` are the board's sites; result[lane] is where a stream's words go.
class EightStreams {
public:
    EightStreams(Workload const& workload, std::vector<std::uint32_t> const& all)
        : workload_(workload),
          all_(all),
          padded_(simt::round_up(all.size(), 4u)),
          subset_(padded_),
          candidates_(padded_),
          selected_(padded_) {}

    void run(std::uint64_t seed, std::uint64_t first_unit, unsigned streams, std::uint32_t* const* results) {
        active_ = streams;
        for (unsigned lane = 0; lane < vector_lanes; ++lane) {
            std::uint64_t const unit = first_unit + (lane < streams ? lane : 0);
            engines_.set(lane, random::cpu::Xorwow::stream(seed, unit, 0));
            lanes_[lane] = {lane < streams ? results[lane] : nullptr, cpu::mixed_base(seed, unit), 0, 0, 0};
            included_[lane] = 0;
            wanted_[lane] = 0;
            begin_board(lane);
            if (lane < streams)
                hand_on_complete_sets(lane);
            else
                wanted_[lane] = 0xFFFFFFFFu;  // never complete
        }
        while (active_ != 0)
            step();
    }

private:
    struct Lane {
        std::uint32_t* result;
        std::uint32_t mixed_base;
        std::uint32_t sum;
        unsigned board;
        unsigned plane;
    };

    void begin_board(unsigned lane) {
        for (std::size_t i = 0; i < all_.size(); ++i)
            subset_[i][lane] = all_[i];
        begin_set(lane);
    }

    // The subset of the plane before (or all sites) become the candidates.
    void begin_set(unsigned lane) {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            candidates_[i][lane] = subset_[i][lane];
            subset_[i][lane] = 0;
        }
        Lane const& of = lanes_[lane];
        included_[lane] = 0;
        wanted_[lane] = workload_.mixed() ? cpu::mixed_occupied(of.mixed_base, of.board, workload_.shape.sites())
                                          : workload_.occupied[of.plane];
    }

    void hand_on_complete_sets(unsigned lane) {
        Lane& of = lanes_[lane];
        while (included_[lane] == wanted_[lane]) {
            for (std::size_t i = 0; i < all_.size(); ++i) {
                if (workload_.output == Output::stored)
                    *of.result++ = subset_[i][lane];
                else
                    of.sum = cpu::fold(of.sum, subset_[i][lane]);
            }
            if (++of.plane < workload_.planes()) {
                begin_set(lane);
                continue;
            }
            of.plane = 0;
            if (++of.board < workload_.length) {
                begin_board(lane);
                continue;
            }
            if (workload_.output == Output::folded)
                *of.result = of.sum;
            wanted_[lane] = 0xFFFFFFFFu;
            --active_;
        }
    }

    void step() {
        LaneCount counter;
        std::size_t const words = all_.size();
        Vector word;
        for (std::size_t i = 0; i < words; ++i) {
            engines_.next(word);
            selected_[i] = word & candidates_[i];
        }
        for (std::size_t i = 0; i < padded_; i += 4)
            counter.add_four(&selected_[i]);
        Vector count;
        counter.total(count);
        Vector const fits = (Vector)(included_ + count <= wanted_);  // all ones or none
        for (std::size_t i = 0; i < words; ++i) {
            subset_[i] |= selected_[i] & fits;
            candidates_[i] = (candidates_[i] & fits) ^ selected_[i];  // the rest of the candidates, or the selected
        }
        included_ += count & fits;
        for (unsigned lane = 0; lane < vector_lanes; ++lane) {
            if (included_[lane] == wanted_[lane])
                hand_on_complete_sets(lane);
        }
    }

    Workload const& workload_;
    std::vector<std::uint32_t> const& all_;
    std::size_t padded_;
    std::vector<Vector> subset_, candidates_, selected_;
    EightXorwow engines_;
    Vector included_ = {};
    Vector wanted_ = {};
    std::array<Lane, vector_lanes> lanes_;
    unsigned active_ = 0;
};

}  // namespace lockstep::random_grids
