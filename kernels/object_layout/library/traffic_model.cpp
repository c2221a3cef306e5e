#include "kernels/object_layout/library/traffic_model.hpp"

#include "reference_cpu/object_layout/world.hpp"

namespace lockstep::object_layout {

namespace {

ClassModel described() {
    ClassModel model;
    model.add<Street>("Street")
        .number("length", &Street::length)
        .number("max_velocity", &Street::max_velocity)
        .number("number", &Street::number)
        .references("neighbors", &Street::neighbors);
    model.add<Agent>("Agent").number("progress", &Agent::progress).reference("street", &Agent::street);
    model.add<Car, Agent>("Car").number("max_velocity", &Car::max_velocity);
    model.add<Pedestrian, Agent>("Pedestrian");
    std::set<std::string> const moving = {"Agent.progress", "Agent.street"};
    std::set<std::string> walking = {"Agent.progress", "Agent.street", "Street.length", "Street.neighbors"};
    std::set<std::string> driving = walking;
    driving.insert({"Car.max_velocity", "Street.max_velocity"});
    model.method("move", "Car", driving, moving);
    model.method("move", "Pedestrian", walking, moving);
    driving.insert("Street.number");
    walking.insert("Street.number");
    model.method("move_by_table", "Car", driving, moving);
    model.method("move_by_table", "Pedestrian", walking, moving);
    return model;
}

}  // namespace

ClassModel const& traffic_model() {
    static ClassModel const model = described();
    return model;
}

}  // namespace lockstep::object_layout
