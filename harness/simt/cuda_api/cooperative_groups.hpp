#pragma once
// Cooperative groups: the block, the grid, tiles of a warp and coalesced lanes. Groups of lanes synchronise and
// exchange values with the masks that they stand for, so the emulator checks them as it checks warp collectives.

#include <cstring>

#include "harness/simt/cuda_api/lane_exchange.hpp"
#include "harness/simt/cuda_api/launches.hpp"

namespace cooperative_groups {

using Site = lockstep::simt::cuda::Site;
#define LOCKSTEP_AT Site site = Site::current()

namespace details {

inline unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
inline unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned lane_id() { return thread_rank() % 32; }
// The lanes of the calling warp that exist: the last warp of a block may be partial.
inline unsigned warp_lanes() {
    unsigned const rest = block_size() - thread_rank() / 32 * 32;
    return rest >= 32 ? ~0u : (1u << rest) - 1;
}
inline unsigned block_rank() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }

}  // namespace details

class thread_block {
public:
    static unsigned thread_rank() { return details::thread_rank(); }
    static unsigned size() { return details::block_size(); }
    static unsigned num_threads() { return size(); }
    static uint3 group_index() { return blockIdx; }
    static uint3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
    static void sync(LOCKSTEP_AT) { __syncthreads(site); }
};

// Some lanes of a warp. `rank` counts the lanes of the group below the caller.
class lane_group {
public:
    unsigned thread_rank() const { return static_cast<unsigned>(__popc(mask_ & ((1u << details::lane_id()) - 1))); }
    unsigned size() const { return static_cast<unsigned>(__popc(mask_)); }
    unsigned num_threads() const { return size(); }
    void sync(LOCKSTEP_AT) const { __syncwarp(mask_, site); }

    int any(int predicate, LOCKSTEP_AT) const { return __any_sync(mask_, predicate, site); }
    int all(int predicate, LOCKSTEP_AT) const { return __all_sync(mask_, predicate, site); }
    // Bits are ranks in the group.
    unsigned ballot(int predicate, LOCKSTEP_AT) const { return to_ranks(__ballot_sync(mask_, predicate, site)); }
    template <class T>
    unsigned match_any(T value, LOCKSTEP_AT) const {
        return to_ranks(__match_any_sync(mask_, value, site));
    }
    template <class T>
    unsigned match_all(T value, int& all_equal, LOCKSTEP_AT) const {
        return to_ranks(__match_all_sync(mask_, value, &all_equal, site));
    }
    unsigned lanes() const { return mask_; }

protected:
    explicit lane_group(unsigned mask) : mask_(mask) {}
    // The lane with a rank; the caller's own if there is none, as for a shuffle beyond a group.
    int lane_of(unsigned rank) const {
        return rank < size() ? static_cast<int>(__fns(mask_, 0, static_cast<int>(rank) + 1))
                             : static_cast<int>(details::lane_id());
    }

private:
    unsigned to_ranks(unsigned lanes) const {
        unsigned ranks = 0;
        unsigned rank = 0;
        for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
            ranks |= (lanes >> (__ffs(static_cast<int>(rest)) - 1) & 1) << rank;
        }
        return ranks;
    }

    unsigned mask_;
};

// The lanes that were at one call together; also what the partitions below return.
class coalesced_group : public lane_group {
public:
    // Group `rank` of `count` into which another one is divided.
    explicit coalesced_group(unsigned mask, unsigned rank = 0, unsigned count = 1)
        : lane_group(mask), rank_(rank), count_(count) {}
    unsigned meta_group_rank() const { return rank_; }
    unsigned meta_group_size() const { return count_; }

