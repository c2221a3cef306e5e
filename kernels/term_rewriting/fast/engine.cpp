#include "kernels/term_rewriting/fast/engine.hpp"

#include "kernels/term_rewriting/fast/run.hpp"
#include "kernels/term_rewriting/kernel_context.hpp"

namespace lockstep::term_rewriting::fast {

jit::KernelText kernel_text(Program const& program) {
    std::string const here = "lockstep::term_rewriting::";
    jit::KernelText text = {"#include \"kernels/term_rewriting/fast/collect.hpp\"\n" + program.text, program.name, {}};
    std::string const constants = "lockstep::term_rewriting::fast::";
    std::string const bounds =
        "__launch_bounds__(" + constants + "max_threads, " + constants + "blocks_per_multiprocessor)";
    text.add_entry("rewrite",
                   here + "fast::LOCKSTEP_MACHINE::rewrite<" + here + program.name + "::LOCKSTEP_MACHINE::Program>",
                   here + "fast::Parameters", bounds);
    if (program.ramps)
        text.add_entry("ramp",
                       here + "fast::LOCKSTEP_MACHINE::ramp<" + here + program.name + "::LOCKSTEP_MACHINE::Program>",
                       here + "fast::Parameters", bounds);
    for (std::string const entry : {"collect_roots", "collect_scan"})
        text.add_entry(entry, here + "fast::LOCKSTEP_MACHINE::" + entry, here + "fast::Collection");
    return text;
}

FastEngine::FastEngine(System const& system, jit::Device& device, Options const& options)
    : system_(system),
      device_(device),
      options_(options),
      program_(make_program(system, options)),
      kernels_(device.load(kernel_text(program_), kernel_context())) {}

FastEngine::~FastEngine() = default;

void FastEngine::load(Terms const& terms, TermId input) {
    run_.reset();
    input_ = std::make_unique<HeapInput>(program_, system_, terms, input, options_.max_roots);
}

void FastEngine::make_ready(Limits const& limits) {
    if (run_ != nullptr && run_->limit() == limits.memory)
        return;
    run_.reset();  // frees its memory before the new run allocates
    run_ = std::make_unique<Run>(program_, device_, options_, kernels_, *input_, limits);
}

Outcome FastEngine::run(Limits const& limits) {
    make_ready(limits);
    return run_->run(system_.rules.size(), limits);
}

std::size_t FastEngine::independent_terms() const { return input_ == nullptr ? 1 : input_->roots().size(); }

TermId FastEngine::normal_form(Terms& terms) {
    HeapTerms const heap = run_->normal_form();
    return heap.add_to(terms, run_->result());
}

void FastEngine::write_normal_form(PrintStyle const& style, Write const& write) {
    HeapTerms const heap = run_->normal_form();
    heap.write(run_->result(), style, write);
}

std::uint64_t FastEngine::normal_form_digest() {
    HeapTerms const heap = run_->normal_form();
    return heap.digest(run_->result());
}

Measures const& FastEngine::measures() const { return run_->measures(); }

bench::Metrics FastEngine::metrics() const {
    Measures const& of_run = measures();
    auto const varying = [](std::uint64_t number) { return bench::Metric::varying(static_cast<double>(number)); };
    // Work sharing depends on timing, so turns, splits, rounds and memory differ from run to run.
    return {{"lanes", static_cast<double>(of_run.lanes)},
            {"roots", static_cast<double>(of_run.roots)},
            {"collections", static_cast<double>(of_run.collections)},
            {"launches", static_cast<double>(of_run.launches)},
            {"warp_turns", varying(of_run.warp_turns)},
            {"lane_turns", varying(of_run.lane_turns)},
            {"splits", varying(of_run.splits)},
            {"spills", static_cast<double>(of_run.spills)},
            {"rounds", varying(of_run.rounds)},
            {"idle_share", bench::Metric::varying(of_run.idle_share)},
            {"heap_bytes", varying(granule_bytes * of_run.granules)}};
}

namespace {

Options options_of(System const& system, simt::Machine machine) {
    Options const options = options_for(machine);
    return machine == simt::Machine::cuda ? general_options(traits_of(system), options) : options;
}

}  // namespace

jit::KernelText engine_text(System const& system, simt::Machine machine) {
    return kernel_text(make_program(system, options_of(system, machine)));
}

std::unique_ptr<Engine> make_engine(System const& system, simt::Machine machine) {
    return std::make_unique<FastEngine>(system, jit::device_of(machine), options_of(system, machine));
}

}  // namespace lockstep::term_rewriting::fast
