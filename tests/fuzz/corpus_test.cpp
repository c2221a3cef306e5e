// Replays the inputs of corpus/<target>/ through the fuzz targets, so that an input that was once a finding stays
// mended in builds without libFuzzer.

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "harness/bench/atomic_file.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {
namespace {

constexpr char const* corpus = "tests/fuzz/corpus";

std::string problem_with(Target const& target, std::string const& input) {
    try {
        target.run(input);
        return "";
    } catch (std::exception const& error) {
        return error.what();
    }
}

TEST(FuzzCorpus, EveryInputIsReadOrRejected) {
    for (Target const& target : targets()) {
        std::size_t inputs = 0;
        for (auto const& entry : std::filesystem::directory_iterator(std::filesystem::path(corpus) / target.name)) {
            EXPECT_EQ(problem_with(target, bench::read_file(entry.path())), "") << entry.path();
            ++inputs;
        }
        EXPECT_GE(inputs, 5u) << target.name;
        EXPECT_EQ(problem_with(target, ""), "") << target.name;
    }
}

TEST(FuzzCorpus, EveryFolderHasATarget) {
    std::set<std::string> folders;
    for (auto const& entry : std::filesystem::directory_iterator(corpus))
        folders.insert(entry.path().filename().string());
    std::set<std::string> names;
    for (Target const& target : targets())
        names.insert(target.name);
    EXPECT_EQ(folders, names);
}

// The checks of the targets can fail.
TEST(FuzzCorpus, ABrokenPromiseIsAFinding) {
    auto const throws = [](auto const& exception) { return [&] { accepts([&] { throw exception; }); }; };
    EXPECT_THROW(throws(std::runtime_error("a library's words"))(), std::runtime_error);
    EXPECT_THROW(throws(bench::Error(""))(), Finding);
    EXPECT_THROW(require(false, "holds"), Finding);
    EXPECT_FALSE(accepts([] { throw bench::Error("one line"); }));
    EXPECT_TRUE(accepts([] {}));
}

}  // namespace
}  // namespace lockstep::fuzz
