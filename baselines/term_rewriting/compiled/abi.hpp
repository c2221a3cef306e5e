#pragma once
// What generated code and its runtime agree on. This text stands at the head of every generated file, so it includes
// nothing.
//
// A term is a pointer to its words: a head, which says the symbol, and pointers to its arguments. In a system of few
// symbols the head shares a word with the first argument, and a term takes as many words as it has arguments: memory
// that is written for the first time is what small terms cost most. Terms never change, so an old one never points at a
// young one. A defined symbol is a function from its arguments, in normal form, to the normal form. It is
// given the end of the used part of its worker's nursery (`heap`), returns where that end is then, and keeps terms that
// it needs after a call on the worker's stack of terms, below `stack`: that is where the collector finds and moves
// them.

namespace lockstep::term_rewriting::compiled {

using Word = unsigned long long;
static_assert(sizeof(Word) == sizeof(void*), "terms are words that are pointers");

// In every head; a moved term has its new address there instead.
constexpr Word head_mark = Word{1} << 63;

// The head shares the word of the first argument: the symbol stands above the 48 bits that an address has.
struct PackedTerms {
    static constexpr Word head_words = 0;
    static constexpr Word symbols = Word{1} << 14;  // at most: bit 62 is the runtime's
    static constexpr Word address_mask = ~Word{0} >> 16;
    static constexpr Word head(Word symbol) { return head_mark | symbol << 48; }
    // Of terms that are normal forms, as all are that generated code sees.
    static unsigned symbol_of(Word const* term) { return static_cast<unsigned>(*term >> 48) - (1u << 15); }
    static Word* argument(Word const* term, Word index) {
        return reinterpret_cast<Word*>(index == 0 ? term[0] & address_mask : term[index]);
    }
};

// The head has a word of its own.
struct WideTerms {
    static constexpr Word head_words = 1;
    static constexpr Word symbols = Word{1} << 32;
    static constexpr Word address_mask = ~Word{0};
    static constexpr Word head(Word symbol) { return head_mark | symbol; }
    static unsigned symbol_of(Word const* term) { return static_cast<unsigned>(*term); }
    static Word* argument(Word const* term, Word index) { return reinterpret_cast<Word*>(term[1 + index]); }
};

constexpr Word term_words(Word head_words, Word arguments) {
    return head_words + arguments == 0 ? 1 : head_words + arguments;
}

// Arguments beyond these are passed on the stack of terms, so that every call can be a tail call.
constexpr unsigned register_arguments = 3;

struct Result {
    Word* value;
    Word* heap;
};

struct Worker;

// An expression to be evaluated from terms that it captured.
struct Task {
    Result (*run)(Worker*, Word* heap, Word* stack, Word* captured);
    Word captured;  // how many
};

// Work that its owner will come to, unless another worker asks for it first.
struct Spawned {
    Task const* task;
    Word* captured;
};

struct Worker {
    Word* limit;          // of `heap`; null where the worker is called, atomically, to attend to something
    Spawned* top;         // end of its spawned tasks
    Spawned* first_kept;  // those below have been given away
    // Makes room for `words` words, and sees to what the worker was called for. Terms below `stack` may move.
    Word* (*attend)(Worker*, Word* heap, Word* stack, Word words);
    // The value of the task at the top, which was given away.
    Result (*join)(Worker*, Word* heap, Word* stack);
    // Whether two normal forms are the same tree.
    bool (*equal)(Worker const*, Word const*, Word const*);
    void* runtime;
    Word counts[1];  // of each rule
};

inline Word* limit_of(Worker const* worker) { return __atomic_load_n(&worker->limit, __ATOMIC_RELAXED); }

inline void spawn(Worker* worker, Task const* task, Word* captured) {
    Spawned* const top = worker->top;
    top->task = task;
    top->captured = captured;
    worker->top = top + 1;
}

// Takes the youngest task back. False where another worker has it: then join() has its value.
inline bool take_back(Worker* worker) {
    --worker->top;
    return __builtin_expect(worker->top >= worker->first_kept, 1);
}

// What a generated file exports.
struct Program {
    Word rules;
    Word head_words;                // of PackedTerms or WideTerms
    unsigned short const* arities;  // of each symbol
    // Applies a defined symbol to arguments in normal form.
    Result (*call)(Worker*, Word* heap, Word* stack, unsigned symbol, Word const* arguments);
    // Terms that are made once. They never move.
    Word* constants;
    Word constant_words;
    Word const* constant_table;  // per constant: symbol, arguments, and the arguments' offsets in `constants`
    Word constant_count;
};

}  // namespace lockstep::term_rewriting::compiled
