// Tests that the C++ compiler runs once per text, and that its errors suggest what the user can do.

#include "harness/jit/shared_object.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/compiler.hpp"
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

std::filesystem::file_time_type time_of(std::string const& path) { return std::filesystem::last_write_time(path); }

// $CXX may have several words, as for CMake.
TEST_F(JitSharedObject, TheCompilerMayBeACommandOfSeveralWords) {
    std::vector<std::string> const words = cpp_compiler();
    Environment const variable("CXX", "env " + text_of(words));
    EXPECT_EQ(cpp_compiler().size(), words.size() + 1);
    EXPECT_EQ(reinterpret_cast<int (*)()>(symbol_in(make(answer), "answer"))(), 42);
}

TEST(JitCompiler, GccIsKnownByItsNameAndThroughLinks) {
    for (char const* const name : {"g++", "g++-13", "/opt/none/bin/g++", "x86_64-linux-gnu-g++-12.2"})
        EXPECT_TRUE(is_gcc({name})) << name;
    EXPECT_TRUE(is_gcc({"ccache", "g++"}));
    for (char const* const name : {"clang++", "clang++-14", "/opt/none/bin/c++", "icpx", "g++.old", "nosuch", ""})
        EXPECT_FALSE(is_gcc({name})) << name;
    EXPECT_FALSE(is_gcc({}));
    EXPECT_FALSE(is_gcc({"clang++", "--gcc-toolchain=/opt/g++-13"}));

    tests::TemporaryFolder const folder;
    for (auto const& [link, target] : {std::pair{"to_gcc", "g++-13"}, {"to_clang", "clang++"}}) {
        std::ofstream(folder.path() / target) << "";
        std::filesystem::create_symlink(folder.path() / target, folder.path() / link);
    }
    EXPECT_TRUE(is_gcc({(folder.path() / "to_gcc").string()}));
    EXPECT_FALSE(is_gcc({(folder.path() / "to_clang").string()}));
}

TEST_F(JitSharedObject, IsCompiledOncePerTextAndOptions) {
    std::string const path = make(answer);
    auto const before = std::filesystem::file_time_type{} + std::chrono::hours(1);
    std::filesystem::last_write_time(path, before);
    EXPECT_EQ(make(answer), path);
    EXPECT_EQ(time_of(path), before);
    EXPECT_NE(make(answer + "// more\n"), path);
    EXPECT_NE(shared_object(answer, {"-O1", "-fPIC", "-shared"}, context_), path);
}

// Neither a shortened nor a changed object is loaded.
TEST_F(JitSharedObject, IsCompiledAgainIfItChanged) {
    std::string const path = make(answer);
    std::string const object = bench::read_file(path);
    for (std::string const& damaged : {object.substr(0, object.size() / 2), "x" + object.substr(1), std::string()}) {
        std::filesystem::remove(path);
        std::ofstream(path, std::ios::binary) << damaged;
        EXPECT_EQ(make(answer), path);
        EXPECT_EQ(bench::read_file(path), object);
    }
    EXPECT_EQ(reinterpret_cast<int (*)()>(symbol_in(path, "answer"))(), 42);
}

// The folder of the compilation is not in the object.
TEST_F(JitSharedObject, EqualTextsGiveEqualObjects) {
    std::vector<std::string> const with_debug_information = {"-std=c++17", "-g1", "-fPIC", "-shared"};
    std::string const text = "extern \"C\" char const* answer() { return __FILE__; }\n";
    std::string const path = shared_object(text, with_debug_information, context_);
    std::string const object = bench::read_file(path);
    std::filesystem::remove(path);
    EXPECT_EQ(shared_object(text, with_debug_information, context_), path);
    EXPECT_EQ(bench::read_file(path), object);
}

TEST_F(JitSharedObject, ProcessesCanCompileTheSameTextAtOnce) {
    std::vector<pid_t> children;
    for (int i = 0; i < 2; ++i) {
        children.push_back(fork());
        if (children.back() == 0) {
            int const got = reinterpret_cast<int (*)()>(symbol_in(make(answer), "answer"))();
            _exit(got == 42 ? 0 : 1);
        }
    }
    for (pid_t const child : children) {
        int status = 1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    std::size_t files = 0;
    for (auto const& entry : std::filesystem::directory_iterator(cache_.folder.path() / "toy")) {
        EXPECT_EQ(entry.path().string().find(".part-"), std::string::npos) << entry.path();
        ++files;
    }
    EXPECT_EQ(files, 3u);
    EXPECT_EQ(reinterpret_cast<int (*)()>(symbol_in(make(answer), "answer"))(), 42);
}

// Other users may be able to change the files of the compiler in $TMPDIR, and the umask may open new files to them.
TEST_F(JitSharedObject, TheCompilerWritesOnlyWhereOthersCannot) {
    tests::TemporaryFolder const elsewhere;
    std::string const compiler = elsewhere.path() / "compiler";
    std::ofstream(compiler) << "#!/bin/sh\necho \"error: $(umask) $TMPDIR\"\nexit 1\n";
    ASSERT_EQ(chmod(compiler.c_str(), 0755), 0);
    Environment const own("CXX", compiler);
    Environment const temporary("TMPDIR", "/nonexistent");
    std::string const error = error_of(answer);
    EXPECT_NE(error.find("error: 0077 " + (cache_.folder.path() / "toy").string() + "/compile."), std::string::npos)
        << error;
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
