// Threadwise with all arrays in registers: the size is a template parameter, so every index is known at compile time
// (slide "Threadwise CUDA code"). From about 70 words on, the three arrays no longer fit into 255 registers and spill
// to local memory, which the slide "Storage problem" says "does not work at all"; these sizes are compiled to show by
// how much.

#include "kernels/random_grids/threadwise_steps.hpp"

#include "common/random_grids/after.hpp"
#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <unsigned rows, unsigned columns, class Work>
class RegisterSets {
public:
    __device__ explicit RegisterSets(unsigned last_mask) : last_mask_(last_mask) {}

    __device__ void among_board() {
#pragma unroll
        for (unsigned i = 0; i < words; ++i) {
            candidates_[i] = i % columns + 1 < columns ? 0xFFFFFFFFu : last_mask_;
            subset_[i] = 0;
        }
    }

    __device__ void among_subset() {
#pragma unroll
        for (unsigned i = 0; i < words; ++i) {
            candidates_[i] = subset_[i];
            subset_[i] = 0;
        }
    }

    template <class Engine>
    __device__ unsigned select(Engine& engine) {
        unsigned count = 0;
        draw_words(engine, selected_);
#pragma unroll
        for (unsigned i = 0; i < words; ++i) {
            selected_[i] &= candidates_[i];
            count += static_cast<unsigned>(__popc(selected_[i]));
        }
        return count;
    }

    __device__ void include() {
#pragma unroll
        for (unsigned i = 0; i < words; ++i) {
            subset_[i] |= selected_[i];
            candidates_[i] &= ~selected_[i];
        }
    }

    __device__ void exclude() {
#pragma unroll
        for (unsigned i = 0; i < words; ++i)
            candidates_[i] = selected_[i];
    }

    // Boards that are worked on have one colour, so the set itself is not needed any more.
    template <bool stored>
    __device__ void put(Sink<stored>& sink) {
        Work::in_thread(subset_, last_mask_);
#pragma unroll
        for (unsigned i = 0; i < words; ++i)
            sink.put(subset_[i]);
    }

private:
    static constexpr unsigned words = rows * columns;
    unsigned subset_[words];
    unsigned candidates_[words];
    unsigned selected_[words];
    unsigned last_mask_;
};

// Threads per block; the slides do not give the number. With 256, each thread can have 255 registers, and an H200 is
// slightly faster than with 128.
inline constexpr unsigned threadwise_block = 256;

template <unsigned rows, unsigned columns, class Engine, bool stored, class Work = NoWork>
__global__ void __launch_bounds__(threadwise_block)
    threadwise(__grid_constant__ GridParameters const p, unsigned* const results) {
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    RegisterSets<rows, columns, Work> sets(p.last_mask);
    threadwise_stream<Engine, stored>(p, stream, results, sets);
}

namespace {

// One compiled size: `rows` rows of `columns` words.
struct Size {
    unsigned rows;
    unsigned columns;
    GridKernel (*pick)(Workload const&);
};

template <unsigned rows, unsigned columns>
GridKernel pick(Workload const& workload) {
    return with_engine_and_output(
        workload, [&]<class Engine, bool stored>() -> GridKernel { return threadwise<rows, columns, Engine, stored>; });
}

// The largest sizes take minutes to compile per engine, so they are compiled for the slides' engine only.
template <unsigned rows, unsigned columns>
GridKernel pick_xorwow(Workload const& workload) {
    using Engine = random::LOCKSTEP_MACHINE::Xorwow;
    return workload.output == Output::stored ? GridKernel{threadwise<rows, columns, Engine, true>}
                                             : GridKernel{threadwise<rows, columns, Engine, false>};
}

// The slides' size, with work after a draw.
GridKernel pick_32x32(Workload const& workload) {
    return with_engine_output_and_work(workload, [&]<class Engine, bool stored, class Work>() -> GridKernel {
        return threadwise<32, 1, Engine, stored, Work>;
    });
}

constexpr Size sizes[] = {
    {1, 1, pick<1, 1>},          {1, 2, pick<1, 2>},          {8, 1, pick<8, 1>},
    {15, 1, pick<15, 1>},        {16, 1, pick_xorwow<16, 1>}, {24, 1, pick_xorwow<24, 1>},
    {32, 1, pick_32x32},         {33, 2, pick_xorwow<33, 2>}, {40, 1, pick_xorwow<40, 1>},
    {48, 2, pick_xorwow<48, 2>}, {64, 2, pick_xorwow<64, 2>}, {128, 4, pick_xorwow<128, 4>},
};

bool only_xorwow(Size const& size) { return size.rows == 16 || size.rows == 24 || size.rows > 32; }

Size const* size_of(Workload const& workload) {
    for (Size const& size : sizes) {
        if (size.rows == workload.shape.height && size.columns == workload.shape.words_per_row())
            return &size;
    }
    return nullptr;
}

std::string why_not(Workload const& workload) {
    Size const* const size = size_of(workload);
    if (size == nullptr) {
        return "its sizes are compiled in: rows x words per row of 1x1, 1x2, 8x1, 15x1, 16x1, 24x1, 32x1, 33x2, 40x1, "
               "48x2, 64x2, 128x4";
    }
    if (only_xorwow(*size) && workload.engine != "xorwow")
        return "this size is compiled for engine xorwow only";
    if (workload.after != After::none && workload.shape.height != 32)
        return "its work after a draw is compiled for 32 rows only";
    return work_needs_xorwow(workload);
}

}  // namespace

void add_threadwise(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "threadwise", bench::Role::paper, "halving",
        "one thread per stream, board in registers, size as template parameter (slide: Threadwise CUDA code)",
        [](Workload const& workload) { return size_of(workload)->pick(workload); },
        [](Workload const& workload) {
            return Mapping{1, 1, threadwise_block, 0, Method::halving, false, workload.after == After::none};
        },
        why_not));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
