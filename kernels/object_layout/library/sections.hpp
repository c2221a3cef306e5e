#pragma once
// Parallel sections over an array: each (with ticks), map, reduce and select. Maps are lazy, as in the paper (Section
// 4.1): a kernel runs only when a result is read, and expression templates then fuse cascaded maps into one kernel.
// Include it in `.cu` files.
//
//   Lazy squares = over(values).map(Square{}).map(Half{});   no kernel yet
//   squares.reduce(Add{}, 0.0f)                              one kernel reads, maps twice and reduces
//   squares.select(Positive{})                               the elements that the predicate keeps, in order
//   squares.value()                                          the elements, stored for further calls
//   squares.evaluated()                                      the unfused baseline: runs a kernel and stores its array
//   over_objects(size).map(EnergyOf{creatures})              a section over the objects of a record: functions get ids
//
// Functions are structs with `__device__ T operator()(T) const`. A reduction uses one fixed tree on all machines and
// grids: it folds tiles of 1024 elements by halving, and then folds the results in the same way.

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/warp.hpp"
#include "kernels/object_layout/library/compaction.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

inline constexpr unsigned section_block = 256;
inline constexpr unsigned tile = 1024;

// Four consecutive elements, which a lane reads and writes in one access if they have 16 bytes.
template <class T>
struct alignas(sizeof(T) == 4 ? 16 : alignof(T)) Four {
    T at[4];
};

// The array on which a section operates. Arrays of 4-byte elements are aligned to 16 bytes, as buffers are.
template <class T>
struct Source {
    using Value = T;
    T const* data;
    __device__ T at(unsigned long long i) const { return data[i]; }
    // The elements 4 i to 4 i + 3.
    __device__ Four<T> four_at(unsigned long long i) const { return reinterpret_cast<Four<T> const*>(data)[i]; }
};

// The ids of objects: what a section over a record or a population begins with. No memory is read for them.
struct Ids {
    using Value = unsigned;
    __device__ unsigned at(unsigned long long i) const { return static_cast<unsigned>(i); }
    __device__ Four<unsigned> four_at(unsigned long long i) const {
        unsigned const first = static_cast<unsigned>(4 * i);
        return {{first, first + 1, first + 2, first + 3}};
    }
};

// A map over another section. The intermediate value is in a register.
template <class From, class Function>
struct Mapped {
    using Value = decltype(std::declval<Function>()(std::declval<typename From::Value>()));
    From from;
    Function function;
    __device__ Value at(unsigned long long i) const { return function(from.at(i)); }
    __device__ Four<Value> four_at(unsigned long long i) const {
        Four<typename From::Value> const four = from.four_at(i);
        return {{function(four.at[0]), function(four.at[1]), function(four.at[2]), function(four.at[3])}};
    }
};

__device__ inline unsigned long long lane_of_grid() {
    return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Stores all elements, eight per lane: two accesses of 16 bytes are in flight per lane, as many as a copy needs. The
// lanes of a block take consecutive fours; the lane after the last four stores the up to three elements that are left.
template <class Expression>
__global__ void __launch_bounds__(section_block)
    evaluate_kernel(Expression const expression, unsigned long long size, typename Expression::Value* const out) {
    using Value = typename Expression::Value;
    unsigned long long const fours = size / 4;
    unsigned long long const first = 2ull * blockIdx.x * section_block + threadIdx.x;
    unsigned long long const second = first + section_block;
    auto* const stored = reinterpret_cast<Four<Value>*>(out);
    if (second < fours) {
        Four<Value> const values[2] = {expression.four_at(first), expression.four_at(second)};
        stored[first] = values[0];
        stored[second] = values[1];
        return;
    }
    for (unsigned long long i = first; i <= second; i += section_block) {
        if (i < fours) {
            stored[i] = expression.four_at(i);
        } else if (i == fours) {
            for (unsigned long long rest = 4 * fours; rest < size; ++rest) {
                out[rest] = expression.at(rest);
            }
        }
    }
}

template <class T>
struct FoldShared {
    SharedArray<T, section_block> values;
};

template <class Expression, class Operation>
__global__ void fold_kernel(Expression const expression, unsigned long long size, Operation const operation,
                            typename Expression::Value const neutral, typename Expression::Value* const out) {
    using T = typename Expression::Value;
    auto& shared = shared_memory<FoldShared<T>>();
    unsigned long long const first = static_cast<unsigned long long>(blockIdx.x) * tile + threadIdx.x;
    T sum = neutral;
    for (unsigned part = 0; part < tile / section_block; ++part) {
        unsigned long long const i = first + part * section_block;
        sum = operation(sum, i < size ? expression.at(i) : neutral);
    }
    shared.values[threadIdx.x] = sum;
    for (unsigned half = section_block / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            T const left = shared.values[threadIdx.x];
            T const right = shared.values[threadIdx.x + half];
            shared.values[threadIdx.x] = operation(left, right);
        }
    }
    if (threadIdx.x == 0) {
        T const folded = shared.values[0];
        out[blockIdx.x] = folded;
    }
}

