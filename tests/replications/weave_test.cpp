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
          "char const* s = R\"x(\n// @warp: end\n)x\";\n", "// warp\n// @warped\n// see @warp\n",
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

bool contains(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

TEST(Weave, KLanesAndAllLanes) {
    std::string const few = line(weave("// @warp(lanes=8)\n__global__ void f() {\n}\n", "in.cu"), 3);
    EXPECT_TRUE(contains(few, "% warpSize < 8) {") && contains(few, "/ warpSize * 8 + ")) << few;
    std::string const all =
        weave("__global__ void f() {\n// @warp(cooperative): begin\n__syncwarp();\n// @warp: end\n}\n", "in.cu");
    EXPECT_TRUE(contains(line(all, 3), "{ unsigned const warpIdx =") && contains(all, "unsigned const laneIdx ="))
        << all;
    EXPECT_FALSE(contains(all, "if ("));
    EXPECT_FALSE(contains(weave(listing1, "in.cu"), "32"));
}

TEST(Weave, TheIndexAndStreamOfAReplication) {
    std::string const woven = weave(
        "// @warp(lanes=4, index=i, size=p.size(1, 2), stream=s, engine=Philox4x32<10>, seed=p.seed)\n"
        "__global__ void f() {\n  if (i == 3) continue;\n}\n",
        "in.cu");
    EXPECT_TRUE(contains(line(woven, 3), "for (unsigned long long i = warpIdx; i < (p.size(1, 2)); i += ")) << woven;
    EXPECT_TRUE(contains(line(woven, 3), ": 4u))) { Philox4x32<10> s = Philox4x32<10>::stream(p.seed, i, 0); do {"))
        << woven;
    EXPECT_EQ(line(woven, 5), "} while (false); }}}");
    EXPECT_TRUE(contains(error_of("// @warp(index=i, size=n)\n__global__ void f() {\n  return;\n}\n"),
                         "in.cu:3: return in a part that is repeated"));
}

TEST(Weave, OptionsAreChecked) {
    auto const error = [](std::string const& options) { return error_of("\n// @warp(" + options + "\nint a;\n"); };
    EXPECT_TRUE(
        contains(error("lanes=0)"), "in.cu:2: unknown annotation '@warp(lanes=0)' (lanes is a number from 1 to 32)"));
    EXPECT_TRUE(contains(error("lanes=33)"), "from 1 to 32"));
    EXPECT_TRUE(contains(error("lanes)"), "from 1 to 32"));
    EXPECT_TRUE(contains(error("lane=3)"), "the options of @warp are"));
    EXPECT_TRUE(contains(error(")"), "the options of @warp are"));
    EXPECT_TRUE(contains(error("lanes=3"), "a parenthesis is not closed"));
    EXPECT_TRUE(contains(error("index=i)"), "index and size go together"));
    EXPECT_TRUE(contains(error("index=i j, size=3)"), "index is a name"));
    EXPECT_TRUE(contains(error("stream=s, engine=E, seed=1)"), "a stream is that of an index"));
    EXPECT_TRUE(contains(error("index=i, size=3, stream=s)"), "stream, engine and seed go together"));
    EXPECT_TRUE(contains(error("cooperative, lanes=4)"), "with cooperative all lanes are active"));
    EXPECT_TRUE(contains(error("cooperative) end"), "the annotations are"));
}

// Lanes that are disabled never reach a barrier or a shuffle: a deadlock, or an undefined result.
TEST(Weave, RefusesWhatNeedsAllLanes) {
    for (std::string const call :
         {"__syncthreads()", "__syncthreads_count(1)", "__syncwarp()", "__shfl_sync(m, v, 0)", "__ballot_sync(m, v)",
          "__any_sync(m, v)", "__reduce_add_sync(m, v)", "__match_any_sync(m, v)", "grid_barrier()"}) {
        std::string const part =
            "__global__ void f() {\n" + call + ";\n// @warp: begin\n  int a;\n  " + call + ";\n// @warp: end\n}\n";
        std::string const name = call.substr(0, call.find('('));
        EXPECT_TRUE(contains(error_of(part), "in.cu:5: " + name + " in a part that some lanes skip")) << error_of(part);
        EXPECT_TRUE(
            contains(error_of("// @warp(lanes=4)\n__global__ void f() {\n" + call + ";\n}\n"), "in.cu:3: " + name));
        EXPECT_EQ(error_of("// @warp(cooperative)\n__global__ void f() {\n" + call + ";\n}\n"), "no error");
        EXPECT_EQ(error_of("// @warp\n__global__ void f() {\n}\nvoid g() { " + call + "; }\n"), "no error");
        EXPECT_EQ(error_of("// @count: n\n__global__ void f() {\n" + call + ";\n}\n"), "no error");
        EXPECT_EQ(error_of("// @warp\n__global__ void f() {\n// " + call + "\n\"" + call + "\";\n}\n"), "no error");
        EXPECT_TRUE(contains(error_of("#define ALL " + call + "\n// @warp\n__global__ void f() {\nALL;\n}\n"),
                             "in.cu:4: ALL in a part"));
    }
}

// Names that stand for a barrier, wherever the text shows what they are.
TEST(Weave, RefusesOtherNamesOfABarrier) {
    std::string const kernel = "// @warp\n__global__ void f() {\nALL;\n}\n";
    for (std::string const before :
         {"#define INNER __syncthreads()\n#define ALL INNER\n", "#define ALL INNER\n#define INNER __syncthreads()\n",
          "auto const ALL =\n__syncthreads;\n", "auto* const ALL = &::__syncwarp;\n\n", "auto ALL{__syncwarp};\n\n",
          "auto inner = __syncthreads;\nauto ALL = inner;\n", "namespace ALL = cooperative_groups;\n\n",
          "#define ALL asm(\"bar.sync 0;\")\n#define B\n"}) {
        EXPECT_TRUE(contains(error_of(before + kernel), "in.cu:5: ALL in a part that some lanes skip")) << before;
    }
    for (std::string const before : {"int ALL = __syncthreads_count(1);\n\n", "bool ALL = f == __syncthreads;\n\n",
                                     "void g() {\nauto ALL = __syncthreads; }\n", "#define ALL \"bar.sync\"\n\n",
                                     "#define B INNER\n#define INNER 1\n"})
        EXPECT_EQ(error_of(before + kernel), "no error") << before;
    std::string const member = "auto ALL = __syncthreads;\n// @warp\n__global__ void f() {\na.ALL();\n}\n";
    EXPECT_EQ(error_of(member), "no error");
}

TEST(Weave, RefusesAssemblyThatNeedsAllLanes) {
    auto const error = [](std::string const& statement) {
        return error_of("// @warp\n__global__ void f() {\n" + statement + "\n}\n");
    };
    for (std::string const statement :
         {"asm volatile(\"bar.sync 0;\");", "asm(\"mov.u32 %0, 1;\\n\\tbar.sync 0;\" : \"=r\"(a));",
          "asm(\"{\" \"bar.sync 0;}\");", "__asm__ (R\"(bar.sync 0;)\");"})
        EXPECT_TRUE(contains(error(statement), "in.cu:3: bar.sync in a part that some lanes skip")) << statement;
    EXPECT_TRUE(contains(error("asm(\"shfl.sync.idx.b32 %0, %1, 0, 31, -1;\");"), "shfl.sync.idx.b32 in a part"));
    EXPECT_TRUE(contains(error("asm(\"barrier.cluster.arrive;\");"), "barrier.cluster.arrive in a part"));
    for (std::string const statement :
         {"asm(\"mbarrier.arrive.shared.b64 _, [%0];\");", "asm(\"membar.gl;\"); log(\"bar.sync\");"})
        EXPECT_EQ(error(statement), "no error") << statement;
}

// What is advised runs where it is inserted.
TEST(Weave, ChecksTheCodeOfAnnotations) {
    std::string const kernel = "__global__ void f() {\n}\n";
    for (std::string const code : {"@before: __syncthreads()", "@after: g(__shfl_sync(m, v, 0))",
                                   "@count: n[__any_sync(m, v)]", "@before: asm(\"bar.sync 0;\")"}) {
        EXPECT_TRUE(contains(error_of("// @warp\n// " + code + "\n" + kernel), "in.cu:2: ")) << code;
        EXPECT_TRUE(
            contains(error_of("// @warp\n// " + code + "\n" + kernel),
                     "in a part that some lanes skip (the annotation in line 1 disables the other lanes) Write"))
            << code;
        EXPECT_EQ(error_of("// " + code + "\n// @warp\n" + kernel), "no error") << code;
        EXPECT_EQ(error_of("// @warp(cooperative)\n// " + code + "\n" + kernel), "no error") << code;
    }
    EXPECT_EQ(error_of("// @warp\n// @before: log(\"__syncthreads\")\n" + kernel), "no error");
    EXPECT_TRUE(
        contains(error_of("#define ALL __syncthreads()\n// @warp\n// @before: ALL\n" + kernel), "in.cu:3: ALL"));
    EXPECT_TRUE(contains(error_of("// @warp(index=i, size=__any_sync(m, v))\n" + kernel), "in.cu:1: __any_sync"));
    EXPECT_THROW(weave(kernel, "in.cu", {{"f", "@warp"}, {"f", "@before: __syncthreads()"}}), bench::Error);
    std::string const loop = "// @warp(index=i, size=n)\n// @before: ";
    EXPECT_TRUE(contains(error_of(loop + "if (a[i]) return\n" + kernel), "in.cu:2: return in a part that is repeated"));
    EXPECT_EQ(error_of(loop + "g([&] { return i; })\n" + kernel), "no error");
}

// A return of another function ends no replication.
TEST(Weave, AReturnOfALambdaOrALocalClass) {
    auto const error = [](std::string const& body) {
        return error_of("// @warp(index=i, size=n)\n__global__ void f(int* a) {\na[i] = 1;\n" + body + "\n}\n");
    };
    for (std::string const body :
         {"auto g = [&](int x) { return x; };", "a[i] = [] { return 1; }();",
          "g([](auto x) { if (x) { return 1; } return 2; });",
          "auto g = [a = T{1}](int) mutable noexcept -> int { return 1; };", "g([&] { return h([] { return 1; }); });",
          "struct S : B { int operator()(int x) const { return x; } };", "else [&] { return 1; }();",
          "// first\n[&] { return 1; }();"})
        EXPECT_EQ(error(body), "no error") << body;
    for (std::string const body :
         {"return;", "auto g = [] { return 1; }; return;", "if (a[0]) { return; }", "if (a[0]) [[likely]] { return; }",
          "for (auto& [k, v] : m) { return; }", "int b[2]; { return; }", "struct S s; { return; }",
          "for (struct S* s : all) { return; }", "g([] { return 1; }), h(); while (T{}[0]) { return; }"})
        EXPECT_TRUE(contains(error(body), "in.cu:4: return in a part that is repeated")) << body;
    // A lambda around the part is what the return leaves.
    EXPECT_TRUE(contains(error_of("__global__ void f() {\nauto g = [&] {\n// @warp(index=i, size=n): begin\nreturn "
                                  "i;\n// @warp: end\n};\n}\n"),
                         "in.cu:4: return in a part"));
}

TEST(Weave, ChecksTheNamesOfALoop) {
    auto const error = [](std::string const& options, std::string const& body,
                          std::string const& parameters = "int n") {
        return error_of("\n// @warp(" + options + ")\n__global__ void f(" + parameters + ") {\n" + body + "\n}\n");
    };
    std::string const streams = "index=i, size=n, stream=s, engine=E, seed=1";
    EXPECT_EQ(
        error("index=j, size=n", "a[i] = 1;"),
        "in.cu:2: the index j is not used (all replications would be equal) Give the names that the kernel uses.");
    EXPECT_TRUE(contains(error(streams, "p.i = p->s + T::s;"), "in.cu:2: the index i and the stream s are not used"));
    for (std::string const body : {"a = i;", "a = s();", "// the sum\ns();", "/* of p. */ i;", "#include \"body.inc\""})
        EXPECT_EQ(error(streams, body), "no error") << body;
    EXPECT_EQ(error_of("#define BODY a[i] = 1\n// @warp(index=i, size=n)\n__global__ void f() {\nBODY;\n}\n"),
              "no error");
    EXPECT_EQ(error_of("// @warp(index=i, size=n)\n// @count: a[i]\n__global__ void f() {\n}\n"), "no error");
    EXPECT_TRUE(
        contains(error_of("// @warp(index=i, size=n)\n// @count: a[0]\n__global__ void f() {\n}\n"), "is not used"));
    // A part begins anew.
    std::string const part = "// @warp(index=i, size=n): begin\n";
    EXPECT_TRUE(contains(error_of("__global__ void f() {\n" + part + "a[i] = 1;\n// @warp: end\n" + part +
                                  "a[j] = i.j;\n// @warp: end\n" + part + "a[j] = 1;\n// @warp: end\n}\n"),
                         "in.cu:8: the index i is not used"));

    EXPECT_TRUE(contains(error("index=n, size=count", "a[n] = 1;"),
                         "in.cu:2: n is declared twice (it would hide the parameter n of the kernel)"));
    EXPECT_TRUE(contains(error(streams, "a = i;", "int /* i */ n, E& s"), "in.cu:2: s is declared twice"));
    EXPECT_EQ(error(streams, "a = i;", "int /* i, */ n, s::E e, int t = 1"), "no error");
    EXPECT_TRUE(contains(error_of("__global__ void f(int i) {\n" + part + "a[i] = 1;\n// @warp: end\n}\n"),
                         "in.cu:2: i is declared twice"));
    // The parameters of a kernel are not those of the next function.
    EXPECT_EQ(error_of("__global__ void f(int i) {\n}\nvoid g() {\n" + part + "a[i] = 1;\n// @warp: end\n}\n"),
              "no error");
    for (std::string const body : {"int i = 1;", "for (unsigned i = 0; i < 3; ++i)\na[i] = 1;", "auto const s{1};"}) {
        EXPECT_TRUE(contains(error(streams, body), "in.cu:4: ")) << body;
        EXPECT_TRUE(contains(error(streams, body), "is declared twice (it would hide the ")) << body;
    }
    for (std::string const body : {"a = b ? i : s;", "if (a) i;\nelse i;", "g([](int i) { int s = i; return s; });",
                                   "struct S { int i; };\na = i;"})
        EXPECT_EQ(error(streams, body), "no error") << body;

    EXPECT_TRUE(contains(error("index=warpIdx, size=n", "a;"), "(index would hide warpIdx)"));
    EXPECT_TRUE(
        contains(error("index=i, size=n, stream=i, engine=E, seed=1", "i;"), "(index and stream have one name)"));
    EXPECT_TRUE(contains(error("index=n, size=n", "n;"), "(size is the same for all values of the index)"));
    EXPECT_EQ(error("index=n, size=p.n", "b[n];", "P p"), "no error");
}

TEST(Weave, BranchesOfIfAndMacros) {
    std::string const either =
        "// @warp\n#if A > 1\n__global__ void f(int a) {\n#else  // {\n__global__ void f() {\n#endif\n  int b;\n}\nint "
        "c;\n";
    std::string const woven = weave(either, "in.cu");
    EXPECT_TRUE(contains(line(woven, 4), "warpIdx =") && contains(line(woven, 6), "warpIdx =")) << woven;
    EXPECT_EQ(line(woven, 9), "}}");
    EXPECT_EQ(line(woven, 10), "int c;");
    std::string const inside =
        "__global__ void f() {\n// @warp: begin\n#ifdef A\nif (a) {\n#elif B\nif (b) {\n#else\n{\n#endif\n}\n// @warp: "
        "end\n}\n";
    EXPECT_EQ(error_of(inside), "no error");
    EXPECT_TRUE(contains(error_of("__global__ void f() {\n#if A\n// @warp: begin\n#endif\n// @warp: end\n}\n"),
                         "in.cu:4: the branches of #if differ"));
    EXPECT_TRUE(contains(error_of("// @warp\n__global__ void f() {\n#if A\n{\n#else\n#endif\n}\n"),
                         "in.cu:6: the branches of #if differ"));
    std::string const macros =
        "#define KERNEL(name) \\\n  __global__ void name(int* a) \n#define OPEN {\n// @warp\nKERNEL(f) {\n  a[warpIdx] "
        "= 1;\n}\n";
    EXPECT_EQ(line(weave(macros, "in.cu"), 8), "}}") << weave(macros, "in.cu");
}

// Advice is nested in the order of the annotations.
TEST(Weave, AspectsBeforeAndAfterAKernel) {
    std::string const woven = weave(
        "// @count: threads\n// @warp\n// @count: lanes\n// @before: begin(1)\n// @after: end(2)\n// @time: cycles\n"
        "__global__ void f() {\n  return;\n}\n",
        "in.cu");
    std::string const open = line(woven, 8);
    std::vector<std::string> const order = {"atomicAdd(&(threads), 1ull);",
                                            "if (",
                                            "atomicAdd(&(lanes), 1ull);",
                                            "begin(1);",
                                            "{ end(2); };",
                                            "clock64();"};
    std::size_t at = 0;
    for (std::string const& part : order) {
        EXPECT_GT(open.find(part), at) << part << " in " << open;
        at = open.find(part);
    }
    EXPECT_EQ(line(woven, 10), "}}");
    std::string const part =
        weave("// @count: n\n__global__ void f() {\n// @warp: begin\n  int a;\n// @warp: end\n}\n", "in.cu");
    EXPECT_TRUE(contains(line(part, 4), "warpIdx =")) << part;
    EXPECT_EQ(line(part, 7), "}");
    EXPECT_TRUE(contains(error_of("// @before:\n"), "in.cu:1: unknown annotation '@before:' (code is expected after"));
    EXPECT_TRUE(contains(error_of("\n// @count\n"), "in.cu:2: unknown annotation '@count' (code is expected after"));
    EXPECT_TRUE(contains(error_of("// @count: n\nint a;\n"), "in.cu:1: @count does not precede a kernel"));
    // Code of an annotation must not reach into the code around it.
    for (std::string const code :
         {"f(", "f)", "a[0", "] end()", "}", "a /* b", "a // b", "\"open", "'(", "R\"(x)\"", "a\\b"}) {
        EXPECT_TRUE(contains(error_of("\n// @after: " + code + "\n__global__ void f() {\n}\n"),
                             "in.cu:2: unknown annotation '@after: " + code.substr(0, 1)))
            << code;
    }
    for (std::string const code : {"f(a[0], '(')", "s = \"/* )\"", "n += 1'000", "f([&] { return 1; })"})
        EXPECT_TRUE(contains(weave("// @after: " + code + "\n__global__ void f() {\n}\n", "in.cu"), code)) << code;
    EXPECT_TRUE(contains(error_of("// @warp(index=i, size=n /* 3)\nint a;\n"), "brackets and quotes must be closed"));
    // Prose, and commands of documentation tools.
    std::string const prose = "// @after the war\n// @wrap all lines\n// @name: f\n// @par\n// @note\n// @date: 3\n";
    EXPECT_EQ(weave(prose, "in.cu"), "#line 1 \"in.cu\"\n" + prose);
    EXPECT_TRUE(
        contains(error_of("// @wrap\n__global__ void f() {\n}\n"), "unknown annotation '@wrap' (did you mean @warp?)"));
    EXPECT_TRUE(contains(error_of("// @wrap(lanes=4)\n"), "did you mean @warp?"));
    EXPECT_TRUE(
        contains(error_of("\n// @counts: n\n"), "in.cu:2: unknown annotation '@counts: n' (did you mean @count?)"));
}

// AspectC++'s way (section 5): a pointcut matches the names of kernels, and the source has no annotation.
TEST(Weave, AdviceMatchesTheNamesOfKernels) {
    std::string const text =
        "__global__ void __launch_bounds__(64)\nwlp_f(int* a) {\n}\n__global__ void g() {\n}\nvoid wlp_h() {\n}\n"
        "__global__ void wlp_declared();\n";
    std::string const woven = weave(text, "in.cu", {{"wlp_.*", "@warp(lanes=2)"}, {".*", "@count: n"}});
    EXPECT_EQ(count(woven, "warpIdx ="), 1u);
    EXPECT_TRUE(contains(line(woven, 3), "warpIdx =")) << woven;
    EXPECT_EQ(count(woven, "atomicAdd"), 2u);
    EXPECT_EQ(count(woven, "\n"), count(text, "\n") + 1);
    EXPECT_EQ(weave(listing1, "in.cu", {{"Other", "@warp"}}), weave(listing1, "in.cu"));
    EXPECT_THROW(weave(listing1, "in.cu", {{"TestKernel", "@warp"}}), bench::Error);
    EXPECT_THROW(weave(text, "in.cu", {{"wlp_.*", "@warp: begin"}}), bench::Error);
    EXPECT_THROW(weave(text, "in.cu", {{"wlp_.*", "warp"}}), bench::Error);
    EXPECT_THROW(weave(text, "in.cu", {{"wlp_(", "@warp"}}), bench::Error);
}

// Attributes may be anywhere around the name and the parameters.
TEST(Weave, AdviceKnowsAttributesOfKernels) {
    for (std::string const kernel :
         {"__global__ void f(int a) __launch_bounds__(32)", "__global__ void f(int a) __attribute__((noinline))",
          "__global__ __attribute__((used)) void f(int a) noexcept(true)", "[[gnu::used]] __global__ void f(int a)",
          "__global__ void f(int a) [[gnu::aligned(8)]]", "__global__ void __launch_bounds__(32, 2) f(int a)",
          "template <class T> __global__ void f(T a) requires(sizeof(T) == 4)",
          "__global__ auto f(int a) -> decltype(g())", "__global__ void f(T t = T{})",
          "template <> __global__ void f<int>(int a)", "template <> __global__ void f<(sizeof(int) > 3)>(int a)",
          "__global__ std::enable_if_t<sizeof(int) == 4> f(int a)",
          "__global__ __cluster_dims__(2, 1, 1) void f(int a)"}) {
        Matches matches;
        std::string const woven = weave(kernel + " {\n}\n", "in.cu", {{"f", "@count: n"}}, &matches);
        EXPECT_EQ(count(woven, "atomicAdd"), 1u) << kernel;
        EXPECT_EQ(matches.kernels, std::set<std::string>{"f"}) << kernel;
    }
    // A macro of the file may be such an attribute.
    Matches matches;
    weave(
        "#define BOUNDS(n) __launch_bounds__(n)\n#define FEW BOUNDS(32)\n__global__ void f(int a) BOUNDS(32) {\n}\n"
        "__global__ void BOUNDS(1) g() FEW {\n}\n",
        "in.cu", {}, &matches);
    EXPECT_EQ(matches.kernels, (std::set<std::string>{"f", "g"}));
}

// Several advices on one kernel are inserted on one line.
TEST(Weave, AdvisedGuardsHaveNamesOfTheirOwn) {
    std::string const woven =
        weave("__global__ void f() {\n}\n", "in.cu", {{"f", "@after: a()"}, {"f", "@time: t"}, {".", "@after: b()"}});
    for (char const* const number : {"1", "2", "3"})
        EXPECT_EQ(count(woven, std::string("auto const lockstep_after_") + number + " ="), 1u) << woven;
}

TEST(Weave, SaysWhichAdviceMatched) {
    Matches matches;
    weave("__global__ void f() {\n}\n__global__ void g() {\n}\n", "in.cu", {{"f", "@warp"}, {"h", "@warp"}}, &matches);
    EXPECT_EQ(matches.kernels, (std::set<std::string>{"f", "g"}));
    EXPECT_EQ(matches.advice, std::set<std::size_t>{0});
}

// Marks of comments in literals are none: what follows is still read.
TEST(Weave, ACommentOnALineForThePreprocessor) {
    for (std::string const directive :
         {"#define GLOB \"src/*.cu\"", "#define Q '\"' /* \" */", "#error don't /* stop */", "#if A  // /*"}) {
        std::string const end = directive.starts_with("#if") ? "\n#endif" : "";
        EXPECT_EQ(count(weave(directive + end + "\n// @warp\n__global__ void f() {\n}\n", "in.cu"), "warpIdx ="), 1u)
            << directive;
    }
    for (std::string const directive :
         {"#define A /* \" \n// @warp: end\n*/\n", "#define A \"/*\" /* \n// @warp: end\n*/\n"})
        EXPECT_EQ(weave(directive, "in.cu"), "#line 1 \"in.cu\"\n" + directive);
}

TEST(Weave, TheDiffHasTheChangedLines) {
    std::string const diff = woven_diff(listing2, weave(listing2, "in.cu"), "in.cu");
    EXPECT_TRUE(diff.starts_with(
        "--- in.cu\n+++ in.cu (woven)\n@@ -0,0 +1 @@\n+#line 1 \"in.cu\"\n@@ -3 +4 @@\n-    // @warp: begin\n"))
        << diff;
    EXPECT_TRUE(diff.ends_with("@@ -5 +6 @@\n-    // @warp: end\n+    }\n")) << diff;
    EXPECT_EQ(count(diff, "\n@@"), 3u);
}

// The committed woven file equals the output for the annotated source.
TEST(Weave, TheWovenKernelIsUpToDate) {
    std::string const source = "kernels/replications/warps_annotated.cu";
    EXPECT_EQ(weave(bench::read_file(source), source), bench::read_file("kernels/replications/warps_woven.cu"))
        << "run: lockstep weave " << source << " -o kernels/replications/warps_woven.cu";
}

TEST(Weave, TheAdvisedKernelIsUpToDate) {
    std::string const source = "kernels/replications/warps_plain.cu";
    EXPECT_EQ(weave(bench::read_file(source), source, {{"warps_advised", "@warp"}}),
              bench::read_file("kernels/replications/warps_advised.cu"))
        << "run: lockstep weave " << source
        << " --advise 'warps_advised=@warp' -o kernels/replications/warps_advised.cu";
}

}  // namespace
}  // namespace lockstep::replications::tests
