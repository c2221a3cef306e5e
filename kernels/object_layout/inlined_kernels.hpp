#pragma once
// The kernels of `inlined` and `per_type`, which determine the class once. Include it in `.cu` files.

#include "kernels/object_layout/dispatch.hpp"

#include "common/object_layout/traffic_case.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct InlinedFamily {
    template <class Mode, class Layout, unsigned Types>
    static TrafficKernel kernel() {
        return inlined_kernel<Mode, Layout, Types>;
    }
};

inline TrafficKernel inlined_kernel_of(TrafficRequest const& request) {
    return kernel_for<InlinedFamily>(request.traffic->mode, request.options.layout, request.traffic->types);
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
