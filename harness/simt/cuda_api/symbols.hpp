#pragma once
// Copies to and from __device__ and __constant__ variables, which are global variables here.

#include <type_traits>

#include "harness/simt/cuda_api/memory.hpp"

namespace lockstep::simt::cuda {

// The address of byte `offset` of a variable. The copy itself finds that it ends behind the variable; null if it begins
// there.
template <class T>
void* symbol_bytes(T const& symbol, std::size_t offset) {
    void* const start = const_cast<std::remove_const_t<T>*>(&symbol);
    know_variable(start, sizeof symbol);
    return offset > sizeof symbol ? nullptr : static_cast<char*>(start) + offset;
}

}  // namespace lockstep::simt::cuda

template <class T>
cudaError_t cudaMemcpyToSymbol(T const& symbol, void const* source, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpy(lockstep::simt::cuda::symbol_bytes(symbol, offset), source, bytes, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* target, T const& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpy(target, lockstep::simt::cuda::symbol_bytes(symbol, offset), bytes, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T const& symbol, void const* source, std::size_t bytes, std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
    return cudaMemcpyAsync(lockstep::simt::cuda::symbol_bytes(symbol, offset), source, bytes, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* target, T const& symbol, std::size_t bytes, std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
    return cudaMemcpyAsync(target, lockstep::simt::cuda::symbol_bytes(symbol, offset), bytes, kind, stream);
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** pointer, T const& symbol) {
    *pointer = static_cast<P*>(lockstep::simt::cuda::symbol_bytes(symbol, 0));
    return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, T const& symbol) {
    *bytes = sizeof symbol;
    return cudaSuccess;
}
