// Runs a kernel in the emulator in every order of the lanes, then without its barrier.

#include <cstdio>
#include <numeric>
#include <string>

#include "harness/simt/emulator/options.hpp"
#include "harness/simt/error.hpp"
#include "reverse.hpp"

namespace {

using lockstep::simt::emulator::LaneOrder;
using lockstep::simt::emulator::Options;
using lockstep::simt::emulator::ScopedOptions;

// Where the kernel's file lies differs between machines.
std::string without_place(std::string const& message) { return message.substr(0, message.find(", at ")); }

}  // namespace

int main() {
    std::vector<float> values(256);
    std::iota(values.begin(), values.end(), 0.0F);
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random, LaneOrder::unfair}) {
        ScopedOptions const scope(Options{order, 1, 1, 60});
        std::vector<float> const out = reverse::emulator::reversed(values, true);
        std::printf("%g %g ... %g\n", out[0], out[1], out[255]);
    }
    try {
        ScopedOptions const scope(Options{LaneOrder::ascending, 0, 1, 60});
        reverse::emulator::reversed(values, false);
    } catch (lockstep::simt::Error const& error) {
        std::printf("without its barrier: %s\n", without_place(error.what()).c_str());
    }
}
