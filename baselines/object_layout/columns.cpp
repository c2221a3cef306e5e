// The CPU contender: columns, all cores, each agent's state in registers for all ticks, and one call of Philox for the
// random words of four ticks.

#include <algorithm>
#include <atomic>
#include <vector>

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/tick_words.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/random/bounded.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/threads/pool.hpp"
#include "reference_cpu/object_layout/cpu_traffic_case.hpp"

namespace lockstep::object_layout::cpu {

namespace {

constexpr std::uint64_t chunk = 1024;

struct Columns {
    std::vector<float> progress;
    std::vector<unsigned> street;
    std::vector<float> max_velocity;
};

class ColumnsCase : public CpuTrafficCase {
public:
    explicit ColumnsCase(bench::Problem const& problem) : CpuTrafficCase(problem) {}

    void reset() override {
        CpuTrafficCase::reset();
        std::uint64_t const agents = problem().units;
        columns_ = {std::vector<float>(agents), std::vector<unsigned>(agents), std::vector<float>(agents)};
        for (std::uint64_t i = 0; i < agents; ++i) {
            Birth const initial = birth_of(traffic().seed, traffic().network->streets(), problem().first_unit + i);
            columns_.progress[i] = initial.progress;
            columns_.street[i] = initial.street;
            columns_.max_velocity[i] = initial.max_velocity;
        }
        threads::shared_pool().rouse();
    }

    void run(simt::Stream) override {
        std::atomic<std::uint64_t> next = 0;
        auto const work = [&] {
            for (std::uint64_t first = chunk * next++; first < problem().units; first = chunk * next++) {
                for (std::uint64_t i = first; i < std::min(first + chunk, problem().units); ++i)
                    simulate_agent(i);
            }
        };
        std::uint64_t const chunks = simt::ceil_div(problem().units, chunk);
        threads::Pool& pool = threads::shared_pool();
        pool.run(std::min<std::uint64_t>(pool.width(), chunks), [&](std::size_t) { work(); });
    }

private:
    void simulate_agent(std::uint64_t index) {
        std::uint64_t const number = problem().first_unit + index;
        unsigned const type = traffic().type_of(number);
        float progress = columns_.progress[index];
        unsigned street = columns_.street[index];
        float const own = columns_.max_velocity[index] * (1.0f - static_cast<float>(kind_of(type)) / 32.0f);
        bool const live = traffic().mode == Mode::live;
        Network const& network = *traffic().network;
        random::Words4 words = {};
        for (unsigned tick = 0; tick < traffic().ticks; ++tick) {
            if (live && tick % 4 == 0)
                words = Philox::at(traffic().seed, number, 0, tick / 4);
            TickWords draws(traffic().seed, number, tick, word_of(words, tick % 4));
            float speed = 0;
            if (is_car(type)) {
                speed = std::min(own, network.max_velocity[street]) * traffic().weather;
            } else {
                unsigned const speeds = 7 + kind_of(type);
                unsigned const square = static_cast<unsigned>(static_cast<int>(progress * progress));
                unsigned const drawn =
                    live ? random::cpu::bounded(draws, speeds) : traffic().table[square % network.streets()] % speeds;
                speed = static_cast<float>(static_cast<int>(drawn) - 2);
            }
            if (live) {
                progress += speed * (1.0f / 60.0f);
                progress = progress > 0 ? progress : 0;
            } else {
                progress = static_cast<float>(static_cast<double>(progress) + static_cast<double>(speed) / 60.0);
            }
            if (progress < network.length[street])
                continue;
            progress = 0;
            if (unsigned const degree = network.degree[street]; degree != 0) {
                unsigned const which = live ? random::cpu::bounded(draws, degree) : traffic().table[street] % degree;
                street = network.contents[network.offset[street] + which];
            }
        }
        store(index, progress, street);
    }

    Columns columns_;
};

}  // namespace

void add_columns(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cpu::make_variant(
        "columns", bench::Role::contender, "objects", "columns on all CPU cores, with an agent's state in registers",
        [](bench::Problem const& problem) { return std::make_unique<ColumnsCase>(problem); },
        [](bench::Axes const& axes) { return cpu_traffic_unsupported_reason(axes); }));
}

}  // namespace lockstep::object_layout::cpu
