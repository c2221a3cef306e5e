#pragma once
// Part of the text of generated code, after abi.hpp: the variables of the running worker, for all functions. With GCC
// for x86-64 each has a register of its own, as in code of ocamlopt, so that calls neither pass nor save them. They are
// registers that a C++ function preserves, so the runtime may be called. Code that the runtime calls begins with
// `Entered`.

namespace lockstep::term_rewriting::compiled {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
register Worker* worker asm("r15");
register Word* heap asm("r14");   // end of the used part of the nursery
register Word* stack asm("r13");  // a function's first free slot; a call returns with the stack that it began with
#else
static thread_local Worker* worker;
static thread_local Word* heap;
static thread_local Word* stack;
#endif

// As has_room(), for the running worker. Other threads write the limit, so every call must read it; a plain read can be
// an operand of the comparison, which an atomic one cannot.
inline bool has_room(Word words) {
    asm volatile("" : "+m"(worker->limit));
    return __builtin_expect(heap + (words > limit_slack ? words - limit_slack : 0) <= worker->limit, 1);
}

// Makes room for `words` words. Terms below `top` may move. A function of its own, so that callers do not keep copies
// of its arguments at hand and stay small enough to become part of their callers.
__attribute__((noinline, cold)) static void make_room(Word* top, Word words) {
    heap = worker->attend(worker, heap, top, words);
}

// Sets the variables for a call by the runtime, and restores the runtime's registers at its end.
class Entered {
public:
    Entered(Worker* now_worker, Word* now_heap, Word* now_stack) : worker_(worker), heap_(heap), stack_(stack) {
        worker = now_worker;
        heap = now_heap;
        stack = now_stack;
    }
    Entered(Entered const&) = delete;
    Entered& operator=(Entered const&) = delete;
    ~Entered() {
        worker = worker_;
        heap = heap_;
        stack = stack_;
    }
    Result result(Word* value) const { return {value, heap}; }

private:
    Worker* worker_;
    Word* heap_;
    Word* stack_;
};

}  // namespace lockstep::term_rewriting::compiled
