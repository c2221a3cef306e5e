#include "tests/harness/simt/warp/warp.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::warp_operations::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

struct Exchange {
    template <class Shuffle>
    __device__ Map operator()(Map const& map, Shuffle const& shuffle) const {
        return {shuffle(map.factor), shuffle(map.term)};
    }
};

struct Add {
    __device__ Map operator()(Map const& one, Map const& other) const {
        return {one.factor + other.factor, one.term + other.term};
    }
};

struct Compose {
    __device__ Map operator()(Map const& earlier, Map const& later) const { return compose(earlier, later); }
};

__global__ void warp_kernel(Lane const* lanes, Results* out) {
    Lane const& lane = lanes[thread_rank()];
    Results results = {};
    results.below_self = lanes_below(lane_id());
    results.below_seven = lanes_below(7);
    results.rank = rank_in(lane.ballot);
    results.rank_of_seven = rank_in(lane.ballot, 7);
    results.team_of_1 = team_sum<1>(lane.word);
    results.team_of_2 = team_sum<2>(lane.word);
    results.team_of_8 = team_sum<8>(lane.word);
    results.team_of_32 = team_sum<32>(lane.word);
    results.sum = warp_sum(lane.word);
    results.wide_sum = warp_sum(lane.wide);
    results.exchanged = shuffle_xor(lane.wide, 5);
    results.in_first_lane = first_lane_sum(lane.word);
    results.wide_in_first_lane = first_lane_sum(lane.wide);
    results.up_to = inclusive_sum(lane.word);
    results.word_up_to = inclusive_word_sum(lane.word);
    results.wide_up_to = inclusive_sum(lane.wide);
    for (unsigned i = 0; i < 3; ++i) {
        unsigned const width = i == 0 ? 1 : i == 1 ? 8 : 32;
        Scanned<Map> const scanned = exclusive_scan(lane.map, width, Map{1, 0}, Exchange(), Compose());
        results.before[i] = scanned.before;
        results.all[i] = scanned.all;
        results.sums[i] = team_reduce(lane.map, width, Exchange(), Add());
    }
    out[thread_rank()] = results;
}

std::vector<Results> run(std::vector<Lane> const& lanes) {
    Buffer<Lane> in(lanes.size());
    in.upload(lanes);
    Buffer<Results> out(lanes.size());
    out.fill_bytes(0xA5);
    launch("warp_kernel", warp_kernel, {.grid = {1}, .block = {threads}}, {}, in.data(), out.data());
    synchronize({});
    return out.to_vector();
}

}  // namespace lockstep::warp_operations::LOCKSTEP_MACHINE
