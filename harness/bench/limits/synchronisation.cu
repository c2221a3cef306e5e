// Costs of launching a kernel and of synchronising all its blocks: back-to-back launches of an empty kernel through the
// harness's checked launch, and the grid barrier of cooperative launches. The launches are limited by the host, which
// queues them; launch.graph in cuda_library.cuda.cu is the device's own limit.

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/kernel.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::limits {

struct BarrierParameters {
    unsigned long long* arrivals = nullptr;
    unsigned* slots = nullptr;   // one per block
    unsigned* rounds = nullptr;  // one per block: number of rounds passed, plus 2^16 times the number of wrong rounds
    unsigned barriers = 0;
    unsigned exchange = 0;  // 1: blocks pass numbers to their neighbours across the barrier
};

}  // namespace lockstep::limits

namespace lockstep::limits::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// Increments a word if given one, so that check() can count launches.
__global__ void empty_kernel(unsigned* const word) {
    if (word != nullptr) {
        *word += 1;
    }
}

class LaunchProbe : public Probe {
public:
    explicit LaunchProbe(unsigned launches) : word_(1), launches_(launches) {}
    void reset() override { word_.fill_bytes(0); }

    // Launches more kernels in a row than the device can queue, so that the time includes the host's share, as in
    // normal use.
    void run(simt::Stream stream) override { queue(stream, launches_, nullptr); }

    // Checks 100 launches that increment the word in sequence. The timed launches do nothing, so they leave nothing to
    // check.
    std::string check() override {
        simt::Stream const stream;
        queue(stream, 100, word_.data());
        synchronize(stream);
        unsigned const count = word_.to_vector().front();
        word_.fill_bytes(0);
        return count == 100 ? std::string() : difference("count of launches", 0, count, 100);
    }
    double items() const override { return launches_; }

private:
    static void queue(simt::Stream stream, unsigned count, unsigned* word) {
        for (unsigned i = 0; i < count; ++i) {
            launch("empty", empty_kernel, simt::LaunchShape{}, stream, word);
        }
    }

    Buffer<unsigned> word_;
    unsigned launches_;
};

// With `exchange`, block b writes the round to its slot and, after the barrier, reads the slot of block b + 1. A second
// barrier orders that read before the next round's write.
__global__ void __launch_bounds__(256) barrier_kernel(BarrierParameters const parameters) {
    unsigned passed = 0;
    unsigned wrong = 0;
    for (unsigned round = 0; round < parameters.barriers; ++round) {
        if (parameters.exchange != 0 && threadIdx.x == 0) {
            parameters.slots[blockIdx.x] = round;
        }
        grid_barrier(parameters.arrivals);
        ++passed;
        if (parameters.exchange != 0) {
            if (threadIdx.x == 0) {
                unsigned const neighbour = (blockIdx.x + 1) % gridDim.x;
                wrong += load_acquire(&parameters.slots[neighbour]) != round ? 1u : 0u;
            }
            grid_barrier(parameters.arrivals);
        }
    }
    if (threadIdx.x == 0) {
        parameters.rounds[blockIdx.x] = passed + (wrong << 16);
    }
}

class BarrierProbe : public Probe {
public:
    BarrierProbe(unsigned blocks, unsigned barriers)
        : arrivals_(1), slots_(blocks), rounds_(blocks), barriers_(barriers) {
        shape_.grid.x = blocks;
        shape_.block.x = 256;
        shape_.cooperative = true;
        arrivals_.fill_bytes(
            0);  // only once: the count continues across launches and is a multiple of `blocks` between them
    }
    void reset() override { rounds_.fill_bytes(0xA5); }
    void run(simt::Stream stream) override { queue(stream, false); }

    std::string check() override {
        std::string const timed = check_rounds();
        if (!timed.empty()) {
            return timed;
        }
        slots_.fill_bytes(0xA5);
        rounds_.fill_bytes(0xA5);
        simt::Stream const stream;
        queue(stream, true);
        synchronize(stream);
        return check_rounds();
    }

    double items() const override { return barriers_; }
    simt::KernelAttributes kernel() const override { return attributes("grid_barrier", barrier_kernel, shape_); }

private:
    void queue(simt::Stream stream, bool exchange) {
        BarrierParameters const parameters{arrivals_.data(), slots_.data(), rounds_.data(), barriers_,
                                           exchange ? 1u : 0u};
        launch("grid_barrier", barrier_kernel, shape_, stream, parameters);
    }
    std::string check_rounds() const {
        std::vector<unsigned> const made = rounds_.to_vector();
        for (std::size_t block = 0; block < made.size(); ++block) {
            if (made[block] != barriers_) {
                return difference("rounds of block", block, made[block], barriers_);
            }
        }
        return {};
    }

    Buffer<unsigned long long> arrivals_;
    Buffer<unsigned> slots_;
    Buffer<unsigned> rounds_;
    unsigned barriers_;
    simt::LaunchShape shape_;
};

Limit barrier_limit(unsigned blocks_per_multiprocessor, char const* description) {
    Limit limit{"grid_barrier." + std::to_string(blocks_per_multiprocessor),
                "barriers",
                description,
                machine,
                Quantity::duration,
                false,
                {}};
    limit.make = [blocks_per_multiprocessor](Scale const& scale) -> std::unique_ptr<Probe> {
        return std::make_unique<BarrierProbe>(scale.multiprocessors * blocks_per_multiprocessor,
                                              scale.repetitions(1000));
    };
    return limit;
}

std::vector<Limit> synchronisation_limits(Scale const&) {
    Limit launch{
        "launch", "launches",         "back-to-back checked launches of an empty kernel: the host's time to queue one",
        machine,  Quantity::duration, false,
        {}};
    launch.make = [](Scale const& scale) -> std::unique_ptr<Probe> {
        return std::make_unique<LaunchProbe>(scale.repetitions(3000));
    };
    return {launch, barrier_limit(1, "grid barrier, one block of 256 threads per SM"),
            barrier_limit(4, "grid barrier, four blocks of 256 threads per SM")};
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
