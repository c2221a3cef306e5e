// A simulation in the memory of this machine.

#include "common/object_layout/traffic_memory.hpp"

#include <algorithm>
#include <cstring>

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/initial_agent.hpp"
#include "common/object_layout/job_order.hpp"
#include "harness/bench/error.hpp"
#include "harness/random/bounded.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

template <class Layout>
__global__ void begin_kernel(__grid_constant__ TrafficParameters const p, __grid_constant__ Classes const classes) {
    unsigned const index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= p.numbering.agents) {
        return;
    }
    unsigned long long const number = number_at(p.numbering, index);
    InitialAgent const initial = initial_agent_at(classes, number);
    AgentAt<Layout> const agent(p.agents, index);
    agent.progress() = initial.progress;
    agent.street() = initial.street;
    // Only cars have the field: in objects of other classes it is null (Section 4.4).
    agent.max_velocity() = is_car(initial.tag) ? initial.max_velocity : 0.0f;
    agent.tag() = initial.tag;
}

template <class Layout>
__global__ void collect_kernel(__grid_constant__ TrafficParameters const p, unsigned* const results) {
    unsigned const index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= p.numbering.agents) {
        return;
    }
    AgentAt<Layout> const agent(p.agents, index);
    unsigned long long const unit = number_at(p.numbering, index) - p.numbering.first_number;
    results[2 * unit] = __float_as_uint(agent.progress());
    results[2 * unit + 1] = agent.street();
}

using Bytes = Buffer<unsigned char>;

// Columns in one allocation, each from a multiple of 256 bytes on.
Objects columns_in(Bytes& memory, unsigned fields, std::size_t count) {
    Objects objects;
    std::size_t const column = simt::round_up(4 * count, 256u);
    memory = Bytes(fields * column);
    for (unsigned field = 0; field < fields; ++field)
        objects.column[field] = memory.data() + field * column;
    return objects;
}

Objects rows_in(Bytes& memory, std::size_t count, std::size_t stride) {
    memory = Bytes(count * stride);
    Objects objects;
    objects.column[0] = memory.data();
    objects.stride = stride;
    return objects;
}

Objects objects_in(Bytes& memory, Layout layout, unsigned fields, std::size_t count, unsigned bytes) {
    return layout == Layout::soa     ? columns_in(memory, fields, count)
           : layout == Layout::aosoa ? rows_in(memory, simt::ceil_div(count, 32u), std::size_t{128} * fields)
                                     : rows_in(memory, count, bytes);
}

unsigned char* host_address(Layout layout, std::vector<unsigned char>& image, std::size_t count, std::size_t stride,
                            unsigned field, std::size_t id) {
    std::size_t const column = simt::round_up(4 * count, 256u);
    return image.data() + (layout == Layout::soa     ? field * column + 4 * id
                           : layout == Layout::aosoa ? stride * (id / 32) + 128 * field + 4 * (id % 32)
                                                     : stride * id + 4 * field);
}

simt::LaunchShape shape_of(unsigned lanes) { return {.grid = {simt::ceil_div(lanes, 256u)}, .block = {256}}; }

}  // namespace

TrafficMemory::TrafficMemory(std::shared_ptr<Traffic const> wanted, TrafficOptions const& options,
                             unsigned long long first_number, unsigned agents)
    : traffic_(std::move(wanted)), options_(options), unknown_(1) {
    Traffic const& traffic = *traffic_;
    parameters_.numbering = {first_number, agents, options.order == Order::sorted ? 0 : shuffle_bits(agents),
                             traffic.seed};
    parameters_.seed = traffic.seed;
    parameters_.ticks = traffic.ticks;
    parameters_.weather = traffic.weather;
    parameters_.table_size = static_cast<unsigned>(traffic.table.size());
    parameters_.unknown = unknown_.data();
    classes_.types = traffic.types;
    classes_.streets = traffic.network->streets();
    classes_.seed = traffic.seed;
    std::copy(traffic.first_of_type.begin(), traffic.first_of_type.end(), classes_.first);
    parameters_.agents = objects_in(agents_, options.layout, AgentField::count, agents, agent_bytes(options));
    place_streets();
    order_jobs();
}

