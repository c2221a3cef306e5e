// Reference and CPU variant of drawing by sorted random keys (random_keys.hpp). One colour.

#include "reference_cpu/random_grids/random_keys.hpp"

#include <algorithm>

#include "common/random_grids/engines.hpp"
#include "common/random_grids/one_colour.hpp"
#include "harness/bench/make_variant.hpp"
#include "reference_cpu/random_grids/cpu_case.hpp"
#include "reference_cpu/random_grids/stream.hpp"

namespace lockstep::random_grids {

namespace {

bench::UnitResult random_keys_stream(bench::Problem const& problem, std::uint64_t unit) {
    Workload const workload = read_workload(problem.axes);
    Shape const& shape = workload.shape;
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        Engine engine = Engine::stream(problem.seed, unit, 0);
        std::vector<unsigned long long> keys(shape.sites());
        return draw_stream(workload, problem.seed, unit, 1, [&](Words const& among, unsigned occupied, unsigned) {
            for (unsigned site = 0; site < shape.sites(); ++site)
                keys[site] = cpu::random_key(engine, site);
            std::sort(keys.begin(), keys.end());
            Words subset(among.size(), 0);
            for (unsigned i = 0; i < occupied; ++i) {
                unsigned const site = cpu::site_of(keys[i]);
                unsigned const column = site % shape.width;
                subset[site / shape.width * shape.words_per_row() + column / 32] |= 1u << column % 32;
            }
            return subset;
        });
    });
}

}  // namespace

namespace cpu {

void add_random_keys(bench::Experiment& experiment) {
    experiment.references.push_back({"random_keys", random_keys_stream});
    experiment.variants.push_back(bench::cpu::make_variant(
        "random_keys", bench::Role::baseline, "random_keys",
        "sorts random keys with std::sort and occupies the smallest k",
        [](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
            return std::make_unique<CpuCase>(problem, 1, Method::random_keys, random_keys_stream);
        },
        one_colour));
}

}  // namespace cpu

}  // namespace lockstep::random_grids