// Counts the elements of each tile that the predicate keeps.
template <class Expression, class Predicate>
__global__ void __launch_bounds__(compaction_block)
    count_kernel(Expression const expression, unsigned long long size, Predicate const keep, unsigned* const counts) {
    auto& shared = shared_memory<BlockSums>();
    unsigned sum = 0;
    for (unsigned part = 0; part < compaction_tile / compaction_block; ++part) {
        unsigned long long const i = 1ull * blockIdx.x * compaction_tile + part * compaction_block + threadIdx.x;
        sum += i < size && keep(expression.at(i)) ? 1 : 0;
    }
    BlockScan const scan = block_scan(sum, shared);
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = scan.total;
    }
}

template <class Expression, class Predicate>
__global__ void __launch_bounds__(compaction_block)
    select_kernel(Expression const expression, unsigned long long size, Predicate const keep,
                  unsigned const* const starts, typename Expression::Value* const out) {
    auto& shared = shared_memory<BlockSums>();
    unsigned start = starts[blockIdx.x];
    for (unsigned part = 0; part < compaction_tile / compaction_block; ++part) {
        unsigned long long const i = 1ull * blockIdx.x * compaction_tile + part * compaction_block + threadIdx.x;
        bool const wanted = i < size && keep(expression.at(i));
        BlockScan const scan = block_scan(wanted ? 1 : 0, shared);
        if (wanted) {
            out[start + scan.before] = expression.at(i);
        }
        start += scan.total;
    }
}

// each: calls the function with the index of every element and the tick. The loop over ticks is in the kernel (Section
// 2).
template <class Function>
__global__ void each_kernel(Function const function, unsigned size, unsigned first_tick, unsigned end_tick) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) {
        for (unsigned tick = first_tick; tick < end_tick; ++tick) {
            function(i, tick);
        }
    }
}

inline simt::LaunchShape section_shape(unsigned long long lanes) {
    return {.grid = {static_cast<unsigned>(simt::ceil_div(lanes, section_block))}, .block = {section_block}};
}
// Of evaluate_kernel.
inline simt::LaunchShape evaluation_shape(unsigned long long size) { return section_shape(size / 8 + 1); }

template <class Function>
void each(unsigned size, unsigned first_tick, unsigned end_tick, Function const& function, simt::Stream stream = {}) {
    if (size != 0) {
        launch("each", each_kernel<Function>, section_shape(size), stream, function, size, first_tick, end_tick);
    }
}

template <class Class, class Method>
struct ForClass {
    Method method;
    unsigned first;
    __device__ void operator()(unsigned i, unsigned tick) const { method.template call<Class>(first + i, tick); }
};

// A launch per class of a ClassList, for objects sorted by class: ranges[tag] has the first object of a class and the
// end. A class without objects is not launched, and no tag is compared.
template <class Classes, class Method>
void each_per_class(std::span<std::pair<unsigned, unsigned> const> ranges, unsigned first_tick, unsigned end_tick,
                    Method const& method, simt::Stream stream = {}) {
    Classes::each_class([&]<class Class>(unsigned tag) {
        auto const [first, end] = ranges[tag];
        each(end - first, first_tick, end_tick, ForClass<Class, Method>{method, first}, stream);
    });
}

