#include "kernels/object_layout/library/class_model.hpp"

#include "harness/bench/error.hpp"

namespace lockstep::object_layout {

unsigned ClassModel::add_class(std::string const& name, std::type_info const& type, unsigned base) {
    for (ClassDescription const& known : classes_) {
        if (known.name == name || *known.type == type)
            throw bench::Error("class " + name + " is described twice", "the first time as " + known.name);
    }
    unsigned const number = static_cast<unsigned>(classes_.size());
    classes_.push_back({name, &type, base, base == number ? number : classes_[base].root, {}});
    return number;
}

void ClassModel::require_root(std::string const& name, unsigned base, std::type_info const& root, bool at_start) const {
    std::string const problem = "class " + name + " cannot be described";
    ClassDescription const& first = classes_[classes_[base].root];
    if (*first.type != root)
        throw bench::Error(problem, "the first class of its hierarchy is " + first.name,
                           "Name that as well: add<" + name + ", " + classes_[base].name + ", " + first.name + ">.");
    if (!at_start)
        throw bench::Error(problem, "its first class " + first.name + " is not at its start",
                           "Name " + first.name + " first among the base classes.");
}

void ClassModel::add_field(unsigned number, FieldDescription field) {
    for (FieldDescription const& known : classes_[number].fields) {
        if (known.name == field.name)
            throw bench::Error("field " + field.name + " is described twice", "");
    }
    classes_[number].fields.push_back(std::move(field));
}

unsigned ClassModel::class_of(std::type_info const& type) const {
    for (unsigned number = 0; number < classes_.size(); ++number) {
        if (*classes_[number].type == type)
            return number;
    }
    throw bench::Error("an object has a class that is not described", type.name(), "Describe it with ClassModel::add.");
}

unsigned ClassModel::class_named(std::string const& name) const {
    for (unsigned number = 0; number < classes_.size(); ++number) {
        if (classes_[number].name == name)
            return number;
    }
    throw bench::Error("unknown class " + name, "it is not described");
}

FieldDescription const& ClassModel::field_named(std::string const& name) const {
    for (ClassDescription const& known : classes_) {
        for (FieldDescription const& field : known.fields) {
            if (field.name == name)
                return field;
        }
    }
    throw bench::Error("unknown field " + name, "no class describes it", "Name a field as Class.field.");
}

bool ClassModel::derives(unsigned from, unsigned base) const {
    while (from != base && classes_[from].base != from)
        from = classes_[from].base;
    return from == base;
}

void ClassModel::method(std::string const& name, std::string const& of_class, std::set<std::string> reads,
                        std::set<std::string> writes) {
    for (std::set<std::string> const* const fields : {&reads, &writes}) {
        for (std::string const& field : *fields)
            field_named(field);
    }
    unsigned const owner = class_named(of_class);
    for (MethodDescription const& known : methods_) {
        if (known.name == name && known.owner == owner)
            throw bench::Error("method " + name + " of " + of_class + " is described twice",
                               "a section would use the first description alone", "Describe it once, with all fields.");
    }
    methods_.push_back({name, owner, std::move(reads), std::move(writes)});
}

MethodDescription const& ClassModel::find_method(std::string const& name, unsigned of_class) const {
    for (unsigned number = of_class;; number = classes_[number].base) {
        for (MethodDescription const& method : methods_) {
            if (method.name == name && method.owner == number)
                return method;
        }
        if (classes_[number].base == number)
            break;
    }
    throw bench::Error(classes_[of_class].name + " has no method " + name, "neither do its base classes",
                       "Declare it with ClassModel::method.");
}

}  // namespace lockstep::object_layout
