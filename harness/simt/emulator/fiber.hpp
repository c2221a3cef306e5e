#pragma once
// A fiber has its own stack and runs jobs until they finish or suspend. Boost.Context switches fibers if it is
// installed (11 ns per pair of switches), otherwise ucontext does (446 ns). Each switch is reported to the sanitizers.

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lockstep::simt::emulator {

class Fiber {
public:
    // A job: a plain function and its argument. The function must not throw.
    struct Job {
        void (*run)(void*) = nullptr;
        void* argument = nullptr;
    };

    Fiber();
    ~Fiber();
    Fiber(Fiber const&) = delete;
    Fiber& operator=(Fiber const&) = delete;

    // Assigns the next job to an idle fiber; resume() starts it.
    void assign(Job job);
    // Runs the job until it suspends or ends. Called from outside the fiber.
    void resume();
    // Returns control to the caller of resume(). Called from inside the fiber.
    void suspend();
    // Resumes another fiber, which has suspended, in place of this one, and returns when this one is resumed. The other
    // fiber returns control to the caller of this one's resume().
    void suspend_for(Fiber& next);
    bool idle() const;

    static constexpr std::size_t stack_bytes = 256 * 1024;

    unsigned pool = 0;  // that the fiber returns to

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Takes an idle fiber from a pool, or creates one if the pool is empty. Lanes of successive blocks, which have
// successive numbers, run on fibers of different pools under ThreadSanitizer.
std::unique_ptr<Fiber> borrow_fiber(std::uint64_t block);
void give_back(std::unique_ptr<Fiber> fiber);

}  // namespace lockstep::simt::emulator