    template <class T>
    T shfl(T value, unsigned rank, LOCKSTEP_AT) const {
        return lockstep::simt::cuda::from_lane(lanes(), value, lane_of(rank % size()), site);
    }
    template <class T>
    T shfl_up(T value, unsigned distance, LOCKSTEP_AT) const {
        unsigned const rank = thread_rank();
        return lockstep::simt::cuda::from_lane(lanes(), value, lane_of(rank < distance ? rank : rank - distance), site);
    }
    template <class T>
    T shfl_down(T value, unsigned distance, LOCKSTEP_AT) const {
        return lockstep::simt::cuda::from_lane(lanes(), value, lane_of(thread_rank() + distance), site);
    }

private:
    unsigned rank_;
    unsigned count_;
};

template <unsigned lanes_per_tile, class Parent = void>
class thread_block_tile;

namespace details {

// The threads of the group that tiles divide: a block, or a larger tile.
template <class Parent>
struct Divided {
    static unsigned size() { return block_size(); }
    static unsigned thread_rank() { return details::thread_rank(); }
};
template <unsigned lanes, class Parent>
struct Divided<thread_block_tile<lanes, Parent>> {
    static unsigned size() { return lanes; }
    static unsigned thread_rank() { return details::thread_rank() % lanes; }
};

}  // namespace details

template <unsigned lanes_per_tile, class Parent>
class thread_block_tile : public lane_group {
    static_assert(lanes_per_tile <= 32 && (lanes_per_tile & (lanes_per_tile - 1)) == 0,
                  "tiles of more than 32 threads are not supported by the emulator");

public:
    thread_block_tile() : lane_group(lanes_of_tile()) {}
    // A tile does not need the type of the group that it divides.
    template <class Other>
    thread_block_tile(thread_block_tile<lanes_per_tile, Other> const&) : thread_block_tile() {}  // NOLINT
    // The size of the type, also for the last tile of a block with fewer threads.
    static constexpr unsigned size() { return lanes_per_tile; }
    static constexpr unsigned num_threads() { return lanes_per_tile; }
    static unsigned thread_rank() { return details::thread_rank() % lanes_per_tile; }
    static unsigned meta_group_rank() { return details::Divided<Parent>::thread_rank() / lanes_per_tile; }
    static unsigned meta_group_size() {
        return (details::Divided<Parent>::size() + lanes_per_tile - 1) / lanes_per_tile;
    }

    template <class T>
    T shfl(T value, int rank, LOCKSTEP_AT) const {
        return exchange(value, static_cast<unsigned>(rank) % lanes_per_tile, site);
    }
    template <class T>
    T shfl_up(T value, unsigned distance, LOCKSTEP_AT) const {
        return exchange(value, thread_rank() < distance ? thread_rank() : thread_rank() - distance, site);
    }
    template <class T>
    T shfl_down(T value, unsigned distance, LOCKSTEP_AT) const {
        unsigned const source = thread_rank() + distance;
        return exchange(value, source < lanes_per_tile ? source : thread_rank(), site);
    }
    template <class T>
    T shfl_xor(T value, unsigned lane_mask, LOCKSTEP_AT) const {
        unsigned const source = thread_rank() ^ lane_mask;
        return exchange(value, source < lanes_per_tile ? source : thread_rank(), site);
    }

private:
    static unsigned first_lane() { return details::lane_id() / lanes_per_tile * lanes_per_tile; }
    static unsigned lanes_of_tile() { return (~0u >> (32 - lanes_per_tile)) << first_lane() & details::warp_lanes(); }
    template <class T>
    T exchange(T value, unsigned rank, Site site) const {
        return lockstep::simt::cuda::from_lane(lanes(), value, static_cast<int>(first_lane() + rank), site);
    }
};

