// Boards by CUB's DeviceBatchedTopK: `cub_topk SITES BOARDS`.

#include <cub/device/device_batched_topk.cuh>
#include <cuda/iterator>

#include "baselines/random_grids/peers/_keys/boards.hpp"

namespace {

using namespace lockstep::peers;

template <unsigned sites, unsigned k>
cudaError_t select(Boards<sites, k>& space, void* scratch, std::size_t& bytes) {
    auto const rows = [](auto* data, int width) {
        return cuda::make_strided_iterator(cuda::make_counting_iterator(data), width);
    };
    auto const environment = cuda::std::execution::env{
        cuda::execution::require(cuda::execution::determinism::not_guaranteed, cuda::execution::tie_break::unspecified,
                                 cuda::execution::output_ordering::unsorted)};
    return cub::DeviceBatchedTopK::MinPairs(
        scratch, bytes, rows(space.keys.data(), sites), rows(space.selected_keys.data(), k),
        cuda::make_constant_iterator(cuda::make_counting_iterator(0)), rows(space.selected.data(), k),
        cuda::args::constant<int{sites}>{}, cuda::args::constant<int{k}>{},
        cuda::args::immediate{cuda::std::int64_t{space.boards}}, environment);
}

template <unsigned sites, unsigned k>
void run(unsigned boards) {
    Boards<sites, k> space(boards);
    std::size_t bytes = 0;
    check(select(space, nullptr, bytes), "cub::DeviceBatchedTopK::MinPairs");
    Buffer<unsigned char> scratch(bytes + 1);
    measure_boards(space, [&](Boards<sites, k>& boards_of) {
        check(select(boards_of, scratch.data(), bytes), "cub::DeviceBatchedTopK::MinPairs");
    });
}

}  // namespace

int main(int count, char** arguments) {
    return guarded([&] {
        require(count == 3, "usage: cub_topk SITES BOARDS");
        print_version("CCCL", CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION, CCCL_PATCH_VERSION);
        unsigned const boards = static_cast<unsigned>(std::stoul(arguments[2]));
        with_case(arguments[1], [&]<unsigned sites, unsigned k>() { run<sites, k>(boards); });
    });
}
