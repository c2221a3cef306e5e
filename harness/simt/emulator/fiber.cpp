#include "harness/simt/emulator/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "harness/simt/emulator/context_switch.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

namespace lockstep::simt::emulator {

// A stack is above an inaccessible guard page, so that a stack overflow terminates the program.
Fiber::Fiber() {
    auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const base =
        mmap(nullptr, stack_bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED || mprotect(base, page, PROT_NONE) != 0) {
        throw std::bad_alloc();
    }
    stack_ = static_cast<char*>(base) + page;
    // Not all tops are a multiple of 4096 bytes apart, because such stacks would compete for few lines of the cache.
    static std::atomic<unsigned> count{0};
    bottom_ = stack_;
    size_ = stack_bytes - 320 * count.fetch_add(1, std::memory_order_relaxed) % 4096;
    thread_ = sanitizers::create_fiber();
    prepare(stack_ + size_);
}

// A fiber's main loop: runs its jobs in sequence.
void Fiber::work(Context& previous) {
    arrive_from(previous);
    for (;;) {
        job_.run(job_.argument);
    }
}

#if defined(LOCKSTEP_OWN_SWITCH)

// It ends with `ret`, and so do the functions through which a lane came here. Lanes mostly come here from the same
// place, so the processor predicts these returns. After a jump, as in Boost.Context, it predicts them wrong, which
// takes four times as long as the switch. The control words of floating point belong to the CPU thread and stay.
asm(R"(
    .text
    .globl lockstep_switch_stack
    .hidden lockstep_switch_stack
    .type lockstep_switch_stack, @function
    .p2align 4
lockstep_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    movq %rdx, %rax
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size lockstep_switch_stack, . - lockstep_switch_stack

    .type lockstep_begin_fiber, @function
lockstep_begin_fiber:
    movq %rbx, %rdi
    movq %rax, %rsi
    xorl %ebp, %ebp
    pushq $0
    jmp *%r12
    .size lockstep_begin_fiber, . - lockstep_begin_fiber
)");
extern "C" void lockstep_begin_fiber();

void Fiber::prepare(char* top) {
    void (*const enter)(Fiber*, Context*) = [](Fiber* self, Context* previous) { self->work(*previous); };
    // What lockstep_switch_stack pops, from r15 to its return address.
    void* const registers[] = {nullptr,
                               nullptr,
                               nullptr,
                               reinterpret_cast<void*>(enter),
                               this,
                               nullptr,
                               reinterpret_cast<void*>(&lockstep_begin_fiber)};
    saved_ = top - sizeof registers - reinterpret_cast<std::uintptr_t>(top) % 16;
    std::memcpy(saved_, registers, sizeof registers);
}

#elif defined(LOCKSTEP_BOOST_CONTEXT)

void Fiber::prepare(char* top) {
    saved_ = boost::context::detail::make_fcontext(top, size_, [](boost::context::detail::transfer_t arrival) {
        Switch& first = *static_cast<Switch*>(arrival.data);
        keep(first.from, arrival.fctx);
        static_cast<Fiber&>(first.to).work(first.from);
    });
}

#else

void Fiber::prepare(char*) {
    auto* const start = new ucontext_t;  // used once, and kept as long as the fiber
    getcontext(start);
    start->uc_stack.ss_sp = stack_;
    start->uc_stack.ss_size = size_;
    start->uc_link = nullptr;
    auto const address = reinterpret_cast<std::uintptr_t>(this);
    void (*const enter)(unsigned, unsigned) = [](unsigned high, unsigned low) {
        auto const fiber = static_cast<std::uintptr_t>(high) << 32 | low;
        reinterpret_cast<Fiber*>(fiber)->work(*switched_from);
    };
    makecontext(start, reinterpret_cast<void (*)()>(enter), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address));
    saved_ = start;
}

#endif

namespace {

class FiberList {
public:
    void push_front(Fiber* fiber) {
        fiber->next = std::exchange(first_, fiber);
        if (fiber->next == nullptr) {
            last_ = fiber;
        }
    }
    void push_back(Fiber* fiber) {
        fiber->next = nullptr;
        (first_ == nullptr ? first_ : last_->next) = fiber;
        last_ = fiber;
    }
    // Returns null if the list is empty.
    Fiber* pop_front() { return first_ == nullptr ? nullptr : std::exchange(first_, first_->next); }

private:
    Fiber* first_ = nullptr;
    Fiber* last_ = nullptr;
};

struct Pool {
    std::mutex mutex;
    FiberList fibers;
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

Fiber* take_from(Pool& pool) {
    std::lock_guard const lock(pool.mutex);
    // First in, first out: under ThreadSanitizer the lanes of a thread index change their fibers.
    return pool.fibers.pop_front();
}

void return_to(Pool& pool, Fiber* fiber) {
    std::lock_guard const lock(pool.mutex);
    pool.fibers.push_back(fiber);
}

// The fibers that a CPU thread has used last, which need no lock. They return to the pool when the thread ends.
struct OwnFibers {
    FiberList idle;
    ~OwnFibers() {
        while (Fiber* const fiber = idle.pop_front()) {
            return_to(fiber_pools[0], fiber);
        }
    }
};
thread_local OwnFibers own_fibers;

std::atomic<Fiber*> lost_fibers{nullptr};

}  // namespace

Fiber* idle_fiber() { return sanitizers::threads ? nullptr : own_fibers.idle.pop_front(); }

Fiber* borrow_fiber(std::uint64_t block) {
    Fiber* fiber = idle_fiber();
    auto const pool = static_cast<unsigned>(block % pool_count);
    if (fiber == nullptr) {
        fiber = take_from(fiber_pools[pool]);
    }
    for (unsigned i = 1; fiber == nullptr && i < pool_count && fibers_created > enough_fibers; ++i) {
        fiber = take_from(fiber_pools[(pool + i) % pool_count]);
    }
    if (fiber == nullptr) {
        fiber = new Fiber;
        fiber->pool = pool;
        ++fibers_created;
    }
    return fiber;
}

void give_back(Fiber* fiber) {
    if constexpr (sanitizers::threads) {
        return_to(fiber_pools[fiber->pool], fiber);
    } else {
        own_fibers.idle.push_front(fiber);
    }
}

void keep_lost(Fiber& fiber) {
    fiber.next = lost_fibers.load();
    while (!lost_fibers.compare_exchange_weak(fiber.next, &fiber)) {
    }
}

}  // namespace lockstep::simt::emulator
