#pragma once
// Calls of methods by class tag, generated from a list of classes (Section 4.4, Figure 7). The tag of a class is its
// position in the list. No user compares tags.
//
//   using Devices = ClassList<Heater, Cooler>;
//   struct Adjust { template <class Class> __device__ void call(unsigned id) const { Class::adjust(objects, id); } };
//   Devices::call(tag, Adjust{...}, id);            a switch
//   Devices::call_by_table(tag, Adjust{...}, id);   a table of functions
//   each_per_class<Devices>(ranges, ...)            a launch per class, for objects sorted by class (sections.hpp)
//
// A list of one class compares nothing. For a tag that is not in the list, the method's missing() is called if it has
// one (the paper's method_missing); otherwise the call returns a value of zeros.

#include <utility>

#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

template <class Class, class Method, class... Arguments>
__device__ inline auto call_of(Method const& method, Arguments... arguments) {
    return method.template call<Class>(arguments...);
}

template <class Method, class... Arguments>
concept HasMissing = requires(Method const& method, Arguments... arguments) {
    method.missing(arguments...);
};

template <class First, class... Rest>
struct ClassList {
    static constexpr unsigned size = 1 + sizeof...(Rest);

    template <class Class>
    static constexpr unsigned tag_of() {
        unsigned tag = 0;
        bool found = __is_same(Class, First);
        ((found || (++tag, found = __is_same(Class, Rest))), ...);
        return tag;
    }

    template <class Method, class... Arguments>
    __device__ static auto call(unsigned tag, Method const& method, Arguments... arguments) {
        if constexpr (size == 1) {
            return call_of<First>(method, arguments...);
        } else {
            return call_from<0, First, Rest...>(tag, method, arguments...);
        }
    }

    template <class Method, class... Arguments>
    __device__ static auto call_by_table(unsigned tag, Method const& method, Arguments... arguments) {
        using Result = decltype(call_of<First>(method, arguments...));
        using Function = Result (*)(Method const&, Arguments...);
        static constexpr Function functions[] = {call_of<First, Method, Arguments...>,
                                                 call_of<Rest, Method, Arguments...>...};
        return tag < size ? functions[tag](method, arguments...) : missing<Result>(method, arguments...);
    }

    // Calls visit.template operator()<Class>(tag) for every class, on the host.
    template <class Visit>
    static void each_class(Visit const& visit) {
        unsigned tag = 0;
        visit.template operator()<First>(tag++);
        (visit.template operator()<Rest>(tag++), ...);
    }

private:
    template <class Result, class Method, class... Arguments>
    __device__ static Result missing(Method const& method, Arguments... arguments) {
        if constexpr (HasMissing<Method, Arguments...>) {
            return method.missing(arguments...);
        } else {
            return Result();
        }
    }
    template <unsigned this_tag, class Class, class... Later, class Method, class... Arguments>
    __device__ static auto call_from(unsigned tag, Method const& method, Arguments... arguments) {
        using Result = decltype(call_of<Class>(method, arguments...));
        if (tag == this_tag) {
            return call_of<Class>(method, arguments...);
        }
        if constexpr (sizeof...(Later) != 0) {
            return call_from<this_tag + 1, Later...>(tag, method, arguments...);
        } else {
            return missing<Result>(method, arguments...);
        }
    }
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
