#pragma once
// What Python holds to end a call of the library.

#include <cstddef>
#include <stop_token>

#include "harness/simt/devices.hpp"

struct lockstep_stop {
    std::stop_source source;
    // Of the thread that made it.
    std::size_t device = lockstep::simt::cuda_driver_is_loaded() ? lockstep::simt::device_in_use() : 0;
};
