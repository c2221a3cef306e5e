// NVRTC compiles the kernel header and the random engines from the text embedded in the program, without an include
// path and without a GPU.

#include <gtest/gtest.h>
#include <nvrtc.h>

#include <string>
#include <vector>

#include "harness/simt/device_headers.hpp"

namespace lockstep::simt {
namespace {

struct Compiled {
    bool succeeded;
    std::string log;
    std::string ptx;
};

Compiled compile(std::string const& source) {
    std::vector<char const*> names;
    std::vector<char const*> texts;
    for (EmbeddedText const& header : device_headers()) {
        names.push_back(header.name);
        texts.push_back(header.text);
    }
    nvrtcProgram program = nullptr;
    EXPECT_EQ(nvrtcCreateProgram(&program, source.c_str(), "probe.cu", static_cast<int>(names.size()), texts.data(),
                                 names.data()),
              NVRTC_SUCCESS);
    std::vector<char const*> const options{"--std=c++20", "--gpu-architecture=compute_90", "--fmad=false"};
    Compiled result{};
    result.succeeded = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data()) == NVRTC_SUCCESS;
    std::size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    result.log.resize(size);
    nvrtcGetProgramLog(program, result.log.data());
    if (result.succeeded) {
        nvrtcGetPTXSize(program, &size);
        result.ptx.resize(size);
        nvrtcGetPTX(program, result.ptx.data());
    }
    nvrtcDestroyProgram(&program);
    return result;
}

std::string const kernel = R"(
#include "harness/random/bounded.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/taus88.hpp"
#include "harness/random/uniform.hpp"
#include "harness/random/xorwow.hpp"
#include "harness/simt/kernel.hpp"

using namespace lockstep::simt::LOCKSTEP_MACHINE;
using namespace lockstep::random::LOCKSTEP_MACHINE;

struct Tile {
    SharedArray<unsigned, 64> cells;
    Shared<unsigned> count;
};

extern "C" __global__ void probe(unsigned* out, unsigned long long* arrivals, unsigned long long seed) {
    auto& tile = shared_memory<Tile>();
    auto philox = Philox4x32<7>::stream(seed, block_rank(), lane_id());
    auto xorwow = Xorwow::stream(seed, block_rank(), lane_id());
    auto taus88 = Taus88::stream(seed, block_rank(), lane_id());
    tile.cells[threadIdx.x] = philox() ^ xorwow() ^ taus88();
    if (threadIdx.x == 0) { tile.count = 0; }
    grid_barrier(arrivals);
    atomicAdd(&tile.count, bounded(philox, 10u));
    __syncthreads();
    out[thread_rank()] = __reduce_add_sync(full_warp, tile.cells[63 - threadIdx.x]) + tile.count;
}
)";

TEST(Nvrtc, CompilesTheKernelHeaderAndTheEngines) {
    Compiled const result = compile(kernel);
    EXPECT_TRUE(result.succeeded) << result.log;
    EXPECT_NE(result.ptx.find(".entry probe"), std::string::npos) << result.ptx.substr(0, 2000);
}

TEST(Nvrtc, NamesTheLineOfAnError) {
    Compiled const result = compile("#include \"harness/simt/kernel.hpp\"\n\nint wrong = undefined_name;\n");
    EXPECT_FALSE(result.succeeded);
    EXPECT_NE(result.log.find("probe.cu(3)"), std::string::npos) << result.log;
}

}  // namespace
}  // namespace lockstep::simt
