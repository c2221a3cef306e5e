#pragma once
// The models in textbook form: one replication, sequentially, on one thread. workload.hpp defines the models.

#include "common/replications/ways.hpp"
#include "common/replications/workload.hpp"
#include "harness/random/logarithm.hpp"
#include "harness/random/uniform.hpp"

namespace lockstep::replications {

inline void append(bench::UnitResult& result, std::uint64_t value) {
    result.push_back(static_cast<std::uint32_t>(value));
    result.push_back(static_cast<std::uint32_t>(value >> 32));
}

template <class Stream>
bench::UnitResult run_pi(Point const& point, Stream& stream) {
    std::uint64_t inside = 0;
    for (unsigned draw = 0; draw < point.items; ++draw) {
        float const x = random::cpu::unit_float(stream());
        float const y = random::cpu::unit_float(stream());
        if (x * x + y * y < 1.0f)
            ++inside;
    }
    bench::UnitResult result;
    append(result, inside);
    return result;
}

// Simulates each customer on an absolute clock: arrival, start of service and departure.
template <class Stream>
bench::UnitResult run_mm1(Point const& point, Stream& stream) {
    std::uint64_t idle = 0, in_queue = 0, in_system = 0;
    std::uint64_t arrival = 0, departure = 0;
    for (unsigned client = 0; client < point.items; ++client) {
        std::uint64_t const gap = random::cpu::minus_log(stream());
        std::uint64_t const duration = random::cpu::minus_log(stream());
        arrival += gap * point.inverse_rate >> 16;
        std::uint64_t const begin = arrival > departure ? arrival : departure;
        idle += begin - departure;
        in_queue += begin - arrival;
        departure = begin + duration;
        in_system += departure - arrival;
    }
    bench::UnitResult result;
    append(result, idle);
    append(result, in_queue);
    append(result, in_system);
    return result;
}

// `direction(chunk, word)` is the direction of a step from that chunk.
template <class Stream, class Direction>
bench::UnitResult run_walk(Point const& point, Stream& stream, Direction const& direction) {
    unsigned x = static_cast<unsigned>(std::uint64_t{stream()} * map_width >> 32);
    unsigned y = static_cast<unsigned>(std::uint64_t{stream()} * map_height >> 32);
    unsigned const columns = map_width / point.chunk_width;
    auto const chunk_of = [&] { return x / point.chunk_width + columns * (y / point.chunk_height); };
    unsigned chunk = chunk_of();
    unsigned crossings = 0;
    for (unsigned step = 0; step < point.items; ++step) {
        switch (direction(chunk, stream())) {
            case 0:
                x = (x + 1) % map_width;
                break;
            case 1:
                x = (x + map_width - 1) % map_width;
                break;
            case 2:
                y = (y + 1) % map_height;
                break;
            default:
                y = (y + map_height - 1) % map_height;
                break;
        }
        unsigned const now = chunk_of();
        if (now != chunk)
            ++crossings;
        chunk = now;
    }
    return {x | y << 16, chunk, crossings};
}

template <class Stream>
bench::UnitResult run_branches(Point const& point, Stream& stream) {
    std::uint64_t total = 0;
    for (unsigned step = 0; step < point.items; ++step) {
        std::uint32_t const word = stream();
        std::uint32_t x =
            cpu::mixed_by(static_cast<unsigned>(std::uint64_t{word} * point.ways >> 32), word, point.rounds);
        for (unsigned load = 0; load < point.loads; ++load)
            x += memory_word(x >> (32 - memory_bits));
        total += x;
    }
    bench::UnitResult result;
    append(result, total);
    return result;
}

template <class Stream>
bench::UnitResult run_model(Model model, Point const& point, Stream& stream) {
    switch (model) {
        case Model::pi:
            return run_pi(point, stream);
        case Model::mm1:
            return run_mm1(point, stream);
        case Model::walk:
            return run_walk(point, stream, [](unsigned, std::uint32_t word) { return word >> 30; });
        case Model::chunk_walk:
            return run_walk(point, stream, [&](unsigned chunk, std::uint32_t word) {
                return cpu::mixed_by(chunk, word, point.rounds) >> 30;
            });
        default:
            return run_branches(point, stream);
    }
}

// Replication number `index` of the job, counted from 0 over all its points.
bench::UnitResult run_replication(Job const& job, std::uint64_t index);

}  // namespace lockstep::replications
