#include "harness/simt/emulator/launch.hpp"

#include <algorithm>
#include <latch>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/faults.hpp"
#include "harness/simt/emulator/sanitizers.hpp"
#include "harness/simt/error.hpp"
#include "harness/simt/handler_stack.hpp"

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

// The order in which blocks begin. A random one is i * factor + offset, so that it needs no memory.
class BlockOrder {
public:
    BlockOrder(Options const& options, std::uint64_t count) : order_(options.order), count_(count) {
        Draws draws(options.seed, ~std::uint64_t{0});
        auto const draw = [&] { return (std::uint64_t{draws.word()} << 32 | draws.word()) % count; };
        offset_ = draw();
        do {
            factor_ = draw();
        } while (std::gcd(factor_, count) != 1);
    }
    std::uint64_t rank(std::uint64_t i) const {
        if (order_ == LaneOrder::ascending) {
            return i;
        }
        __extension__ using Wide = unsigned __int128;
        return order_ == LaneOrder::descending ? count_ - 1 - i
                                               : static_cast<std::uint64_t>((Wide{i} * factor_ + offset_) % count_);
    }

private:
    LaneOrder order_;
    std::uint64_t count_;
    std::uint64_t factor_ = 1;
    std::uint64_t offset_ = 0;
};

// Where a block is while it runs. Used again for other blocks and freed after the launch: ThreadSanitizer would take it
// for a race if memory that lanes have read was freed before.
struct Place {
    std::unique_ptr<BlockLanes> lanes;
    std::optional<Block> block;
};

// Blocks of a plain launch on a CPU thread: one that runs, and those that wait for others, as blocks of a GPU may that
// are resident together.
class ResidentBlocks {
public:
    ResidentBlocks(Launch& launch, Options const& options)
        : launch_(launch),
          options_(options),
          max_waiting_(std::max<std::size_t>(1, max_waiting_lanes / launch.shape.block.count())) {}

    // Runs the block until it has ended or only waits. Returns when there is room for another one.
    void run(std::uint64_t rank) {
        Place& place = free_.empty() ? *all_.emplace_back(std::make_unique<Place>()) : *free_.back();
        if (!free_.empty()) {
            free_.pop_back();
        }
        if (!place.lanes || sanitizers::threads) {  // ThreadSanitizer forgets the orders by lanes' addresses with them
            place.lanes = std::make_unique<BlockLanes>(launch_.shape.block);
        }
        Block& block = place.block.emplace(launch_, rank, options_, *place.lanes);
        while (block.sweep() && !block.waits()) {
        }
        if (block.finished()) {
            end(place);
        } else {
            waiting_.push_back(&place);
        }
        while (waiting_.size() == max_waiting_ && !launch_.stopped.load()) {
            sweep();
        }
    }
    // Runs those that wait to their ends.
    void finish() {
        while (!waiting_.empty() && !launch_.stopped.load()) {
            sweep();
        }
        for (Place* const place : waiting_) {
            place->block->abandon();
        }
        sanitizers::acquire(&launch_.ended);
    }

private:
    static constexpr std::size_t max_waiting_lanes = 8192;  // that wait: each has a stack

    void end(Place& place) {
        place.block.reset();
        free_.push_back(&place);
    }

    void sweep() {
        std::erase_if(waiting_, [&](Place* place) {
            if (place->block->sweep() || launch_.stopped.load()) {
                return false;
            }
            end(*place);
            return true;
        });
    }

    Launch& launch_;
    Options const& options_;
    std::size_t max_waiting_;
    std::vector<std::unique_ptr<Place>> all_;
    std::vector<Place*> free_;
    std::vector<Place*> waiting_;
};

// One CPU thread's share of a plain launch: takes the next block until none is left.
void run_blocks(Launch& launch, Options const& options, BlockOrder const& order, std::atomic<std::uint64_t>& next) {
    std::uint64_t const count = launch.shape.grid.count();
    ResidentBlocks blocks(launch, options);
    for (std::uint64_t i = 0; !launch.stopped.load() && (i = next.fetch_add(1)) < count;) {
        blocks.run(order.rank(i));
    }
    blocks.finish();
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
    BlockOrder const order(chosen, shape.grid.count());
    unsigned present = 1;
    std::atomic<bool> out_of_memory = false;
    std::latch counted(1);
    auto const share = [&](unsigned thread) {
        std::optional<HandlerStack> handlers;
        if (chosen.catches_faults) {
            handlers.emplace();
        }
        try {
            Watch const watch(turns_of_this_thread(), chosen.turn_limit_seconds, chosen.silent_limit_seconds);
            if (shape.cooperative) {
                counted.wait();
                run_resident_blocks(launch, chosen, thread, present);
            } else {
                run_blocks(launch, chosen, order, next);
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
    if (launch.has_fault.load()) {
        throw LaneFault("a lane raised signal " + std::to_string(launch.fault.signal) + " in kernel '" + name + "'",
                        launch.fault.signal, launch.fault.instruction);
    }
    if (launch.stopped.load()) {
        throw Error(launch.error);
    }
}

}  // namespace lockstep::simt::emulator
