#include "harness/simt/emulator/launch.hpp"

#include <algorithm>
#include <latch>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/sanitizers.hpp"
#include "harness/simt/error.hpp"

namespace lockstep::simt::emulator {
namespace {

// Limits of compute capability 7.5 to 12.x (CUDA C++ Programming Guide, table of technical specifications).
constexpr unsigned max_threads_per_block = 1024;
constexpr std::size_t max_shared_bytes = 227 * 1024;
constexpr unsigned max_resident_blocks = 132 * 32;

void check_shape(char const* name, LaunchShape const& shape) {
    auto const reject = [&](std::string const& what) {
        throw Error(what + " in the launch of kernel '" + std::string(name) + "'");
    };
    Dim3 const& block = shape.block;
    if (shape.grid.count() == 0 || block.count() == 0) {
        reject("empty launch (the grid or the block has size zero)");
    }
    if (block.count() > max_threads_per_block || block.x > 1024 || block.y > 1024 || block.z > 64) {
        reject("invalid block of " + std::to_string(block.count()) + " threads (at most 1024, and 64 in z)");
    }
    if (shape.grid.x > 0x7FFFFFFFu || shape.grid.y > 65535 || shape.grid.z > 65535) {
        reject("invalid grid (at most 2147483647 blocks in x, 65535 in y and z)");
    }
    if (shape.shared_bytes > max_shared_bytes) {
        reject("invalid shared memory of " + std::to_string(shape.shared_bytes) + " bytes (at most 232448 per block)");
    }
    if (shape.cooperative && shape.grid.count() > max_resident_blocks) {
        reject("cooperative launch of " + std::to_string(shape.grid.count()) +
               " blocks (all must be resident at the same time)");
    }
}

// One CPU thread's share of a plain launch: takes the next block until none is left.
void run_blocks(Launch& launch, Options const& options, std::atomic<std::uint64_t>& next) {
    std::uint64_t const count = launch.shape.grid.count();
    std::optional<BlockLanes> lanes;
    while (!launch.stopped.load()) {
        std::uint64_t const rank = next.fetch_add(1);
        if (rank >= count) {
            return;
        }
        if (!lanes || sanitizers::threads) {  // ThreadSanitizer forgets the orders by a lane's addresses with them
            lanes.emplace(launch.shape.block);
        }
        Block block(launch, rank, options, *lanes);
        while (block.sweep()) {
        }
        if (launch.stopped.load()) {
            block.abandon();
        }
    }
}

// One CPU thread's share of a cooperative launch: runs every stride-th block, all resident. Each has one
// sweep per round.
void run_resident_blocks(Launch& launch, Options const& options, std::uint64_t first, std::uint64_t stride) {
    std::vector<std::unique_ptr<BlockLanes>> lanes;
    std::vector<std::unique_ptr<Block>> running;
    for (std::uint64_t rank = first; rank < launch.shape.grid.count(); rank += stride) {
        lanes.push_back(std::make_unique<BlockLanes>(launch.shape.block));
        running.push_back(std::make_unique<Block>(launch, rank, options, *lanes.back()));
    }
    Draws draws(options.seed, ~first);
    auto const unfinished = [](auto const& block) { return !block->finished(); };
    while (!launch.stopped.load() && std::any_of(running.begin(), running.end(), unfinished)) {
        if (options.order == LaneOrder::random || options.order == LaneOrder::unfair) {
            shuffle(running.data(), static_cast<unsigned>(running.size()), draws);
        }
        for (auto const& block : running) {
            if (unfinished(block)) {
                block->sweep();
            }
        }
    }
    for (auto const& block : running) {
        block->abandon();
    }
    // Orders the lanes' accesses to the blocks before the blocks are freed.
    sanitizers::acquire(&launch.ended);
}

}  // namespace

void run_launch(char const* name, LaunchShape const& shape, void (*lane)(void*), void* argument,
                std::size_t argument_bytes) {
    check_shape(name, shape);
    Options const chosen = options();
    if (chosen.weak_memory && observer == nullptr) {
        throw Error(
            "cannot run kernel '" + std::string(name) +
            "' with weak memory (it is built without access checks, which see the accesses) build it with them");
    }
    Launch launch(name, shape, lane, argument, argument_bytes);
    unsigned const available = std::max(1u, std::thread::hardware_concurrency());
    unsigned const wanted = observer != nullptr ? 1 : chosen.threads != 0 ? chosen.threads : available;
    auto const threads = static_cast<unsigned>(std::min<std::uint64_t>(wanted, shape.grid.count()));
    std::atomic<std::uint64_t> next{0};
    unsigned present = 1;
    std::atomic<bool> out_of_memory = false;
    std::latch counted(1);
    auto const share = [&](unsigned thread) {
        try {
            Watch const watch(turns_of_this_thread(), chosen.turn_limit_seconds);
            if (shape.cooperative) {
                counted.wait();
                run_resident_blocks(launch, chosen, thread, present);
            } else {
                run_blocks(launch, chosen, next);
            }
        } catch (std::bad_alloc const&) {
            out_of_memory = true;
            launch.stop("out of memory");
        } catch (std::exception const& error) {
            launch.stop(std::string("the emulator failed (") + error.what() + ") in kernel '" + name + "'");
        }
    };
    std::vector<std::jthread> others;
    try {
        others.reserve(threads);
        for (; present < threads; ++present) {
            others.emplace_back(share, present);
        }
    } catch (std::exception const&) {  // the system refuses threads (ulimit -u, memory): those present do the work
    }
    counted.count_down();
    if (observer != nullptr) {
        observer->launch_begins(launch);
    }
    share(0);
    if (observer != nullptr) {
        observer->launch_ends(launch);
    }
    others.clear();
    sanitizers::acquire(&launch.ended);
    if (out_of_memory) {
        throw std::bad_alloc();  // which callers explain as they do everywhere
    }
    if (launch.stopped.load()) {
        throw Error(launch.error);
    }
}

}  // namespace lockstep::simt::emulator
