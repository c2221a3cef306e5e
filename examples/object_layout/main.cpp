// Applies a method to ordinary C++ objects in parallel. The library finds the objects from a base array, stores the
// fields that the method uses in columns, and copies written fields back.

#include <cstdio>
#include <memory>
#include <vector>

#include "harness/simt/devices.hpp"
#include "rooms.hpp"

namespace layout = lockstep::object_layout;

namespace {

layout::ClassModel describe() {
    layout::ClassModel model;
    model.add<rooms::Room>("Room").number("temperature", &rooms::Room::temperature);
    model.add<rooms::Device>("Device").number("power", &rooms::Device::power).reference("room", &rooms::Device::room);
    model.add<rooms::Heater, rooms::Device>("Heater").number("target", &rooms::Heater::target);
    model.add<rooms::Cooler, rooms::Device>("Cooler").number("limit", &rooms::Cooler::limit);
    model.method("adjust", "Heater", {"Device.room", "Room.temperature", "Heater.target"}, {"Device.power"});
    model.method("adjust", "Cooler", {"Device.room", "Room.temperature", "Cooler.limit"}, {"Device.power"});
    return model;
}

struct House {
    std::vector<rooms::Room> rooms;
    std::vector<std::unique_ptr<rooms::Device>> devices;
};

House build(unsigned count) {
    House house;
    house.rooms.resize(count);
    for (unsigned i = 0; i < count; ++i) {
        house.rooms[i].temperature = 10.0f + static_cast<float>(i % 23);
        auto heater = std::make_unique<rooms::Heater>();
        heater->target = 21.0f;
        heater->room = &house.rooms[i];
        house.devices.push_back(std::move(heater));
        if (i % 3 != 0)
            continue;
        auto cooler = std::make_unique<rooms::Cooler>();
        cooler->limit = 25.0f;
        cooler->room = &house.rooms[(i * 7) % count];
        house.devices.push_back(std::move(cooler));
    }
    return house;
}

void adjust_all(layout::ObjectImage& image) {
#if defined(LOCKSTEP_WITH_CUDA)
    if (!lockstep::simt::cuda_devices().devices.empty())
        return rooms::cuda::adjust_all(image);
#endif
    rooms::emulator::adjust_all(image);
}

}  // namespace

int main() {
    House const house = build(100);
    std::vector<rooms::Device*> base;
    for (auto const& device : house.devices)
        base.push_back(device.get());

    layout::ClassModel const model = describe();
    layout::Roots const roots = layout::roots_of(std::span<rooms::Device* const>(base));
    layout::ObjectImage image = layout::trace(model, roots, layout::access_of(model, roots, "adjust"));
    std::printf("%zu devices, %zu rooms, %llu bytes in columns\n", image.hierarchy_of("Device").objects.size(),
                image.hierarchy_of("Room").objects.size(), static_cast<unsigned long long>(image.bytes()));
    adjust_all(image);

    // Computes the same with virtual calls and compares.
    double power = 0;
    unsigned different = 0;
    for (rooms::Device* const device : base) {
        float const in_parallel = device->power;
        device->adjust();
        power += device->power;
        different += device->power != in_parallel ? 1 : 0;
    }
    std::printf("total power %.2f; %u devices differ from a virtual call\n", power, different);
}
