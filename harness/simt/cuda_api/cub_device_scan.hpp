#pragma once
// DeviceScan. The output may be the input.

#include "harness/simt/cuda_api/cub_device.hpp"

namespace cub {

struct DeviceScan {
    template <class In, class Out, class Op, class T>
    static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Op op, T initial,
                                     long long count, cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] {
            for (long long i = 0; i < count; ++i) {
                T const next = static_cast<T>(op(initial, in[i]));
                out[i] = initial;
                initial = next;
            }
            thrust::note_written(out, out + count);
        });
    }
    template <class In, class Out, class Op>
    static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Op op, long long count,
                                     cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] {
            details::value_of<In> total{};
            for (long long i = 0; i < count; ++i) {
                total = i == 0 ? static_cast<details::value_of<In>>(in[0])
                               : static_cast<details::value_of<In>>(op(total, in[i]));
                out[i] = total;
            }
            thrust::note_written(out, out + count);
        });
    }
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out, long long count,
                                    cudaStream_t = nullptr) {
        return ExclusiveScan(storage, bytes, in, out, cub::Sum(), details::value_of<In>{}, count);
    }
    template <class In, class Out>
    static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, long long count,
                                    cudaStream_t = nullptr) {
        return InclusiveScan(storage, bytes, in, out, cub::Sum(), count);
    }
};

}  // namespace cub
