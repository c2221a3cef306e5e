#pragma once
// One run of the passes: memory, the main loop of Listing 3, and what the host reads back.

#include "kernels/term_rewriting/as_printed/engine.hpp"
#include "kernels/term_rewriting/as_printed/memory.hpp"

namespace lockstep::term_rewriting::as_printed {

class Run {
public:
    // All of them outlive the run. `memory_limit` is that of the columns.
    Run(System const& system, jit::Device& device, Options const& options, jit::Kernels const& kernels,
        std::uint64_t memory_limit);

    // Brings the input to the device; false where there is no room.
    bool upload(Input const& input);
    // Once after upload().
    Outcome rewrite(Limits const& limits);

    std::uint64_t memory_limit() const { return memory_limit_; }
    std::uint64_t digest(unsigned root);
    std::vector<Pass> const& passes() const { return passes_; }
    Columns const& columns() const { return memory_.columns(); }
    unsigned n() const { return n_; }
    unsigned max_n() const { return max_n_; }

private:
    End passes_until_normal(Limits const& limits, double start, Outcome& outcome);
    void prepare_pass();
    void read_control();
    // The kernels of one pass in each order; `done_` says afterwards whether every term is normal.
    void pass();
    void topology_pass();
    void binned_pass();
    void worklist_pass();
    void copy_columns();
    void launch(std::string const& name, unsigned threads);
    void launch(std::string const& name, unsigned threads, void const* arguments);
    bool make_room();
    bool grow_ahead();
    bool grow(unsigned free);
    unsigned free_slots();
    void collect_all();
    void mark();
    void record_pass();
    void read_times();
    std::vector<std::uint64_t> applications();

    jit::Device& device_;
    Options const& options_;
    jit::Kernels const& kernels_;
    std::uint64_t memory_limit_;
    std::size_t rules_;
    std::size_t symbols_;
    unsigned copies_;
    jit::DeviceArray<Control> control_;
    jit::DeviceArray<Wide> applications_;
    jit::DeviceArray<unsigned> bins_;
    ColumnMemory memory_;

    Control host_ = {};
    Flags flags_ = {};  // of the last pass, all copies as one
    unsigned n_ = 0;    // slots in use, slot 0 among them
    unsigned max_n_ = 0;
    unsigned first_free_ = 0;  // front of the free list before the pass
    unsigned taken_ = 0;       // slots that the last pass gave to new terms
    unsigned listed_ = 0;      // entries of the list that the next kernel goes through
    bool swapped_ = false;     // the two lists are exchanged
    bool done_ = false;
    unsigned max_free_ = 0;
    unsigned standstill_ = 0;
    std::vector<Pass> passes_;
};

}  // namespace lockstep::term_rewriting::as_printed