void TrafficMemory::place_streets() {
    Network const& network = *traffic_->network;
    std::size_t const count = network.streets();
    parameters_.streets = objects_in(streets_, options_.layout, StreetField::count, count, street_bytes(options_));
    std::vector<unsigned char> image(streets_.size());
    for (std::size_t id = 0; id < count; ++id) {
        auto const put = [&](unsigned field, auto value) {
            std::memcpy(host_address(options_.layout, image, count, parameters_.streets.stride, field, id), &value, 4);
        };
        put(StreetField::length, network.length[id]);
        put(StreetField::max_velocity, network.max_velocity[id]);
        put(StreetField::neighbors, static_cast<unsigned>(id));
    }
    streets_.upload(image);
    std::vector<unsigned> const* const arrays[] = {&network.offset, &network.degree, &network.contents,
                                                   &traffic_->table};
    for (unsigned i = 0; i < 4; ++i) {
        arrays_[i] = Buffer<unsigned>(arrays[i]->size());
        arrays_[i].upload(*arrays[i]);
    }
    parameters_.array_offset = arrays_[0].data();
    parameters_.array_size = arrays_[1].data();
    parameters_.contents = arrays_[2].data();
    parameters_.table = arrays_[3].data();
}

// The job array is made from the class tags of the base array, which stays as it is.
void TrafficMemory::order_jobs() {
    unsigned const agents = parameters_.numbering.agents;
    parameters_.end_job = agents;
    if (options_.order == Order::shuffled)
        return;
    if (options_.order == Order::sorted) {
        for (unsigned type = 0; type < traffic_->types; ++type) {
            auto const index = [&](std::uint64_t number) {
                std::uint64_t const first = parameters_.numbering.first_number;
                return static_cast<unsigned>(std::clamp<std::uint64_t>(number, first, first + agents) - first);
            };
            unsigned const first = index(traffic_->first_of_type[type]);
            unsigned const end = index(traffic_->first_of_type[type + 1]);
            if (first < end)
                jobs_of_classes_.emplace_back(first, end);
        }
        return;
    }
    std::vector<unsigned> tags(agents);
    for (unsigned index = 0; index < agents; ++index)
        tags[index] = traffic_->type_of(number_at(parameters_.numbering, index));
    job_indices_ = object_layout::cpu::job_array(tags, traffic_->types, 32);
    unsigned const jobs = static_cast<unsigned>(job_indices_.size());
    for (unsigned first = 0; first < jobs;) {
        unsigned end = first;
        while (end < jobs && (job_indices_[end] == no_job || tags[job_indices_[end]] == tags[job_indices_[first]]))
            ++end;
        jobs_of_classes_.emplace_back(first, end);
        first = end;
    }
    jobs_ = Buffer<unsigned>(jobs);
    jobs_.upload(job_indices_);
    parameters_.jobs = jobs_.data();
    parameters_.end_job = jobs;
}

void TrafficMemory::begin() {
    unknown_.fill_bytes(0);
    unsigned const agents = parameters_.numbering.agents;
    if (agents == 0)
        return;
    auto const kernel = options_.layout == Layout::soa     ? begin_kernel<Soa>
                        : options_.layout == Layout::aosoa ? begin_kernel<Aosoa>
                                                           : begin_kernel<Aos>;
    launch("begin", kernel, shape_of(agents), {}, parameters_, classes_);
}

void TrafficMemory::collect(unsigned* results) const {
    unsigned const agents = parameters_.numbering.agents;
    if (agents == 0)
        return;
    auto const kernel = options_.layout == Layout::soa     ? collect_kernel<Soa>
                        : options_.layout == Layout::aosoa ? collect_kernel<Aosoa>
                                                           : collect_kernel<Aos>;
    launch("collect", kernel, shape_of(agents), {}, parameters_, results);
    synchronize({});
}

unsigned TrafficMemory::unknown() const { return unknown_.to_vector().front(); }

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
