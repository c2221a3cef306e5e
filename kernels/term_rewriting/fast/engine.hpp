#pragma once
// The engine `fast`: innermost rewriting on the GPU or in the emulator, depth-first on each lane. Idle lanes get work
// from busy ones. METHOD.md of the experiment explains the design.

#include <memory>

#include "common/term_rewriting/engine.hpp"
#include "harness/jit/device.hpp"
#include "harness/jit/kernel_text.hpp"
#include "kernels/term_rewriting/fast/program.hpp"

namespace lockstep::term_rewriting::fast {

class HeapInput;
class Run;

// What the last run did, summed over lanes.
struct Measures {
    std::uint64_t lanes = 0;
    std::uint64_t roots = 0;  // tasks at the start
    std::uint64_t launches = 0;
    std::uint64_t collections = 0;
    std::uint64_t warp_turns = 0;
    std::uint64_t lane_turns = 0;
    std::uint64_t splits = 0;
    std::uint64_t spills = 0;
    std::uint64_t rounds = 0;
    double idle_share = 0;               // of the time in rounds: at least seven eighths of the lanes had no work
    std::uint64_t longest = 0;           // turns of the warp with the most turns in one launch
    std::uint64_t warps_with_work = 0;   // summed over launches
    std::uint64_t blocks_with_work = 0;  // summed over launches
    std::uint64_t granules = 0;          // allocated since the last collection
};

class FastEngine : public Engine {
public:
    FastEngine(System const& system, jit::Device& device, Options const& options);
    ~FastEngine() override;

    void load(Terms const& terms, TermId input) override;
    void make_ready(Limits const& limits) override;
    Outcome run(Limits const& limits) override;
    std::size_t independent_terms() const override;
    TermId normal_form(Terms& terms) override;
    void write_normal_form(PrintStyle const& style, Write const& write) override;
    std::uint64_t normal_form_digest() override;
    bench::Metrics metrics() const override;

    Measures const& measures() const;

private:
    System const& system_;
    jit::Device& device_;
    Options options_;
    Program program_;
    jit::Kernels const& kernels_;
    std::unique_ptr<HeapInput> input_;
    std::unique_ptr<Run> run_;
};

jit::KernelText kernel_text(Program const& program);

// On a GPU with general_options() for the system. In the emulator with the first options, whose kernels compile sooner.
std::unique_ptr<Engine> make_engine(System const& system, simt::Machine machine);
// The kernels of that engine.
jit::KernelText engine_text(System const& system, simt::Machine machine);

}  // namespace lockstep::term_rewriting::fast
