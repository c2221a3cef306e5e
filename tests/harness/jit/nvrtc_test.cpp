// Tests that NVRTC compiles kernel text with the headers embedded in the program, without a GPU.

#include "harness/jit/nvrtc.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/bench/error.hpp"
#include "harness/jit/cache.hpp"
#include "harness/jit/own_folder.hpp"
#include "tests/harness/jit/temporary_cache.hpp"
#include "tests/harness/jit/toy_kernels.hpp"

namespace lockstep::jit {
namespace {

// Machine code for a GPU that NVRTC supports, PTX for a newer one.
TEST(JitNvrtc, CompilesForOldAndNewDevices) {
    tests::TemporaryCache const cache;
    KernelText const text = toy_text();
    std::string const machine_code = nvrtc_image(text.text, 90, toy_context());
    EXPECT_EQ(machine_code.substr(1, 3), "ELF");
    EXPECT_NE(machine_code.find(gpu_symbol(text, "twice")), std::string::npos);
    std::string const ptx = nvrtc_image(text.text, 999, toy_context());
    EXPECT_NE(ptx.find(".entry " + gpu_symbol(text, "twice")), std::string::npos) << ptx.substr(0, 2000);
}

TEST(JitNvrtc, CompilesWithoutTheCache) {
    tests::TemporaryCache const cache;
    std::string const image = nvrtc_image_without_cache(toy_text().text, 90, toy_context());
    EXPECT_EQ(image.substr(1, 3), "ELF");
    EXPECT_FALSE(std::filesystem::exists(cache_folder() + "/" + toy_context().cache_name));
    EXPECT_EQ(image, nvrtc_image(toy_text().text, 90, toy_context()));
    EXPECT_TRUE(std::filesystem::exists(cache_folder() + "/" + toy_context().cache_name));
}

TEST(JitNvrtc, ADamagedImageIsNotLoaded) {
    tests::TemporaryCache const cache;
    std::string const image = nvrtc_image(toy_text().text, 90, toy_context());
    std::size_t damaged = 0;
    for (auto const& entry : std::filesystem::directory_iterator(cache.folder.path() / "toy")) {
        if (entry.path().extension() == ".image") {
            std::filesystem::resize_file(entry.path(), image.size() / 2);
            ++damaged;
        }
    }
    EXPECT_EQ(damaged, 1u);
    EXPECT_EQ(nvrtc_image(toy_text().text, 90, toy_context()), image);
    EXPECT_EQ(nvrtc_image(toy_text().text, 90, toy_context()), image);
}

// The cache says which NVRTC compiled, so that nothing is loaded for an image that it has.
TEST(JitNvrtc, ARecordThatIsNotTrueIsReplaced) {
    tests::TemporaryCache const cache;
    std::string const image = nvrtc_image(toy_text().text, 90, toy_context());
    auto const files = [&](char const* extension) {
        std::vector<std::string> found;
        for (auto const& entry : std::filesystem::directory_iterator(cache.folder.path() / "toy")) {
            if (entry.path().extension() == extension)
                found.push_back(entry.path().string());
        }
        return found;
    };
    ASSERT_EQ(files(".nvrtc").size(), 1u);
    std::string const record = files(".nvrtc").front();
    std::string const text = read_own_file(record).value();
    ASSERT_NE(text.find("\nsm_90\n"), std::string::npos) << text;
    std::string other_version = text;
    other_version.insert(text.find("\nsm_90\n"), "9");
    std::string const planted[] = {"", "no record", text.substr(1), text + ".missing", other_version};
    for (std::string const& each : planted) {
        write_own_file(record, each);
        EXPECT_EQ(nvrtc_image(toy_text().text, 90, toy_context()), image) << each;
        EXPECT_EQ(read_own_file(record), text) << each;
    }
    EXPECT_EQ(files(".image").size(), 1u);
    nvrtc_image(toy_text().text, 999, toy_context());
    EXPECT_EQ(files(".nvrtc").size(), 2u) << "one for each compute capability";
}

TEST(JitNvrtc, ATextThatDoesNotCompileIsAnError) {
    tests::TemporaryCache const cache;
    try {
        nvrtc_image("this is not a program", 90, toy_context());
        FAIL() << "no error";
    } catch (bench::Error const& error) {
        std::string const text = error.what();
        EXPECT_EQ(text.rfind("cannot compile the toy for the GPU (", 0), 0u) << text;
        EXPECT_NE(text.find("Try to use the other toy."), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace lockstep::jit
