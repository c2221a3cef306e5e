#include "common/object_layout/crossing_ticks.hpp"

#include "common/object_layout/skip_ticks.hpp"

namespace lockstep::object_layout {

namespace {

constexpr unsigned max_crossing = 255;

template <class Step>
unsigned char ticks_over(float length, Step step) {
    // Rounding cannot double a sum of 255 steps. So the table of a network of long streets takes no time.
    if (2 * max_crossing * static_cast<double>(step) < static_cast<double>(length))
        return 0;
    Leg const leg = cpu::advance_ticks(0.0f, step, length, max_crossing);
    return leg.progress >= length ? static_cast<unsigned char>(leg.ticks) : 0;
}

}  // namespace

std::vector<unsigned char> crossing_ticks(Traffic const& traffic) {
    Network const& network = *traffic.network;
    unsigned const kinds = (traffic.types + 1) / 2;
    std::vector<unsigned char> table;
    table.reserve(std::size_t{kinds} * network.streets() * car_velocities);
    for (unsigned kind = 0; kind < kinds; ++kind) {
        float const share = 1.0f - static_cast<float>(kind) / 32.0f;
        for (unsigned street = 0; street < network.streets(); ++street) {
            for (unsigned column = 0; column < car_velocities; ++column) {
                float const own = static_cast<float>(min_car_velocity + column) * share;
                float const allowed = network.max_velocity[street];
                float const speed = (allowed < own ? allowed : own) * traffic.weather;
                table.push_back(traffic.mode == Mode::live
                                    ? ticks_over(network.length[street], speed * (1.0f / 60.0f))
                                    : ticks_over(network.length[street], static_cast<double>(speed) / 60.0));
            }
        }
    }
    return table;
}

}  // namespace lockstep::object_layout
