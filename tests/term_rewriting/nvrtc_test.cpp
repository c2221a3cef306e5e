// NVRTC compiles the generated GPU code with the embedded headers, without an include path and without a GPU.

#include <gtest/gtest.h>
#include <nvrtc.h>

#include <string>
#include <vector>

#include "common/term_rewriting/language/parse.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/nvrtc.hpp"
#include "harness/simt/device_headers.hpp"
#include "kernels/term_rewriting/as_printed/program.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"
#include "kernels/term_rewriting/kernel_context.hpp"

namespace lockstep::term_rewriting {
namespace {

// Every function of a store, over columns, with one thread per term.
std::string const probe = R"(
namespace lockstep::term_rewriting::generated::cuda {

struct ProbeStore {
    unsigned* symbols_of;
    unsigned* const* columns;
    unsigned* references;
    unsigned* fresh;
    unsigned long long* counts;
    bool* normal;

    __device__ unsigned symbol(unsigned term) const { return symbols_of[term]; }
    __device__ unsigned argument(unsigned term, unsigned i) const { return columns[i][term]; }
    template <unsigned count>
    __device__ bool reserve() const {
        return *fresh < 1000u - count;
    }
    __device__ unsigned make(unsigned symbol, unsigned references) {
        unsigned const term = atomicAdd(fresh, 1u);
        symbols_of[term] = symbol;
        refer(term, references);
        return term;
    }
    template <unsigned count>
    __device__ unsigned make(unsigned symbol, unsigned references, unsigned const (&arguments)[count]) {
        unsigned const term = make(symbol, references);
        for (unsigned i = 0; i < count; ++i)
            columns[i][term] = arguments[i];
        return term;
    }
    __device__ void refer(unsigned term, unsigned times) { atomicAdd(&references[term], times); }
    __device__ void drop(unsigned term) { atomicSub(&references[term], 1u); }
    __device__ void become(unsigned term, unsigned symbol) { symbols_of[term] = symbol; }
    template <unsigned count>
    __device__ void become(unsigned term, unsigned symbol, unsigned const (&arguments)[count]) {
        for (unsigned i = 0; i < count; ++i)
            columns[i][term] = arguments[i];
        symbols_of[term] = symbol;
    }
    template <unsigned count>
    __device__ void become_stuck(unsigned term, unsigned symbol, unsigned const (&arguments)[count]) {
        become(term, symbol, arguments);
        normal[term] = true;
    }
    __device__ void become_stuck(unsigned term, unsigned symbol) {
        become(term, symbol);
        normal[term] = true;
    }
    __device__ void become_copy(unsigned term, unsigned other) {
        unsigned const symbol = symbols_of[other];
        for (unsigned i = 0; i < arity_of(symbol); ++i)
            columns[i][term] = columns[i][other];
        symbols_of[term] = symbol;
    }
    __device__ bool compare(unsigned left, unsigned right, bool& equal) const {
        equal = left == right;
        return true;
    }
    __device__ void count(unsigned rule) { atomicAdd(&counts[rule], 1ull); }
};

extern "C" __global__ void probe(ProbeStore store, unsigned terms) {
    unsigned const term = blockIdx.x * blockDim.x + threadIdx.x;
    if (term < terms && !rewrite_step(store, term))
        store.normal[term] = true;
}

}  // namespace lockstep::term_rewriting::generated::cuda
)";

void expect_compiles(std::string const& source, bool succeeds) {
    std::vector<char const*> names;
    std::vector<char const*> texts;
    for (simt::EmbeddedText const& header : simt::device_headers()) {
        names.push_back(header.name);
        texts.push_back(header.text);
    }
    nvrtcProgram program = nullptr;
    ASSERT_EQ(nvrtcCreateProgram(&program, source.c_str(), "generated.cu", static_cast<int>(names.size()), texts.data(),
                                 names.data()),
              NVRTC_SUCCESS);
    std::vector<char const*> const options{"--std=c++20", "--gpu-architecture=compute_90"};
    bool const compiled =
        nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data()) == NVRTC_SUCCESS;
    std::size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, ' ');
    nvrtcGetProgramLog(program, log.data());
    EXPECT_EQ(compiled, succeeds) << log;
    nvrtcDestroyProgram(&program);
}

TEST(Nvrtc, CompilesGeneratedSteps) {
    for (std::string const file : {"tree_merge_sort.trs", "transformation_tree.trs", "condition_order.rec",
                                   "hundred_arguments.trs", "integers.trs"}) {
        System const system = parse_system("experiments/term_rewriting/systems/" + file, bench::read_file);
        expect_compiles(generate_cuda(system) + probe, true);
    }
}

// With the engine's options, for the GPU of the results and for a GPU that this NVRTC does not know.
TEST(Nvrtc, CompilesTheRewriterInPasses) {
    using as_printed::Order;
    struct {
        std::string file;
        as_printed::Options options;
        int capability;
    } const compiled[] = {
        {"condition_order.rec", {.order = Order::binned, .decision_trees = true}, 90},
        {"stuck.rec", {.order = Order::worklist, .net_references = true}, 90},
        {"lists.rec", {.counts_traffic = true}, 999},
        {"condition_order.rec", {.takes_together = true, .counts_rewrites = false}, 90},
        {"lists.rec", {.steps_per_pass = 8}, 90},
    };
    for (auto const& [file, options, capability] : compiled) {
        System const system = parse_system("experiments/term_rewriting/systems/" + file, bench::read_file);
        jit::KernelText const program = as_printed::program_text(system, options);
        std::string const image = jit::nvrtc_image(program.text, capability, kernel_context());
        for (std::string const& entry : program.entries)
            EXPECT_NE(image.find(jit::gpu_symbol(program, entry)), image.npos) << file << ", " << entry;
    }
}

// The engine `fast` with every kind of step: conditions, more arguments than registers, parts of right sides, and walks
// along lists.
TEST(Nvrtc, CompilesTheFastRewriter) {
    struct {
        std::string file;
        fast::Options options;
        std::string contains;
    } const compiled[] = {{"condition_order.rec", {}, "a condition of rule"},
                          {"hundred_arguments.trs", {}, {}},
                          {"integers.trs", {}, "after call"},
                          {"queens.rec", fast::narrow_options({}), ", part"},
                          {"list_of_lists.trs", fast::walking_options({}), ", walk"}};
    for (auto const& [file, options, contains] : compiled) {
        System const system = parse_system("experiments/term_rewriting/systems/" + file, bench::read_file);
        fast::Program const program = fast::make_program(system, options);
        if (file == "hundred_arguments.trs")
            EXPECT_LT(program.registers, 100u) << "the other arguments are elsewhere";
        else
            EXPECT_NE(program.text.find(contains), std::string::npos) << file;
        jit::KernelText const text = fast::kernel_text(program);
        std::string const image = jit::nvrtc_image(text.text, 90, kernel_context());
        for (std::string const& entry : text.entries)
            EXPECT_NE(image.find(jit::gpu_symbol(text, entry)), image.npos) << file << ", " << entry;
    }
}

// Negative control: the code uses the store, so it does not compile without any one of its functions.
TEST(Nvrtc, NeedsEveryFunctionOfTheStore) {
    System const system = parse_system("experiments/term_rewriting/systems/condition_order.rec", bench::read_file);
    std::string broken = probe;
    broken.replace(broken.find("bool compare"), 12, "bool another");
    expect_compiles(generate_cuda(system) + broken, false);
}

}  // namespace
}  // namespace lockstep::term_rewriting
