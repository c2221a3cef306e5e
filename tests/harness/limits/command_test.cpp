// `lockstep limits` from its arguments to its output file. Runs two short limits of the CPU or, if available, of a GPU.

#include "harness/cli/limits_command.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/bench/error.hpp"
#include "harness/bench/results_file.hpp"
#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::cli {
namespace {

int command(std::vector<char const*> arguments) {
    arguments.insert(arguments.begin(), "limits");
    return limits_command(".", static_cast<int>(arguments.size()), arguments.data());
}

class LimitsCommand : public testing::Test {
protected:
    // The path of the file that the command wrote.
    std::filesystem::path written() const {
        for (auto const& device : std::filesystem::directory_iterator(folder_)) {
            return device.path() / "limits.json";
        }
        return {};
    }
    std::string out() const { return folder_.string(); }

private:
    lockstep::tests::TemporaryFolder parent_;
    std::filesystem::path folder_ = parent_.path() / "out";  // does not exist yet
};

TEST_F(LimitsCommand, WritesWhatItMeasuredAndKeepsTheRest) {
    std::string const folder = out();
    ASSERT_EQ(command({"--out", folder.c_str(), "--only", "^popc$", "--repetitions", "6"}), 0);
    auto limits = bench::read_limits(written());
    ASSERT_EQ(limits.count("popc"), 1u);
    EXPECT_GT(limits.at("popc").value, 1e6);
    EXPECT_EQ(limits.at("popc").unit, "POPC/s");
    EXPECT_EQ(limits.count("imad"), 0u);

    std::string const only = "--only=^imad$";
    testing::internal::CaptureStdout();
    ASSERT_EQ(command({"--out", folder.c_str(), only.c_str(), "--repetitions=6", "--json"}), 0);
    std::string const printed = testing::internal::GetCapturedStdout();
    EXPECT_EQ(printed.front(), '{');
    limits = bench::read_limits(written());
    EXPECT_EQ(limits.count("popc"), 1u);
    EXPECT_EQ(limits.count("imad"), 1u);
    auto const cases = bench::read_cases(written());
    ASSERT_EQ(cases.size(), 2u);
    for (auto const& one : cases) {
        EXPECT_EQ(one.status, "ok") << one.reason;
        EXPECT_TRUE(one.has_time);
    }
}

TEST_F(LimitsCommand, RejectsInvalidArguments) {
    std::string const folder = out();
    EXPECT_THROW(command({"--speed"}), bench::Error);
    EXPECT_THROW(command({"--only"}), bench::Error);
    EXPECT_THROW(command({"--out", folder.c_str(), "--only", "("}), bench::Error);
    EXPECT_THROW(command({"--out", folder.c_str(), "--only", "no such limit"}), bench::Error);
    EXPECT_THROW(command({"--repetitions", "5"}), bench::Error);
    EXPECT_THROW(command({"--repetitions", "six"}), bench::Error);
    EXPECT_THROW(command({"--repetitions", "7x"}), bench::Error);
    EXPECT_FALSE(std::filesystem::exists(folder)) << "a rejected command left files";
}

}  // namespace
}  // namespace lockstep::cli
