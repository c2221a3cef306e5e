// Pi as a user writes it with Thrust, one transform_reduce per replication: `thrust_pi REPLICATIONS DRAWS`. An element
// of the reduction makes `run` draws from a taus88 of its own, which is seeded by a hash of the element's number.

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/transform_reduce.h>
#include <cmath>

#include "baselines/peers/device_samples.hpp"

namespace {

using namespace lockstep::peers;

constexpr unsigned run_length = 100;

struct Inside {
    unsigned long long seed;

    __device__ unsigned long long operator()(unsigned element) const {
        unsigned long long word = (seed << 32 | element) * 0x9E3779B97F4A7C15ull;
        word = (word ^ word >> 32) * 0xD6E8FEB86659FD93ull;
        thrust::taus88 engine(static_cast<unsigned>(word >> 32) | 0x100u);  // its components need bits above bit 4
        thrust::uniform_real_distribution<float> uniform(0, 1);
        unsigned inside = 0;
        for (unsigned draw = 0; draw < run_length; ++draw) {
            float const x = uniform(engine);
            float const y = uniform(engine);
            if (x * x + y * y < 1.0f)
                ++inside;
        }
        return inside;
    }
};

}  // namespace

int main(int count, char** arguments) {
    return guarded([&] {
        require(count == 3, "usage: thrust_pi REPLICATIONS DRAWS");
        print_version("Thrust", THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION, THRUST_SUBMINOR_VERSION);
        std::size_t const replications = std::stoul(arguments[1]);
        unsigned const draws = static_cast<unsigned>(std::stoul(arguments[2]));
        require(draws % run_length == 0, "DRAWS must be a multiple of 100");
        std::vector<unsigned long long> inside(replications);
        unsigned long long seed = 0;
        EventTimer const timer;
        auto const run = [&] {
            for (unsigned long long& number : inside) {
                thrust::counting_iterator<unsigned> const elements(0);
                number = thrust::transform_reduce(thrust::device, elements, elements + draws / run_length,
                                                  Inside{++seed}, 0ull, thrust::plus<unsigned long long>());
            }
        };
        print_samples([&] { return timer(run); }, 10);
        double const share = std::acos(-1.0) / 4;
        double const bound = 7 * std::sqrt(draws * share * (1 - share));
        for (unsigned long long const number : inside)
            require(std::abs(static_cast<double>(number) - draws * share) < bound, "a replication is far from pi");
        std::printf("check each replication is within 7 standard deviations of pi\n");
    });
}
