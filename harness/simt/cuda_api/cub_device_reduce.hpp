#pragma once
// DeviceReduce and DeviceSegmentedReduce.

#include <functional>
#include <limits>

#include "harness/simt/cuda_api/cub_device.hpp"

namespace cub {

struct DeviceReduce {
    template <class In, class Out, class Op, class T>
    static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, long long count, Op op, T initial,
                              cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes,
                                     [&] { details::put(out, details::reduced(in, 0, count, op, initial)); });
    }
    template <class In, class Out, class Op, class F, class T>
    static cudaError_t TransformReduce(void* storage, std::size_t& bytes, In in, Out out, long long count, Op op,
                                       F function, T initial, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, thrust::make_transform_iterator(in, function), out, count, op, initial);
    }
    template <class In, class Out>
    static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, long long count, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, count, cub::Sum(), details::value_of<Out>{});
    }
    template <class In, class Out>
    static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, long long count, cudaStream_t = nullptr) {
        using T = details::value_of<In>;
        return Reduce(storage, bytes, in, out, count, cub::Max(), std::numeric_limits<T>::lowest());
    }
    template <class In, class Out>
    static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, long long count, cudaStream_t = nullptr) {
        using T = details::value_of<In>;
        return Reduce(storage, bytes, in, out, count, cub::Min(), std::numeric_limits<T>::max());
    }
    // The first of equal extremes, and its position. Precondition: there is an element.
    template <class In, class Out>
    static cudaError_t ArgMax(void* storage, std::size_t& bytes, In in, Out out, int count, cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] { put_first(in, out, count, std::greater<>()); });
    }
    template <class In, class Out>
    static cudaError_t ArgMin(void* storage, std::size_t& bytes, In in, Out out, int count, cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] { put_first(in, out, count, std::less<>()); });
    }
    // Each run of equal keys becomes its first key and the reduction of its values.
    template <class Keys, class KeysOut, class Values, class ValuesOut, class Count, class Op>
    static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys, KeysOut keys_out, Values values,
                                   ValuesOut values_out, Count runs, Op op, long long count, cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] {
            long long run = 0;
            for (long long begin = 0; begin < count; ++run) {
                long long end = begin + 1;
                while (end < count && keys[end] == keys[begin]) {
                    ++end;
                }
                keys_out[run] = keys[begin];
                details::value_of<Values> const first = values[begin];
                values_out[run] = details::reduced(values, begin + 1, end, op, first);
                begin = end;
            }
            thrust::note_written(keys_out, keys_out + run);
            thrust::note_written(values_out, values_out + run);
            details::put(runs, static_cast<details::value_of<Count>>(run));
        });
    }

private:
    template <class In, class Out, class Before>
    static void put_first(In in, Out out, int count, Before before) {
        int best = 0;
        for (int i = 1; i < count; ++i) {
            best = before(in[i], in[best]) ? i : best;
        }
        details::put(out, KeyValuePair<int, details::value_of<In>>(best, in[best]));
    }
};

// Segment i is [begins[i], ends[i]); an empty one gives the initial value.
struct DeviceSegmentedReduce {
    template <class In, class Out, class Begins, class Ends, class Op, class T>
    static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begins begins,
                              Ends ends, Op op, T initial, cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] {
            for (long long i = 0; i < segments; ++i) {
                out[i] = details::reduced(in, begins[i], ends[i], op, initial);
            }
            thrust::note_written(out, out + segments);
        });
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begins begins,
                           Ends ends, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Sum(), details::value_of<Out>{});
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begins begins,
                           Ends ends, cudaStream_t = nullptr) {
        auto const lowest = std::numeric_limits<details::value_of<In>>::lowest();
        return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Max(), lowest);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begins begins,
                           Ends ends, cudaStream_t = nullptr) {
        auto const highest = std::numeric_limits<details::value_of<In>>::max();
        return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Min(), highest);
    }
};

}  // namespace cub
