#pragma once
// A case of a program of interacting objects (interaction.hpp), which the library stores. A program says what a tick
// does and how its objects are counted. Include it in `.cu` files.

#include <utility>

#include "common/object_layout/interaction.hpp"
#include "harness/bench/stored_case.hpp"
#include "kernels/object_layout/library/sections.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct AddCounts {
    __device__ unsigned long long operator()(unsigned long long left, unsigned long long right) const {
        return left + right;
    }
};

// The sum of a number over objects 0 .. size - 1, which a function of the library's user computes from an id.
template <class Function>
std::uint64_t sum_over_objects(unsigned size, Function function) {
    return over_objects(size).map(function).reduce(AddCounts{}, 0ull);
}

class InteractionCase : public bench::LOCKSTEP_MACHINE::StoredCase, public Counting {
public:
    void run(simt::Stream stream) override {
        history_.clear();
        note(stream);
        for (unsigned tick = 0; tick < ticks_; ++tick) {
            step(tick, stream);
            note(stream);
        }
    }
    // An item is a tick of a unit.
    bench::Work work() const override {
        double const items = static_cast<double>(units()) * ticks_;
        return {items, bytes_per_tick() * items, items};
    }
    bool repeatable() const override { return false; }
    void count_each_tick() override { counting_ = true; }
    History history() const override { return history_; }

protected:
    InteractionCase(bench::Problem const& problem, unsigned words)
        : StoredCase(problem, words), ticks_(static_cast<unsigned>(problem.axes.integer("ticks"))) {
        refuse_shards(problem);
    }
    unsigned units() const { return static_cast<unsigned>(problem().units); }
    std::uint64_t seed() const { return problem().seed; }

    virtual void step(unsigned tick, simt::Stream stream) = 0;
    // The objects in each state, in the order of states_of().
    virtual std::vector<std::uint64_t> count() = 0;
    // What a unit reads and writes at least.
    virtual double bytes_per_tick() const = 0;

private:
    void note(simt::Stream stream) {
        if (!counting_)
            return;
        synchronize(stream);
        history_.push_back(count());
    }

    unsigned ticks_;
    bool counting_ = false;
    History history_;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
