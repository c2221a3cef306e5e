#pragma once
// Descriptions of host classes, which the library needs to find their objects, number them and store them in columns
// (Sections 4.3 to 4.6).
//
//   ClassModel model;
//   model.add<Street>("Street").number("length", &Street::length).references("neighbors", &Street::neighbors);
//   model.add<Agent>("Agent").number("progress", &Agent::progress).reference("street", &Agent::street);
//   model.add<Car, Agent>("Car").number("max_velocity", &Car::max_velocity);
//   model.method("move", "Car", {"Agent.progress", "Agent.street", "Car.max_velocity"}, {"Agent.progress"});
//
// A base class and all classes that derive from it form a hierarchy. They share ids, and a field is a column of the
// class that describes it. The classes of a hierarchy with several classes must be polymorphic (have a virtual
// function), because the library determines an object's class at run time. With multiple inheritance, every class that
// is described has the hierarchy's first class at its start: add<Car, Agent> fails for a Car : Named, Agent. A field is
// a float, int or unsigned of 4 bytes, a pointer to an object, or a vector of pointers to objects.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace lockstep::object_layout {

enum class FieldKind { number, reference, references };

// An object that a field refers to: a pointer to it as its hierarchy's first class, and its class. Null references are
// nullptr.
struct Target {
    void const* object = nullptr;
    std::type_info const* type = nullptr;
};

struct FieldDescription {
    std::string name;  // Class.field
    FieldKind kind = FieldKind::number;
    unsigned owner = 0;                      // number of the class that describes it
    std::type_info const* target = nullptr;  // for references: the declared class
    // All functions take objects as pointers to their hierarchy's first class.
    std::function<void(std::span<void const* const>, std::uint32_t*)> gather;
    std::function<void(std::span<void* const>, std::uint32_t const*)> scatter;
    std::function<Target(void const*)> get;
    std::function<void(void*, void*)> set;
    std::function<void(void const*, std::vector<Target>&)> get_all;
};

struct ClassDescription {
    std::string name;
    std::type_info const* type = nullptr;
    unsigned base = 0;  // the class itself if it has no base
    unsigned root = 0;  // the first class of the hierarchy
    std::vector<FieldDescription> fields;
};

struct MethodDescription {
    std::string name;
    unsigned owner = 0;
    std::set<std::string> reads;
    std::set<std::string> writes;
};

class ClassModel {
    template <class T, class Root>
    class Adder;

public:
    // Describes T. Throws bench::Error if the class or the name is already described.
    template <class T>
    Adder<T, T> add(std::string const& name) {
        unsigned const number = add_class(name, typeid(T), static_cast<unsigned>(classes_.size()));
        return {*this, number};
    }
    // Describes T, which derives from Base. Root is the first class of the hierarchy: it has to be named if Base is
    // another class, and be at the start of T. Throws bench::Error if it is not so.
    template <class T, class Base, class Root = Base>
    Adder<T, Root> add(std::string const& name) {
        static_assert(std::is_base_of_v<Base, T> && std::is_base_of_v<Root, Base>);
        static_assert(std::is_polymorphic_v<Root>, "the classes of a hierarchy must be polymorphic");
        static_assert(
            requires(Root * root) { static_cast<T*>(root); }, "no class of a hierarchy is a virtual base");
        require_root(name, class_of(typeid(Base)), typeid(Root), is_at_start<T, Root>());
        return {*this, add_class(name, typeid(T), class_of(typeid(Base)))};
    }
    // Declares which fields a method of a class reads and writes. Throws bench::Error for an unknown class or field, or
    // if the class has declared the method. A derived class may declare its own.
    void method(std::string const& name, std::string const& of_class, std::set<std::string> reads,
                std::set<std::string> writes);

    // Returns the method of a class or of its nearest base class. Throws bench::Error if there is none (the paper's
    // method_missing).
    MethodDescription const& find_method(std::string const& name, unsigned of_class) const;

    std::vector<ClassDescription> const& classes() const { return classes_; }
    // Throw bench::Error if the class or field is not described.
    unsigned class_of(std::type_info const& type) const;
    unsigned class_named(std::string const& name) const;
    FieldDescription const& field_named(std::string const& name) const;
    bool derives(unsigned from, unsigned base) const;

private:
    template <class T, class Root>
    class Adder {
    public:
        Adder(ClassModel& model, unsigned number) : model_(model), number_(number) {}

        template <class V, class In>
        Adder& number(std::string const& name, V In::*member) {
            static_assert(sizeof(V) == 4 && std::is_arithmetic_v<V>, "a field is a float, an int or an unsigned");
            FieldDescription field = described(name, FieldKind::number);
            field.gather = [member](std::span<void const* const> objects, std::uint32_t* words) {
                for (std::size_t i = 0; i < objects.size(); ++i)
                    __builtin_memcpy(words + i, &(object_of(objects[i])->*member), 4);
            };
            field.scatter = [member](std::span<void* const> objects, std::uint32_t const* words) {
                for (std::size_t i = 0; i < objects.size(); ++i)
                    __builtin_memcpy(&(object_of(objects[i])->*member), words + i, 4);
            };
            return keep(std::move(field));
        }

        template <class V, class In>
        Adder& reference(std::string const& name, V* In::*member) {
            FieldDescription field = described(name, FieldKind::reference);
            field.target = &typeid(V);
            field.get = [member](void const* object) { return target_of<V>(object_of(object)->*member); };
            field.set = [member](void* object, void* target) { object_of(object)->*member = static_cast<V*>(target); };
            return keep(std::move(field));
        }

        template <class V, class In>
        Adder& references(std::string const& name, std::vector<V*> In::*member) {
            FieldDescription field = described(name, FieldKind::references);
            field.target = &typeid(V);
            field.get_all = [member](void const* object, std::vector<Target>& found) {
                for (V const* const target : object_of(object)->*member)
                    found.push_back(target_of<V>(target));
            };
            return keep(std::move(field));
        }

    private:
        static T const* object_of(void const* object) {
            return static_cast<T const*>(static_cast<Root const*>(object));
        }
        static T* object_of(void* object) { return static_cast<T*>(static_cast<Root*>(object)); }
        template <class V>
        static Target target_of(V const* object) {
            if constexpr (std::is_polymorphic_v<V>) {
                return object == nullptr ? Target{} : Target{object, &typeid(*object)};
            } else {
                return {object, &typeid(V)};
            }
        }
        FieldDescription described(std::string const& name, FieldKind kind) const {
            FieldDescription field;
            field.name = model_.classes_[number_].name + "." + name;
            field.kind = kind;
            field.owner = number_;
            return field;
        }
        Adder& keep(FieldDescription field) {
            model_.add_field(number_, std::move(field));
            return *this;
        }

        ClassModel& model_;
        unsigned number_;
    };

    // True if a pointer to a T is one to its Root. No object is needed, because Root is no virtual base.
    template <class T, class Root>
    static bool is_at_start() {
        constexpr std::uintptr_t somewhere = std::uintptr_t{1} << 20;
        return reinterpret_cast<std::uintptr_t>(static_cast<Root*>(reinterpret_cast<T*>(somewhere))) == somewhere;
    }
    // Throws bench::Error for a class with another root than its base has, or with a root that is not at its start.
    void require_root(std::string const& name, unsigned base, std::type_info const& root, bool at_start) const;
    unsigned add_class(std::string const& name, std::type_info const& type, unsigned base);
    void add_field(unsigned number, FieldDescription field);

    std::vector<ClassDescription> classes_;
    std::vector<MethodDescription> methods_;
};

}  // namespace lockstep::object_layout
