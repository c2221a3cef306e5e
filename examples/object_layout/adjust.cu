#include "kernels/object_layout/library/device_objects.hpp"
#include "kernels/object_layout/library/sections.hpp"
#include "rooms.hpp"

namespace rooms::LOCKSTEP_MACHINE {

namespace objects = lockstep::object_layout::LOCKSTEP_MACHINE;

// The method on columns: an object is an id, a field is a column, a class is a tag.
struct Adjust {
    objects::DeviceColumn<unsigned> base, tags, room;
    objects::DeviceColumn<float> power, temperature, target, limit;
    unsigned heater;

    __device__ void operator()(unsigned index, unsigned) const {
        unsigned const id = base[index];
        float const now = temperature[room[id]];
        if (tags[id] == heater) {
            float const wanted = target[id];
            power[id] = now < wanted ? (wanted - now) * 0.5f : 0.0f;
        } else {
            float const allowed = limit[id];
            power[id] = now > allowed ? (now - allowed) * 0.25f : 0.0f;
        }
    }
};

void adjust_all(lockstep::object_layout::ObjectImage& image, unsigned heater) {
    objects::DeviceObjects device(image);
    device.begin_section();  // sends the columns that the section reads
    Adjust const adjust = {device.words("base array"),
                           device.words("class tags of Device"),
                           device.column<unsigned>("Device.room"),
                           device.column<float>("Device.power"),
                           device.column<float>("Room.temperature"),
                           device.column<float>("Heater.target"),
                           device.column<float>("Cooler.limit"),
                           heater};
    objects::each(static_cast<unsigned>(image.base_ids.size()), 0, 1, adjust);
    device.end_section();
    device.fetch();  // copies the written columns into the host's objects
}

}  // namespace rooms::LOCKSTEP_MACHINE
