// The kernels in our emulator. With CHECKED_CELLS shared memory is a SharedArray, which checks bounds and unset words;
// otherwise it is a plain array. With LOCKSTEP_SIMT_HOOKS each access of a kernel is checked.

#include <memory>

#include "harness/simt/buffer.hpp"
#include "harness/simt/emulator/options.hpp"
#include "harness/simt/launch.hpp"
#include "tests/harness/simt/speed/emulators/serve.hpp"
#if defined(LOCKSTEP_SIMT_HOOKS)
#include "harness/simt/hooks/checks.hpp"
#endif

namespace lockstep::beside::LOCKSTEP_MACHINE {
namespace {

using namespace simt::LOCKSTEP_MACHINE;
using ::beside::Request;

struct Cells {
#if defined(CHECKED_CELLS)
    SharedArray<unsigned, ::beside::block_size> words;
#else
    unsigned words[::beside::block_size];
#endif
};

#define BLOCK_CELLS(name) auto& name = shared_memory<Cells>().words
#define SHUFFLE_XOR(value, mask) __shfl_xor_sync(0xFFFFFFFFu, value, mask)
#include "tests/harness/simt/speed/emulators/kernels.hpp"

using Kernel = void (*)(unsigned const*, unsigned*, unsigned);

Kernel kernel_of(Request const& request) {
    struct Named {
        char const* name;
        Kernel kernel;
    };
    for (Named const& named : {Named{"straight", straight},
                               {"barriers", barriers},
                               {"shuffles", shuffles},
                               {"atomics", atomics},
                               {"reduction", reduction}}) {
        if (request.kernel == named.name) {
            return named.kernel;
        }
    }
    throw ::beside::unknown(request);
}

double run(Request const& request, std::vector<unsigned> const& values, std::vector<unsigned>& results) {
    Kernel const kernel = kernel_of(request);
    Buffer<unsigned> in(request.lanes());
    Buffer<unsigned> out(request.lanes());
    in.upload(values);
    out.upload(results);
    LaunchShape const shape{{request.blocks}, {::beside::block_size}, sizeof(Cells)};
    double const seconds = ::beside::seconds_of(
        [&] { launch(request.kernel.c_str(), kernel, shape, {}, in.data(), out.data(), request.rounds); });
    results = out.to_vector();
    return seconds;
}

}  // namespace
}  // namespace lockstep::beside::LOCKSTEP_MACHINE

int main() {
    using namespace lockstep::simt;
    emulator::ScopedOptions const scope(emulator::Options{.order = emulator::LaneOrder::ascending, .threads = 1});
#if defined(LOCKSTEP_SIMT_HOOKS)
    hooks::Checks const checks;
#endif
    return beside::serve([&](auto const& request, auto const& values, auto& results) {
        double const seconds = lockstep::beside::LOCKSTEP_MACHINE::run(request, values, results);
#if defined(LOCKSTEP_SIMT_HOOKS)
        if (!checks.reports().empty()) {
            throw std::runtime_error(checks.reports().front().text());
        }
#endif
        return seconds;
    });
}