class grid_group {
public:
    static bool is_valid() { return lockstep::simt::cuda::grid_arrivals() != nullptr; }
    static unsigned long long thread_rank() {
        return static_cast<unsigned long long>(details::block_rank()) * details::block_size() + details::thread_rank();
    }
    static unsigned long long size() { return num_blocks() * details::block_size(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank() { return details::block_rank(); }
    static uint3 block_index() { return blockIdx; }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static void sync(LOCKSTEP_AT);
};

// A group of any kind, for functions that take one.
class thread_group {
public:
    thread_group(thread_block const&) {}
    thread_group(lane_group const& group) : mask_(group.lanes()) {}
    unsigned thread_rank() const { return mask_ == 0 ? details::thread_rank() : coalesced_group(mask_).thread_rank(); }
    unsigned size() const { return mask_ == 0 ? details::block_size() : coalesced_group(mask_).size(); }
    unsigned num_threads() const { return size(); }
    void sync(LOCKSTEP_AT) const { mask_ == 0 ? __syncthreads(site) : __syncwarp(mask_, site); }
    template <class T>
    T shfl(T value, unsigned rank, LOCKSTEP_AT) const {
        return coalesced_group(mask_).shfl(value, rank, site);
    }
    template <class T>
    T shfl_down(T value, unsigned distance, LOCKSTEP_AT) const {
        return coalesced_group(mask_).shfl_down(value, distance, site);
    }
    unsigned lanes() const { return mask_; }

private:
    unsigned mask_ = 0;  // of a block
};

inline thread_block this_thread_block() { return {}; }
inline grid_group this_grid() { return {}; }
inline coalesced_group coalesced_threads(LOCKSTEP_AT) { return coalesced_group(__activemask(site)); }

template <class Group>
void sync(Group const& group, LOCKSTEP_AT) {
    group.sync(site);
}

template <unsigned lanes, class Parent>
thread_block_tile<lanes, Parent> tiled_partition(Parent const&) {
    return {};
}
// Consecutive ranks of the parent form a group; the last may have fewer.
inline thread_group tiled_partition(thread_group const& parent, unsigned lanes) {
    unsigned const first = parent.thread_rank() / lanes * lanes;
    coalesced_group const warp(parent.lanes() != 0 ? parent.lanes() : details::warp_lanes());
    unsigned mask = 0;
    unsigned const from = parent.lanes() != 0 ? first : first % 32;
    for (unsigned rank = from; rank < from + lanes && rank < warp.size(); ++rank) {
        mask |= 1u << (__fns(warp.lanes(), 0, static_cast<int>(rank) + 1));
    }
    return coalesced_group(mask);
}
template <class Group>
coalesced_group binary_partition(Group const& parent, bool predicate, LOCKSTEP_AT) {
    unsigned const holding = __ballot_sync(parent.lanes(), predicate, site);
    if (holding == 0 || holding == parent.lanes()) {
        return coalesced_group(parent.lanes());
    }
    return coalesced_group(predicate ? holding : parent.lanes() & ~holding, predicate ? 1 : 0, 2);
}
template <class Group, class Label>
coalesced_group labeled_partition(Group const& parent, Label label, LOCKSTEP_AT) {
    unsigned const equal = __match_any_sync(parent.lanes(), label, site);
    unsigned const first = static_cast<unsigned>(__ffs(static_cast<int>(equal))) - 1;
    // Groups are numbered by their first lanes.
    unsigned const firsts = __ballot_sync(parent.lanes(), first == details::lane_id(), site);
    return coalesced_group(equal, static_cast<unsigned>(__popc(firsts & ((1u << first) - 1))),
                           static_cast<unsigned>(__popc(firsts)));
}

// As grid_barrier of harness/simt/indices.hpp.
inline void grid_group::sync(Site site) {
    unsigned long long* const arrivals = lockstep::simt::cuda::grid_arrivals();
    if (arrivals == nullptr) {
        lockstep::simt::emulator::refuse("synchronisation of the grid (the launch is not cooperative)", site);
    }
    __syncthreads(site);
    if (details::thread_rank() == 0) {
        unsigned long long const blocks = num_blocks();
        unsigned long long const ticket = __atomic_fetch_add(arrivals, 1ull, __ATOMIC_ACQ_REL);
        unsigned long long const target = (ticket / blocks + 1) * blocks;
        while (__atomic_load_n(arrivals, __ATOMIC_ACQUIRE) < target) {
            __nanosleep(32);
        }
    }
    __syncthreads(site);
}

}  // namespace cooperative_groups
