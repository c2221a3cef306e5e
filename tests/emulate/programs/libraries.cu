// The parts of CUB and Thrust that the emulator has.
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <cub/cub.cuh>

#include <cstdio>

__global__ void scans(int const* in, int* out, int* sum) {
    using Scan = cub::BlockScan<int, 64>;
    using Reduce = cub::BlockReduce<int, 64>;
    __shared__ typename Scan::TempStorage for_scan;
    __shared__ typename Reduce::TempStorage for_reduction;
    int before;
    Scan(for_scan).ExclusiveSum(in[threadIdx.x], before);
    out[threadIdx.x] = before;
    int const total = Reduce(for_reduction).Sum(in[threadIdx.x]);
    if (threadIdx.x == 0)
        *sum = total;
}

int main() {
    thrust::host_vector<int> values(64);
    for (int i = 0; i < 64; ++i)
        values[i] = (i * 37) % 64;
    thrust::device_vector<int> in(values), out(64), sum(1);
    scans<<<1, 64>>>(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()),
                     thrust::raw_pointer_cast(sum.data()));
    int before = 0;
    for (int i = 0; i < 64; before += values[i++]) {
        if (out[i] != before)
            return printf("the scan is wrong at %d\n", i), 1;
    }
    if (sum[0] != before || thrust::reduce(in.begin(), in.end()) != before)
        return printf("the sum is wrong\n"), 1;
    thrust::device_ptr<int> first(in.data());
    thrust::sort(first, first + 64, thrust::greater<int>());
    for (int i = 0; i < 64; ++i) {
        if (in[i] != 63 - i)
            return printf("the order is wrong at %d\n", i), 1;
    }
    if (thrust::min_element(thrust::device, in.begin(), in.end()) - in.begin() != 63)
        return printf("the minimum is wrong\n"), 1;
    int const* flags = thrust::raw_pointer_cast(in.data());
    int *kept = thrust::raw_pointer_cast(out.data()), *count = thrust::raw_pointer_cast(sum.data());
    char* storage = nullptr;
    std::size_t bytes = 0;
    cub::DeviceSelect::Flagged(nullptr, bytes, flags, flags, kept, count, 64);
    cudaMalloc(&storage, bytes);
    cub::DeviceSelect::Flagged(storage, bytes, flags, flags, kept, count, 64);
    if (sum[0] != 63 || out[62] != 1)
        return printf("the selection is wrong\n"), 1;
    printf("right\n");
}
