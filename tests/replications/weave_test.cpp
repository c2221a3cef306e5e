// The annotation preprocessor: what it inserts, what it keeps, and which errors it reports at which line.

#include "experiments/replications/weave.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::replications::tests {
namespace {

// Listings 1 and 2 of the paper, as printed.
std::string const listing1 =
    "// @warp\n"
    "__global__ void TestKernel(float * deviceArray) {\n"
    "    deviceArray[0] = 0.;\n"
    "    deviceArray[warpIdx] = 1.;\n"
    "}\n";
std::string const listing2 =
    "__global__ void TestKernel2(float * deviceArray) {\n"
    "    deviceArray[0] = 0.;\n"
    "    // @warp: begin\n"
    "    deviceArray[warpIdx] = 1.;\n"
    "    // @warp: end\n"
    "}\n";

std::string error_of(std::string const& text) {
    try {
        weave(text, "in.cu");
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "no error";
}

std::size_t count(std::string const& text, std::string const& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++found;
    return found;
}

std::string line(std::string const& text, unsigned number) {
    std::size_t at = 0;
    for (unsigned i = 1; i < number; ++i)
        at = text.find('\n', at) + 1;
    return text.substr(at, text.find('\n', at) - at);
}

TEST(Weave, Listing1IsAKernelOfWarps) {
    std::string const woven = weave(listing1, "in.cu");
    EXPECT_EQ(line(woven, 1), "#line 1 \"in.cu\"");
    EXPECT_NE(line(woven, 3).find("{if ("), std::string::npos) << woven;
    EXPECT_NE(line(woven, 3).find("unsigned const warpIdx ="), std::string::npos);
    EXPECT_EQ(line(woven, 4), "    deviceArray[0] = 0.;");
    EXPECT_EQ(line(woven, 6), "}}");
}

TEST(Weave, Listing2IsAPart) {
    std::string const woven = weave(listing2, "in.cu");
    EXPECT_EQ(line(woven, 2), "__global__ void TestKernel2(float * deviceArray) {");
    EXPECT_EQ(line(woven, 4).find("    if ("), 0u) << woven;
    EXPECT_EQ(line(woven, 6), "    }");
}

// The line after #line is the user's first line, so every line keeps its number.
TEST(Weave, KeepsEveryLine) {
    for (std::string const& text :
         {listing1, listing2, std::string("int a;\n\n// @warp\n\n__global__ void f() {\n}\n")}) {
        EXPECT_EQ(count(weave(text, "in.cu"), "\n"), count(text, "\n") + 1);
    }
}

TEST(Weave, KeepsOtherText) {
    for (std::string const text :
         {"", "int main() { return 0; }\n", "/* // @warp */ int a;\n", "char const* s = \"// @warp: begin\";\n",
          "char const* s = R\"x(\n// @warp: end\n)x\";\n", "// warp\n// @warps\n// see @warp\n",
          "char c = '{'; int n = 1'000;\n", "char c = '\\'' ; /* } */ char d = '\"';\n"}) {
        EXPECT_EQ(weave(text, "in.cu"), "#line 1 \"in.cu\"\n" + std::string(text));
    }
}

TEST(Weave, KnowsStringsCommentsAndBracesInAnnotatedKernels) {
    std::string const woven = weave(
        "///@warp\ntemplate <class T>\n__global__ void f(T t = T{}) {\n  char c = '}'; // }\n  if (c) { g(\"}\"); "
        "}\n}\nint after;\n",
        "in.cu");
    EXPECT_EQ(line(woven, 7), "}}") << woven;
    EXPECT_EQ(line(woven, 8), "int after;");
}

TEST(Weave, AcceptsEverySpelling) {
    for (std::string const mark : {"// @warp", "///@warp", "//@warp  ", "/// @warp\r"}) {
        EXPECT_EQ(count(weave(mark + "\n__global__ void f() {}\n", "in.cu"), "warpIdx ="), 1u) << mark;
    }
    for (std::string const mark : {"// @warp: ", "///@warp:", "//@warp : "}) {
        std::string const text = "void f() {\n" + mark + "begin\n" + mark + "end\n}\n";
        EXPECT_EQ(count(weave(text, "in.cu"), "warpIdx ="), 1u) << mark;
    }
}

TEST(Weave, ReportsErrorsWithTheirLine) {
    std::string const body = "__global__ void f() {\n";
    EXPECT_NE(error_of("// @warp: start\n").find("in.cu:1: unknown annotation '@warp: start'"), std::string::npos);
    EXPECT_NE(error_of("\n// @warp\n").find("in.cu:2: @warp does not precede a kernel"), std::string::npos);
    EXPECT_NE(error_of("// @warp\nint a;\n").find("in.cu:1: @warp does not precede a kernel"), std::string::npos);
    EXPECT_NE(error_of("// @warp\nvoid f() {\n}\n").find("not __global__"), std::string::npos);
    EXPECT_NE(error_of("// @warp\n// @warp\n" + body + "}\n").find("in.cu:2: @warp appears twice"), std::string::npos);
    EXPECT_NE(error_of("// @warp: begin\n").find("in.cu:1: @warp: begin is misplaced"), std::string::npos);
    EXPECT_NE(error_of(body + "// @warp: begin\n// @warp: begin\n}\n").find("in.cu:3: @warp: begin is nested"),
              std::string::npos);
    EXPECT_NE(error_of("// @warp\n" + body + "// @warp: begin\n").find("in.cu:3: @warp: begin is nested"),
              std::string::npos);
    EXPECT_NE(error_of(body + "// @warp: begin\n}\n").find("in.cu:2: @warp: begin has no @warp: end"),
              std::string::npos);
    EXPECT_NE(error_of(body + "// @warp: end\n}\n").find("in.cu:2: @warp: end has no @warp: begin"), std::string::npos);
    EXPECT_NE(
        error_of(body + "// @warp: begin\nif (a) {\n// @warp: end\n}}\n").find("in.cu:4: @warp: end is misplaced"),
        std::string::npos);
    EXPECT_NE(error_of("// @warp\n" + body).find("in.cu:1: the kernel of @warp has no end"), std::string::npos);
    EXPECT_NE(error_of("}\n// @warp\n}\n").find("in.cu:2: @warp does not precede a kernel"), std::string::npos);
}

// A file's name is data in the woven text, whatever it contains.
TEST(Weave, AFileNameIsNeverCode) {
    std::string every_byte;
    for (unsigned code = 1; code < 256; ++code)
        every_byte += static_cast<char>(code);
    for (std::string const& name :
         {std::string("a\"\n#include \"/etc/passwd\"\n//.cu"), std::string("a\"; system(\"id\"); //"),
          std::string("a\\"),
          std::string("a?"
                      "?/"),
          std::string("/*.cu"), std::string("*/ int evil; /*"), std::string("\xe2\x80\xae.cu"), std::string("\xff"),
          std::string("a\r#pragma b"), every_byte, std::string(1000000, '"')}) {
        std::string const woven = weave("int a;\n", name);
        EXPECT_EQ(count(woven, "\n"), 2u);
        EXPECT_EQ(line(woven, 2), "int a;");
        std::string const first = line(woven, 1);
        ASSERT_TRUE(first.starts_with("#line 1 \"") && first.ends_with("\"")) << first;
        EXPECT_EQ(count(first,
                        "?"
                        "?/"),
                  0u)
            << first;
        std::string inside = first.substr(9, first.size() - 10);
        for (std::size_t at = 0; at < inside.size(); ++at) {
            ASSERT_TRUE(inside[at] >= ' ' && inside[at] <= '~') << at << ": " << first;
            ASSERT_NE(inside[at], '"') << at << ": " << first;
            at += inside[at] == '\\' ? 1 : 0;  // the escaped character
            ASSERT_LT(at, inside.size()) << first;
        }
    }
    EXPECT_EQ(line(weave("", "a\nb\"\\c\x80?"), 1), R"(#line 1 "a\012b\"\\c\200\?")");
}

TEST(Weave, ABackslashContinuesALineComment) {
    for (std::string const text : {"// a \\\n// @warp\nint b;\n", "// a \\\r\n{\nint b;\n", "// {\\\n\\\n{\nint b;\n"})
        EXPECT_EQ(weave(text, "in.cu"), "#line 1 \"in.cu\"\n" + text);
    EXPECT_EQ(error_of("// @warp \\\nmore\n"),
              "in.cu:1: unknown annotation '@warp \\' (the annotations are @warp, @warp: begin and @warp: end)");
}

// The committed woven file equals the output for the annotated source.
TEST(Weave, TheWovenKernelIsUpToDate) {
    std::string const source = "kernels/replications/warps_annotated.cu";
    EXPECT_EQ(weave(bench::read_file(source), source), bench::read_file("kernels/replications/warps_woven.cu"))
        << "run: lockstep weave " << source << " -o kernels/replications/warps_woven.cu";
}

}  // namespace
}  // namespace lockstep::replications::tests
