// Ours: an agent's state is in registers for all ticks, cars take a street at a time, and streets are packed. Agents
// are sorted by class; registers_anywhere takes every other layout and order.

#include "kernels/object_layout/registers_kernels.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "common/object_layout/traffic_case.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/devices.hpp"
#include "kernels/object_layout/one_tick_kernel.hpp"
#include "kernels/object_layout/traffic_makers.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

using RegisterKernel = void (*)(TrafficParameters, PackedNetwork);

enum class Place { near, far, brief, one_tick, anywhere };

bool fits_in_shared_memory(Network const& network) {
    return network.streets() <= max_shared_streets && network.contents.size() <= max_shared_neighbors;
}

bool fits_in_queue(Network const& network) { return network.streets() <= max_queued_streets; }

// Chooses the kernel by the sweep `kernels`. In mode live the streets are read at crossings only, and the cache serves
// that; a lane has one agent until there are enough agents for four. In mode faithful a pedestrian reads the table in
// each tick, and without pedestrians all agents read streets, so these are in shared memory if the launch repays the
// copy. One tick of a million agents is a matter of instructions, for which there is a kernel of its own. It also
// serves few agents, unless a warp has agents of two classes, for which the others would wait.
Place place_of(TrafficRequest const& request, unsigned agents, unsigned first_pedestrian) {
    Traffic const& traffic = *request.traffic;
    if (request.options.layout != Layout::soa || request.options.order != Order::sorted)
        return Place::anywhere;
    bool const fits = fits_in_shared_memory(*traffic.network);
    if (traffic.types > 2) {
        if (fits)
            return Place::near;
        throw bench::Error("a network of this size supports only two classes of agents",
                           "with more classes, its streets must fit into shared memory", "Use at most 1024 streets.");
    }
    if (traffic.mode == Mode::live && traffic.types == 2) {
        bool const few_in_whole_warps =
            agents <= 1u << 15 && agents % warp_agents == 0 && first_pedestrian % warp_agents == 0;
        bool const one_tick = ticks_per_launch(traffic.ticks, request.options) == 1;
        if (one_tick && (agents >= 1u << 20 || few_in_whole_warps) && fits_in_queue(*traffic.network))
            return Place::one_tick;
    }
    if (request.options.launch_ticks == 1)
        return Place::anywhere;
    if (traffic.mode == Mode::live && traffic.types == 2)
        return agents <= 1u << 20 ? Place::far : Place::brief;
    if (agents <= 1u << 16)
        return Place::far;
    return traffic.ticks < 16 ? Place::brief : fits ? Place::near : Place::far;
}

template <class Mode>
RegisterKernel kernel_of(Place place) {
    return place == Place::near ? near_kernel<Mode, 2> : place == Place::far ? far_kernel<Mode, 2> : brief_kernel<Mode>;
}

template <class Mode, Ticks ticks>
RegisterKernel anywhere_kernel_of(Layout layout) {
    return layout == Layout::soa     ? anywhere_kernel<Mode, Soa, ticks>
           : layout == Layout::aosoa ? anywhere_kernel<Mode, Aosoa, ticks>
                                     : anywhere_kernel<Mode, Aos, ticks>;
}

RegisterKernel kernel_of(TrafficRequest const& request, Place place) {
    bool const live = request.traffic->mode == Mode::live;
    if (request.traffic->types > 2)
        return near_kernel<Live, max_types>;
    if (place == Place::anywhere) {
        Layout const layout = request.options.layout;
        return !live                               ? anywhere_kernel_of<Faithful, Ticks::from_start>(layout)
               : request.options.launch_ticks == 1 ? anywhere_kernel_of<Live, Ticks::one>(layout)
                                                   : anywhere_kernel_of<Live, Ticks::from_start>(layout);
    }
    return live ? kernel_of<Live>(place) : kernel_of<Faithful>(place);
}

// The kernels of ticks 0, 1, 2, 3, 4, 0, ...: kernels of one tick differ in the word of Philox that it reads.
std::array<RegisterKernel, 4> kernels_of(TrafficRequest const& request, Place place) {
    if (place == Place::one_tick)
        return {one_tick_kernel<0>, one_tick_kernel<1>, one_tick_kernel<2>, one_tick_kernel<3>};
    RegisterKernel const kernel = kernel_of(request, place);
    return {kernel, kernel, kernel, kernel};
}

std::size_t shared_bytes(Traffic const& traffic) {
    return traffic.types > 2            ? sizeof(SharedNetwork<Live, false>)
           : traffic.mode == Mode::live ? sizeof(SharedNetwork<Live, true>)
                                        : sizeof(SharedNetwork<Faithful, true>);
}

