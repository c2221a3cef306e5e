#pragma once
// A fiber has its own stack and runs jobs. Fibers exist until the program ends: pools keep the idle ones.

#include <cstddef>
#include <cstdint>

#include "harness/simt/emulator/context.hpp"

namespace lockstep::simt::emulator {

class Fiber : public Context {
public:
    // A job: a plain function and its argument. The function must not throw. It ends by a switch to another context,
    // and returns when the fiber has its next job.
    struct Job {
        void (*run)(void*) = nullptr;
        void* argument = nullptr;
    };

    Fiber();

    // Assigns the next job to a fiber that is new or whose job has ended; the next switch to it starts the job.
    void assign(Job job) { job_ = job; }
    // The lowest address of the stack, above its guard page; it has at most stack_bytes bytes.
    char const* stack() const { return stack_; }

    static constexpr std::size_t stack_bytes = 256 * 1024;

    // Of the idle fiber's pool.
    unsigned pool = 0;
    Fiber* next = nullptr;

private:
    [[noreturn]] void work(Context& previous);
    void prepare(char* top);

    Job job_;
    char* stack_ = nullptr;
};

// Takes an idle fiber from a pool, or creates one if the pool is empty. Lanes of successive blocks, which have
// successive numbers, run on fibers of different pools under ThreadSanitizer.
Fiber* borrow_fiber(std::uint64_t block);
// Takes a fiber that this CPU thread has used before, without a lock or an allocation, or returns null. Always null
// under ThreadSanitizer, which would see a lock on a lane's fiber as an order between lanes.
Fiber* idle_fiber();
// A fiber may give itself back (except under ThreadSanitizer) before it switches to another context.
void give_back(Fiber* fiber);
// Keeps a fiber whose job cannot end, so that no other job gets it. Takes no lock and no memory.
void keep_lost(Fiber& fiber);

}  // namespace lockstep::simt::emulator
