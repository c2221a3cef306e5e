// Threadwise with all arrays in registers (slide "Threadwise CUDA code"): the sizes that are compiled.

#include "kernels/random_grids/threadwise.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

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
