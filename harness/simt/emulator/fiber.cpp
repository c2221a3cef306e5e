#include "harness/simt/emulator/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "harness/simt/emulator/sanitizers.hpp"

#if defined(LOCKSTEP_BOOST_CONTEXT)
#include <boost/context/fiber.hpp>
#else
#include <ucontext.h>
#endif

namespace lockstep::simt::emulator {
namespace {

// Memory for a stack, with an inaccessible guard page below it, so that a stack overflow terminates the program.
class Stack {
public:
    Stack() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        base_ = mmap(nullptr, Fiber::stack_bytes + page_, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base_ == MAP_FAILED || mprotect(base_, page_, PROT_NONE) != 0) {
            throw std::bad_alloc();
        }
        static std::atomic<unsigned> count{0};
        offset_ = 320 * count.fetch_add(1, std::memory_order_relaxed) % 4096;
    }
    ~Stack() { munmap(base_, Fiber::stack_bytes + page_); }
    Stack(Stack const&) = delete;
    Stack& operator=(Stack const&) = delete;

    char* bottom() const { return static_cast<char*>(base_) + page_; }
    // Not the last byte: stacks whose tops are a multiple of 4096 bytes apart would compete for few lines of the cache.
    char* top() const { return bottom() + Fiber::stack_bytes - offset_; }
    std::size_t size() const { return Fiber::stack_bytes - offset_; }

private:
    std::size_t page_;
    std::size_t offset_ = 0;
    void* base_ = nullptr;
};

#if defined(LOCKSTEP_BOOST_CONTEXT)
// Passes a stack to Boost without transferring ownership.
struct BorrowedStack {
    Stack const* stack;
    boost::context::stack_context allocate() const {
        boost::context::stack_context context;
        context.size = stack->size();
        context.sp = stack->top();
        return context;
    }
    void deallocate(boost::context::stack_context&) const {}
};
#endif

}  // namespace

struct Fiber::State {
    Stack stack;
    Job job;
    void* own_thread = nullptr;     // ThreadSanitizer's view of the fiber
    void* caller_thread = nullptr;  // and of the context that it returns to
    void* fake_stack = nullptr;     // AddressSanitizer's, of the fiber
    void const* caller_bottom = nullptr;
    std::size_t caller_size = 0;
    State* previous = nullptr;  // the fiber that switched to this one, or null if the caller did
#if defined(LOCKSTEP_BOOST_CONTEXT)
    boost::context::fiber inside;
    boost::context::fiber caller;

    void start() {
        inside = boost::context::fiber(std::allocator_arg, BorrowedStack{&stack}, [this](boost::context::fiber&& from) {
            keep(std::move(from));
            work();
            return std::move(caller);
        });
    }
    // Each side of a switch receives the context that it came from, and keeps it where its next switch finds it.
    void keep(boost::context::fiber&& from) { (previous != nullptr ? previous->inside : caller) = std::move(from); }
    void switch_in() {
        boost::context::fiber from = std::move(inside).resume();
        last_to_return->inside = std::move(from);
    }
    void switch_out() { keep(std::move(caller).resume()); }
    void switch_over(State& next) {
        next.caller = std::move(caller);
        keep(std::move(next.inside).resume());
    }
#else
    ucontext_t inside{};
    ucontext_t outside{};
    ucontext_t* caller = &outside;

    static void enter(unsigned high, unsigned low) {
        auto const address = static_cast<std::uintptr_t>(high) << 32 | low;
        reinterpret_cast<State*>(address)->work();
    }
    void start() {
        getcontext(&inside);
        inside.uc_stack.ss_sp = stack.bottom();
        inside.uc_stack.ss_size = stack.size();
        inside.uc_link = nullptr;
        auto const address = reinterpret_cast<std::uintptr_t>(this);
        makecontext(&inside, reinterpret_cast<void (*)()>(&State::enter), 2, static_cast<unsigned>(address >> 32),
                    static_cast<unsigned>(address));
    }
    void switch_in() {
        caller = &outside;
        swapcontext(&outside, &inside);
    }
    void switch_out() { swapcontext(&inside, caller); }
    void switch_over(State& next) {
        next.caller = caller;
        swapcontext(&inside, &next.inside);
    }
#endif
    // The fiber that returned to the caller of resume() on this CPU thread.
    static thread_local constinit State* last_to_return;

    // Called on this fiber when it runs again.
    void finish_switch() {
        if (previous == nullptr) {
            sanitizers::finish_switch(fake_stack, &caller_bottom, &caller_size);
        } else {
            sanitizers::finish_switch(fake_stack, nullptr, nullptr);
        }
    }

    void leave() {
        last_to_return = this;
        sanitizers::start_switch(&fake_stack, caller_bottom, caller_size);
        sanitizers::switch_to_fiber(caller_thread);
        switch_out();
        finish_switch();
    }

