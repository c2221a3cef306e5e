// One thread and one warp per replication, compiled for the emulator's counters.

#include "harness/simt/hooks/counted_kernels.hpp"
//
#include "baselines/replications/threads.hpp"
#include "common/replications/mm1.hpp"
#include "common/replications/pi.hpp"
#include "common/replications/walk.hpp"
#include "harness/random/taus88.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/replications/warps.hpp"
#include "tests/replications/counted.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {
namespace {

template <class Model>
void launch_model(Scheme scheme, Point const& point, std::uint64_t replications) {
    using Engine = random::LOCKSTEP_MACHINE::Taus88;
    Buffer<Point> points(1);
    points.upload(std::vector{point});
    Buffer<unsigned> results(replications * Model::words_per_result);
    JobParameters const job = {1, 0, replications, replications, points.data()};
    bool const by_threads = scheme == Scheme::threads;
    unsigned const block = by_threads ? 32 : 128;
    auto const per_block = by_threads ? block : block / 32;
    simt::LaunchShape const shape = {{static_cast<unsigned>((replications + per_block - 1) / per_block)}, {block}};
    launch(by_threads ? "threads" : "warps", by_threads ? threads<Model, Engine> : warps<Model, Engine>, shape, {}, job,
           by_threads ? 32u : 1u, results.data());
    synchronize({});
}

}  // namespace

void launch_pi(Scheme scheme, Point const& point, std::uint64_t replications) {
    launch_model<Pi>(scheme, point, replications);
}
void launch_mm1(Scheme scheme, Point const& point, std::uint64_t replications) {
    launch_model<Mm1>(scheme, point, replications);
}
void launch_walk(Scheme scheme, Point const& point, std::uint64_t replications) {
    launch_model<Walk>(scheme, point, replications);
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
