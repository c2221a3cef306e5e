#include "harness/jit/struct_alignments.hpp"

#include <gtest/gtest.h>

namespace lockstep::jit {
namespace {

// As g++ 12 prints it.
std::string assembly(std::string const& type, int logarithm, int kind) {
    return ".Lubsan_type0:\n\t.value\t-1\n\t.value\t0\n\t.string\t\"'" + type +
           "'\"\n\t.section\t.rodata\n.LC0:\n\t.string\t\"sub/a.cu\"\n\t.section\t.data.rel.local,\"aw\"\n"
           "\t.align 32\n\t.type\t.Lubsan_data0, @object\n\t.size\t.Lubsan_data0, 32\n.Lubsan_data0:\n"
           "\t.quad\t.LC0\n\t.long\t7\n\t.long\t94\n\t.quad\t.Lubsan_type0\n\t.byte\t" +
           std::to_string(logarithm) + "\n\t.byte\t" + std::to_string(kind) + "\n\t.zero\t6\n\t.text\nmain:\n\tret\n";
}

TEST(StructAlignments, AreThoseOfLoadedAndStoredStructs) {
    EXPECT_EQ(struct_alignments(assembly("const struct Four", 4, 0)), "load 16 7 sub/a.cu\n");
    EXPECT_EQ(struct_alignments(assembly("struct P", 3, 1)), "store 8 7 sub/a.cu\n");
}

TEST(StructAlignments, AreNotThoseOfOtherAccesses) {
    EXPECT_EQ(struct_alignments(assembly("struct P", 2, 0)), "") << "words";
    EXPECT_EQ(struct_alignments(assembly("struct P", 3, 2)), "") << "a reference";
    EXPECT_EQ(struct_alignments(assembly("struct P *", 3, 0)), "") << "a pointer";
    EXPECT_EQ(struct_alignments(assembly("double", 3, 0)), "");
    EXPECT_EQ(struct_alignments(""), "");
    std::string const whole = assembly("struct P", 3, 0);
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_LE(struct_alignments(whole.substr(0, length)).size(), 21u);
}

TEST(StructAlignments, AreAStringOfTheProgram) {
    EXPECT_EQ(as_variable("load 8 7 a.cu\n"),
              "extern \"C\" char const lockstep_alignments[] = R\"lockstep(load 8 7 a.cu\n)lockstep\";\n");
}

}  // namespace
}  // namespace lockstep::jit
