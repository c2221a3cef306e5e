// Tests that the C++ compiler runs once per text, and that its errors suggest what the user can do.

#include "harness/jit/shared_object.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "tests/harness/jit/temporary_cache.hpp"

namespace lockstep::jit {
namespace {

using tests::Environment;

std::vector<std::string> const options = {"-std=c++17", "-O0", "-fPIC", "-shared", "-w"};
std::string const answer = "extern \"C\" int answer() { return 42; }\n";

class JitSharedObject : public testing::Test {
protected:
    std::string make(std::string const& text) const { return shared_object(text, options, context_); }
    std::string error_of(std::string const& text) const {
        try {
            make(text);
        } catch (bench::Error const& error) {
            return error.what();
        }
        return "no error";
    }

    tests::TemporaryCache cache_;
    CompileContext context_ = {"toy", "the toy", "use the other toy."};
};

TEST_F(JitSharedObject, IsCompiledAndCalled) {
    std::string const path = make(answer);
    EXPECT_EQ(path.rfind(cache_.folder.path().string() + "/toy/", 0), 0u) << path;
    EXPECT_EQ(reinterpret_cast<int (*)()>(symbol_in(path, "answer"))(), 42);
}

TEST_F(JitSharedObject, IsCompiledOncePerTextAndOptions) {
    std::string const path = make(answer);
    bench::write_file_atomically(path, "as it is");
    EXPECT_EQ(make(answer), path);
    EXPECT_EQ(bench::read_file(path), "as it is");
    EXPECT_NE(make(answer + "// more\n"), path);
    EXPECT_NE(shared_object(answer, {"-O1", "-fPIC", "-shared"}, context_), path);
}

TEST_F(JitSharedObject, IsCompiledAgainIfTheCacheHasAnotherText) {
    std::string const path = make(answer);
    std::string const text = std::filesystem::path(path).replace_extension(".cpp");
    bench::write_file_atomically(path, "of another text");
    bench::write_file_atomically(text, "another text");
    EXPECT_EQ(make(answer), path);
    EXPECT_EQ(bench::read_file(text), answer);
    EXPECT_NE(bench::read_file(path), "of another text");
}

TEST_F(JitSharedObject, ATextThatDoesNotCompileIsAnError) {
    std::string const error = error_of("int wrong = nothing_of_that_name;\n");
    EXPECT_EQ(error.rfind("cannot compile the toy (", 0), 0u) << error;
    EXPECT_NE(error.find("nothing_of_that_name"), std::string::npos) << error;
    EXPECT_NE(error.find(") Try to use the other toy."), std::string::npos) << error;
    EXPECT_TRUE(std::filesystem::is_empty(cache_.folder.path() / "toy"));
}

TEST_F(JitSharedObject, AMissingCompilerIsAnError) {
    Environment const none("CXX", "/nonexistent");
    EXPECT_EQ(error_of(answer),
              "cannot compile the toy (no C++ compiler: /nonexistent does not run) Install one, set CXX, or use the "
              "other toy.");
}

TEST_F(JitSharedObject, AnObjectWithoutTheSymbolLeavesTheCache) {
    std::string const path = make(answer);
    EXPECT_THROW(symbol_in(path, "question"), bench::Error);
    EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace lockstep::jit
