#include <algorithm>
#include <optional>

#include "baselines/term_rewriting/compiled/compiled_engine.hpp"
#include "baselines/term_rewriting/cpu_as_printed/printed_engine.hpp"
#include "baselines/term_rewriting/first_use/first_use_engine.hpp"
#include "common/term_rewriting/engine.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/threads/pool.hpp"
#include "kernels/term_rewriting/as_printed/engine.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "kernels/term_rewriting/race/auto_engine.hpp"
#include "reference_cpu/term_rewriting/oracle_engine.hpp"

namespace lockstep::term_rewriting {

std::uint64_t Outcome::rewrites() const {
    std::uint64_t sum = 0;
    for (std::uint64_t const count : applications)
        sum += count;
    return sum;
}

std::vector<EngineKind> const& engine_kinds() {
    static std::vector<EngineKind> const kinds = {
        {"all_cores", simt::Machine::cpu, "generated C++, tasks on all cores",
         [](System const& system) { return make_compiled_engine(system, 0); }},
        {"one_core", simt::Machine::cpu, "generated C++, one core",
         [](System const& system) { return make_compiled_engine(system, 1); }},
        {"fast", simt::Machine::cuda, "depth-first on each lane, idle lanes get work from busy ones, on the GPU",
         [](System const& system) { return fast::make_engine(system, simt::Machine::cuda); }},
        {"fast", simt::Machine::emulator,
         "depth-first on each lane, idle lanes get work from busy ones, in the emulator",
         [](System const& system) { return fast::make_engine(system, simt::Machine::emulator); }},
        {"as_printed", simt::Machine::cuda, "the paper's passes over all terms, on the GPU",
         [](System const& system) { return as_printed::make_engine(system, simt::Machine::cuda); }},
        {"as_printed", simt::Machine::emulator, "the paper's passes over all terms, in the emulator",
         [](System const& system) { return as_printed::make_engine(system, simt::Machine::emulator); }},
        {"oracle", simt::Machine::cpu, "rules tried in order on a term graph, one core",
         [](System const& system) { return make_oracle(system); }},
        {"cpu_as_printed", simt::Machine::cpu, "the paper's recursive CPU rewriter as printed, one core",
         make_printed_engine},
    };
    return kinds;
}

namespace {

// The oracle, until the program is compiled.
std::unique_ptr<Engine> until_compiled(System const& system, ComingEngine const& coming) {
    FirstUse first_use;
    first_use.interpreting_name = "oracle";
    first_use.make_interpreting = [&system] { return make_oracle(system); };
    first_use.compiled_name = "generated C++";
    first_use.make_compiled = coming.make;
    first_use.readiness = [compile = coming.compile] {
        switch (compile->state()) {
            case jit::BackgroundCompile::State::running:
                return Readiness::pending;
            case jit::BackgroundCompile::State::done:
                return Readiness::ready;
            default:
                return Readiness::failed;
        }
    };
    first_use.rules = system.rules.size();
    if (threads::allowed_cpu_count() == 1)
        first_use.interpreted_seconds = 0.02;
    first_use.lasting = &system.terms;
    return make_first_use_engine(first_use);
}

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(System const& system, unsigned spare_cores) {
    std::size_t const cores = threads::allowed_cpu_count();
    try {
        bool const spares = spare_cores > 0 && cores > spare_cores + 1;
        ComingEngine const coming = begin_compiled_engine(system, spares ? cores - spare_cores : 0);
        return coming.compile == nullptr ? coming.make() : until_compiled(system, coming);
    } catch (bench::Error const&) {
        return make_oracle(system);
    }
}

std::unique_ptr<Engine> make_engine(System const& system, std::string const& engine, std::string const& machine,
                                    std::string* chosen) {
    std::vector<std::string> names = {"auto"};
    std::vector<std::string> here;
    for (EngineKind const& kind : engine_kinds()) {
        if (std::find(names.begin(), names.end(), kind.name) == names.end())
            names.push_back(kind.name);  // once for all machines
        here.push_back(kind.name + " on " + std::string(simt::to_string(kind.machine)));
    }
    bench::require_known("engine", engine, names);
    bench::require_known("machine", machine, {"auto", "cpu", "emulator", "cuda"});
#if defined(LOCKSTEP_WITH_CUDA)
    if (engine == "auto" && machine == "auto") {
        if (chosen != nullptr)
            *chosen = "auto";
        return make_auto_engine(system, simt::Machine::cuda);
    }
#endif
    if (engine == "auto" && (machine == "auto" || machine == "cpu")) {
        if (chosen != nullptr)
            *chosen = "auto";
        return make_cpu_engine(system, 0);
    }
    std::optional<bench::Error> refused;
    for (EngineKind const& kind : engine_kinds()) {
        bool const named = engine == "auto" || engine == kind.name;
        if (!named || (machine != "auto" && machine != simt::to_string(kind.machine)))
            continue;
        if (chosen != nullptr)
            *chosen = kind.name;
        try {
            return kind.make(system);
        } catch (bench::Error const& error) {
            // Another engine may need less of this machine: the oracle needs no compiler, the emulator no GPU.
            if (engine != "auto" && machine != "auto")
                throw;
            refused = error;
        }
    }
    if (refused)
        throw *refused;
    std::string const what = engine == "auto" ? "no engine rewrites on machine " + machine
                                              : "engine " + engine + " does not rewrite on machine " + machine;
    throw bench::Error(what, "available: " + bench::joined(here), "Choose one of these with --engine and --machine.");
}

}  // namespace lockstep::term_rewriting