    void leave_for(State& next) {
        next.previous = this;
        next.caller_thread = caller_thread;
        next.caller_bottom = caller_bottom;
        next.caller_size = caller_size;
        sanitizers::start_switch(&fake_stack, next.stack.bottom(), next.stack.size());
        sanitizers::switch_to_fiber(next.own_thread);
        switch_over(next);
        finish_switch();
    }

    // A fiber's main loop: runs its jobs in sequence.
    void work() {
        finish_switch();
        for (;;) {
            job.run(job.argument);
            job = {};
            leave();
        }
    }
};

thread_local constinit Fiber::State* Fiber::State::last_to_return = nullptr;

Fiber::Fiber() : state_(std::make_unique<State>()) {
    state_->own_thread = sanitizers::create_fiber();
    state_->start();
}

Fiber::~Fiber() { sanitizers::destroy_fiber(state_->own_thread); }

void Fiber::assign(Job job) { state_->job = job; }

void Fiber::resume() {
    void* own_fake_stack = nullptr;
    state_->previous = nullptr;
    state_->caller_thread = sanitizers::current_fiber();
    sanitizers::start_switch(&own_fake_stack, state_->stack.bottom(), state_->stack.size());
    sanitizers::switch_to_fiber(state_->own_thread);
    state_->switch_in();
    sanitizers::finish_switch(own_fake_stack, nullptr, nullptr);
}

void Fiber::suspend() { state_->leave(); }

void Fiber::suspend_for(Fiber& next) { state_->leave_for(*next.state_); }

bool Fiber::idle() const { return state_->job.run == nullptr; }

namespace {

struct Pool {
    std::mutex mutex;
    std::deque<std::unique_ptr<Fiber>> fibers;
};

// ThreadSanitizer takes the lanes that run on one fiber for one thread, so it sees no race between them, nor between a
// lane and what earlier lanes of its fiber synchronised with. Successive blocks therefore take turns with this many
// pools. More would find races between blocks further apart, and use up the 8128 fibers that it allows sooner: with
// enough of them, a block whose pool is empty takes those of other pools.
constexpr unsigned pool_count = sanitizers::threads ? 3 : 1;
constexpr unsigned enough_fibers = 4096;
std::atomic<unsigned> fibers_created{0};

// Never destroyed: fibers exist until the program ends, and their stacks are not unwound. Initialised before main, not
// as a static local: this file is not instrumented, so ThreadSanitizer would not see the local's guard and would report
// its construction as a race.
Pool* const fiber_pools = new Pool[pool_count];

std::unique_ptr<Fiber> take_from(Pool& pool) {
    std::lock_guard const lock(pool.mutex);
    if (pool.fibers.empty()) {
        return nullptr;
    }
    // First in, first out: under ThreadSanitizer the lanes of a thread index change their fibers.
    std::unique_ptr<Fiber> fiber = std::move(pool.fibers.front());
    pool.fibers.pop_front();
    return fiber;
}

void return_to(Pool& pool, std::unique_ptr<Fiber> fiber) {
    std::lock_guard const lock(pool.mutex);
    pool.fibers.push_back(std::move(fiber));
}

// The fibers that a CPU thread has used last, which need no lock. They return to the pool when the thread ends.
struct OwnFibers {
    std::vector<std::unique_ptr<Fiber>> fibers;
    ~OwnFibers() {
        for (auto& fiber : fibers) {
            return_to(fiber_pools[0], std::move(fiber));
        }
    }
};
thread_local OwnFibers own_fibers;

}  // namespace

std::unique_ptr<Fiber> borrow_fiber(std::uint64_t block) {
    std::unique_ptr<Fiber> fiber;
    auto const pool = static_cast<unsigned>(block % pool_count);
    if (!sanitizers::threads && !own_fibers.fibers.empty()) {
        fiber = std::move(own_fibers.fibers.back());
        own_fibers.fibers.pop_back();
        return fiber;
    }
    fiber = take_from(fiber_pools[pool]);
    for (unsigned i = 1; fiber == nullptr && i < pool_count && fibers_created > enough_fibers; ++i) {
        fiber = take_from(fiber_pools[(pool + i) % pool_count]);
    }
    if (fiber == nullptr) {
        fiber = std::make_unique<Fiber>();
        fiber->pool = pool;
        ++fibers_created;
    }
    return fiber;
}

void give_back(std::unique_ptr<Fiber> fiber) {
    if constexpr (sanitizers::threads) {
        unsigned const pool = fiber->pool;
        return_to(fiber_pools[pool], std::move(fiber));
    } else {
        own_fibers.fibers.push_back(std::move(fiber));
    }
}

}  // namespace lockstep::simt::emulator
