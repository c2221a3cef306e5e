#include "tests/object_layout/section_checks.hpp"

#include "kernels/object_layout/dispatch.hpp"

#include <algorithm>

#include "common/object_layout/traffic_case.hpp"
#include "harness/simt/error.hpp"
#include "kernels/object_layout/library/device_objects.hpp"
#include "kernels/object_layout/library/sections.hpp"
#include "kernels/object_layout/library/traffic_model.hpp"
#include "reference_cpu/object_layout/world.hpp"

namespace lockstep::object_layout::tests::LOCKSTEP_MACHINE {

using namespace object_layout::LOCKSTEP_MACHINE;

struct Triple {
    __device__ unsigned operator()(unsigned x) const { return 3 * x; }
};
struct AddOne {
    __device__ unsigned operator()(unsigned x) const { return x + 1; }
};
struct ToFloat {
    __device__ float operator()(unsigned x) const { return static_cast<float>(x) * 0.1f; }
};
struct Odd {
    __device__ bool operator()(unsigned x) const { return x % 2 == 1; }
};
struct Sum {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};
struct Least {
    __device__ unsigned operator()(unsigned a, unsigned b) const { return a < b ? a : b; }
};

// each with ticks: adds the tick's number.
struct AddTick {
    unsigned* values;
    __device__ void operator()(unsigned i, unsigned tick) const { values[i] += tick; }
};

struct SetProgress {
    DeviceColumn<float> progress;
    DeviceColumn<unsigned> street;
    __device__ void operator()(unsigned id, unsigned) const {
        progress[id] = 7.0f;
        street[id] = street[id];
    }
};

struct BadAccess {
    DeviceColumn<float> read_only;
    DeviceColumn<float> write_only;
    unsigned what;
    __device__ void operator()(unsigned id, unsigned) const {
        if (what == 0) {
            read_only[id] = 1.0f;
        } else if (what == 1) {
            float const value = write_only[id];
            write_only[id] = value;
        } else if (what == 2) {
            float const value = read_only[id + read_only.size];
            write_only[id] = value;
        } else {
            float const value = read_only[id];
            write_only[id] = value;
        }
    }
};

SectionResults run_sections(std::vector<unsigned> const& values) {
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> array(values.size());
    array.upload(values);
    auto mapped = over(array).map(Triple()).map(AddOne());
    SectionResults results;
    results.lazy = !mapped.computed();
    results.sum = mapped.reduce(Sum(), 0u);
    results.least = mapped.reduce(Least(), 0xffffffffu);
    results.float_sum = mapped.map(ToFloat()).reduce(Sum(), 0.0f);
    results.selected = mapped.select(Odd());
    results.lazy = results.lazy && !mapped.computed();
    results.mapped = mapped.value().to_vector();
    auto tripled = over(array).map(Triple());
    results.unfused_same = tripled.evaluated().map(AddOne()).value().to_vector() == results.mapped;
    each(static_cast<unsigned>(values.size()), 1, 4, AddTick{array.data()});
    simt::LOCKSTEP_MACHINE::synchronize({});
    results.each = array.to_vector();
    return results;
}

namespace {

std::vector<std::string> names(std::map<std::string, unsigned> const& moved) {
    std::vector<std::string> found;
    for (auto const& [name, count] : moved)
        found.push_back(name + (count == 1 ? "" : " x" + std::to_string(count)));
    return found;
}

}  // namespace

TransferResults run_transfers(bool cars) {
    Street street;
    street.neighbors = {&street};
    Car car;
    Pedestrian pedestrian;
    car.street = pedestrian.street = &street;
    std::vector<Agent*> const base = {cars ? static_cast<Agent*>(&car) : &pedestrian};
    Roots const roots = roots_of(std::span<Agent* const>(base));
    ObjectImage image = trace(traffic_model(), roots, access_of(traffic_model(), roots, "move"));
    DeviceObjects objects(image);
    objects.begin_section();
    objects.begin_section();  // columns that the device has are not sent again
    each(1, 0, 1, SetProgress{objects.column<float>("Agent.progress"), objects.column<unsigned>("Agent.street")});
    simt::LOCKSTEP_MACHINE::synchronize({});
    objects.end_section();
    TransferResults results;
    results.sent = names(objects.transfers().uploads);
    objects.fetch();
    results.fetched = names(objects.transfers().downloads);
    objects.fetch();
    results.fetched_twice = names(objects.transfers().downloads);
    results.progress_of_host = base.front()->progress;
    street.length += 1;
    objects.refresh();
    objects.begin_section();
    for (auto const& [name, count] : objects.transfers().uploads) {
        if (count == 2)
            results.sent_again.push_back(name);
    }
    return results;
}

std::string too_large_error() {
    Street street;
    std::vector<Street*> const base = {&street};
    ObjectImage image = trace(traffic_model(), roots_of(std::span<Street* const>(base)), {{"Street.length"}, {}});
    try {
        DeviceObjects(image, 3);
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "";
}

std::string unknown_class_error() {
    Traffic traffic;
    traffic.cars = traffic.pedestrians = 20;
    traffic.types = 4;
    traffic.ticks = 1;
    traffic.network = std::make_shared<Network const>(random_network(1, 5));
    TrafficRequest const request = {std::make_shared<Traffic const>(make_traffic(traffic)), {}, 0, 40};
    TrafficCase agents("switch", switch_kernel<Live, Soa, 2>, request);
    agents.reset();
    agents.run({});
    std::uint64_t const unit = 0;
    try {
        agents.results({&unit, 1});
    } catch (simt::Error const& error) {
        return error.what();
    }
    return "";
}

#if defined(LOCKSTEP_EMULATOR)
std::string error_of_access(std::string const& what) {
    simt::LOCKSTEP_MACHINE::Buffer<float> first(40);
    simt::LOCKSTEP_MACHINE::Buffer<float> second(40);
    first.fill_bytes(0);
    second.fill_bytes(0);
    unsigned const number = what == "write" ? 0 : what == "read" ? 1 : what == "index" ? 2 : 3;
    try {
        each(
            40, 0, 1,
            BadAccess{{first.data(), 40, may_read, "Car.first"}, {second.data(), 40, may_write, "Car.second"}, number});
    } catch (simt::Error const& error) {
        return error.what();
    }
    return "";
}
#endif

}  // namespace lockstep::object_layout::tests::LOCKSTEP_MACHINE
