// Boards by thrust::shuffle, a call per board: `thrust_shuffle SITES OCCUPIED BOARDS`. The first OCCUPIED entries of a
// shuffled sequence are the board.

#include <thrust/device_vector.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <algorithm>

#include "baselines/peers/device_samples.hpp"

namespace {

using namespace lockstep::peers;

// A shuffle must be a permutation, so that its first entries are a set. Shuffles of one sequence must also differ.
void verify(thrust::device_vector<int> const& order, thrust::default_random_engine& engine, std::size_t occupied) {
    std::vector<std::vector<int>> sets;
    for (int i = 0; i < 2; ++i) {
        thrust::device_vector<int> copy = order;
        thrust::shuffle(copy.begin(), copy.end(), engine);
        std::vector<int> found(copy.size());
        thrust::copy(copy.begin(), copy.end(), found.begin());
        std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(occupied));
        sets.emplace_back(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(occupied));
        std::sort(found.begin(), found.end());
        for (std::size_t site = 0; site < found.size(); ++site)
            require(found[site] == static_cast<int>(site), "a shuffle is not a permutation of the sites");
    }
    require(sets[0] != sets[1], "two shuffles give the same set");
}

}  // namespace

int main(int count, char** arguments) {
    return guarded([&] {
        require(count == 4, "usage: thrust_shuffle SITES OCCUPIED BOARDS");
        print_version("Thrust", THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION, THRUST_SUBMINOR_VERSION);
        std::size_t const sites = std::stoul(arguments[1]);
        std::size_t const boards = std::stoul(arguments[3]);
        thrust::device_vector<int> order(sites);
        thrust::sequence(order.begin(), order.end());
        thrust::default_random_engine engine(1);
        EventTimer const timer;
        auto const run = [&] {
            for (std::size_t board = 0; board < boards; ++board)
                thrust::shuffle(order.begin(), order.end(), engine);
        };
        print_samples([&] { return timer(run); }, 10);
        verify(order, engine, std::stoul(arguments[2]));
        std::printf("check a shuffle is a permutation, and two shuffles differ\n");
    });
}
