#include "tests/object_layout/population_checks.hpp"

#include "kernels/object_layout/library/class_list.hpp"
#include "kernels/object_layout/library/records.hpp"

#include "kernels/object_layout/library/population.hpp"
#include "kernels/object_layout/library/sections.hpp"

namespace lockstep::object_layout::tests::LOCKSTEP_MACHINE {

using namespace object_layout::LOCKSTEP_MACHINE;

enum : unsigned { small, wide, pair, half };
template <class Layout>
using Mixed = Record<Layout, unsigned char, unsigned long long, float[2], unsigned short>;

template <class Objects>
struct WriteFields {
    Objects objects;
    __device__ void operator()(unsigned i, unsigned) const {
        objects.template get<small>(i) = static_cast<unsigned char>(i % 251);
        objects.template get<wide>(i) = 0x100000001ull * i;
        objects.template get<pair>(i, 0) = static_cast<float>(i);
        objects.template get<pair>(i, 1) = static_cast<float>(2 * i);
        objects.template get<half>(i) = static_cast<unsigned short>(i % 65521);
    }
};

template <class Objects>
struct ReadFields {
    Objects objects;
    unsigned* words;
    __device__ void operator()(unsigned i, unsigned) const {
        unsigned long long const number = objects.template get<wide>(i);
        words[i] = objects.template get<small>(i) + static_cast<unsigned>(number) +
                   static_cast<unsigned>(number >> 32) +
                   static_cast<unsigned>(objects.template get<pair>(i, 0) + objects.template get<pair>(i, 1)) +
                   objects.template get<half>(i);
    }
};

template <class Layout>
RecordResults records_in(unsigned count) {
    using Objects = Mixed<Layout>;
    Objects objects;
    objects.capacity = Objects::rounded(count);
    // Exactly the stated bytes, so that AddressSanitizer finds an address beyond them.
    Buffer<unsigned long long> memory(Objects::bytes(objects.capacity) / 8);
    objects.memory = reinterpret_cast<unsigned char*>(memory.data());
    Buffer<unsigned> words(count);
    each(count, 0, 1, WriteFields<Objects>{objects});
    each(count, 0, 1, ReadFields<Objects>{objects, words.data()});
    simt::LOCKSTEP_MACHINE::synchronize({});
    return {words.to_vector(), Objects::bytes(256)};
}

RecordResults run_records(std::string const& layout, unsigned objects) {
    return layout == "columns"   ? records_in<Columns>(objects)
           : layout == "rows"    ? records_in<Rows<>>(objects)
           : layout == "rows64"  ? records_in<Rows<64>>(objects)
           : layout == "blocks8" ? records_in<Blocks<8>>(objects)
                                 : records_in<Blocks<32>>(objects);
}

struct Hundred {
    __device__ static unsigned answer(unsigned i) { return 100 + i; }
};
struct Double {
    __device__ static unsigned answer(unsigned i) { return 2 * i; }
};
struct Seven {
    __device__ static unsigned answer(unsigned) { return 7; }
};
struct Answer {
    template <class Class>
    __device__ unsigned call(unsigned i) const {
        return Class::answer(i);
    }
    __device__ unsigned missing(unsigned) const { return 0xdead; }
};

using Three = ClassList<Hundred, Double, Seven>;
static_assert(Three::tag_of<Hundred>() == 0 && Three::tag_of<Seven>() == 2 && Three::size == 3);

struct AnswerAll {
    unsigned const* tags;
    unsigned* by_switch;
    unsigned* by_table;
    unsigned* of_one_class;
    __device__ void operator()(unsigned i, unsigned) const {
        by_switch[i] = Three::call(tags[i], Answer(), i);
        by_table[i] = Three::call_by_table(tags[i], Answer(), i);
        of_one_class[i] = ClassList<Double>::call(tags[i], Answer(), i);
    }
};

struct StoreAnswer {
    unsigned* answers;
    template <class Class>
    __device__ void call(unsigned id, unsigned) const {
        answers[id] = Class::answer(id);
    }
};

std::vector<unsigned> answers_per_class(unsigned size) {
    Buffer<unsigned> answers(size);
    std::pair<unsigned, unsigned> const ranges[] = {{0, 2}, {2, 2}, {2, size}};
    each_per_class<Three>(ranges, 0, 1, StoreAnswer{answers.data()});
    simt::LOCKSTEP_MACHINE::synchronize({});
    return answers.to_vector();
}

DispatchResults run_dispatch(std::vector<unsigned> const& tags) {
    Buffer<unsigned> sent(tags.size());
    sent.upload(tags);
    Buffer<unsigned> results[3] = {Buffer<unsigned>(tags.size()), Buffer<unsigned>(tags.size()),
                                   Buffer<unsigned>(tags.size())};
    each(static_cast<unsigned>(tags.size()), 0, 1,
         AnswerAll{sent.data(), results[0].data(), results[1].data(), results[2].data()});
    simt::LOCKSTEP_MACHINE::synchronize({});
    return {results[0].to_vector(), results[1].to_vector(), results[2].to_vector(),
            answers_per_class(static_cast<unsigned>(tags.size()))};
}

enum : unsigned { value, wanted };
using Valued = Record<Columns, unsigned, unsigned>;

struct SetValue {
    Valued objects;
    unsigned const* successors;
    __device__ void operator()(unsigned id, unsigned) const {
        objects.get<value>(id) = id + 1;
        objects.get<wanted>(id) = successors[id];
    }
};

struct AsWanted {
    __device__ unsigned live(Valued const& objects, unsigned id, unsigned) const { return objects.get<wanted>(id); }
    __device__ void create(Valued const& parents, unsigned parent, Valued const& children, unsigned child,
                           unsigned which, unsigned) const {
        children.get<value>(child) = parents.get<value>(parent) * 100 + which;
        children.get<wanted>(child) = 1;
    }
};

struct ReadValue {
    Valued objects;
    unsigned* out;
    __device__ void operator()(unsigned id, unsigned) const { out[id] = objects.get<value>(id); }
};

PopulationResults run_population(std::vector<unsigned> const& successors) {
    unsigned const size = static_cast<unsigned>(successors.size());
    Buffer<unsigned> sent(size);
    sent.upload(successors);
    Population<Valued> population(size);
    each(size, 0, 1, SetValue{population.objects(), sent.data()});
    population.step(AsWanted(), 0);
    simt::LOCKSTEP_MACHINE::synchronize({});
    Buffer<unsigned> values(population.size());
    each(population.size(), 0, 1, ReadValue{population.objects(), values.data()});
    simt::LOCKSTEP_MACHINE::synchronize({});
    return {values.to_vector(), population.capacity()};
}

struct TripleId {
    Valued objects;
    __device__ void operator()(unsigned id, unsigned) const { objects.get<value>(id) = 3 * id; }
};
struct ValueOf {
    Valued objects;
    __device__ unsigned operator()(unsigned id) const { return objects.get<value>(id); }
};
struct PlusOne {
    __device__ unsigned operator()(unsigned x) const { return x + 1; }
};
struct PlusBoth {
    __device__ unsigned operator()(unsigned left, unsigned right) const { return left + right; }
};
struct HasEvenValue {
    Valued objects;
    __device__ bool operator()(unsigned id) const { return objects.get<value>(id) % 2 == 0; }
};

OverObjects run_over_objects(unsigned size) {
    Population<Valued> population(size);
    Valued const objects = population.objects();
    each(size, 0, 1, TripleId{objects});
    auto mapped = over_objects(size).map(ValueOf{objects}).map(PlusOne());
    OverObjects results;
    results.sum = mapped.reduce(PlusBoth(), 0u);
    results.even = over_objects(size).select(HasEvenValue{objects});
    results.mapped = mapped.value().to_vector();
    return results;
}

}  // namespace lockstep::object_layout::tests::LOCKSTEP_MACHINE
