// Tests that kernel text compiles, loads and launches on the machine under test.

#include "harness/jit/device.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "harness/bench/error.hpp"
#include "harness/jit/text_digest.hpp"
#include "tests/harness/jit/temporary_cache.hpp"
#include "tests/harness/jit/toy_kernels.hpp"
#include "tests/support/machines.hpp"

namespace lockstep::jit {
namespace {

class JitDevice : public testing::Test {
protected:
    void SetUp() override {
        if (std::string const reason = tests::why_not_here(); !reason.empty())
            GTEST_SKIP() << reason;
    }

    static Device& device() { return device_of(tests::kernel_machine()); }

    tests::TemporaryCache cache_;
    KernelContext context_ = toy_context();
};

TEST_F(JitDevice, LaunchesWhatItCompiles) {
    std::vector<unsigned> values(100);
    std::iota(values.begin(), values.end(), 0u);
    DeviceArray<unsigned> memory(device(), values.size());
    ASSERT_FALSE(memory.missing());
    memory.upload(values);
    simt::LaunchShape shape;
    shape.grid.x = 4;
    shape.block.x = 32;
    ToyArguments const arguments = {memory.data(), 99};
    device().launch("twice", device().load(toy_text(), context_).at("twice"), shape, &arguments);
    memory.download(values);
    for (unsigned i = 0; i < 99; ++i)
        EXPECT_EQ(values[i], 2 * i);
    EXPECT_EQ(values[99], 99u);
}

TEST_F(JitDevice, LoadsATextOnce) {
    Kernels const& first = device().load(toy_text("+= 1"), context_);
    EXPECT_EQ(&first, &device().load(toy_text("+= 1"), context_));
    EXPECT_NE(&first, &device().load(toy_text("+= 2"), context_));
}

// The text is not valid C++, so success shows that it was not compiled.
TEST_F(JitDevice, PrefersKernelsOfThisBuild) {
    KernelText const text = {"this is not a program", "toy", {"twice"}};
    int kernel = 0;
    BuiltInKernels const built_in[] = {{text_digest(text.text), device().machine(), {{"twice", &kernel}}}};
    context_.built_in = built_in;
    EXPECT_EQ(device().load(text, context_).at("twice"), &kernel);
}

TEST_F(JitDevice, ATextThatDoesNotCompileIsAnError) {
    try {
        device().load(toy_text("is not an operator"), context_);
        FAIL() << "no error";
    } catch (bench::Error const& error) {
        std::string const text = error.what();
        EXPECT_EQ(text.rfind("cannot compile the toy", 0), 0u) << text;
        EXPECT_NE(text.find("Try to use the other toy."), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace lockstep::jit
