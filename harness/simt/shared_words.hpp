#pragma once
// Shared memory whose size only the launch knows: words from byte `offset` of the block's shared memory on, as many as
// LaunchShape::shared_bytes has room for; and the largest size that a launch may request.
//
//   SharedWords<unsigned> const words = shared_words<unsigned>(sizeof(MyStruct));
//   SharedCursor<unsigned> next(words, first);
//   next[0] = 1;
//   next.advance();

#include <cstddef>

#include "harness/simt/kernel.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>

namespace lockstep::simt::cuda {

template <class T>
using SharedWords = T*;

template <class T>
__device__ inline SharedWords<T> shared_words(unsigned offset) {
    extern __shared__ __align__(16) unsigned char lockstep_shared_memory[];
    return reinterpret_cast<T*>(lockstep_shared_memory + offset);
}

// The same, with the address in a register. nvcc computes the address of shared memory again for each access (from
// compute capability 9.0 on, four instructions) unless it can't see where the address comes from.
template <class T>
__device__ inline SharedWords<T> shared_words_in_register(unsigned offset) {
#if defined(LOCKSTEP_EMULATOR)  // `lockstep emulate` has no PTX
    return shared_words<T>(offset);
#else
    auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared_words<T>(offset)));
    asm("" : "+r"(address));
    return static_cast<T*>(__cvta_shared_to_generic(address));
#endif
}

#if defined(LOCKSTEP_EMULATOR)

// `lockstep emulate` has addresses of 64 bits.
template <class T>
class SharedCursor {
public:
    __device__ SharedCursor(SharedWords<T> words, unsigned index) : at_(words + index) {}
    __device__ T& operator[](unsigned index) const { return at_[index]; }
    __device__ void advance() { ++at_; }

private:
    T* at_;
};

#else

// A position in shared words, as an address of 32 bits: an access costs no instruction for its address.
template <class T>
class SharedCursor {
public:
    __device__ SharedCursor(SharedWords<T> words, unsigned index)
        : address_(static_cast<unsigned>(__cvta_generic_to_shared(words + index))) {
        asm("" : "+r"(address_));  // else nvcc computes it again for each access, as above
    }
    // The word `index` places after the position.
    __device__ T& operator[](unsigned index) const {
        return *static_cast<T*>(__cvta_shared_to_generic(address_ + index * static_cast<unsigned>(sizeof(T))));
    }
    __device__ void advance() { address_ += static_cast<unsigned>(sizeof(T)); }

private:
    unsigned address_;
};

#endif

// Largest LaunchShape::shared_bytes on the device in use. Without a device: what every device has.
inline std::size_t max_shared_bytes() {
    int bytes = 0;
    int device = 0;
    bool const known = cudaGetDevice(&device) == cudaSuccess &&
                       cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess;
    return known ? static_cast<std::size_t>(bytes) : std::size_t{48 * 1024};
}

}  // namespace lockstep::simt::cuda

#elif defined(LOCKSTEP_EMULATOR)

namespace lockstep::simt::emulator {

// Checks each access, as SharedArray does.
template <class T>
class SharedWords {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    SharedWords(T* data, std::size_t size) : data_(data), size_(size) {}
    SharedReference<T> operator[](SharedIndex index) const {
        if (index.value >= size_)
            refuse("access outside the block's shared memory (the launch requested fewer bytes)", index.site);
        return {data_ + index.value, index.site};
    }

private:
    T* data_;
    std::size_t size_;
};

template <class T>
SharedWords<T> shared_words(unsigned offset) {
    SharedArena const& arena = shared_arena();
    std::size_t const left = arena.bytes > offset ? arena.bytes - offset : 0;
    return {reinterpret_cast<T*>(arena.data + offset), left / sizeof(T)};
}

template <class T>
SharedWords<T> shared_words_in_register(unsigned offset) {
    return shared_words<T>(offset);
}

template <class T>
class SharedCursor {
public:
    SharedCursor(SharedWords<T> const& words, unsigned index) : words_(words), at_(index) {}
    SharedReference<T> operator[](SharedIndex index) const { return words_[{at_ + index.value, index.site}]; }
    void advance() { ++at_; }

private:
    SharedWords<T> words_;
    std::size_t at_;
};

// What the emulator's launches accept: the limit of compute capability 9.0.
constexpr std::size_t max_shared_bytes() { return 227 * 1024; }

}  // namespace lockstep::simt::emulator

#endif
