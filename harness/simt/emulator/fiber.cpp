#include "harness/simt/emulator/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <deque>
#include <mutex>
#include <new>
#include <utility>

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
    }
    ~Stack() { munmap(base_, Fiber::stack_bytes + page_); }
    Stack(Stack const&) = delete;
    Stack& operator=(Stack const&) = delete;

    char* bottom() const { return static_cast<char*>(base_) + page_; }
    char* top() const { return bottom() + Fiber::stack_bytes; }

private:
    std::size_t page_;
    void* base_ = nullptr;
};

#if defined(LOCKSTEP_BOOST_CONTEXT)
// Passes a stack to Boost without transferring ownership.
struct BorrowedStack {
    Stack const* stack;
    boost::context::stack_context allocate() const {
        boost::context::stack_context context;
        context.size = Fiber::stack_bytes;
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
    void* caller_thread = nullptr;  // and of the context that resumed it
    void* fake_stack = nullptr;     // AddressSanitizer's, of the fiber
    void const* caller_bottom = nullptr;
    std::size_t caller_size = 0;
#if defined(LOCKSTEP_BOOST_CONTEXT)
    boost::context::fiber inside;
    boost::context::fiber caller;

    void start() {
        inside = boost::context::fiber(std::allocator_arg, BorrowedStack{&stack}, [this](boost::context::fiber&& from) {
            caller = std::move(from);
            work();
            return std::move(caller);
        });
    }
    void switch_in() { inside = std::move(inside).resume(); }
    void switch_out() { caller = std::move(caller).resume(); }
#else
    ucontext_t inside{};
    ucontext_t caller{};

    static void enter(unsigned high, unsigned low) {
        auto const address = static_cast<std::uintptr_t>(high) << 32 | low;
        reinterpret_cast<State*>(address)->work();
    }
    void start() {
        getcontext(&inside);
        inside.uc_stack.ss_sp = stack.bottom();
        inside.uc_stack.ss_size = Fiber::stack_bytes;
        inside.uc_link = nullptr;
        auto const address = reinterpret_cast<std::uintptr_t>(this);
        makecontext(&inside, reinterpret_cast<void (*)()>(&State::enter), 2, static_cast<unsigned>(address >> 32),
                    static_cast<unsigned>(address));
    }
    void switch_in() { swapcontext(&caller, &inside); }
    void switch_out() { swapcontext(&inside, &caller); }
#endif

    void leave() {
        sanitizers::start_switch(&fake_stack, caller_bottom, caller_size);
        sanitizers::switch_to_fiber(caller_thread);
        switch_out();
        sanitizers::finish_switch(fake_stack, &caller_bottom, &caller_size);
    }

    // A fiber's main loop: runs its jobs in sequence.
    void work() {
        sanitizers::finish_switch(nullptr, &caller_bottom, &caller_size);
        for (;;) {
            job.run(job.argument);
            job = {};
            leave();
        }
    }
};

Fiber::Fiber() : state_(std::make_unique<State>()) {
    state_->own_thread = sanitizers::create_fiber();
    state_->start();
}

Fiber::~Fiber() { sanitizers::destroy_fiber(state_->own_thread); }

void Fiber::assign(Job job) { state_->job = job; }

void Fiber::resume() {
    void* own_fake_stack = nullptr;
    state_->caller_thread = sanitizers::current_fiber();
    sanitizers::start_switch(&own_fake_stack, state_->stack.bottom(), stack_bytes);
    sanitizers::switch_to_fiber(state_->own_thread);
    state_->switch_in();
    sanitizers::finish_switch(own_fake_stack, nullptr, nullptr);
}

void Fiber::suspend() { state_->leave(); }

bool Fiber::idle() const { return state_->job.run == nullptr; }

namespace {

struct Pool {
    std::mutex mutex;
    std::deque<std::unique_ptr<Fiber>> fibers;
};

// Never destroyed: fibers exist until the program ends, and their stacks are not unwound. Initialised before main, not
// as a static local: this file is not instrumented, so ThreadSanitizer would not see the local's guard and would report
// its construction as a race.
Pool& fiber_pool = *new Pool;

}  // namespace

std::unique_ptr<Fiber> borrow_fiber() {
    {
        Pool& fibers = fiber_pool;
        std::lock_guard const lock(fibers.mutex);
        if (!fibers.fibers.empty()) {
            // First in, first out: lanes of successive blocks rarely share a fiber, so ThreadSanitizer can distinguish
            // them.
            std::unique_ptr<Fiber> fiber = std::move(fibers.fibers.front());
            fibers.fibers.pop_front();
            return fiber;
        }
    }
    return std::make_unique<Fiber>();
}

void give_back(std::unique_ptr<Fiber> fiber) {
    Pool& fibers = fiber_pool;
    std::lock_guard const lock(fibers.mutex);
    fibers.fibers.push_back(std::move(fiber));
}

}  // namespace lockstep::simt::emulator
