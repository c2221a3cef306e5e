// NVRTC compiles a text of kernels with the headers that are embedded in the program, without a GPU.

#include "harness/jit/nvrtc.hpp"

#include <gtest/gtest.h>

#include "harness/bench/error.hpp"
#include "tests/harness/jit/temporary_cache.hpp"
#include "tests/harness/jit/toy_kernels.hpp"

namespace lockstep::jit {
namespace {

// Machine code for a GPU that NVRTC knows, PTX for one that it cannot know.
TEST(JitNvrtc, CompilesForOldAndNewDevices) {
    tests::TemporaryCache const cache;
    KernelText const text = toy_text();
    std::string const machine_code = nvrtc_image(text.text, 90, toy_context());
    EXPECT_EQ(machine_code.substr(1, 3), "ELF");
    EXPECT_NE(machine_code.find(gpu_symbol(text, "twice")), std::string::npos);
    std::string const ptx = nvrtc_image(text.text, 999, toy_context());
    EXPECT_NE(ptx.find(".entry " + gpu_symbol(text, "twice")), std::string::npos) << ptx.substr(0, 2000);
}

TEST(JitNvrtc, ATextThatDoesNotCompileIsAnError) {
    tests::TemporaryCache const cache;
    try {
        nvrtc_image("this is no program", 90, toy_context());
        FAIL() << "no error";
    } catch (bench::Error const& error) {
        std::string const text = error.what();
        EXPECT_EQ(text.rfind("cannot compile the toy for the GPU (", 0), 0u) << text;
        EXPECT_NE(text.find("Try to use the other toy."), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace lockstep::jit
