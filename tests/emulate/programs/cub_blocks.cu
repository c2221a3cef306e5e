// CUB's block- and warp-wide functions in a kernel that uses its storage again. Without the barriers it races.
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <cstdio>

#ifdef NO_BARRIER
#define REUSE()
#else
#define REUSE() __syncthreads()
#endif

constexpr int threads = 96, items = 4, tile = threads * items, blocks = 3;

__global__ void sort_and_scan(int const* in, int* sorted, int* before, int* sums) {
    using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, threads, items>;
    using Scan = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    using Reduce = cub::BlockReduce<int, threads>;
    using WarpReduce = cub::WarpReduce<int>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Sort::TempStorage sort;
        typename Scan::TempStorage scan;
        typename Reduce::TempStorage reduce;
    } storage;
    __shared__ typename WarpReduce::TempStorage of_warps[threads / 32];
    int const at = blockIdx.x * tile;
    int values[items];
    Load(storage.load).Load(in + at, values);
    REUSE();
    Sort(storage.sort).Sort(values);
    REUSE();
    Store(storage.store).Store(sorted + at, values);
    REUSE();
    Scan(storage.scan).ExclusiveSum(values, values);
    REUSE();
    cub::StoreDirectBlocked(threadIdx.x, before + at, values);
    int const sum = Reduce(storage.reduce).Sum(1);
    int const of_warp = WarpReduce(of_warps[threadIdx.x / 32]).Sum(1);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = 1000 * sum + of_warp;
}

int main() {
    constexpr int size = blocks * tile;
    int *in, *sorted, *before, *sums, *expected, host[size];
    for (int i = 0; i < size; ++i)
        host[i] = (i * 7919) % 1009 - 500;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&sorted, sizeof host);
    cudaMalloc(&before, sizeof host);
    cudaMalloc(&expected, sizeof host);
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sort_and_scan<<<blocks, threads>>>(in, sorted, before, sums);
    for (int block = 0; block < blocks; ++block) {
        void* storage = nullptr;
        std::size_t bytes = 0;
        cub::DeviceRadixSort::SortKeys(storage, bytes, in + block * tile, expected + block * tile, tile);
        cudaMalloc(&storage, bytes);
        cub::DeviceRadixSort::SortKeys(storage, bytes, in + block * tile, expected + block * tile, tile);
        cudaFree(storage);
    }
    static int results[size], scanned[size], right[size], of_blocks[blocks];
    cudaMemcpy(results, sorted, sizeof results, cudaMemcpyDeviceToHost);
    cudaMemcpy(scanned, before, sizeof scanned, cudaMemcpyDeviceToHost);
    cudaMemcpy(right, expected, sizeof right, cudaMemcpyDeviceToHost);
    cudaMemcpy(of_blocks, sums, sizeof of_blocks, cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < size; sum += results[i++]) {
        sum = i % tile == 0 ? 0 : sum;
        if (results[i] != right[i] || scanned[i] != sum)
            return printf("wrong at %d\n", i), 1;
        if (of_blocks[i / tile] != 1000 * threads + 32)
            return printf("the sum of block %d is wrong\n", i / tile), 1;
    }
    printf("right\n");
}
