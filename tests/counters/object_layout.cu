// Kernels of object_layout: agents of two classes in three layouts, and sections over arrays.

#include "kernels/object_layout/dispatch.hpp"
#include "kernels/object_layout/library/sections.hpp"
#include "tests/counters/cases.hpp"

namespace lockstep::object_layout::cuda {
namespace {

using counters::Outcome;

constexpr unsigned agents = 512;
constexpr unsigned streets = 64;
constexpr unsigned ticks = 8;

unsigned word_of_float(float value) { return __builtin_bit_cast(unsigned, value); }

// Bytes of one field after another (columns), or of one object after another.
Buffer<unsigned> placed(std::vector<std::vector<unsigned>> const& fields, bool by_field) {
    std::vector<unsigned> words;
    for (std::size_t i = 0; i < fields.size() * fields[0].size(); ++i) {
        std::size_t const count = by_field ? fields[0].size() : fields.size();
        words.push_back(by_field ? fields[i / count][i % count] : fields[i % count][i / count]);
    }
    return counters::filled(words);
}

Objects objects_in(Buffer<unsigned>& words, unsigned fields, unsigned size, bool by_field) {
    Objects objects;
    auto* const bytes = reinterpret_cast<unsigned char*>(words.data());
    for (unsigned field = 0; by_field && field < fields; ++field)
        objects.column[field] = bytes + 4ull * size * field;
    if (!by_field) {
        objects.column[0] = bytes;
        objects.stride = 4ull * fields;
    }
    return objects;
}

// A small town: each street has three neighbours. Agents on every street, classes in turn.
struct Town {
    Buffer<unsigned> of_agents, of_streets, offset, size, contents, unknown;
    TrafficParameters parameters;

    explicit Town(bool by_field) : unknown(counters::zeros<unsigned>(1)) {
        std::vector<std::vector<unsigned>> agent(AgentField::count), street(StreetField::count);
        for (unsigned i = 0; i < agents; ++i) {
            agent[AgentField::progress].push_back(word_of_float(0));
            agent[AgentField::street].push_back(i * 29 % streets);
            agent[AgentField::max_velocity].push_back(word_of_float(30.0f + static_cast<float>(i % 7)));
            agent[AgentField::tag].push_back(i * i / 3 % 2);
        }
        std::vector<unsigned> offsets, sizes, all;
        for (unsigned i = 0; i < streets; ++i) {
            street[StreetField::length].push_back(word_of_float(1.0f + static_cast<float>(i % 5)));
            street[StreetField::max_velocity].push_back(word_of_float(20.0f + static_cast<float>(i % 3) * 10));
            street[StreetField::neighbors].push_back(i);
            offsets.push_back(3 * i);
            sizes.push_back(3);
            for (unsigned const step : {1u, 7u, 30u})
                all.push_back((i + step) % streets);
        }
        of_agents = placed(agent, by_field);
        of_streets = placed(street, by_field);
        offset = counters::filled(offsets);
        size = counters::filled(sizes);
        contents = counters::filled(all);
        parameters.numbering.agents = agents;
        parameters.agents = objects_in(of_agents, AgentField::count, agents, by_field);
        parameters.streets = objects_in(of_streets, StreetField::count, streets, by_field);
        parameters.array_offset = offset.data();
        parameters.array_size = size.data();
        parameters.contents = contents.data();
        parameters.unknown = unknown.data();
        parameters.seed = 1;
        parameters.end_job = agents;
        parameters.ticks = ticks;
    }
};

template <auto kernel, bool by_field>
void simulate(Outcome& outcome) {
    Town town(by_field);
    kernel<<<agents / 128, 128>>>(town.parameters);
    outcome.launched();
    outcome.add(town.of_agents);
}

constexpr unsigned elements = 5000;

Buffer<float> numbers() {
    std::vector<float> values;
    for (unsigned i = 0; i < elements; ++i)
        values.push_back(static_cast<float>(i * 7 % 64));
    return counters::filled(values);
}

struct Twice {
    __device__ float operator()(float x) const { return 2 * x; }
};
struct OneMore {
    __device__ float operator()(float x) const { return x + 1; }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};
struct IsLarge {
    __device__ bool operator()(float x) const { return x > 90; }
};
using TwiceAndOne = Mapped<Mapped<Source<float>, Twice>, OneMore>;

void map(Outcome& outcome) {
    auto const from = numbers();
    auto to = counters::zeros<float>(elements);
    TwiceAndOne const expression = {{{from.data()}, {}}, {}};
    evaluate_kernel<<<elements / 8 / section_block + 1, section_block>>>(expression, elements, to.data());
    outcome.launched();
    outcome.add(to);
}

void reduce(Outcome& outcome) {
    auto const from = numbers();
    constexpr unsigned blocks = (elements + tile - 1) / tile;
    auto sums = counters::zeros<float>(blocks);
    TwiceAndOne const expression = {{{from.data()}, {}}, {}};
    fold_kernel<<<blocks, section_block, sizeof(FoldShared<float>)>>>(expression, elements, Sum{}, 0.0f, sums.data());
    outcome.launched();
    outcome.add(sums);
}

void select(Outcome& outcome) {
    auto const from = numbers();
    unsigned const tiles = tiles_of(elements);
    auto counts = counters::zeros<unsigned>(tiles + 1);
    auto to = counters::zeros<float>(elements);
    TwiceAndOne const expression = {{{from.data()}, {}}, {}};
    count_kernel<<<tiles, compaction_block, sizeof(BlockSums)>>>(expression, elements, IsLarge{}, counts.data());
    outcome.launched();
    scan_tiles_kernel<compaction_block><<<1, compaction_block, sizeof(BlockSums)>>>(counts.data(), tiles);
    outcome.launched();
    select_kernel<<<tiles, compaction_block, sizeof(BlockSums)>>>(expression, elements, IsLarge{}, counts.data(),
                                                                  to.data());
    outcome.launched();
    outcome.add(counts);
    outcome.add(to);
}

}  // namespace
}  // namespace lockstep::object_layout::cuda

int main(int argc, char** argv) {
    using namespace lockstep::object_layout::cuda;
    constexpr lockstep::counters::Case cases[] = {
        {"switch-columns", simulate<switch_kernel<Live, Soa, 2>, true>},
        {"switch-structures", simulate<switch_kernel<Live, Aos, 2>, false>},
        {"factored-columns", simulate<factored_kernel<Live, Soa, 2>, true>},
        {"inlined-columns", simulate<inlined_kernel<Live, Soa, 2>, true>},
        {"map", map},
        {"reduce", reduce},
        {"select", select},
    };
    return lockstep::counters::run_cases(cases, argc, argv);
}
