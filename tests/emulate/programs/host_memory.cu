// Mistakes with the memory of host and device, and failing calls; the argument chooses one. Without one, what looks
// like them and is right. The lines that tests expect have a comment with the case's name.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define DEVICE_VARIABLE __device__
#define cudaCheckErrors(text) \
    do {                      \
        std::puts(text);      \
    } while (0)

constexpr int size = 32;
int global[size];
static float values[64], *unused;
namespace inner {
int named[size] = {1, 2};
}
std::vector<int> heap(size);
struct Holder {
    static int member[size];
};
int Holder::member[size];
__device__ int on_device[size];
__managed__ int managed[size];
DEVICE_VARIABLE int disguised[size];
int pinned[size];

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }  // global
__global__ void sum(int const* data, int* to) {
    atomicAdd(to, data[threadIdx.x]);  // values, named, local, heap
}
__global__ void counted(int* to) {
    static int calls;  // the device's
    if (threadIdx.x == 0)
        *to += ++calls + disguised[3];
}
__global__ void copied(int* to, int const* from) { memcpy(to, from, 256); }  // constant

void touch(std::string const& which, int* device) {
    int host[size] = {};
    if (which == "read")
        std::printf("%d\n", device[3]);  // read
    else if (which == "write")
        device[3] = 1;  // write
    else if (which == "memcpy")
        memcpy(host, device, sizeof host);  // memcpy
    else if (which == "sort")
        std::sort(device, device + size);  // sort
}

void call(std::string const& which, int* device) {
    int host[64] = {};
    if (which == "long")
        cudaMemcpy(host, device, 256, cudaMemcpyDeviceToHost);  // long
    if (which == "null") {
        cudaMemset(nullptr, 0, 4);  // null
        cudaDeviceSynchronize();    // whose result it does not look at either
    }
    if (which == "free")
        cudaFree(host);  // free
    if (which == "launch") {
        void* arguments[] = {&device};
        cudaLaunchKernel((void*)twice, 1, 2048, arguments, 0, 0);  // launch
    }
    if (which == "ends")
        for (int i = 0; i < 3; ++i)
            cudaMemcpy(device, host, 129, cudaMemcpyHostToDevice);  // ends
}

int right(int* device) {
    void* address;
    cudaGetSymbolAddress(&address, on_device);
    twice<<<1, size>>>(static_cast<int*>(address));
    cudaHostRegister(pinned, sizeof pinned, 0);
    int *shared, *locked;
    cudaMallocManaged(&shared, sizeof pinned);
    cudaMallocHost(&locked, sizeof pinned);
    for (int i = 0; i < size; ++i)
        shared[i] = locked[i] = managed[i] = pinned[i] = i;
    for (int* const data : {shared, locked, managed, pinned})
        twice<<<1, size>>>(data);
    counted<<<1, size>>>(device);
    cudaDeviceSynchronize();
    int const result = shared[1] + locked[2] + managed[3] + pinned[4];
    cudaFreeHost(locked);
    cudaFree(shared);
    if (cudaMemcpy(&shared, shared, 8, cudaMemcpyDeviceToHost) != cudaErrorInvalidValue)  // freed, and looked at
        return 1;
    cudaFree(shared);
    cudaCheckErrors(cudaGetLastError() == cudaErrorInvalidValue ? "asked" : "no error");
    return result != 20;
}

int main(int argc, char** argv) {
    static int local[size];
    std::string const which = argc > 1 ? argv[1] : "";
    int* device;
    cudaMalloc(&device, sizeof local);
    cudaMemset(device, 0, sizeof local);
    if (which == "global")
        twice<<<1, size>>>(global);
    if (which == "values")
        sum<<<1, size>>>(reinterpret_cast<int*>(values), device);
    if (which == "named")
        sum<<<1, size>>>(inner::named, device);
    if (which == "local")
        sum<<<1, size>>>(local, device);
    if (which == "heap")
        sum<<<1, size>>>(heap.data(), device);
    if (which == "constant")
        copied<<<1, 1>>>(device, device);
    touch(which, device);
    call(which, device);
    return which.empty() ? right(device) : 0;
}
