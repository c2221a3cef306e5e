// NVRTC compiles the kernels of every model file of the examples, without a GPU.

#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/replications/model_code.hpp"
#include "harness/jit/nvrtc.hpp"

namespace lockstep::replications::model_file {
namespace {

TEST(ModelNvrtc, CompilesEveryExample) {
    unsigned composing = 0;
    for (auto const& entry : std::filesystem::directory_iterator("examples/replications/models")) {
        if (entry.path().extension() != ".hpp")
            continue;
        ModelFile const file = read_model_file(entry.path());
        EXPECT_EQ(jit::nvrtc_image(lane_text(file).text, 90, kernel_context()).substr(1, 3), "ELF") << file.path;
        if (!file.composes)
            continue;
        ++composing;
        EXPECT_EQ(jit::nvrtc_image(team_text(file).text, 90, kernel_context()).substr(1, 3), "ELF") << file.path;
    }
    EXPECT_EQ(composing, 1u);
}

TEST(ModelNvrtc, NamesTheUsersLine) {
    ModelFile const file = parse_model_file(
        "parameter u64 steps = 3;\nstruct State { f64 x = 0; };\nvoid step(State& s) {\n    s.y = 1;\n}\nmean x = s.x;",
        "own.hpp");
    try {
        jit::nvrtc_image(lane_text(file).text, 90, kernel_context());
        FAIL() << "it has no y";
    } catch (jit::CompileError const& error) {
        std::string const text = jit::compile_error_of(user_file(file), error).what();
        EXPECT_NE(text.find("cannot compile own.hpp line 4 ("), text.npos) << text;
    }
}

}  // namespace
}  // namespace lockstep::replications::model_file
