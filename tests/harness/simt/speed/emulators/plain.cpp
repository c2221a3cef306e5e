// What the kernels compute, as loops on one core without any notion of lanes: the reference of the results, and what
// the tools' times are compared with.

#include "tests/harness/simt/speed/emulators/serve.hpp"

namespace {

using beside::block_size;
using beside::Request;
using Words = std::vector<unsigned>;

void straight(Words const& values, Words& results, unsigned rounds) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        unsigned value = values[i];
        for (unsigned round = 0; round < rounds; ++round) {
            value = value * 2 + 1;
        }
        results[i] = value;
    }
}

void barriers(Words const& values, Words& results, unsigned rounds) {
    for (std::size_t first = 0; first < values.size(); first += block_size) {
        Words block(values.begin() + static_cast<std::ptrdiff_t>(first),
                    values.begin() + static_cast<std::ptrdiff_t>(first + block_size));
        for (unsigned round = 0; round < rounds; ++round) {
            unsigned const before = block[0];
            for (unsigned lane = 0; lane < block_size; ++lane) {
                block[lane] = (lane + 1 < block_size ? block[lane + 1] : before) + round;
            }
        }
        std::copy(block.begin(), block.end(), results.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

void shuffles(Words const& values, Words& results, unsigned rounds) {
    for (std::size_t first = 0; first < values.size(); first += 32) {
        unsigned warp[32];
        unsigned before[32];
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), 32, warp);
        for (unsigned round = 0; round < rounds; ++round) {
            std::copy_n(warp, 32, before);
            for (unsigned lane = 0; lane < 32; ++lane) {
                warp[lane] += before[lane ^ 1u << round % 5];
            }
        }
        std::copy_n(warp, 32, results.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

void atomics(Words const& values, Words& results, unsigned rounds) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (unsigned round = 0; round < rounds; ++round) {
            results[(i % block_size + 7 * round) % 256] += values[i];
        }
    }
}

void reduction(Words const& values, Words& results, unsigned rounds) {
    for (std::size_t first = 0; first < values.size(); first += block_size) {
        unsigned total = 0;
        for (unsigned round = 0; round < rounds; ++round) {
            for (unsigned lane = 0; lane < block_size; ++lane) {
                total += values[first + lane] + round;
            }
        }
        std::fill_n(results.begin() + static_cast<std::ptrdiff_t>(first), block_size, total);
    }
}

double run(Request const& request, Words const& values, Words& results) {
    struct Named {
        char const* name;
        void (*loops)(Words const&, Words&, unsigned);
    };
    for (Named const& named : {Named{"straight", straight},
                               {"barriers", barriers},
                               {"shuffles", shuffles},
                               {"atomics", atomics},
                               {"reduction", reduction}}) {
        if (request.kernel == named.name) {
            return beside::seconds_of([&] { named.loops(values, results, request.rounds); });
        }
    }
    throw beside::unknown(request);
}

}  // namespace

int main() { return beside::serve(run); }
