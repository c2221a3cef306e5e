// Ours: agents are sorted by class, their state is in registers for all ticks, and streets are packed, in shared memory
// if they fit.

#include "common/object_layout/register_agents.hpp"

#include <algorithm>

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/traffic_case.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

template <class Mode, class Streets>
struct RunAgent {
    TrafficParameters const& p;
    Streets const& streets;
    unsigned index;

    template <unsigned Type>
    __device__ void run() const {
        AgentAt<Soa> const memory(p.agents, index);
        RegisterAgent<Streets> agent = {streets, p.seed, number_at(p.numbering, index), memory.progress(), 0, {}};
        agent.enter(memory.street());
        if constexpr (!is_live<Mode>) {
            move_by_table<Type>(agent, memory.max_velocity(), p);
        } else if constexpr (is_car(Type)) {
            drive<Type>(agent, memory.max_velocity(), p.weather, p.ticks);
        } else {
            walk<Type>(agent, p.ticks);
        }
        memory.progress() = agent.progress;
        memory.street() = agent.street_id;
    }
};

template <class Mode, unsigned Types, class Streets>
__device__ inline void run_jobs(TrafficParameters const& p, Streets const& streets) {
    unsigned const index = job_of_lane(p);
    if (index != no_job &&
        !switch_over<Types>(AgentAt<Soa>(p.agents, index).tag(), RunAgent<Mode, Streets>{p, streets, index})) {
        atomicAdd(p.unknown, 1u);
    }
}

template <class Mode, unsigned Types>
__global__ void __launch_bounds__(512)
    near_kernel(__grid_constant__ TrafficParameters const p, __grid_constant__ PackedNetwork const network) {
    auto& shared = shared_memory<SharedNetwork>();
    copy_network(network, p.table, is_live<Mode> ? 0 : p.table_size, shared);
    run_jobs<Mode, Types>(p, NearStreets(shared));
}

template <class Mode, unsigned Types>
__global__ void __launch_bounds__(512)
    far_kernel(__grid_constant__ TrafficParameters const p, __grid_constant__ PackedNetwork const network) {
    run_jobs<Mode, Types>(p, FarStreets(network, p.table));
}

using RegisterKernel = void (*)(TrafficParameters, PackedNetwork);

RegisterKernel kernel_of(Mode mode, unsigned types, bool near) {
    if (types > 2) {
        if (near)
            return near_kernel<Live, max_types>;
        throw bench::Error("a network of this size supports only two classes of agents",
                           "with more classes, its streets must fit into shared memory", "Use at most 1024 streets.");
    }
    if (mode == Mode::live)
        return near ? near_kernel<Live, 2> : far_kernel<Live, 2>;
    return near ? near_kernel<Faithful, 2> : far_kernel<Faithful, 2>;
}

class RegistersCase : public TrafficCase {
public:
    explicit RegistersCase(TrafficRequest const& request)
        : TrafficCase("registers", nullptr, request), mode_(request.traffic->mode) {
        pack(*request.traffic->network);
        bool const near =
            network_.street_count <= max_shared_streets && network_.neighbor_count <= max_shared_neighbors;
        kernel_ = kernel_of(mode_, request.traffic->types, near);
        unsigned const jobs = memory().job_count();
        // Small blocks spread few agents over all multiprocessors. Large blocks make fewer copies of the streets.
        unsigned const block = request.options.block != 0 ? std::min(request.options.block, 512u)
                               : jobs <= 1u << 17         ? 128
                                                          : 512;
        shape_ = {.grid = {simt::ceil_div(jobs, block)}, .block = {block}};
        shape_.shared_bytes = near ? sizeof(SharedNetwork) : 0;
    }

    void run(simt::Stream stream) override {
        begin_run();
        if (shape_.grid.x != 0)
            launch("registers", kernel_, shape_, stream, memory().parameters(), network_);
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        if (shape_.grid.x == 0)
            return {};
        return {attributes("registers", kernel_, shape_)};
    }

private:
    void pack(Network const& network) {
        std::vector<PackedStreet> streets;
        for (unsigned id = 0; id < network.streets(); ++id) {
            streets.push_back({network.length[id], network.max_velocity[id], network.offset[id], network.degree[id]});
        }
        streets_ = Buffer<PackedStreet>(streets.size());
        streets_.upload(streets);
        network_.streets = streets_.data();
        network_.street_count = network.streets();
        network_.neighbor_count = static_cast<unsigned>(network.contents.size());
        if (network.streets() <= 65536) {
            std::vector<unsigned short> const narrow(network.contents.begin(), network.contents.end());
            narrow_ = Buffer<unsigned short>(narrow.size());
            narrow_.upload(narrow);
            network_.narrow = narrow_.data();
        } else {
            network_.wide = memory().parameters().contents;
        }
    }

    Mode mode_;
    PackedNetwork network_;
    RegisterKernel kernel_;
    simt::LaunchShape shape_;
    Buffer<PackedStreet> streets_;
    Buffer<unsigned short> narrow_;
};

std::string others_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("layout") != "soa" || axes.text("order") != "sorted")
        return "it requires columns sorted by class: layout soa, order sorted";
    if (axes.integer("types") > 2 && axes.integer("streets") > max_shared_streets)
        return "with more than two classes, its streets must fit into shared memory";
    return classes_unsupported_reason(axes);
}

std::unique_ptr<bench::Case> make_registers(TrafficRequest const& request) {
    return std::make_unique<RegistersCase>(request);
}

}  // namespace

void add_registers(bench::Experiment& experiment) {
    experiment.variants.push_back(
        traffic_variant("registers", bench::Role::ours,
                        "sorted columns, an agent's state in registers for all ticks, packed streets in shared memory",
                        make_registers, others_unsupported_reason));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
