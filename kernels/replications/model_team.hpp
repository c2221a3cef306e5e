#pragma once
// Cooperative replication of a model file whose steps are composed: the scheme of cooperative.hpp, with the user's
// Piece as the transform. A lane draws the pieces of its run of steps, a scan composes those of the lanes before it,
// and the lane then runs its steps from the state that this gives.
//
// What diverges: the last run of a replication is shorter. Words: each is drawn twice. A lane finds its place in a
// stream by the words that a first step draws, and reports if its steps draw another number. Bytes: as model_lanes.hpp.
// Preconditions: `lanes` is a power of two; more than 32 form exactly one block. Sums are integers and pieces should
// be, so that composing them in another order gives the same bits.

#include "common/replications/model_file/run.hpp"
#include "kernels/replications/cooperative_block.hpp"
#include "kernels/replications/warp_macros.hpp"

namespace lockstep::replications::model_file::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// The model as the scans of cooperative.hpp need it.
template <class Model>
struct TeamModel {
    using Transform = typename Model::Piece;
    using Sums = model_file::LOCKSTEP_MACHINE::Sums<Model::means>;
    struct Table {};  // none in shared memory
    static_assert(sizeof(Transform) <= max_piece_bytes && sizeof(Transform) % sizeof(unsigned) == 0,
                  "struct Piece has at most 64 bytes, a multiple of 4");

    __device__ static Transform identity() { return {}; }
    __device__ static Transform compose(Transform const& first, Transform const& second) {
        return Model::compose(first, second);
    }
    __device__ static Sums add(Sums sums, Sums const& more) {
        for (unsigned i = 0; i < Model::means; ++i)
            sums.add(i, more.low[i], more.high[i]);
        sums.status |= more.status;
        return sums;
    }
    // Applies a shuffle to each word of a value.
    template <class Value, class With>
    __device__ static Value exchange(Value const& value, With const& with) {
        struct Words {
            unsigned at[sizeof(Value) / sizeof(unsigned)];
        };
        Words words = __builtin_bit_cast(Words, value);
        for (unsigned& word : words.at)
            word = with(word);
        return __builtin_bit_cast(Value, words);
    }
};

// A lane's share of a replication: the steps first, .. first + count - 1.
template <class Model>
class Share {
public:
    using State = typename Model::State;
    using Piece = typename Model::Piece;

    __device__ Share(Arguments const& a, u64 index, unsigned rank)
        : a_(a), index_(index), model_(model_of<Model>(a, index)) {
        model_.lockstep_start(state_);
        u64 const steps = model_.steps;
        u64 const run = (steps + a.lanes - 1) / a.lanes;
        first_ = min(rank * run, steps);
        count_ = min(run, steps - first_);
        is_last_ = steps == 0 ? rank == 0 : count_ != 0 && first_ + count_ == steps;
        Model probe = model_;
        static_cast<void>(probe.piece());
        model_.lockstep_skip(probe, first_, words_per_step_);
    }

    __device__ Piece piece() const {
        Model model = model_;
        Piece all{};
        for (u64 i = 0; i < count_; ++i) {
            model.step_number = first_ + i;
            all = Model::compose(all, model.piece());
        }
        return all;
    }

    // Runs the steps after `before`. The lane of the last step stores the results, unless another team does.
    __device__ Sums<Model::means> run(Piece const& before, bool mine) {
        model_.apply(state_, before);
        Sums<Model::means> sums;
        u64 words[max_streams];
        model_.lockstep_words(words);
        for (u64 i = 0; i < count_; ++i) {
            model_.step_number = first_ + i;
            model_.lockstep_step(state_);
            if (first_ + i >= a_.warm_up)
                observe(model_, state_, sums);
        }
        sums.status |= model_.lockstep_drew(words, words_per_step_, count_) ? 0 : draws_vary;
        model_.step_number = first_ + count_;
        if (mine && is_last_)
            write_results<Model>(a_, index_, model_, state_);
        sums.status |= model_.lockstep_misused();
        return sums;
    }

    __device__ void write(Sums<Model::means> const& sums) const {
        write_means<Model>(a_, index_, model_.steps, 0, sums);
    }

private:
    Arguments const& a_;
    u64 index_;
    Model model_;
    State state_{};
    u64 first_ = 0;
    u64 count_ = 0;
    bool is_last_ = false;
    u64 words_per_step_[max_streams];
};

template <class Model>
struct TeamPrograms {
    using Team = TeamModel<Model>;

    // Teams of 1, 2, 4, .. 32 lanes.
    __device__ static void run_in_warps(Arguments const& a) {
        unsigned const lane = lane_id();
        unsigned const teams = warp_size / a.lanes;  // per warp
        u64 const warp = static_cast<u64>(block_rank()) * warps_in_block() + warp_id();
        for (u64 first = warp * teams; first < a.size;
             first += replications::LOCKSTEP_MACHINE::warps_in_grid() * teams) {
            // Lanes without a replication repeat the last one without writing it, because the scan needs the full warp.
            u64 const wanted = first + lane / a.lanes;
            bool const mine = wanted < a.size;
            Share<Model> share(a, mine ? wanted : a.size - 1, lane % a.lanes);
            auto const scanned = replications::LOCKSTEP_MACHINE::scan_lanes<Team>(share.piece(), a.lanes);
            auto const sums = replications::LOCKSTEP_MACHINE::add_lanes<Team>(share.run(scanned.before, mine), a.lanes);
            if (mine && lane % a.lanes == 0)
                share.write(sums);
        }
    }

    // A team is a block.
    __device__ static void run_in_blocks(Arguments const& a) {
        auto& tile = shared_memory<replications::LOCKSTEP_MACHINE::TeamTile<Team>>();
        for (u64 index = block_rank(); index < a.size; index += blocks_in_grid()) {
            Share<Model> share(a, index, thread_rank());
            auto const scanned = replications::LOCKSTEP_MACHINE::scan_block<Team>(tile, share.piece());
            auto const sums = replications::LOCKSTEP_MACHINE::add_block<Team>(tile, share.run(scanned.before, true));
            if (thread_rank() == 0)
                share.write(sums);
            __syncthreads();
        }
    }
};

}  // namespace lockstep::replications::model_file::LOCKSTEP_MACHINE
