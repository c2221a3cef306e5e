#pragma once
// Plain classes with references and virtual functions: heaters and coolers that control the temperature of rooms.

#include "kernels/object_layout/library/object_image.hpp"

namespace rooms {

struct Room {
    float temperature = 0;
};

struct Device {
    virtual ~Device() = default;
    virtual void adjust() = 0;  // the parallel section performs the same operation
    float power = 0;
    Room* room = nullptr;
};

struct Heater : Device {
    float target = 0;
    void adjust() override { power = room->temperature < target ? (target - room->temperature) * 0.5f : 0.0f; }
};

struct Cooler : Device {
    float limit = 0;
    void adjust() override { power = room->temperature > limit ? (room->temperature - limit) * 0.25f : 0.0f; }
};

// Runs adjust() for every object of the image, on the machine's copy of the fields that it uses. Only the power is
// copied back to the objects.
namespace emulator {
void adjust_all(lockstep::object_layout::ObjectImage& image);
}
namespace cuda {
void adjust_all(lockstep::object_layout::ObjectImage& image);
}

}  // namespace rooms
