// The library on the host: Figures 4 and 6, class descriptions, the tracer and its errors.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "common/object_layout/job_order.hpp"
#include "common/object_layout/traffic_metrics.hpp"
#include "harness/bench/error.hpp"
#include "kernels/object_layout/library/object_image.hpp"
#include "kernels/object_layout/library/traffic_model.hpp"
#include "reference_cpu/object_layout/world.hpp"

namespace lockstep::object_layout::tests {
namespace {

constexpr unsigned none = 0xffffffffu;

std::string error_of(std::function<void()> const& function) {
    try {
        function();
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "no error";
}

bool mentions(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

// C P P B C P C P P C C C in warps of four.
std::vector<unsigned> const figure4 = {0, 1, 1, 2, 0, 1, 0, 1, 1, 0, 0, 0};

TEST(JobOrder, Figure4) {
    std::vector<unsigned> const expected = {0, 4, 6, 9,    10,   11,   none, none, 1,    2,
                                            5, 7, 8, none, none, none, 3,    none, none, none};
    cpu::ScanCount scans;
    EXPECT_EQ(cpu::job_array_as_printed(figure4, 3, 4, &scans), expected);
    EXPECT_EQ(cpu::job_array(figure4, 3, 4), expected);
    EXPECT_EQ(scans.visits, 2 * figure4.size());
}

TEST(JobOrder, NoWarpHasTwoClassesAndNoElementIsLost) {
    std::mt19937 words(3);
    for (unsigned const types : {1u, 2u, 7u, 40u}) {
        for (unsigned const elements : {0u, 1u, 31u, 32u, 33u, 1000u}) {
            std::vector<unsigned> tags(elements);
            for (unsigned& tag : tags)
                tag = static_cast<unsigned>(words()) % types;
            std::vector<unsigned> const before = tags;
            std::vector<unsigned> const jobs = cpu::job_array(tags, types, 32);
            EXPECT_EQ(jobs, cpu::job_array_as_printed(tags, types, 32));
            EXPECT_EQ(tags, before);
            EXPECT_EQ(jobs.size() % 32, 0u);
            EXPECT_LE(jobs.size(), elements + 31 * std::size_t{types});
            std::set<unsigned> seen;
            for (std::size_t warp = 0; warp < jobs.size(); warp += 32) {
                std::set<unsigned> classes;
                for (std::size_t lane = warp; lane < warp + 32; ++lane) {
                    if (jobs[lane] == none)
                        continue;
                    classes.insert(tags[jobs[lane]]);
                    EXPECT_TRUE(seen.insert(jobs[lane]).second);
                }
                EXPECT_LE(classes.size(), 1u);
            }
            EXPECT_EQ(seen.size(), elements);
        }
    }
}

TEST(JobOrder, AnUnknownClassIsNamed) {
    std::vector<unsigned> const tags = {0, 1, 5};
    EXPECT_TRUE(mentions(error_of([&] { cpu::job_array(tags, 3, 32); }), "element 2 of the base array"));
    EXPECT_TRUE(mentions(error_of([&] { cpu::job_array_as_printed(tags, 3, 32); }), "class tag is 5"));
}

// Three streets as in Figure 6: neighbours {2}, {1, 3} and {1, 2, 5} of five.
TEST(Tracer, Figure6) {
    std::vector<Street> streets(6);
    for (unsigned number = 1; number < 6; ++number)
        streets[number].number = number;
    streets[1].neighbors = {&streets[2]};
    streets[2].neighbors = {&streets[1], &streets[3]};
    streets[3].neighbors = {&streets[1], &streets[2], &streets[5]};
    std::vector<Street*> const base = {&streets[1], &streets[2], &streets[3]};
    ObjectImage const image =
        trace(traffic_model(), roots_of(std::span<Street* const>(base)), {{"Street.neighbors", "Street.number"}, {}});
    EXPECT_EQ(image.arrays.size, (std::vector<unsigned>{1, 2, 3, 0}));
    EXPECT_EQ(image.arrays.offset, (std::vector<unsigned>{0, 1, 3, 6}));
    EXPECT_EQ(image.arrays.contents, (std::vector<unsigned>{1, 0, 2, 0, 1, 3}));
    // The figure's columns are equivalent, with array ids 2, 3, 1 and offsets 0, 3, 9.
    std::vector<unsigned> const ids = {2, 3, 1};
    std::vector<unsigned> const offset = {none, 0, 3, 9};
    std::vector<unsigned> const size = {none, 3, 1, 2};
    std::vector<unsigned> const contents = {1, 2, 5, 2, 0, 0, 0, 0, 0, 1, 3};
    std::vector<unsigned> const& numbers = image.column("Street.number").words;
    for (unsigned street = 0; street < 3; ++street) {
        unsigned const array = image.column("Street.neighbors").words[street];
        ASSERT_EQ(image.arrays.size[array], size[ids[street]]);
        for (unsigned i = 0; i < size[ids[street]]; ++i) {
            EXPECT_EQ(numbers[image.arrays.contents[image.arrays.offset[array] + i]],
                      contents[offset[ids[street]] + i]);
        }
    }
}

// The memory sectors of a warp's request for one field, and the distribution of its lanes over classes.
TEST(LaneMetrics, CountSectorsAndClasses) {
    Traffic traffic;
    traffic.first_of_type = {0, 32, 64};
    traffic.types = 2;
    auto const sorted = [](unsigned index) -> std::uint64_t { return index; };
    auto const by_turns = [](unsigned index) -> std::uint64_t { return index / 2 + index % 2 * 32; };
    std::map<Layout, double> const sectors = {
        {Layout::soa, 4}, {Layout::aosoa, 4}, {Layout::aos, 16}, {Layout::aos_padded, 32}};
    for (auto const& [layout, expected] : sectors) {
        TrafficOptions options;
        options.layout = layout;
        EXPECT_EQ(lane_metrics(traffic, options, 64, {}, sorted).at("sectors_progress"), expected);
    }
    auto metrics = lane_metrics(traffic, {}, 64, {}, sorted);
    EXPECT_EQ(metrics.at("classes_per_warp"), 1);
    EXPECT_EQ(metrics.at("lanes_active"), 32);
    metrics = lane_metrics(traffic, {}, 64, {}, by_turns);
    EXPECT_EQ(metrics.at("classes_per_warp"), 2);
    EXPECT_EQ(metrics.at("lanes_active"), 16);
    std::vector<unsigned> jobs(64, none);
    jobs[0] = 5;
    EXPECT_EQ(lane_metrics(traffic, {}, 1, jobs, sorted).at("no_job_lanes"), 63);
}

struct World {
    std::vector<Street> streets{3};
    Car car, second;
    Pedestrian pedestrian;
    std::vector<Agent*> base{&pedestrian, &car, &second, &car};

    World() {
        for (Street& street : streets)
            street.neighbors = {&streets[0], &streets[2]};
        pedestrian.street = &streets[1];
        car.street = second.street = &streets[0];
        car.max_velocity = 70;
        second.max_velocity = 80;
    }
    Roots roots() const { return roots_of(std::span<Agent* const>(base)); }
    ObjectImage traced() const { return trace(traffic_model(), roots(), access_of(traffic_model(), roots(), "move")); }
};

// Subclasses share ids, a field of one class is null in objects of the other, and each object gets one number.
TEST(Tracer, SharesIdsWithinAHierarchy) {
    World world;
    std::vector<Agent*> const before = world.base;
    ObjectImage const image = world.traced();
    EXPECT_EQ(world.base, before);
    EXPECT_EQ(image.base_ids, (std::vector<unsigned>{0, 1, 2, 1}));
    Hierarchy const& agents = image.hierarchy_of("Pedestrian");
    EXPECT_EQ(&agents, &image.hierarchy_of("Car"));
    EXPECT_TRUE(agents.polymorphic());
    EXPECT_EQ(agents.objects.size(), 3u);
    Column const& velocity = image.column("Car.max_velocity");
    EXPECT_EQ(velocity.words.size(), 3u);
    EXPECT_EQ(velocity.words[0], 0u);
    EXPECT_NE(velocity.words[1], 0u);
    EXPECT_EQ(velocity.nulls, 1u);
    EXPECT_EQ(image.null_bytes(), 4u);
    EXPECT_LT(image.bytes(), image.bytes_with_one_numbering());
    // Breadth-first order: the pedestrian's street comes first.
    EXPECT_EQ(image.column("Agent.street").words, (std::vector<unsigned>{0, 1, 1}));
    EXPECT_FALSE(image.hierarchy_of("Street").polymorphic());
    EXPECT_TRUE(image.column("Agent.street").tags.empty());
}

// A reference into a hierarchy of several classes is a class tag and an id.
TEST(Tracer, TagsPolymorphicReferences) {
    struct Owner {
        Agent* agent = nullptr;
        std::vector<Agent*> all;
    };
    ClassModel model;
    model.add<Street>("Street");
    model.add<Agent>("Agent");
    model.add<Car, Agent>("Car");
    model.add<Pedestrian, Agent>("Pedestrian");
    model.add<Owner>("Owner").reference("agent", &Owner::agent).references("all", &Owner::all);
    World world;
    Owner first = {&world.car, {&world.pedestrian, &world.car}};
    Owner second = {&world.pedestrian, {}};
    std::vector<Owner*> const base = {&first, &second};
    Roots const roots = roots_of(std::span<Owner* const>(base));
    ObjectImage const image = trace(model, roots, {{"Owner.agent", "Owner.all"}, {}});
    unsigned const car = model.class_named("Car");
    unsigned const pedestrian = model.class_named("Pedestrian");
    EXPECT_EQ(image.column("Owner.agent").words, (std::vector<unsigned>{0, 1}));
    EXPECT_EQ(image.column("Owner.agent").tags, (std::vector<unsigned>{car, pedestrian}));
    EXPECT_EQ(image.arrays.contents, (std::vector<unsigned>{1, 0}));
    EXPECT_EQ(image.arrays.tags, (std::vector<unsigned>{pedestrian, car}));
    second.agent = &world.second;
    EXPECT_TRUE(trace(model, {roots.objects, roots.types}, {{"Owner.agent"}, {}}).column("Owner.agent").tags.empty());
}

// The tracer follows only fields that are read or written.
TEST(Tracer, FollowsOnlyDeclaredFields) {
    World world;
    ObjectImage const image = trace(traffic_model(), world.roots(), {{"Agent.progress"}, {}});
    EXPECT_EQ(image.hierarchies.size(), 1u);
    EXPECT_TRUE(mentions(error_of([&] { image.column("Agent.street"); }), "does not declare that it reads or writes"));
    EXPECT_TRUE(mentions(error_of([&] { image.hierarchy_of("Street"); }), "no object of class Street"));
}

TEST(Tracer, RejectsNullReferencesAndUnknownClasses) {
    World world;
    world.second.street = nullptr;
    EXPECT_TRUE(mentions(error_of([&] { world.traced(); }), "a null reference in Agent.street"));
    world.second.street = world.streets.data();
    world.streets[2].neighbors.push_back(nullptr);
    EXPECT_TRUE(mentions(error_of([&] { world.traced(); }), "a null reference in Street.neighbors"));
    world.streets[2].neighbors.pop_back();
    EXPECT_EQ(error_of([&] { world.traced(); }), "no error");
    struct Bus : Car {};
    Bus bus;
    bus.street = world.streets.data();
    world.base.push_back(&bus);
    EXPECT_TRUE(mentions(error_of([&] { world.traced(); }), "a class that is not described"));
    world.base.back() = nullptr;
    EXPECT_TRUE(mentions(error_of([&] { world.traced(); }), "element 4 of the base array is null"));
}

TEST(ClassModel, FindsInheritedMethods) {
    struct Bus : Car {};
    ClassModel model;
    model.add<Street>("Street");
    model.add<Agent>("Agent").number("progress", &Agent::progress);
    model.add<Car, Agent>("Car");
    model.add<Bus, Car, Agent>("Bus");
    model.method("move", "Agent", {"Agent.progress"}, {});
    model.method("park", "Car", {}, {"Agent.progress"});
    EXPECT_EQ(model.find_method("move", model.class_named("Bus")).owner, model.class_named("Agent"));
    EXPECT_EQ(model.find_method("park", model.class_named("Bus")).owner, model.class_named("Car"));
    std::string const missing = error_of([&] { model.find_method("park", model.class_named("Agent")); });
    EXPECT_TRUE(mentions(missing, "Agent has no method park")) << missing;
    EXPECT_TRUE(mentions(error_of([&] { model.method("move", "Car", {"Car.colour"}, {}); }), "unknown field"));
    EXPECT_TRUE(mentions(error_of([&] { model.add<Car, Agent>("Taxi"); }), "described twice"));
    model.method("park", "Bus", {}, {});
    EXPECT_TRUE(model.find_method("park", model.class_named("Bus")).writes.empty()) << "a class may have its own";
    std::string const twice = error_of([&] { model.method("park", "Car", {"Agent.progress"}, {"Agent.progress"}); });
    EXPECT_TRUE(mentions(twice, "method park of Car is described twice")) << twice;
    EXPECT_TRUE(model.find_method("park", model.class_named("Car")).reads.empty());
}

// With another root, or with one that a cast moves to, the library would read the memory of other fields.
TEST(ClassModel, TheFirstClassOfAHierarchyIsNamedAndAtTheStart) {
    struct First {
        virtual ~First() = default;
        int first = 1;
    };
    struct Named {
        virtual ~Named() = default;
        int name = 2;
    };
    struct Behind : Named, First {};
    struct Before : First, Named {};
    struct Next : Before {};
    ClassModel model;
    model.add<First>("First");
    EXPECT_TRUE(mentions(error_of([&] { model.add<Behind, First>("Behind"); }),
                         "class Behind cannot be described (its first class First is not at its start)"));
    model.add<Before, First>("Before").number("name", &Named::name);
    EXPECT_TRUE(mentions(error_of([&] { model.add<Next, Before>("Next"); }),
                         "class Next cannot be described (the first class of its hierarchy is First)"));
    model.add<Next, Before, First>("Next");
}

// Written columns are copied back into the objects, references as pointers. An invalid id is rejected.
TEST(Tracer, WritesBack) {
    World world;
    ObjectImage image = world.traced();
    Column& progress = image.column("Agent.progress");
    float const moved = 2.5f;
    __builtin_memcpy(&progress.words[1], &moved, sizeof moved);
    image.column("Agent.street").words[1] = 0;
    write_back(image, progress);
    write_back(image, image.column("Agent.street"));
    EXPECT_EQ(world.car.progress, 2.5f);
    EXPECT_EQ(world.car.street, &world.streets[1]);
    EXPECT_EQ(world.second.street, &world.streets[0]);
    image.column("Agent.street").words[2] = 77;
    EXPECT_TRUE(mentions(error_of([&] { write_back(image, image.column("Agent.street")); }), "id 77"));
}

// Objects at page boundaries and other regular addresses, more than the initial capacity of the table.
TEST(Tracer, NumbersManyObjectsAtRegularAddresses) {
    constexpr std::size_t count = 3000;
    constexpr std::size_t distance = 4096;
    std::vector<std::byte> memory((count + 1) * distance);
    std::vector<Street*> base;
    for (std::size_t i = 0; i < count; ++i)
        base.push_back(new (memory.data() + i * distance + 4096 -
                            reinterpret_cast<std::uintptr_t>(memory.data()) % 4096) Street());
    ObjectImage const image = trace(traffic_model(), roots_of(std::span<Street* const>(base)), {{"Street.length"}, {}});
    for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(image.base_ids[i], i);
    for (Street* const street : base)
        street->~Street();
}

}  // namespace
}  // namespace lockstep::object_layout::tests
