#pragma once
// What generated code and its runtime agree on. This text stands at the head of every generated file, so it includes
// nothing.
//
// A term is a pointer to its header, followed by pointers to its arguments. Terms never change, so an old one never
// points at a young one. A defined symbol is a function from its arguments, in normal form, to the normal form. It is
// given the end of the used part of its worker's nursery (`heap`), returns where that end is then, and keeps terms that
// it needs after a call on the worker's stack of terms, below `stack`: that is where the collector finds and moves
// them.

namespace lockstep::term_rewriting::compiled {

using Word = unsigned long long;
static_assert(sizeof(Word) == sizeof(void*), "terms are words that are pointers");

// header: bit 63 set (a moved term has its new address there instead), bits 32 to 47 arguments, bits 0 to 31 symbol.
constexpr Word header_mark = Word{1} << 63;
constexpr Word header(Word symbol, Word arguments) { return header_mark | arguments << 32 | symbol; }
inline unsigned symbol_of(Word const* term) { return static_cast<unsigned>(*term); }

// Arguments beyond these are passed on the stack of terms, so that every call can be a tail call.
constexpr unsigned register_arguments = 3;

struct Result {
    Word* value;
    Word* heap;
};

struct Worker;

// Evaluates an expression from the terms that it captured.
using Task = Result (*)(Worker*, Word* heap, Word* stack, Word* captured);

// Work that its owner will come to, unless another worker asks for it first.
struct Spawned {
    Task run;
    Word* captured;
    Word count;
    void* given;  // set by the owner alone, when it gave the task away
};

struct Worker {
    Word* limit;   // of `heap`; null where the worker is called, atomically, to attend to something
    Spawned* top;  // end of its spawned tasks
    // Makes room for `words` words, and sees to what the worker was called for. Terms below `stack` may move.
    Word* (*attend)(Worker*, Word* heap, Word* stack, Word words);
    // The value of a task that was given away.
    Result (*join)(Worker*, Word* heap, Word* stack, Spawned*);
    bool (*equal)(Word const*, Word const*);
    void* runtime;
    Word counts[1];  // of each rule
};

inline Word* limit_of(Worker const* worker) { return __atomic_load_n(&worker->limit, __ATOMIC_RELAXED); }

inline void spawn(Worker* worker, Task run, Word* captured, Word count) {
    *worker->top = Spawned{run, captured, count, nullptr};
    ++worker->top;
}

// What a generated file exports.
struct Program {
    Word rules;
    // Applies a defined symbol to arguments in normal form.
    Result (*call)(Worker*, Word* heap, Word* stack, unsigned symbol, Word const* arguments);
    // Terms that are made once. They never move.
    Word* constants;
    Word constant_words;
    Word const* constant_table;  // of each: symbol, arguments, the arguments' places in `constants`
    Word constant_count;
};

}  // namespace lockstep::term_rewriting::compiled
