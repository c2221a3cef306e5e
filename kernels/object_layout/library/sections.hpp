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

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

inline constexpr unsigned section_block = 256;
inline constexpr unsigned tile = 1024;

// The array on which a section operates.
template <class T>
struct Source {
    using Value = T;
    T const* data;
    __device__ T at(unsigned long long i) const { return data[i]; }
};

// A map over another section. The intermediate value is in a register.
template <class From, class Function>
struct Mapped {
    using Value = decltype(std::declval<Function>()(std::declval<typename From::Value>()));
    From from;
    Function function;
    __device__ Value at(unsigned long long i) const { return function(from.at(i)); }
};

__device__ inline unsigned long long lane_of_grid() {
    return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

template <class Expression>
__global__ void evaluate_kernel(Expression const expression, unsigned long long size,
                                typename Expression::Value* const out) {
    unsigned long long const i = lane_of_grid();
    if (i < size) {
        out[i] = expression.at(i);
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

// Counts the elements of each warp that the predicate keeps.
template <class Expression, class Predicate>
__global__ void count_kernel(Expression const expression, unsigned long long size, Predicate const keep,
                             unsigned* const counts) {
    unsigned long long const i = lane_of_grid();
    unsigned const kept = __ballot_sync(0xffffffffu, i < size && keep(expression.at(i)));
    if (threadIdx.x % 32 == 0) {
        counts[i / 32] = static_cast<unsigned>(__popc(kept));
    }
}

template <class Expression, class Predicate>
__global__ void select_kernel(Expression const expression, unsigned long long size, Predicate const keep,
                              unsigned const* const starts, typename Expression::Value* const out) {
    unsigned long long const i = lane_of_grid();
    bool const wanted = i < size && keep(expression.at(i));
    unsigned const kept = __ballot_sync(0xffffffffu, wanted);
    if (wanted) {
        out[starts[i / 32] + rank_in(kept, threadIdx.x % 32)] = expression.at(i);
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

template <class Function>
void each(unsigned size, unsigned first_tick, unsigned end_tick, Function const& function, simt::Stream stream = {}) {
    if (size != 0) {
        launch("each", each_kernel<Function>, section_shape(size), stream, function, size, first_tick, end_tick);
    }
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

    // Writes the elements to existing memory. Runs a kernel at every call.
    void into(Value* out) const {
        if (size_ != 0) {
            launch("evaluate", evaluate_kernel<Expression>, section_shape(size_), stream_, expression_, size_, out);
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

    template <class Predicate>
    std::vector<Value> select(Predicate keep) const {
        if (size_ == 0)
            return {};
        std::size_t const blocks = static_cast<std::size_t>(simt::ceil_div(size_, section_block));
        Buffer<unsigned> counts(blocks * (section_block / 32));
        launch("count", count_kernel<Expression, Predicate>, section_shape(size_), stream_, expression_, size_, keep,
               counts.data());
        synchronize(stream_);
        std::vector<unsigned> starts = counts.to_vector();
        unsigned sum = 0;
        for (unsigned& start : starts)
            start = std::exchange(sum, sum + start);
        counts.upload(starts);
        Values out(sum);
        launch("select", select_kernel<Expression, Predicate>, section_shape(size_), stream_, expression_, size_, keep,
               counts.data(), out.data());
        synchronize(stream_);
        return out.to_vector();
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

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
