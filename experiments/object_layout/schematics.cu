// Springer and Masuhara 2016, Figures 4 to 6: jobs reordered by class into warps of four, the words of objects that a
// warp reads in two layouts, and an n:m relation as one array with offset and size. The job array, the accessors and
// the methods are the measured ones; the kernels here only call them. The figures' contents were recovered from the
// authors' sources.

#include <type_traits>
#include <vector>

#include "common/object_layout/job_order.hpp"
#include "common/object_layout/methods.hpp"
#include "experiments/object_layout/experiment.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::object_layout {
namespace LOCKSTEP_MACHINE {
namespace {

using Words = Buffer<unsigned>;

// Figure 4: each lane takes a job and reads the class of its object, as at the start of the measured kernels.
__global__ void take_jobs(__grid_constant__ TrafficParameters const p) {
    unsigned const index = job_of_lane(p);
    if (index == no_job)
        return;
    simt::LOCKSTEP_MACHINE::trace(0, "job", index);
    simt::LOCKSTEP_MACHINE::trace(0, "class", AgentAt<Soa>(p.agents, index).tag());
}

// A layout that records which word of the objects is accessed. The step is the field.
template <class Layout>
struct Traced {
    __device__ static unsigned char* at(Objects const& objects, unsigned field, unsigned id) {
        unsigned char* const address = Layout::at(objects, field, id);
        simt::LOCKSTEP_MACHINE::trace(field, "access", (address - objects.column[0]) / 4);
        return address;
    }
};

// Figure 5: each lane calls Car.move on its own object. In a measured kernel, agents and streets have the same layout,
// so that the figure would show both.
template <class Layout>
__global__ void move_cars(__grid_constant__ TrafficParameters const p) {
    unsigned const index = job_of_lane(p);
    move<Live, 0, Layout>(p, AgentAt<Traced<Layout>>(p.agents, index), index, 0);
}

// Records the words of the network that next_street() reads. In mode faithful, the table selects the next neighbour.
struct TracedNetwork {
    struct Array {
        unsigned const* elements;
        unsigned step;
        char const* label;

        __device__ unsigned operator[](unsigned i) const {
            simt::LOCKSTEP_MACHINE::trace(step, label, i);
            return elements[i];
        }
    };
    struct Table {
        unsigned next;

        __device__ unsigned operator[](unsigned) const { return next; }
    };

    Objects streets;
    Array array_size;
    Array array_offset;
    Array contents;
    Table table;
};

// Figure 6: one lane per street visits its neighbours in turn. The measured method draws one of them per call.
__global__ void visit_neighbours(__grid_constant__ TrafficParameters const p) {
    unsigned const street = threadIdx.x;
    unsigned const neighbours = p.array_size[StreetAt<Soa>(p.streets, street).neighbors()];
    TickWords words(0, 0, 0);
    for (unsigned next = 0; next < neighbours; ++next) {
        TracedNetwork const network = {p.streets,
                                       {p.array_size, next, "size"},
                                       {p.array_offset, next, "offset"},
                                       {p.contents, next, "contents"},
                                       {next}};
        simt::LOCKSTEP_MACHINE::trace(next, "neighbour", next_street<Faithful, Soa>(network, street, words));
    }
}

Words uploaded(std::vector<unsigned> const& values) {
    Words words(values.size());
    words.upload(values);
    return words;
}

// One column after another.
Objects as_columns(void* memory, unsigned fields, unsigned count) {
    Objects objects;
    for (unsigned field = 0; field < fields; ++field)
        objects.column[field] = static_cast<unsigned char*>(memory) + 4 * field * count;
    return objects;
}

// One object after another.
Objects as_rows(void* memory, unsigned fields) {
    Objects objects;
    objects.column[0] = static_cast<unsigned char*>(memory);
    objects.stride = 4 * fields;
    return objects;
}

std::vector<simt::emulator::TraceEvent> record(char const* name, void (*kernel)(TrafficParameters), unsigned threads,
                                               TrafficParameters const& p) {
    simt::emulator::TraceRecording const recording;
    launch(name, kernel, {.grid = {1}, .block = {threads}}, {}, p);
    synchronize({});
    return recording.events();
}

// Builds the job array by Algorithm 1 for cars (0), pedestrians (1) and buses (2), as in the figure.
cli::Schematic job_reordering() {
    constexpr unsigned warp = 4;
    std::vector<unsigned> const classes = {0, 1, 1, 2, 0, 1, 0, 1, 1, 0, 0, 0};
    std::vector<unsigned> const order = cpu::job_array_as_printed(classes, 3, warp);
    Words tags = uploaded(classes);
    Words const jobs = uploaded(order);
    TrafficParameters p;
    p.agents.column[AgentField::tag] = reinterpret_cast<unsigned char*>(tags.data());
    p.jobs = jobs.data();
    p.end_job = static_cast<unsigned>(order.size());
    return {"figure4",
            "",
            "twelve jobs of three classes in warps of four: no warp has jobs of two classes",
            {{"jobs", classes.size()}, {"warp", warp}},
            record("take_jobs", take_jobs, 32, p)};
}

// All cars are at the start of one street and do not reach its end.
template <class Layout>
cli::Schematic moving_cars(char const* panel, char const* shows) {
    constexpr unsigned cars = 8;
    constexpr bool columns = std::is_same_v<Layout, Soa>;
    Words agents(cars * AgentField::count);
    agents.fill_bytes(0);
    Buffer<float> street(StreetField::count);
    street.upload(std::vector{100.0f, 50.0f, 0.0f});
    TrafficParameters p;
    p.agents = columns ? as_columns(agents.data(), AgentField::count, cars) : as_rows(agents.data(), AgentField::count);
    p.streets = columns ? as_columns(street.data(), StreetField::count, 1) : as_rows(street.data(), StreetField::count);
    p.end_job = cars;
    return {"figure5",
            panel,
            shows,
            {{"objects", cars}, {"fields", AgentField::count}},
            record("move_cars", move_cars<Layout>, cars, p)};
}

// The figure's three arrays: the neighbours 1 2 5 of one street, 1 3 of another, and those of a third street. The
// figure does not show the third array; here it has one neighbour.
cli::Schematic neighbour_relation() {
    constexpr unsigned count = 3;
    std::vector<unsigned> words(2 * count);
    words.insert(words.end(), {1, 2, 0});  // the array object of each street
    Words streets = uploaded(words);
    Words const size = uploaded({3, 1, 2});
    Words const offset = uploaded({0, 3, 9});
    Words const contents = uploaded({1, 2, 5, 2, 0, 0, 0, 0, 0, 1, 3});
    TrafficParameters p;
    p.streets = as_columns(streets.data(), StreetField::count, count);
    p.array_size = size.data();
    p.array_offset = offset.data();
    p.contents = contents.data();
    return {"figure6",
            "",
            "three streets visit their neighbours: an offset and a size into one array",
            {{"streets", count}},
            record("visit_neighbours", visit_neighbours, count, p)};
}

}  // namespace
}  // namespace LOCKSTEP_MACHINE

std::vector<cli::Schematic> schematics() {
    using namespace LOCKSTEP_MACHINE;
    return {
        job_reordering(),
        moving_cars<Aos>("array of structures", "eight cars move: accesses are a stride of the object's size apart"),
        moving_cars<Soa>("structure of arrays", "eight cars move: accesses are next to each other in memory"),
        neighbour_relation(),
    };
}

}  // namespace lockstep::object_layout