// Threads that are resident at the same time. The emulator's number is small, so that its blocks take several batches
// of agents in tests.
unsigned resident_threads() {
    if constexpr (simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda) {
        simt::DeviceInfo const device = simt::current_device_info();
        if (int const threads = device.multiprocessors * device.max_threads_per_multiprocessor; threads != 0)
            return static_cast<unsigned>(threads);
    }
    return 64;
}

bool has_four_agents_per_lane(Place place) { return place == Place::brief || place == Place::one_tick; }

unsigned block_of(Place place, Traffic const& traffic, unsigned agents, unsigned wanted) {
    unsigned const largest = place == Place::brief ? 256 : place == Place::one_tick ? one_tick_block : 512;
    if (wanted != 0)
        return std::min(wanted, largest);
    if (has_four_agents_per_lane(place))
        return largest;
    if (place == Place::anywhere)
        return agents <= 1u << 16 ? 64 : 128;
    if (agents <= 1u << 16)
        return place == Place::far && traffic.mode == Mode::live && traffic.ticks < 512 ? 64 : 32;
    return agents <= 1u << 17 || place == Place::far ? 128 : 512;
}

simt::LaunchShape shape_of(Place place, Traffic const& traffic, unsigned agents, unsigned wanted_block) {
    unsigned const block = block_of(place, traffic, agents, wanted_block);
    unsigned blocks = simt::ceil_div(has_four_agents_per_lane(place) ? simt::ceil_div(agents, 4u) : agents, block);
    if (place == Place::near) {
        // Few ticks do not repay a copy of the streets per batch of agents, so a block takes several batches. Blocks
        // for 2 or 8 waves remain, which balance cars and pedestrians.
        unsigned const waves = traffic.ticks < 256 ? 2 : 8;
        blocks = simt::ceil_div(blocks, std::max(1u, agents / resident_threads() / waves));
    }
    simt::LaunchShape shape = {.grid = {blocks}, .block = {block}};
    shape.shared_bytes = place == Place::near       ? shared_bytes(traffic)
                         : place == Place::one_tick ? block / warp_size * queue_bytes
                                                    : 0;
    return shape;
}

class RegistersCase : public TrafficCase {
public:
    RegistersCase(TrafficRequest const& request, std::optional<Place> wanted)
        : TrafficCase("registers", nullptr, request) {
        Traffic const& traffic = *request.traffic;
        unsigned const agents = memory().job_count();
        pack(traffic, request.first_number, agents);
        Place const place = wanted ? *wanted : place_of(request, agents, network_.first_pedestrian);
        kernels_ = kernels_of(request, place);
        shape_ = shape_of(place, traffic, agents, request.options.block);
    }

    void run(simt::Stream stream) override {
        begin_run();
        if (shape_.grid.x == 0)
            return;
        TrafficParameters parameters = memory().parameters();
        for_each_launch([&](unsigned first_tick, unsigned ticks) {
            parameters.first_tick = first_tick;
            parameters.ticks = ticks;
            launch("registers", kernels_[first_tick % 4], shape_, stream, parameters, network_);
        });
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        if (shape_.grid.x == 0)
            return {};
        return {attributes("registers", kernels_.front(), shape_)};
    }

private:
    void pack(Traffic const& traffic, unsigned long long first_number, unsigned agents) {
        Network const& network = *traffic.network;
        network_.length = sent(length_, network.length);
        network_.max_velocity = sent(max_velocity_, network.max_velocity);
        network_.street_count = network.streets();
        network_.neighbor_count = static_cast<unsigned>(network.contents.size());
        network_.first_pedestrian = static_cast<unsigned>(
            std::clamp<std::uint64_t>(traffic.first_of_type[1], first_number, first_number + agents) - first_number);
        if (traffic.mode == Mode::live) {
            pack_neighbors(network);
        } else {
            pack_table(traffic);
        }
        network_.ends = sent(ends_, ends_of(traffic));
        network_.crossing = sent(crossing_, crossing_ticks(traffic));
    }
    static std::vector<StreetEnd> ends_of(Traffic const& traffic) {
        Network const& network = *traffic.network;
        std::vector<StreetEnd> ends;
        for (unsigned id = 0; id < network.streets(); ++id) {
            unsigned const degree = network.degree[id];
            if (traffic.mode == Mode::live || degree == 0) {
                ends.push_back({network.offset[id], degree});
            } else {
                ends.push_back({network.contents[network.offset[id] + traffic.table[id] % degree], 1});
            }
        }
        return ends;
    }
    void pack_neighbors(Network const& network) {
        if (network.streets() <= 65536) {
            network_.narrow =
                sent(narrow_, std::vector<unsigned short>(network.contents.begin(), network.contents.end()));
        } else {
            network_.wide = memory().parameters().contents;
        }
    }
    // The steps of class 1 for each entry of the table. A table of one entry gets it twice, since Remainder needs two.
    void pack_table(Traffic const& traffic) {
        std::vector<double> steps;
        for (unsigned const word : traffic.table)
            steps.push_back((static_cast<double>(word % 7) - 2.0) / 60.0);
        if (steps.size() == 1)
            steps.push_back(steps.front());
        network_.table_index = Remainder::by(static_cast<unsigned>(std::max<std::size_t>(steps.size(), 2)));
        network_.table_steps = sent(table_steps_, steps);
    }
    template <class T>
    static T const* sent(Buffer<T>& buffer, std::vector<T> const& values) {
        buffer = Buffer<T>(values.size());
        buffer.upload(values);
        return buffer.data();
    }

