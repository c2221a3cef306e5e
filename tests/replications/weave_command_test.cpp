// `lockstep weave`: several files, outputs that are checked, dependencies and differences.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "experiments/replications/command.hpp"
#include "harness/bench/atomic_file.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::replications::tests {
namespace {

class WeaveCommand : public lockstep::tests::ToolTest {
protected:
    WeaveCommand() : ToolTest("weave", weave_command) {}

    std::string const kernel_ = "// @warp\n__global__ void f() {\n}\n";
};

TEST_F(WeaveCommand, SeveralFilesGoToAFolder) {
    std::string const one = file("one.cu", kernel_);
    std::string const two = file("two.cu", "int a;\n");
    EXPECT_EQ(output_of({one, two, "-o", file("out")}), "");
    EXPECT_EQ(bench::read_file(file("out") + "/two.cu"), "#line 1 \"" + two + "\"\nint a;\n");
    EXPECT_EQ(output_of({one}), bench::read_file(file("out") + "/one.cu"));
    EXPECT_NE(error_of({one, two}).find("several inputs and one output"), std::string::npos);
    EXPECT_NE(error_of({}).find("no input"), std::string::npos);
    EXPECT_NE(error_of({one, "-o", one}).find("into itself"), std::string::npos);
    std::filesystem::create_directory(file("other"));
    std::string const same = file("other") + "/one.cu";
    bench::write_file_atomically(same, kernel_);
    EXPECT_NE(error_of({one, same, "-o", file("out2")}).find("two inputs have the output"), std::string::npos);
    // A mistake in one file leaves no output of another.
    bench::write_file_atomically(same, "// @warp\nint a;\n");
    EXPECT_NE(error_of({two, same, "-o", file("out3")}).find("one.cu:1: @warp does not precede"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(file("out3")));
}

TEST_F(WeaveCommand, OneFileGoesToAFolder) {
    std::string const one = file("one.cu", kernel_);
    std::string const woven = output_of({one});
    EXPECT_EQ(output_of({one, "-o", file("new/")}), "") << "a slash says that it is a folder";
    EXPECT_EQ(bench::read_file(file("new/one.cu")), woven);
    std::filesystem::create_directory(file("old"));
    EXPECT_EQ(output_of({one, "-o", file("old/"), "--dependencies", file("woven.d")}), "");
    EXPECT_EQ(bench::read_file(file("old/one.cu")), woven);
    EXPECT_EQ(bench::read_file(file("woven.d")), file("old/one.cu") + ": " + one + "\n");
    EXPECT_EQ(run({one, "-o", file("old/"), "--check"}).code, 0);
    EXPECT_EQ(run({one, "-o", file("other/"), "--check"}).code, 1);
    EXPECT_FALSE(std::filesystem::exists(file("other")));
    std::string const folder = std::filesystem::path(one).parent_path().string();
    EXPECT_NE(error_of({one, "-o", folder + "/"}).find("into itself"), std::string::npos);
    EXPECT_NE(error_of({one, "-o", folder}).find("cannot write " + folder + " (it is a folder) Name a file, or end"),
              std::string::npos);
    EXPECT_NE(error_of({"-", "-o", file("new/")}).find("no name for an output"), std::string::npos);
}

TEST_F(WeaveCommand, ChecksAnOutput) {
    std::string const one = file("one.cu", kernel_);
    EXPECT_EQ(run({one, "-o", file("woven.cu"), "--check"}).code, 1);
    EXPECT_FALSE(std::filesystem::exists(file("woven.cu")));
    output_of({one, "-o", file("woven.cu"), "--dependencies", file("woven.d")});
    EXPECT_EQ(bench::read_file(file("woven.d")), file("woven.cu") + ": " + one + "\n");
    EXPECT_EQ(run({one, "-o", file("woven.cu"), "--check"}).code, 0);
    bench::write_file_atomically(one, kernel_ + "int b;\n");
    lockstep::tests::Ran const stale = run({one, "-o", file("woven.cu"), "--check"});
    EXPECT_EQ(stale.code, 1);
    EXPECT_EQ(stale.out, file("woven.cu") + " is not up to date\n");
    EXPECT_NE(error_of({one, "--check"}).find("nothing to check"), std::string::npos);
    EXPECT_NE(error_of({one, "--dependencies", file("d")}).find("no output"), std::string::npos);
    EXPECT_NE(error_of({one, "-o", file("woven.cu"), "--dependencies", one}).find("it is an input"), std::string::npos);
    EXPECT_NE(error_of({one, "-o", file("new.cu"), "--dependencies", file("new.cu")}).find("two results"),
              std::string::npos);
}

TEST_F(WeaveCommand, PrintsDifferencesAndTakesAdvice) {
    std::string const one = file("one.cu", "__global__ void wlp_f() {\n}\n");
    std::string const diff = output_of({one, "--diff", "--advise", "wlp_.*=@warp"});
    EXPECT_NE(diff.find("@@ -1 +2 @@\n-__global__ void wlp_f() {\n+__global__ void wlp_f() {if ("), std::string::npos)
        << diff;
    EXPECT_NE(error_of({one, "--diff", "-o", file("woven.cu")}).find("--diff and -o"), std::string::npos);
    lockstep::tests::Ran const idle =
        run({one, file("two.cu", "int a;\n"), "-o", file("out"), "--advise", "nope=@warp", "--advise", "wlp_f=@warp"});
    EXPECT_EQ(idle.code, 0) << "a build gives the same advice for each of several files";
    EXPECT_EQ(idle.err, "lockstep: --advise nope matches no kernel (the kernels are wlp_f)\n");
    EXPECT_NE(error_of({one, "--advise", "wlp_"}).find("must be PATTERN=@ANNOTATION"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::replications::tests
