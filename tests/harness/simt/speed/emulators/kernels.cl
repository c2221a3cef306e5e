// The kernels of kernels.hpp in OpenCL C. There are no shuffles: sub-groups are optional, and opencl.cpp says if they are
// missing.

__kernel void straight(__global unsigned const* values, __global unsigned* results, unsigned rounds) {
    unsigned const i = get_global_id(0);
    unsigned value = values[i];
    for (unsigned round = 0; round < rounds; ++round) {
        value = value * 2 + 1;
    }
    results[i] = value;
}

__kernel void barriers(__global unsigned const* values, __global unsigned* results, unsigned rounds) {
    unsigned const i = get_global_id(0);
    unsigned const first = get_group_id(0) * get_local_size(0);
    unsigned const neighbour = first + (get_local_id(0) + 1) % get_local_size(0);
    results[i] = values[i];
    for (unsigned round = 0; round < rounds; ++round) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        unsigned const value = results[neighbour];
        barrier(CLK_GLOBAL_MEM_FENCE);
        results[i] = value + round;
    }
}

#if defined(cl_khr_subgroup_shuffle)
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
__kernel void shuffles(__global unsigned const* values, __global unsigned* results, unsigned rounds) {
    unsigned const i = get_global_id(0);
    unsigned value = values[i];
    for (unsigned round = 0; round < rounds; ++round) {
        value += sub_group_shuffle_xor(value, 1 << round % 5);
    }
    results[i] = value;
}
#endif

__kernel void atomics(__global unsigned const* values, __global unsigned* results, unsigned rounds) {
    unsigned const i = get_global_id(0);
    for (unsigned round = 0; round < rounds; ++round) {
        atomic_add(&results[(get_local_id(0) + 7 * round) % 256], values[i]);
    }
}

__kernel void reduction(__global unsigned const* values, __global unsigned* results, unsigned rounds) {
    __local unsigned cells[256];
    unsigned const i = get_global_id(0);
    unsigned const lane = get_local_id(0);
    unsigned total = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        cells[lane] = values[i] + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (unsigned half_of = get_local_size(0) / 2; half_of > 0; half_of /= 2) {
            if (lane < half_of) {
                cells[lane] += cells[lane + half_of];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        total += cells[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    results[i] = total;
}
