// Springer and Masuhara 2016, Figures 4 to 6: jobs reordered by type into warps of four, what a warp reads of objects
// in two layouts, and an n:m relation as one array with offset and size. The figures' contents were recovered from the
// authors' sources.

#include "harness/cli/schematic.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/trace.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::schematics::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

constexpr unsigned jobs = 12;
constexpr unsigned small_warp = 4;
constexpr unsigned types = 3;

// Figure 4: a car (0), a pedestrian (1) or a bus (2) each.
constexpr unsigned base_array[jobs] = {0, 1, 1, 2, 0, 1, 0, 1, 1, 0, 0, 0};

// Algorithm 1 of the paper with a lane a job: a type's jobs begin at a multiple of the warp size.
__global__ void reorder(unsigned const* types_of_jobs) {
    unsigned const job = lane_id();
    unsigned const mask = (1u << jobs) - 1;
    if (job >= jobs) {
        return;
    }
    unsigned const type = types_of_jobs[job];
    trace(0, "base", type);
    unsigned first = 0;
    for (unsigned earlier = 0; earlier < types; ++earlier) {
        unsigned const of_type = __ballot_sync(mask, type == earlier);
        if (earlier == type) {
            unsigned const place = first + rank_in(of_type, job);
            trace(1 + place / small_warp, "place", place % small_warp);
        }
        first += round_up(static_cast<unsigned>(__popc(of_type)), small_warp);
    }
}

// Figure 5: each of eight lanes reads field 0, then field 1, of its own object of four fields.
__global__ void read_fields(bool columns) {
    constexpr unsigned fields = 4;
    unsigned const object = threadIdx.x;
    for (unsigned field = 0; field < 2; ++field) {
        trace(field, "read", columns ? field * blockDim.x + object : object * fields + field);
    }
}

struct Network {
    unsigned const* array_of_street;  // the array object that a street's neighbours are
    unsigned const* size;             // of each array object
    unsigned const* offset;
    unsigned const* contents;  // of all arrays, one after the other
};

// Figure 6: a lane a street walks its neighbours.
__global__ void walk_neighbours(Network network) {
    unsigned const array = network.array_of_street[threadIdx.x];
    trace(0, "array", array);
    for (unsigned i = 0; i < network.size[array]; ++i) {
        trace(1 + i, "contents", network.offset[array] + i);
        trace(1 + i, "neighbour", network.contents[network.offset[array] + i]);
    }
}

Buffer<unsigned> uploaded(std::vector<unsigned> const& values) {
    Buffer<unsigned> buffer(values.size());
    buffer.upload(values);
    return buffer;
}

template <class... P, class... A>
std::vector<simt::emulator::TraceEvent> record_agents(char const* name, void (*kernel)(P...), unsigned threads,
                                                      A const&... arguments) {
    simt::emulator::TraceRecording const recording;
    launch(name, kernel, {.grid = {1}, .block = {threads}}, {}, arguments...);
    synchronize({});
    return recording.events();
}

std::vector<simt::emulator::TraceEvent> record_reorder() {
    Buffer<unsigned> const types_of_jobs = uploaded({std::begin(base_array), std::end(base_array)});
    return record_agents("reorder", reorder, 32, types_of_jobs.data());
}

// The figure's three arrays: neighbours 1 2 5 of one street, 1 3 of another, six of the third, which it does not print.
std::vector<simt::emulator::TraceEvent> record_neighbours() {
    Buffer<unsigned> const array_of_street = uploaded({1, 2, 0});
    Buffer<unsigned> const size = uploaded({3, 1, 2});
    Buffer<unsigned> const offset = uploaded({0, 3, 9});
    Buffer<unsigned> const contents = uploaded({1, 2, 5, 2, 0, 0, 0, 0, 0, 1, 3});
    return record_agents("walk_neighbours", walk_neighbours, 3,
                         Network{array_of_street.data(), size.data(), offset.data(), contents.data()});
}

}  // namespace

std::vector<Schematic> object_layout() {
    return {
        {"object_layout",
         "figure4",
         "",
         "twelve jobs of three classes in warps of four, none of two classes",
         {{"jobs", jobs}, {"warp", small_warp}},
         record_reorder()},
        {"object_layout",
         "figure5",
         "array of structures",
         "eight lanes read one field each: a stride of the object's size",
         {{"objects", 8}, {"fields", 4}},
         record_agents("read_fields", read_fields, 8, false)},
        {"object_layout",
         "figure5",
         "structure of arrays",
         "eight lanes read one field each: neighbours in memory",
         {{"objects", 8}, {"fields", 4}},
         record_agents("read_fields", read_fields, 8, true)},
        {"object_layout",
         "figure6",
         "",
         "three streets walk their neighbours: an offset and a size into one array",
         {{"streets", 3}},
         record_neighbours()},
    };
}

}  // namespace lockstep::schematics::LOCKSTEP_MACHINE
