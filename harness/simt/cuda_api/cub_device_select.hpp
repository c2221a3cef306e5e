#pragma once
// DeviceSelect, DevicePartition, DeviceRunLengthEncode and DeviceHistogram.

#include <algorithm>
#include <vector>

#include "harness/simt/cuda_api/cub_device.hpp"

namespace cub {

struct DeviceSelect {
    template <class In, class Flags, class Out, class Count>
    static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Count selected,
                               long long count, cudaStream_t = nullptr) {
        return keep(storage, bytes, in, out, selected, count, [=](long long i) { return static_cast<bool>(flags[i]); });
    }
    template <class In, class Out, class Count, class Predicate>
    static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Count selected, long long count,
                          Predicate predicate, cudaStream_t = nullptr) {
        return keep(storage, bytes, in, out, selected, count, [=](long long i) { return predicate(in[i]); });
    }
    template <class In, class Out, class Count>
    static cudaError_t Unique(void* storage, std::size_t& bytes, In in, Out out, Count selected, long long count,
                              cudaStream_t = nullptr) {
        return keep(storage, bytes, in, out, selected, count,
                    [=](long long i) { return i == 0 || !(in[i] == in[i - 1]); });
    }

private:
    template <class In, class Out, class Count, class Keeps>
    static cudaError_t keep(void* storage, std::size_t& bytes, In in, Out out, Count selected, long long count,
                            Keeps keeps) {
        return details::with_storage(storage, bytes, [&] {
            std::vector<details::value_of<In>> kept;  // the output may be the input
            for (long long i = 0; i < count; ++i) {
                if (keeps(i)) {
                    kept.push_back(in[i]);
                }
            }
            std::copy(kept.begin(), kept.end(), out);
            thrust::note_written(out, out + static_cast<std::ptrdiff_t>(kept.size()));
            details::put(selected, static_cast<details::value_of<Count>>(kept.size()));
        });
    }
};

// The selected elements in their order, then the others in the reverse of theirs.
struct DevicePartition {
    template <class In, class Flags, class Out, class Count>
    static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Count selected,
                               long long count, cudaStream_t = nullptr) {
        return divide(storage, bytes, in, out, selected, count,
                      [=](long long i) { return static_cast<bool>(flags[i]); });
    }
    template <class In, class Out, class Count, class Predicate>
    static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Count selected, long long count,
                          Predicate predicate, cudaStream_t = nullptr) {
        return divide(storage, bytes, in, out, selected, count, [=](long long i) { return predicate(in[i]); });
    }

private:
    template <class In, class Out, class Count, class Selects>
    static cudaError_t divide(void* storage, std::size_t& bytes, In in, Out out, Count selected, long long count,
                              Selects selects) {
        return details::with_storage(storage, bytes, [&] {
            long long front = 0;
            long long back = count;
            for (long long i = 0; i < count; ++i) {
                out[selects(i) ? front++ : --back] = in[i];
            }
            thrust::note_written(out, out + count);
            details::put(selected, static_cast<details::value_of<Count>>(front));
        });
    }
};

struct DeviceRunLengthEncode {
    // Each run of equal elements becomes its element and its length.
    template <class In, class Out, class Lengths, class Count>
    static cudaError_t Encode(void* storage, std::size_t& bytes, In in, Out out, Lengths lengths, Count runs,
                              long long count, cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] {
            long long run = 0;
            for (long long begin = 0; begin < count; begin = end_of_run(in, begin, count), ++run) {
                out[run] = in[begin];
                lengths[run] = static_cast<details::value_of<Lengths>>(end_of_run(in, begin, count) - begin);
            }
            thrust::note_written(out, out + run);
            finish(lengths, run, runs);
        });
    }
    // Each run of two or more becomes its start and its length.
    template <class In, class Starts, class Lengths, class Count>
    static cudaError_t NonTrivialRuns(void* storage, std::size_t& bytes, In in, Starts starts, Lengths lengths,
                                      Count runs, long long count, cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] {
            long long run = 0;
            for (long long begin = 0; begin < count; begin = end_of_run(in, begin, count)) {
                if (long long const length = end_of_run(in, begin, count) - begin; length > 1) {
                    starts[run] = static_cast<details::value_of<Starts>>(begin);
                    lengths[run++] = static_cast<details::value_of<Lengths>>(length);
                }
            }
            thrust::note_written(starts, starts + run);
            finish(lengths, run, runs);
        });
    }

private:
    template <class In>
    static long long end_of_run(In in, long long begin, long long count) {
        long long end = begin + 1;
        while (end < count && in[end] == in[begin]) {
            ++end;
        }
        return end;
    }
    template <class Lengths, class Count>
    static void finish(Lengths lengths, long long run, Count runs) {
        thrust::note_written(lengths, lengths + run);
        details::put(runs, static_cast<details::value_of<Count>>(run));
    }
};

// A histogram of n levels has n - 1 bins; bin i is [level i, level i + 1). Samples outside of all bins do not count.
struct DeviceHistogram {
    template <class In, class Counter, class Level>
    static cudaError_t HistogramEven(void* storage, std::size_t& bytes, In samples, Counter* histogram, int levels,
                                     Level lower, Level upper, long long count, cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] {
            clear(histogram, levels);
            for (long long i = 0; i < count; ++i) {
                auto const sample = static_cast<Level>(samples[i]);
                if (sample >= lower && sample < upper) {
                    ++histogram[bin_of(sample, lower, upper, levels - 1)];
                }
            }
        });
    }
    template <class In, class Counter, class Level>
    static cudaError_t HistogramRange(void* storage, std::size_t& bytes, In samples, Counter* histogram, int levels,
                                      Level const* bounds, long long count, cudaStream_t = nullptr) {
        return details::with_storage(storage, bytes, [&] {
            clear(histogram, levels);
            for (long long i = 0; i < count; ++i) {
                auto const sample = static_cast<Level>(samples[i]);
                auto const above = std::upper_bound(bounds, bounds + levels, sample) - bounds;
                if (above > 0 && above < levels) {
                    ++histogram[above - 1];
                }
            }
        });
    }

private:
    template <class Counter>
    static void clear(Counter* histogram, int levels) {
        std::fill_n(histogram, levels - 1, Counter{});
        thrust::note_written(histogram, histogram + levels - 1);
    }
    template <class Level>
    static int bin_of(Level sample, Level lower, Level upper, int bins) {
        if constexpr (std::is_integral_v<Level>) {
            __extension__ using Wide = unsigned __int128;  // no product overflows
            auto const distance = static_cast<unsigned long long>(sample) - static_cast<unsigned long long>(lower);
            auto const width = static_cast<unsigned long long>(upper) - static_cast<unsigned long long>(lower);
            return static_cast<int>(Wide{distance} * static_cast<Wide>(bins) / width);
        } else {
            int const bin = static_cast<int>((sample - lower) * (static_cast<Level>(bins) / (upper - lower)));
            return std::min(bin, bins - 1);  // rounded up
        }
    }
};

}  // namespace cub