template <class Expression>
class Lazy {
public:
    using Value = typename Expression::Value;
    using Values = Buffer<Value>;

    Lazy(Expression expression, unsigned long long size, simt::Stream stream)
        : expression_(expression), size_(size), stream_(stream) {}

    template <class Function>
    auto map(Function function) const {
        return Lazy<Mapped<Expression, Function>>({expression_, function}, size_, stream_);
    }

    // Writes the elements to existing memory, which is aligned to 16 bytes. Runs a kernel at every call.
    void into(Value* out) const {
        if (size_ != 0) {
            launch("evaluate", evaluate_kernel<Expression>, evaluation_shape(size_), stream_, expression_, size_, out);
        }
    }

    // Returns the elements. The first call computes them.
    Values const& value() {
        if (!kept_) {
            kept_ = std::make_shared<Values>(static_cast<std::size_t>(size_));
            into(kept_->data());
        }
        return *kept_;
    }
    bool computed() const { return kept_ != nullptr; }

    // Returns a section over the stored elements of this section.
    Lazy<Source<Value>> evaluated() { return {{value().data()}, size_, stream_}; }

    template <class Operation>
    Value reduce(Operation operation, Value neutral) const {
        if (size_ == 0)
            return neutral;
        Values partial(static_cast<std::size_t>(simt::ceil_div(size_, tile)));
        fold(expression_, size_, operation, neutral, partial.data());
        while (partial.size() > 1) {
            Values next(simt::ceil_div(partial.size(), tile));
            fold(Source<Value>{partial.data()}, partial.size(), operation, neutral, next.data());
            synchronize(stream_);
            partial = std::move(next);
        }
        synchronize(stream_);
        return partial.to_vector().front();
    }

    // The elements that the predicate keeps, in order, in memory of this machine or of the host.
    template <class Predicate>
    Values selected(Predicate keep) const {
        if (size_ == 0)
            return Values(0);
        unsigned const tiles = tiles_of(size_);
        Buffer<unsigned> counts(std::size_t{tiles} + 1);
        launch("count", count_kernel<Expression, Predicate>, compaction_shape(tiles), stream_, expression_, size_, keep,
               counts.data());
        Values out(scan_tiles(counts, tiles, stream_));
        if (out.size() != 0) {
            launch("select", select_kernel<Expression, Predicate>, compaction_shape(tiles), stream_, expression_, size_,
                   keep, counts.data(), out.data());
            synchronize(stream_);
        }
        return out;
    }
    template <class Predicate>
    std::vector<Value> select(Predicate keep) const {
        return selected(keep).to_vector();
    }

    Expression const& expression() const { return expression_; }
    unsigned long long size() const { return size_; }

private:
    template <class From, class Operation>
    void fold(From const& from, unsigned long long size, Operation operation, Value neutral, Value* out) const {
        simt::LaunchShape shape = {.grid = {static_cast<unsigned>(simt::ceil_div(size, tile))},
                                   .block = {section_block}};
        shape.shared_bytes = sizeof(FoldShared<Value>);
        launch("fold", fold_kernel<From, Operation>, shape, stream_, from, size, operation, neutral, out);
    }

    Expression expression_;
    unsigned long long size_;
    simt::Stream stream_;
    std::shared_ptr<Values> kept_;
};

// Returns a section over an array in device memory, which must outlive the section.
template <class T>
Lazy<Source<T>> over(Buffer<T> const& values, simt::Stream stream = {}) {
    return {{values.data()}, values.size(), stream};
}

// Returns a section over objects 0 .. size - 1. Its elements are their ids; functions that have the record read and
// write fields. `selected` returns the ids of the objects that a predicate keeps.
inline Lazy<Ids> over_objects(unsigned size, simt::Stream stream = {}) { return {{}, size, stream}; }

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