    PackedNetwork network_;
    std::array<RegisterKernel, 4> kernels_;
    simt::LaunchShape shape_;
    Buffer<float> length_, max_velocity_;
    Buffer<StreetEnd> ends_;
    Buffer<unsigned short> narrow_;
    Buffer<unsigned char> crossing_;
    Buffer<double> table_steps_;
};

std::string one_place_unsupported_reason(Place place, bench::Axes const& axes) {
    if (place == Place::near && axes.integer("streets") > max_shared_streets)
        return "its streets must fit into shared memory";
    if (place != Place::near && axes.integer("types") > 2)
        return "it supports two classes";
    if (place == Place::anywhere)
        return registers_unsupported_reason(axes).empty() && axes.integer("launch_ticks") == 0
                   ? "registers has kernels for columns sorted by class"
                   : registers_anywhere_unsupported_reason(axes);
    bool const one_tick = axes.integer("ticks") == 1 || axes.integer("launch_ticks") == 1;
    if (place == Place::one_tick && (!one_tick || axes.text("mode") != "live"))
        return "it requires launches of one tick in mode live";
    if (place != Place::one_tick && axes.integer("launch_ticks") != 0)
        return "it has all ticks in one launch: launch_ticks 0";
    return registers_unsupported_reason(axes);
}

void add_place(bench::Experiment& experiment, std::string const& name, std::string const& description, Place place) {
    experiment.variants.push_back(traffic_variant(
        "registers_" + name, bench::Role::ours, description,
        [place](TrafficRequest const& request) -> std::unique_ptr<bench::Case> {
            if (place == Place::near && !fits_in_shared_memory(*request.traffic->network)) {
                throw bench::Error("the streets do not fit into shared memory",
                                   "it holds 1024 streets and 6144 neighbours", "Use registers_far.");
            }
            if (place == Place::one_tick && !fits_in_queue(*request.traffic->network)) {
                throw bench::Error("the network has too many streets", "the limit is 2^25", "Use registers_far.");
            }
            return std::make_unique<RegistersCase>(request, place);
        },
        [place](bench::Axes const& axes) { return one_place_unsupported_reason(place, axes); }, true));
}

}  // namespace

std::string registers_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("layout") != "soa" || axes.text("order") != "sorted")
        return "it requires columns sorted by class: layout soa, order sorted";
    if (axes.integer("types") > 2 && axes.integer("streets") > max_shared_streets)
        return "with more than two classes, its streets must fit into shared memory";
    return axes.integer("types") > 2 && axes.integer("launch_ticks") == 0 ? classes_unsupported_reason(axes)
                                                                          : registers_anywhere_unsupported_reason(axes);
}

std::string registers_anywhere_unsupported_reason(bench::Axes const& axes) {
    if (axes.integer("types") > 2)
        return "it supports two classes";
    if (axes.integer("launch_ticks") > 1 || (axes.integer("launch_ticks") == 1 && axes.text("mode") != "live"))
        return "its launches have all ticks, or one tick in mode live";
    return "";
}

std::unique_ptr<bench::Case> make_registers(TrafficRequest const& request) {
    return std::make_unique<RegistersCase>(request, std::nullopt);
}

void add_registers(bench::Experiment& experiment) {
    experiment.variants.push_back(
        traffic_variant("registers", bench::Role::ours,
                        "sorted columns, an agent's state in registers for all ticks, a car's street in one step",
                        make_registers, registers_unsupported_reason, true));
    add_place(experiment, "near", "registers with its kernel for many agents: streets in shared memory", Place::near);
    add_place(experiment, "far", "registers with its kernel for few agents or many streets", Place::far);
    add_place(experiment, "brief", "registers with its kernel for few ticks: four agents per lane", Place::brief);
    add_place(experiment, "one_tick", "registers with its kernel for launches of one tick: a queue of ends of streets",
              Place::one_tick);
    add_place(experiment, "anywhere", "registers for agents in any layout and order", Place::anywhere);
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
