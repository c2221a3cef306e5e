#pragma once
// The main loop of Listing 3: passes over all slots until every term is normal, on a GPU or in the emulator.

#include <memory>
#include <vector>

#include "common/term_rewriting/engine.hpp"
#include "harness/jit/device.hpp"
#include "kernels/term_rewriting/as_printed/columns.hpp"
#include "kernels/term_rewriting/as_printed/program.hpp"

namespace lockstep::term_rewriting::as_printed {

// What one pass did.
struct Pass {
    std::uint64_t redexes = 0;  // rewritten
    std::uint64_t slots = 0;    // in use when the pass began
    double derive_seconds = 0;  // in the derive kernel
    double seconds = 0;         // on the device in total
    // Counted by an instrumented program.
    Wide own_bytes = 0;     // at the thread's own slot, and in the two copies of columns
    Wide random_bytes = 0;  // at other slots
    Wide random_accesses = 0;
    Wide atomics = 0;
    Wide checks = 0;       // whether a subterm is normal
    Wide allocations = 0;  // indices taken and freed
};

// A term that can be written to the device as the first pass expects it.
class Input {
public:
    virtual ~Input() = default;
    // Slots 1 .. terms() hold the term; root() is the slot of its root.
    virtual std::uint64_t terms() const = 0;
    virtual unsigned root() const = 0;
    // Fills hss, arguments, nf (0), and, if these columns exist, refcounts and last_checked (0). The root gets one
    // extra reference, so that it is never garbage.
    virtual void write(jit::Device& device, Columns const& columns) const = 0;
};

// Takes the input from terms on the host. `terms` need not outlive the result.
std::unique_ptr<Input> input_from(System const& system, Terms const& terms, TermId input);

class Run;

class TopologyEngine : public Engine {
public:
    // Compiles the program unless it is built in or already loaded. The system must outlive the engine. Throws
    // bench::Error.
    TopologyEngine(System const& system, jit::Device& device, Options const& options);
    ~TopologyEngine() override;

    void load(Terms const& terms, TermId input) override;
    void load(std::unique_ptr<Input> input);
    // A run rewrites the input in place.
    bool consumes_input() const override { return true; }
    void prepare() override;
    Outcome run(Limits const& limits) override;
    TermId normal_form(Terms& terms) override;
    // Computes digest_of() of the normal form on the device.
    std::uint64_t normal_form_digest() override;
    // Slots, and, with Options::traces, what each pass did.
    bench::Metrics metrics() const override;

    // Passes of the last run; empty without Options::traces.
    std::vector<Pass> const& passes() const;
    // Largest number of slots in use at once, and number of slots allocated at the end.
    std::uint64_t slots_used() const;
    std::uint64_t slots_held() const;

private:
    bool upload(std::uint64_t memory_limit);

    System const& system_;
    jit::Device& device_;
    Options options_;
    jit::Kernels const& kernels_;
    std::unique_ptr<Input> input_;
    std::unique_ptr<Run> run_;
    bool prepared_ = false;
};

std::unique_ptr<Engine> make_engine(System const& system, simt::Machine machine, Options const& options = {});

}  // namespace lockstep::term_rewriting::as_printed
