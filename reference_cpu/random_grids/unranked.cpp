// The reference `unranked`, and the same as a variant.

#include "reference_cpu/random_grids/cpu_case.hpp"
#include "reference_cpu/random_grids/engines.hpp"
#include "reference_cpu/random_grids/stream.hpp"
#include "reference_cpu/random_grids/unranked_words.hpp"
#include "reference_cpu/random_grids/unranking.hpp"

namespace lockstep::random_grids {

namespace {

bench::UnitResult unranked_unit(bench::Problem const& problem, std::uint64_t unit) {
    static Unranking const unranking(16);
    Workload const workload = read_workload(problem.axes);
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        Engine engine = Engine::stream(problem.seed, unit, 0);
        return draw_stream(workload, problem.seed, unit, 1, [&](Words const& among, unsigned occupied, unsigned) {
            std::uint64_t const set = unranking.draw(engine, workload.shape.sites(), occupied);
            Words words = {static_cast<std::uint32_t>(set & 0xFFFFFFFFu)};
            if (among.size() == 2)
                words.push_back(static_cast<std::uint32_t>(set >> 32));
            return words;
        });
    });
}

}  // namespace

std::string why_not_unranked(Workload const& workload) {
    if (workload.shape.height != 1 || workload.shape.width > 64)
        return "it takes one row of at most 64 sites, such as 64x1";
    return workload.planes() > 1 ? "it draws one colour" : "";
}

namespace cpu {

void add_unranked(bench::Experiment& experiment) {
    experiment.references.push_back({"unranked", unranked_unit});
    bench::Variant variant;
    variant.name = "unranked";
    variant.role = bench::Role::reference;
    variant.machine = bench::Machine::cpu;
    variant.reference = "unranked";
    variant.description = "sets of up to 64 sites by their number, on one CPU thread";
    variant.make = [](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
        return std::make_unique<CpuCase>(problem, 1, Method::unranked, unranked_unit);
    };
    variant.refuses = [](bench::Axes const& axes) { return why_not_unranked(read_workload(axes)); };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace cpu

}  // namespace lockstep::random_grids
