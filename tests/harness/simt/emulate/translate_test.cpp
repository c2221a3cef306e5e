// The translator of CUDA programs: what text becomes what text, and that lines keep their numbers.

#include "harness/simt/emulate/translate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/simt/emulate/tokens.hpp"

namespace lockstep::simt::emulate {
namespace {

std::vector<TranslatedFile> translated(std::map<std::string, std::string> const& files,
                                       std::vector<std::string> const& folders = {},
                                       std::vector<std::string> const& definitions = {}) {
    auto const read = [&](std::string const& path) -> std::optional<std::string> {
        auto const found = files.find(path);
        return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
    };
    return translate_program({"a.cu"}, folders, read, definitions);
}

// The translation of one file, without what stands before its first line.
std::string translated(std::string const& text) {
    std::string const all = translated(std::map<std::string, std::string>{{"a.cu", text}}).front().text;
    std::string const line = "#line 1 \"a.cu\"\n";
    return all.substr(all.find(line) + line.size());
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

// Brackets in comments, in literals and beside one another do not count.
TEST(Tokens, KnowHowDeepBracketsAre) {
    std::string const beside = "(){}[] \"((((\" /* {{{{ */ ";
    EXPECT_EQ(too_deep(tokens_of(beside + "{[(1)]}"), 3), nullptr);
    EXPECT_EQ(too_deep(tokens_of("}}" + beside + "\n{[(1)]}"), 2)->text, "(");
    std::string const deep(100000, '{');
    EXPECT_EQ(too_deep(tokens_of(deep), 256)->begin, 256u);
}

TEST(Tokens, TellCommentsLiteralsAndDirectives) {
    auto const tokens =
        tokens_of("a<<<1>>>b; // c<<<\n\"d<<<\" /* e */ R\"x(f)\" )x\" 1'000.5e+3 '<'\n#define g \\\n h\ni");
    std::string words;
    for (Token const& token : tokens) {
        words += std::string(token.text) + (token.directive == 0 ? " " : "# ");
    }
    EXPECT_EQ(words, "a < < < 1 > > > b ; \"d<<<\" R\"x(f)\" )x\" 1'000.5e+3 '<' ## define# g# h# i ");
    EXPECT_TRUE(is_triple(tokens, 1, '<'));
    EXPECT_FALSE(is_triple(tokens, 2, '<'));
}

TEST(Translate, LeavesWhatIsNotCuda) {
    std::string const text = "int main() { int a = 1 << 2; /* k<<<1, 1>>>(); */ return \"<<<\"[0] >> a; }\n";
    EXPECT_EQ(translated(text), text);
}

TEST(Translate, MakesALaunchACall) {
    EXPECT_EQ(translated("void f() { ns::k<int, 3><<<dim3(1, 2), n>>>(a, NULL); }"),
              "void f() { ::lockstep::simt::cuda::launch_kernel(dim3(1, 2), n, 0, 0, LOCKSTEP_TEXT_OF(ns::k<int, 3>), "
              "__LINE__, [=](auto... lockstep_arguments) { ns::k<int, 3>(lockstep_arguments...); }, a, nullptr); }");
}

TEST(Translate, KnowsTheHostsVariables) {
    auto const registers = [](std::string const& text, std::string const& name) {
        return contains(translated(text), " LOCKSTEP_OF_HOST(" + name + ")");
    };
    EXPECT_TRUE(registers("int h[32];", "h"));
    EXPECT_TRUE(registers("static ns::V<int> v, *w = 0;", "w"));
    EXPECT_TRUE(registers("void g() {} namespace n { int a = f(1), b[2] = {3}; }", "b"));
    EXPECT_TRUE(registers("int main() { f(); static int h[3]; }", "h"));
    EXPECT_TRUE(registers("static auto p = std::pair<int, float>{1, 2.f};", "p"));
    // Functions, types, members, references, constants; the device's; and what a macro may have made the device's.
    for (char const* const other : {"int h(int);",
                                    "struct S { int h[3]; };",
                                    "struct S { int x; } h;",
                                    "int S::h[3];",
                                    "int& h = x;",
                                    "extern int h[3];",
                                    "const int h[3] = {};",
                                    "constexpr int h = 3;",
                                    "using h = int[3];",
                                    "int main() { int h[3]; }",
                                    "__device__ int h[3];",
                                    "int __constant__ h[3];",
                                    "__global__ void k() { static int h; }",
                                    "__host__ __device__ void f() { static int h; }",
                                    "void f() { static auto [h, i] = g(); }",
                                    "void f() { static auto [h, i] = j; }",
                                    "void f() { g([=] __device__ (int i) { static int h; }); }",
                                    "void f() { auto g = [](int i) __device__ -> int { if (i) { static int h; } }; }",
                                    "static auto p = std::pair<int, h>{1, 2};",
                                    "int n = f<2, h>::value;",
                                    "#define L __device__\nvoid f() { g([=] L (int i) { static int h; }); }",
                                    "#define D __device__\nD int h[3];",
                                    "#define K __global__ void\nK k() { static int h; }"}) {
        EXPECT_FALSE(registers(other, "h")) << other;
        EXPECT_FALSE(registers(other, "auto")) << other;
    }
    EXPECT_TRUE(registers("void f() { g([=] __device__ (int i) { h(i); }); static int h; }", "h"));
    EXPECT_TRUE(registers("void f() { g([=](int i) { static int h; }); }", "h"));
    // A macro that the compiler gets.
    std::map<std::string, std::string> const file = {{"a.cu", "D int h[3];"}};
    EXPECT_TRUE(contains(translated(file)[0].text, "LOCKSTEP_OF_HOST(h)"));
    EXPECT_FALSE(contains(translated(file, {}, {"D=__device__"})[0].text, "LOCKSTEP_OF_HOST(h)"));
}

TEST(Translate, TellsCallsWhoseResultIsDiscarded) {
    std::string const told = "(LOCKSTEP_DISCARDED(\"cudaFree\") cudaFree(p));";
    for (char const* const call :
         {"cudaFree(p);", "if (p) cudaFree(p);", "else cudaFree(p);", "{ cudaFree(p); }",
          "TIME_IT(\"free\", { cudaFree(p); sync(); });", "g([&] { cudaFree(p); });", "x = ({ cudaFree(p); y; });"}) {
        EXPECT_TRUE(contains(translated("void f() { " + std::string(call) + " }"), told)) << call;
    }
    EXPECT_TRUE(contains(translated("#define FREE(p) do { cudaFree(p); } while (0)\n"), told));
    for (char const* const call :
         {"e = cudaFree(p);", "CHECK(cudaFree(p));", "return cudaFree(p);", "(void)cudaFree(p);", "ns::cudaFree(p);",
          "cudaFree(p) == 0;", "cudaGetLastError();", "cudaCheck(p);", "for (; cudaFree(p); ) {}",
          "for (cudaFree(p); cudaFree(p); cudaFree(p)) {}", "x = ({ g(); cudaFree(p); });", "M(g(); cudaFree(p); h());",
          "cudaSetDevice(1);", "cudaMallocChecked(p);", "cudaFreeAll();"}) {
        EXPECT_FALSE(contains(translated("void f() { " + std::string(call) + " }"), "DISCARDED")) << call;
    }
    EXPECT_FALSE(contains(translated("#define ALLOCATE(p) ({ cudaFree(p); })\n"), "DISCARDED"));
    EXPECT_FALSE(contains(translated("__global__ void f() { cudaFree(p); }"), "DISCARDED"));
    // Names of the program's own.
    for (char const* const own : {"#define cudaFree(p) g(p)\n", "void cudaFree(int* p) {}\n", "int* cudaFree(int);\n",
                                  "struct S { template <class T> T cudaFree(T* p); };\n"}) {
        EXPECT_FALSE(contains(translated(own + std::string("void f() { cudaFree(p); }")), "DISCARDED")) << own;
    }
    std::map<std::string, std::string> const file = {{"a.cu", "void f() { cudaFree(p); }"}};
    EXPECT_TRUE(contains(translated(file)[0].text, told));
    EXPECT_FALSE(contains(translated(file, {}, {"cudaFree(p)=g(p)"})[0].text, "DISCARDED"));
    // What is initialized by a call is not declared by it.
    EXPECT_TRUE(contains(translated("auto e = cudaFree(0);\nvoid f() { cudaFree(p); }"), told));
    EXPECT_TRUE(contains(translated("auto const e = [] { return cudaFree(0); }();\nvoid f() { cudaFree(p); }"), told));
    // Brackets in branches of #if.
    EXPECT_TRUE(contains(translated("void f() {\n#if A\nif (a\n#else\nif (b\n#endif\n) { cudaFree(p); } }"), told));
}

TEST(Translate, MakesAKernelKnownWhereItsUntypedAddressIsTaken) {
    std::string const kernels =
        "template <int n = f(3)> __global__ void __launch_bounds__(32) k(int* x) {}\n"
        "namespace ns { static void __global__ l() {} }\n";
    auto const of = [&](std::string const& body) { return translated(kernels + "void g() { " + body + " }"); };
    std::string const known = "::lockstep::simt::cuda::register_kernel(";
    EXPECT_TRUE(contains(of("p.func = (void *)k<4>;"), "= (void *)" + known + "k<4>, \"k<4>\");"));
    EXPECT_TRUE(contains(of("h((const void*)ns::l, 1);"), "(const void*)" + known + "ns::l, \"ns::l\"), 1);"));
    EXPECT_TRUE(
        contains(of("h(reinterpret_cast<void const*>(&ns::l));"), "<void const*>(" + known + "&ns::l, \"ns::l\")));"));
    for (char const* const other : {"h((void*)f);", "h((void**)l);", "h((void*)l(1));", "h((int*)l);",
                                    "h((void*)l[1]);", "h((void*)p->l.x);", "h((void*)"}) {
        EXPECT_FALSE(contains(of(other), known)) << other;
    }
    // A kernel of another file; a header that need not know CUDA.
    auto const files = translated({{"a.cu", "#include \"k.cuh\"\n#include \"h.h\"\nvoid f() { h((void*)m); }"},
                                   {"k.cuh", "__global__ void m() {}\n"},
                                   {"h.h", "inline void f(int* m) { h((void*)m); }"}});
    EXPECT_TRUE(contains(files[0].text, known + "m, \"m\")"));
    EXPECT_EQ(files[2].path, "h.h");
    EXPECT_FALSE(contains(files[2].text, known));
}

TEST(Translate, KeepsWhatStandsBeforeAKernel) {
    EXPECT_TRUE(contains(translated("void f() { if (x) k<<<1, 1, 2, s>>>(); }"),
                         "if (x) ::lockstep::simt::cuda::launch_kernel(1, 1, 2, s, LOCKSTEP_TEXT_OF(k)"));
    EXPECT_TRUE(contains(translated("void f() { y = a < b; kernels[i]<<<1, 1>>>(); }"),
                         "y = a < b; ::lockstep::simt::cuda::launch_kernel(1, 1, 0, 0, LOCKSTEP_TEXT_OF(kernels[i])"));
    EXPECT_TRUE(contains(translated("#define L(k) k<<<1, 1>>>()\n"), "#define L(k) ::lockstep::simt::cuda::launch"));
}

TEST(Translate, MakesSharedVariablesReferences) {
    std::string const text = translated("__global__ void k() { __shared__ volatile float t[4][5], *p, s; }");
    EXPECT_TRUE(contains(text, "typedef  volatile float lockstep_type_"));
    for (char const* const name : {"t", "p", "s"}) {
        EXPECT_TRUE(contains(text, std::string("; auto& ") + name + " = ::lockstep::simt::emulator::static_shared<"))
            << name;
    }
    EXPECT_TRUE(contains(translated("__global__ void k() { extern __shared__ T x[]; }"), "dynamic_shared<"));
}

TEST(Translate, RepeatsASharedVariableOfTheFileInItsUsers) {
    std::string const text = translated(
        "extern __shared__ int x[];\n"
        "__device__ int f() { return x[0]; }\n"
        "__device__ int g(int* x) { return x[0]; }\n"
        "__device__ int h() { __shared__ int x[2]; return x[0]; }\n"
        "__device__ int i(S s) { return s.x; }\n");
    EXPECT_TRUE(contains(text, "f() { typedef"));
    EXPECT_TRUE(contains(text, "g(int* x) { return"));
    EXPECT_TRUE(contains(text, "i(S s) { return"));
    EXPECT_EQ(text.find("dynamic_shared"), text.rfind("dynamic_shared"));
}

TEST(Translate, MakesDeviceVariablesLocalAndRegistersThem) {
    std::string const text = translated(
        "__constant__ float c[4];\nnamespace n { __device__ int x = 1, y; }\n"
        "__device__ int f(int x);\n__device__ int g() { return 1; }\nextern __device__ int z;\n__device__ int z;\n");
    EXPECT_TRUE(contains(text,
                         "LOCKSTEP_GUARDED static __constant__ float c[4]; LOCKSTEP_GUARD [[maybe_unused]] static bool "
                         "const lockstep_registered_c"));
    EXPECT_TRUE(contains(text, "register_guarded_variable(c, true, \"c\")"));
    EXPECT_TRUE(contains(text, "register_guarded_variable(y, false, \"y\")"));
    EXPECT_TRUE(contains(text, "\n__device__ int f(int x);\n__device__ int g() { return 1; }\n"));
    EXPECT_FALSE(contains(translated("__device__ __shared__ int s[4];\n"), "register"));
    EXPECT_TRUE(contains(text, "extern __device__ int z;\nLOCKSTEP_GUARDED __device__ int z; LOCKSTEP_GUARD"));
}

// So that a guard is between the variables.
TEST(Translate, SplitsDeclarationsOfDeviceVariables) {
    auto const starts = [](std::string const& text, std::string const& declarations) {
        return translated(text).substr(0, declarations.size()) == declarations;
    };
    EXPECT_TRUE(
        starts("__device__ int x[2][3], *y = 0, (*z)[4];",
               "LOCKSTEP_GUARDED static __device__ int x[2][3]; LOCKSTEP_GUARDED static __device__ int  *y = 0"));
    EXPECT_TRUE(starts("__device__ const V<int*>* x, y;",
                       "LOCKSTEP_GUARDED static __device__ const V<int*>* x; LOCKSTEP_GUARDED static __device__ const "
                       "V < int * >  y; LOCKSTEP_GUARD"));
    // The second one would define the type again; the comma of a template; a place that is not the file's own.
    EXPECT_TRUE(starts("__device__ struct { int i; } x, y;",
                       "LOCKSTEP_GUARDED static __device__ struct { int i; } x, y; LOCKSTEP_GUARD"));
    EXPECT_TRUE(starts("__device__ int x = f<1, n>(), y;",
                       "LOCKSTEP_GUARDED static __device__ int x = f<1, n>(), y; LOCKSTEP_GUARD"));
    EXPECT_TRUE(starts("inline __device__ int x;", "inline __device__ int x; [[maybe_unused]]"));
}

TEST(Translate, MarksTheEntryOfEachKernelWithItsBounds) {
    EXPECT_EQ(translated("__global__ void k() {}"), "__global__ void k() { LOCKSTEP_KERNEL_ENTRY()}");
    EXPECT_EQ(translated("template <int n> __global__ void __launch_bounds__(V<n>::x,\n2) k(int* x) { *x = 1; }"),
              "template <int n> __global__ void __launch_bounds__(V<n>::x,\n2) k(int* x) { "
              "LOCKSTEP_KERNEL_ENTRY(V < n > :: x , 2) *x = 1; }");
    EXPECT_FALSE(contains(translated("__global__ void k();\n__device__ void f() {}\nvoid g() {}"), "ENTRY"));
}

TEST(Translate, RefusesInDeviceCodeOnly) {
    EXPECT_TRUE(
        contains(translated("__device__ void f() { asm volatile(\"trap;\"); }"), "lockstep_refused_inline_ptx"));
    EXPECT_TRUE(contains(translated("__global__ void f() { k<<<1, 1>>>(); }"), "lockstep_refused_dynamic_parallelism"));
    EXPECT_TRUE(contains(translated("__global__ void f() { p = new int; }"), "lockstep_refused_device_new"));
    EXPECT_TRUE(contains(translated("__global__ void f() { p = malloc(4); }"), "lockstep_refused_device_malloc"));
    EXPECT_FALSE(contains(translated("void f() { p = new int; q = malloc(4); asm(\"nop\"); }"), "lockstep_refused"));
    EXPECT_FALSE(
        contains(translated("__device__ void f() { asm volatile(\"\" ::: \"memory\"); }"), "lockstep_refused"));
    EXPECT_EQ(refused_feature("lockstep_refused_inline_ptx"), "inline PTX");
    EXPECT_EQ(refused_feature("cublasCreate_v2"), "the library cuBLAS");
    EXPECT_EQ(refused_feature("cudaGraphConditionalHandleCreate"), "conditional nodes of CUDA graphs");
    EXPECT_EQ(refused_feature("cudaGraphSetConditional"), "conditional nodes of CUDA graphs");
    EXPECT_EQ(refused_feature("cudaGraphInstantiateFlagDeviceLaunch"), "launches of graphs on the device");
    EXPECT_EQ(refused_feature("cudaGetCurrentGraphExec"), "launches of graphs on the device");
    EXPECT_EQ(refused_feature("cudaGraphDebugDotPrint"), "a part of CUDA graphs that is not declared");
    EXPECT_EQ(refused_feature("cudaGraphicsMapResources"), "graphics interoperation");
    EXPECT_EQ(refused_feature("lockstep_refused/cub/cub.cuh"), "a part of CUB that is not declared");
    EXPECT_EQ(refused_feature("printf"), std::nullopt);
    EXPECT_TRUE(refused_feature("__all") && refused_feature("cub::BlockScan"));
    EXPECT_EQ(refused_feature("__alloc_traits"), std::nullopt);
    EXPECT_EQ(refused_feature("cubes"), std::nullopt);
}

TEST(Translate, MarksTheLoopsOfDeviceCodeWithTheirUnrolling) {
    EXPECT_EQ(translated("void f() { for (;;); }"), "void f() { for (;;); }");
    EXPECT_EQ(translated("__device__ void f() { for (;g();) for (;g();); }"),
              "__device__ void f() { LOCKSTEP_LOOP(100) for (;g();) LOCKSTEP_LOOP(100) for (;g();); }");
    EXPECT_EQ(translated("__global__ void f() {\n#pragma unroll 4\nfor (;g(););\n#pragma unroll\nfor (;g();); }"),
              "__global__ void f() { LOCKSTEP_KERNEL_ENTRY()\n#pragma unroll 4\nLOCKSTEP_LOOP(4) for (;g(););\n#pragma "
              "unroll\n"
              "LOCKSTEP_LOOP(100) for (;g();); }");
    EXPECT_EQ(translated("__device__ void f() { for (int x : {1, 2}) g(x); }"),
              "__device__ void f() { LOCKSTEP_LOOP(100) for (int x : {1, 2}) g(x); }");
}

TEST(Translate, MarksLocalConstantsThatMayBeOfAClass) {
    auto const in_device_code = [](std::string const& text) {
        return translated("__device__ void f() { " + text + " }");
    };
    auto const marked = [](std::string const& text) { return "__device__ void f() { " + text + " }"; };
    EXPECT_EQ(in_device_code("T const x = g();"), marked("LOCKSTEP_CONSTANT(T) x = g();"));
    EXPECT_EQ(in_device_code("const a::B<c, 2>::D x = g();"), marked("LOCKSTEP_CONSTANT(a::B<c, 2>::D) x = g();"));
    EXPECT_EQ(in_device_code("{ typename T::U const x = 1; }"), marked("{ LOCKSTEP_CONSTANT(typename T::U) x = 1; }"));
    for (std::string const other :
         {"int const x = 1;", "unsigned const x = 1;", "auto const x = g();", "T const& x = g();", "T const* x = g();",
          "T const x{1};", "static T const x = g();", "T x = g();", "constexpr T x = g();", "if (a < b) x = c;"})
        EXPECT_EQ(in_device_code(other), marked(other));
    EXPECT_EQ(translated("void f() { T const x = g(); }"), "void f() { T const x = g(); }");
}

// g++ refuses to unroll them.
TEST(Translate, DoesNotMarkLoopsWithoutACondition) {
    for (std::string const loop :
         {"for (;;) g();", "for (int i = f(1, 2);; ++i) g();", "for (auto h = [] { g(); };;);"})
        EXPECT_EQ(translated("__device__ void f() { " + loop + " }"), "__device__ void f() { " + loop + " }");
}

TEST(Translate, FollowsTheProgramsOwnIncludes) {
    auto const files = translated({{"a.cu", "#include \"sub/b.cuh\"\n#include <c.h>\n#include <vector>\n"},
                                   {"sub/b.cuh", "#include \"d.h\"\n__constant__ int x;\n"},
                                   {"sub/d.h", "#include \"b.cuh\"\n"},
                                   {"include/c.h", "int c;\n"}},
                                  {"include"});
    ASSERT_EQ(files.size(), 4u);
    EXPECT_TRUE(contains(files[0].text, "#include \"1.hpp\"\n#include \"2.hpp\"\n#include <vector>\n"));
    EXPECT_EQ(files[1].path, "sub/b.cuh");
    EXPECT_TRUE(contains(files[1].text, "static __constant__ int x;"));
    EXPECT_EQ(files[3].text, "#line 1 \"sub/d.h\"\n#include \"1.hpp\"\n");
}

// Each text has as many lines as before, and the word `here` on the same one.
TEST(Translate, KeepsLineNumbers) {
    for (std::string const text : {
             "void f() {\n  k\n  <int>\n  <<<1,\n  2>>>(a,\n  b); here\n}\n",
             "__global__ void k() {\n  __shared__\n  float t[2], // c\n  s;\n  here\n}\n",
             "__shared__\nint x\n[2];\n__global__ void k() { x[0] = 1; here }\n",
             "__device__ void f() {\n  asm(\"a\"\n  \"b\" : :\n  \"r\"(x)); here\n}\n",
             "#define M(k) \\\n  k<<<1, \\\n  2>>>()\nhere\n",
         }) {
        std::string const result = translated(text);
        auto const lines = [](std::string const& t) { return std::count(t.begin(), t.end(), '\n'); };
        EXPECT_EQ(lines(result), lines(text)) << result;
        EXPECT_EQ(lines(result.substr(0, result.find("here"))), lines(text.substr(0, text.find("here")))) << result;
    }
}

// Texts that are no C++ do not crash the translator.
TEST(Translate, SurvivesDamagedText) {
    std::string const text =
        "template <class T> __global__ void k(T* a) { __shared__ T t[4]; asm(\"x\"); f<T><<<1, (2)>>>(a[0]); }\n"
        "#if A\n__constant__ int c[2] = {1, 2};\n#endif\n";
    for (std::size_t i = 0; i < text.size(); ++i) {
        static_cast<void>(translated(text.substr(0, i)));
        static_cast<void>(translated(text.substr(i)));
        std::string changed = text;
        for (char const c : {'<', '(', ')', '"', ';', '{', '}'}) {
            changed[i] = c;
            static_cast<void>(translated(changed));
        }
    }
}

}  // namespace
}  // namespace lockstep::simt::emulate
