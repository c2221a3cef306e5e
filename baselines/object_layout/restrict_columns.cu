// Sorted columns that are promised not to overlap (__restrict__), so that the compiler may keep an agent in registers
// by itself; the class found once, four ticks' random words from one call of Philox. What an expert would write without
// shared memory and packed streets. Mode live, two classes.

#include "common/object_layout/register_agents.hpp"

#include "common/object_layout/traffic_case.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

struct RestrictColumns {
    unsigned const* tag;
    unsigned long long seed;
    unsigned long long first_number;
    unsigned agents;
    unsigned ticks;
    float weather;
};

__global__ void __launch_bounds__(1024)
    restrict_kernel(__grid_constant__ RestrictColumns const p, float* __restrict__ const progress,
                    unsigned* __restrict__ const street, float const* __restrict__ const max_velocity,
                    float const* __restrict__ const length, float const* __restrict__ const street_velocity,
                    unsigned const* __restrict__ const offset, unsigned const* __restrict__ const degree,
                    unsigned const* __restrict__ const contents) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.agents) {
        return;
    }
    unsigned long long const number = p.first_number + i;
    bool const car = p.tag[i] == 0;
    random::Words4 words = {};
    for (unsigned tick = 0; tick < p.ticks; ++tick) {
        if (tick % 4 == 0) {
            words = Philox::at(p.seed, number, 0, tick / 4);
        }
        TickWords draws(p.seed, number, tick, words.x);
        words = {words.y, words.z, words.w, 0};
        if (car) {
            float const own = max_velocity[i];
            float const allowed = street_velocity[street[i]];
            progress[i] += (allowed < own ? allowed : own) * p.weather * (1.0f / 60.0f);
        } else {
            unsigned const drawn = random::LOCKSTEP_MACHINE::bounded(draws, 7u);
            float const moved = progress[i] + static_cast<float>(static_cast<int>(drawn) - 2) * (1.0f / 60.0f);
            progress[i] = moved > 0.0f ? moved : 0.0f;
        }
        if (progress[i] >= length[street[i]]) {
            unsigned const size = degree[street[i]];
            if (size != 0) {
                street[i] = contents[offset[street[i]] + random::LOCKSTEP_MACHINE::bounded(draws, size)];
            }
            progress[i] = 0.0f;
        }
    }
}

class RestrictCase : public TrafficCase {
public:
    explicit RestrictCase(TrafficRequest const& request) : TrafficCase("restrict_columns", nullptr, request) {
        unsigned const block = request.options.block == 0 ? 128 : request.options.block;
        shape_ = {.grid = {simt::ceil_div(memory().job_count(), block)}, .block = {block}};
    }

    void run(simt::Stream stream) override {
        begin_run();
        if (shape_.grid.x == 0)
            return;
        TrafficParameters const& all = memory().parameters();
        auto const column = [](Objects const& objects, unsigned field) {
            return reinterpret_cast<float*>(objects.column[field]);
        };
        RestrictColumns columns = {};
        columns.tag = reinterpret_cast<unsigned*>(all.agents.column[AgentField::tag]);
        columns.seed = all.seed;
        columns.first_number = all.numbering.first_number;
        columns.agents = all.numbering.agents;
        columns.ticks = all.ticks;
        columns.weather = all.weather;
        launch("restrict_columns", restrict_kernel, shape_, stream, columns, column(all.agents, AgentField::progress),
               reinterpret_cast<unsigned*>(all.agents.column[AgentField::street]),
               column(all.agents, AgentField::max_velocity), column(all.streets, StreetField::length),
               column(all.streets, StreetField::max_velocity), all.array_offset, all.array_size, all.contents);
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        if (shape_.grid.x == 0)
            return {};
        return {attributes("restrict_columns", restrict_kernel, shape_)};
    }

private:
    simt::LaunchShape shape_;
};

std::string other_modes_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("layout") != "soa" || axes.text("order") != "sorted")
        return "its agents are columns, sorted by class: layout soa, order sorted";
    return axes.text("mode") != "live" || axes.integer("types") > 2 ? "it is written for mode live and two classes"
                                                                    : "";
}

}  // namespace

void add_restrict_columns(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant(
        "restrict_columns", bench::Role::baseline,
        "sorted columns with __restrict__, the class found once, four ticks' random words at once",
        [](TrafficRequest const& request) -> std::unique_ptr<bench::Case> {
            return std::make_unique<RestrictCase>(request);
        },
        other_modes_unsupported_reason));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
