#pragma once
// Makes variants from engines of this machine. For `.cu` files.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/jit/device.hpp"
#include "kernels/term_rewriting/kernel_context.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

inline constexpr bench::Machine machine = bench::Machine::LOCKSTEP_MACHINE;

inline std::string too_large_to_emulate(bench::Axes const& axes) {
    bool const large = axes.integer("depth") > 8 || axes.integer("elements") > 60;
    return large ? "the emulator is slow: at most depth 8 and 60 elements" : "";
}

using TextsOf = std::function<std::vector<jit::KernelText>(System const&)>;

inline std::vector<bench::Compilation> compilations_of(bench::Problem const& problem, TextsOf const& texts_of) {
    jit::Device const& device = jit::device_of(machine);
    std::vector<bench::Compilation> compilations;
    for (jit::KernelText const& text : texts_of(system_of(read_workload(problem))))
        compilations.push_back({text.text, [&device, text] { device.compile_ahead(text, kernel_context()); }});
    return compilations;
}

// `texts_of` returns the kernels that the engine of a system loads.
inline bench::Variant engine_variant(std::string const& name, bench::Role role, std::string const& description,
                                     std::function<std::unique_ptr<bench::Case>(bench::Problem const&)> make,
                                     TextsOf texts_of) {
    bench::Variant variant = bench::LOCKSTEP_MACHINE::make_variant(
        name, role, "oracle", description, std::move(make),
        machine == bench::Machine::emulator ? too_large_to_emulate : std::function<std::string(bench::Axes const&)>());
    if (machine == bench::Machine::cuda) {
        variant.compilations = [texts_of = std::move(texts_of)](bench::Problem const& problem) {
            return compilations_of(problem, texts_of);
        };
    }
    return variant;
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
