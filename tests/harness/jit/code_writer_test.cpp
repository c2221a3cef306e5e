// Tests lines, blocks and indentation.

#include "harness/jit/code_writer.hpp"

#include <gtest/gtest.h>

namespace lockstep::jit {
namespace {

TEST(CodeWriter, FormatsLinesAtItsDepth) {
    CodeWriter code(1);
    code.line("int {} = {};", "x", 3);
    code.line();
    code.line("x = {{{}, {}}};", 1, 2);
    EXPECT_EQ(code.depth(), 1u);
    EXPECT_EQ(code.take(), "    int x = 3;\n\n    x = {1, 2};\n");
    EXPECT_EQ(code.text(), "");
}

TEST(CodeWriter, BlocksNestAndCloseThemselves) {
    CodeWriter code;
    {
        auto const function = code.block("void {}()", "f");
        {
            auto const bare = code.block();
            code.line("g();");
        }
        code.label("end");
        code.line("return;");
    }
    EXPECT_EQ(code.text(), "void f() {\n    {\n        g();\n    }\nend:\n    return;\n}\n");
}

TEST(CodeWriter, AScopeEndsWithTheGivenText) {
    CodeWriter code;
    {
        auto const structure = code.indented("};");
        code.line("int x;");
    }
    {
        auto const silent = code.indented();
        code.line("int y;");
    }
    code.line("int z;");
    EXPECT_EQ(code.text(), "    int x;\n};\n    int y;\nint z;\n");
}

TEST(CodeWriter, IndentsGivenLinesAndAppendsGivenText) {
    CodeWriter code(1);
    code.lines("if (x) {\n    f();\n\n}");
    code.lines("g({});\n");
    code.append("as it is");
    EXPECT_EQ(code.text(), "    if (x) {\n        f();\n\n    }\n    g({});\nas it is");
}

TEST(CodeWriter, ACommentHasNoTextThatACompilerReads) {
    EXPECT_EQ(comment_text("plus(suc(x_1),y) -> suc(plus(x_1,y))"), "plus(suc(x_1),y) -> suc(plus(x_1,y))");
    EXPECT_EQ(comment_text("a\\"), "a.");
    EXPECT_EQ(comment_text("a?"
                           "?/"),
              "a...");
    EXPECT_EQ(comment_text("a\nb\r\"*/\xff\xe2\x80\xa8"), "a.b........");
    EXPECT_EQ(comment_text(std::string_view("\0", 1)), ".");
    EXPECT_EQ(comment_text(std::string(90, 'a')), std::string(90, 'a'));
    EXPECT_EQ(comment_text(std::string(1000000, 'a')), std::string(87, 'a') + "...");
}

}  // namespace
}  // namespace lockstep::jit
