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
    std::uint64_t slots = 0;    // in use when it began
    double derive_seconds = 0;  // of the derive kernel
    double seconds = 0;         // of everything on the device
    Wide own_bytes = 0;         // of an instrumented program: at the thread's own slot, and the two copies
    Wide random_bytes = 0;      // and at others
    Wide atomics = 0;
    Wide checks = 0;  // of subterms, whether they are normal
};

// A term that lies on the device, as it is before the first pass.
class Input {
public:
    virtual ~Input() = default;
    // Slots 1 .. terms() hold it; `root` is the slot of the whole.
    virtual std::uint64_t terms() const = 0;
    virtual unsigned root() const = 0;
    // Fills hss, arguments, nf (0), and refcounts and last_checked (0) where there are such columns. The root has one
    // reference of its own.
    virtual void write(jit::Device& device, Columns const& columns) const = 0;
};

// From terms on the host. `terms` need not outlive it.
std::unique_ptr<Input> input_from(System const& system, Terms const& terms, TermId input);

class Run;

class TopologyEngine : public Engine {
public:
    // Compiles the program where it has to be. The system outlives the engine. Throws bench::Error.
    TopologyEngine(System const& system, jit::Device& device, Options const& options);
    ~TopologyEngine() override;

    void load(Terms const& terms, TermId input) override;
    void load(std::unique_ptr<Input> input);
    // A run rewrites the input where it lies.
    bool consumes_input() const override { return true; }
    void prepare() override;
    Outcome run(Limits const& limits) override;
    TermId normal_form(Terms& terms) override;
    // digest_of() the normal form, found on the device.
    std::uint64_t normal_form_digest() override;
    // Slots, and what each pass did where the options ask for it.
    bench::Metrics metrics() const override;

    // Of the last run, where the options ask for it.
    std::vector<Pass> const& passes() const;
    // Most slots in use at once, and slots that there was room for at the end.
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
