#include "python/library/stop.hpp"

#include <new>

#include "python/library/c_abi.hpp"

lockstep_stop* lockstep_stop_make() {
    try {
        return new lockstep_stop;
    } catch (std::bad_alloc const&) {
        return nullptr;
    }
}

void lockstep_stop_request(lockstep_stop* const stop) { stop->source.request_stop(); }

void lockstep_stop_delete(lockstep_stop* const stop) { delete stop; }
