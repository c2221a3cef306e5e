// Boards by RAFT's matrix::select_k: `raft_select_k SITES BOARDS`.

#include <raft/core/device_resources.hpp>
#include <raft/core/resource/device_memory_resource.hpp>
#include <raft/matrix/select_k.cuh>

#include "baselines/random_grids/peers/_keys/boards.hpp"

namespace {

using namespace lockstep::peers;

template <unsigned sites, unsigned k>
void run(unsigned boards) {
    // The default stream, on which keys and bits are made too. The pool keeps cudaMalloc out of the time.
    raft::device_resources resources(cuda::stream_ref{cudaStream_t{nullptr}});
    raft::resource::set_workspace_to_pool_resource(resources);
    Boards<sites, k> space(boards);
    measure_boards(space, [&](Boards<sites, k>& of) {
        raft::matrix::select_k<float, int>(
            resources, raft::make_device_matrix_view<float const, std::int64_t>(of.keys.data(), of.boards, sites),
            std::nullopt, raft::make_device_matrix_view<float, std::int64_t>(of.selected_keys.data(), of.boards, k),
            raft::make_device_matrix_view<int, std::int64_t>(of.selected.data(), of.boards, k), true);
    });
}

}  // namespace

int main(int count, char** arguments) {
    return guarded([&] {
        require(count == 3, "usage: raft_select_k SITES BOARDS");
        unsigned const boards = static_cast<unsigned>(std::stoul(arguments[2]));
        with_case(arguments[1], [&]<unsigned sites, unsigned k>() { run<sites, k>(boards); });
    });
}
