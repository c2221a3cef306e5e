// Tests texts with their headers in them.

#include "harness/jit/whole_text.hpp"

#include <gtest/gtest.h>

namespace lockstep::jit {
namespace {

constexpr simt::EmbeddedText headers[] = {
    {"a.hpp", "#pragma once\n#include \"b.hpp\"\n#include <cmath>\nint a;\n"},
    {"b.hpp", "#pragma once\n#include \"harness/simt/kernel.hpp\"\nint b;"},
};

std::string whole(std::string const& text) {
    std::span<simt::EmbeddedText const> const parts[] = {headers};
    return whole_text_for_cpu(text, parts);
}

// What every text begins with.
std::string kernel_header() { return whole(""); }

TEST(WholeText, HasEachHeaderOnce) {
    EXPECT_EQ(whole("#include \"a.hpp\"\n#include \"b.hpp\"\nint c;\n"),
              kernel_header() + "int b;\n#include <cmath>\nint a;\nint c;\n");
}

TEST(WholeText, BeginsWithTheKernelHeaderOfTheCpu) {
    std::string const text = kernel_header();
    EXPECT_EQ(text.rfind("#define LOCKSTEP_MACHINE cpu\n", 0), 0u);
    EXPECT_NE(text.find("#define __device__\n"), text.npos);
    EXPECT_EQ(text.find("#include \"harness"), text.npos);
    EXPECT_EQ(text.find("#pragma once"), text.npos);
}

TEST(WholeText, KeepsIncludesThatItDoesNotKnow) {
    EXPECT_EQ(whole("#include \"unknown.hpp\"\n"), kernel_header() + "#include \"unknown.hpp\"\n");
}

}  // namespace
}  // namespace lockstep::jit
