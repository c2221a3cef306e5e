#pragma once
// What the device-wide algorithms with CUB's interface share. They run on the host, which can access device
// memory in the emulator. A stream capture cannot record them, so calling one during a capture is an error.
// Each is called twice: without temporary storage it only returns the size that it needs.

#include "harness/simt/cuda_api/cub_common.hpp"
#include "harness/simt/cuda_api/thrust_iterators.hpp"

namespace cub {

template <class T, class = std::ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <class T, class F, class It, class = std::ptrdiff_t>
using TransformInputIterator = thrust::transform_iterator<F, It>;

// Two buffers, one of which holds the data. A sort leaves its result in the same one.
template <class T>
struct DoubleBuffer {
    T* d_buffers[2] = {};
    int selector = 0;

    DoubleBuffer() = default;
    DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
    T* Current() { return d_buffers[selector]; }
    T* Alternate() { return d_buffers[selector ^ 1]; }
};

namespace details {

template <class It>
using value_of = typename std::iterator_traits<It>::value_type;

// Whether the call only asks for the size of its storage.
inline bool asks_for_size(void const* storage, std::size_t& bytes) {
    if (storage == nullptr) {
        bytes = 256;
    }
    return storage == nullptr;
}

// Runs `algorithm` unless the call asks for the size of its storage.
template <class Algorithm>
cudaError_t with_storage(void const* storage, std::size_t& bytes, Algorithm algorithm) {
    if (asks_for_size(storage, bytes)) {
        return cudaSuccess;
    }
    cudaError_t const error = lockstep::simt::cuda::refuse_uncaptured();
    if (error == cudaSuccess) {
        lockstep::simt::hooks::LibraryWork const work;
        algorithm();
    }
    return error;
}

template <class It, class T>
void put(It to, T const& value) {
    *to = value;
    thrust::note_written(to, to + 1);
}

template <class T, class In, class Op>
T reduced(In in, long long begin, long long end, Op op, T value) {
    for (long long i = begin; i < end; ++i) {
        value = static_cast<T>(op(value, in[i]));
    }
    return value;
}

}  // namespace details
}  // namespace cub
