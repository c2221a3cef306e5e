#include "kernels/object_layout/library/class_list.hpp"
#include "kernels/object_layout/library/device_objects.hpp"
#include "kernels/object_layout/library/sections.hpp"
#include "rooms.hpp"

namespace rooms::LOCKSTEP_MACHINE {

namespace objects = lockstep::object_layout::LOCKSTEP_MACHINE;

struct Devices {
    objects::DeviceColumn<unsigned> room;
    objects::DeviceColumn<float> power, temperature, target, limit;
};

// The methods on columns: an object is an id, and a field is a column.
struct HeaterMethods {
    __device__ static void adjust(Devices const& devices, unsigned id) {
        float const now = devices.temperature[devices.room[id]];
        float const wanted = devices.target[id];
        devices.power[id] = now < wanted ? (wanted - now) * 0.5f : 0.0f;
    }
};

struct CoolerMethods {
    __device__ static void adjust(Devices const& devices, unsigned id) {
        float const now = devices.temperature[devices.room[id]];
        float const allowed = devices.limit[id];
        devices.power[id] = now > allowed ? (now - allowed) * 0.25f : 0.0f;
    }
};

// A class of the model that no element of the base array has.
struct NoMethods {
    __device__ static void adjust(Devices const&, unsigned) {}
};

// The classes in the order of the model: Room, Device, Heater, Cooler. The library finds the method by the class tag.
using Classes = objects::ClassList<NoMethods, NoMethods, HeaterMethods, CoolerMethods>;

struct Adjust {
    objects::DeviceColumn<unsigned> base, tags;
    Devices devices;

    template <class Class>
    __device__ void call(unsigned id) const {
        Class::adjust(devices, id);
    }
    __device__ void operator()(unsigned index, unsigned) const {
        unsigned const id = base[index];
        unsigned const tag = tags[id];
        Classes::call(tag, *this, id);
    }
};

void adjust_all(lockstep::object_layout::ObjectImage& image) {
    objects::DeviceObjects device(image);
    device.begin_section();  // sends the columns that the section reads
    Adjust const adjust = {
        device.words("base array"),
        device.words("class tags of Device"),
        {device.column<unsigned>("Device.room"), device.column<float>("Device.power"),
         device.column<float>("Room.temperature"), device.column<float>("Heater.target"),
         device.column<float>("Cooler.limit")},
    };
    objects::each(static_cast<unsigned>(image.base_ids.size()), 0, 1, adjust);
    device.end_section();
    device.fetch();  // copies the written columns into the host's objects
}

}  // namespace rooms::LOCKSTEP_MACHINE
