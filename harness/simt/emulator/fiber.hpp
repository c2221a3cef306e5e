#pragma once
// A fiber: a stack of its own that runs jobs until they finish or suspend. Boost.Context switches it where that is
// installed (11 ns a pair), ucontext elsewhere (446 ns). The sanitizers are told of each switch.

#include <cstddef>
#include <memory>

namespace lockstep::simt::emulator {

class Fiber {
public:
    // What a fiber runs: a plain function and its argument. It must not throw.
    struct Job {
        void (*run)(void*) = nullptr;
        void* argument = nullptr;
    };

    Fiber();
    ~Fiber();
    Fiber(Fiber const&) = delete;
    Fiber& operator=(Fiber const&) = delete;

    // Gives an idle fiber its next job; resume() starts it.
    void assign(Job job);
    // Runs the job until it suspends or ends. Called from outside the fiber.
    void resume();
    // Back to who resumed. Called from inside the fiber.
    void suspend();
    bool idle() const;

    static constexpr std::size_t stack_bytes = 256 * 1024;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// An idle fiber from the pool of the program, made where there is none.
std::unique_ptr<Fiber> borrow_fiber();
void give_back(std::unique_ptr<Fiber> fiber);

}  // namespace lockstep::simt::emulator
