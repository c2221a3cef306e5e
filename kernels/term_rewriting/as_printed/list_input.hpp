#pragma once
// A full binary tree with Leaf(Sort(list)) at its leaves, written where it is rewritten: 8 million lists take a minute
// on the host. One thread per list, then one thread per inner node. The same terms as make_input() of
// common/term_rewriting/workload.cpp, in another order of slots.

#include "harness/random/bounded.hpp"
#include "harness/random/philox.hpp"
#include "harness/simt/kernel.hpp"
#include "kernels/term_rewriting/as_printed/list_slots.hpp"

namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE {

template <class Symbol>
class SlotWriter {
public:
    __device__ explicit SlotWriter(Columns const& columns) : c_(columns) {}

    __device__ unsigned write(unsigned slot, unsigned symbol, unsigned references) {
        static_cast<Symbol*>(c_.hss)[slot] = static_cast<Symbol>(symbol);
        if (c_.refcounts != nullptr)
            c_.refcounts[slot] = references;
        return slot;
    }
    __device__ unsigned write(unsigned slot, unsigned symbol, unsigned references, unsigned argument) {
        c_.arguments[slot] = argument;
        return write(slot, symbol, references);
    }
    __device__ unsigned write(unsigned slot, unsigned symbol, unsigned references, unsigned first, unsigned second) {
        c_.arguments[static_cast<Wide>(c_.capacity) + slot] = second;
        return write(slot, symbol, references, first);
    }

private:
    Columns const& c_;
};

template <class Symbol>
__device__ void write_lists(ListArguments const& a) {
    unsigned const list = blockIdx.x * blockDim.x + threadIdx.x;
    ListSlots const slots = a.slots;
    if (list >= slots.lists())
        return;
    SlotWriter<Symbol> writer(a.columns);
    if (list == 0 && slots.shared) {
        // One chain holds all numerals: a list names each once, and so does its successor.
        for (unsigned value = 0; value < slots.elements; ++value) {
            unsigned const references = slots.lists() + (value + 1 < slots.elements ? 1 : 0);
            if (value == 0)
                writer.write(slots.shared_numeral(value), a.zero, references);
            else
                writer.write(slots.shared_numeral(value), a.successor, references, slots.shared_numeral(value - 1));
        }
    }
    unsigned char values[max_device_elements];
    for (unsigned i = 0; i < slots.elements; ++i)
        values[i] = static_cast<unsigned char>(i);
    auto engine = random::LOCKSTEP_MACHINE::Philox4x32<10>::stream(a.seed, list, 0);
    for (unsigned i = slots.elements; i > 1; --i) {
        unsigned const other = random::LOCKSTEP_MACHINE::bounded(engine, i);
        unsigned char const value = values[i - 1];
        values[i - 1] = values[other];
        values[other] = value;
    }
    unsigned next = slots.first_slot(list);
    unsigned term = writer.write(next++, a.nil, 1);
    for (unsigned i = slots.elements; i-- > 0;) {
        unsigned numeral = slots.shared_numeral(values[i]);
        if (!slots.shared) {
            numeral = writer.write(next++, a.zero, 1);
            for (unsigned value = 0; value < values[i]; ++value)
                numeral = writer.write(next++, a.successor, 1, numeral);
        }
        term = writer.write(next++, a.cons, 1, numeral, term);
    }
    term = writer.write(next++, a.sort, 1, term);
    writer.write(slots.leaf(list), a.leaf, 1, term);
}

template <class Symbol>
__device__ void write_tree(ListArguments const& a) {
    unsigned const node = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (node >= a.slots.lists())
        return;
    SlotWriter<Symbol> writer(a.columns);
    writer.write(a.slots.node(node), a.node, 1, a.slots.node(2 * node), a.slots.node(2 * node + 1));
}

}  // namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE
