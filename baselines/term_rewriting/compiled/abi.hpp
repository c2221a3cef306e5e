#pragma once
// The interface between generated code and its runtime. Every generated file starts with this text, so it has no
// includes.
//
// A term is a pointer to its words: a head, which contains the symbol, and pointers to its arguments. In a system with
// few symbols the head shares a word with the first argument, so a term takes as many words as it has arguments. Memory
// written for the first time is the main cost of small terms, so fewer words help. Terms never change, so an old term
// never points to a young one. A defined symbol is a function from its arguments, in normal form, to the normal form.
// It receives the end of the used part of its worker's nursery (`heap`) and returns the new end. It keeps terms that it
// needs after a call on the worker's stack of terms, below `stack`, where the collector finds and moves them.

namespace lockstep::term_rewriting::compiled {

using Word = unsigned long long;
static_assert(sizeof(Word) == sizeof(void*), "terms are words that are pointers");

// Set in every head. A moved term has its new address in place of the head.
constexpr Word head_mark = Word{1} << 63;

// The head shares the word of the first argument: the symbol is above the 48 bits of the address.
struct PackedTerms {
    static constexpr Word head_words = 0;
    static constexpr Word symbols = Word{1} << 14;  // maximum number of symbols; the runtime uses bit 62
    static constexpr Word address_mask = ~Word{0} >> 16;
    static constexpr Word head(Word symbol) { return head_mark | symbol << 48; }
    // Precondition: the term is a normal form. Generated code sees only normal forms.
    static unsigned symbol_of(Word const* term) { return static_cast<unsigned>(*term >> 48) - (1u << 15); }
    static Word* argument(Word const* term, Word index) {
        return reinterpret_cast<Word*>(index == 0 ? term[0] & address_mask : term[index]);
    }
};

// The head is a separate word.
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

// An expression to evaluate, with the terms that it captures.
struct Task {
    Result (*run)(Worker*, Word* heap, Word* stack, Word* captured);
    Word captured;  // number of captured terms
};

// A task that its owner runs later, unless another worker takes it first.
struct Spawned {
    Task const* task;
    Word* captured;
};

struct Worker {
    Word* limit;          // of `heap`; other threads set it to null, atomically, to make the worker call attend()
    Spawned* top;         // end of the spawned tasks
    Spawned* first_kept;  // tasks below it were given to other workers
    // Makes room for `words` words and handles pending requests to this worker. Terms below `stack` may move.
    Word* (*attend)(Worker*, Word* heap, Word* stack, Word words);
    // Returns the value of the task at the top. Precondition: the task was given to another worker.
    Result (*join)(Worker*, Word* heap, Word* stack);
    // Returns true if two normal forms are equal as trees.
    bool (*equal)(Worker const*, Word const*, Word const*);
    void* runtime;
    Word counts[1];  // applications per rule
};

inline Word* limit_of(Worker const* worker) { return __atomic_load_n(&worker->limit, __ATOMIC_RELAXED); }

inline void spawn(Worker* worker, Task const* task, Word* captured) {
    Spawned* const top = worker->top;
    top->task = task;
    top->captured = captured;
    worker->top = top + 1;
}

// Takes the youngest task back. Returns false if another worker has it; join() then returns its value.
inline bool take_back(Worker* worker) {
    --worker->top;
    return __builtin_expect(worker->top >= worker->first_kept, 1);
}

// The exported description of a generated program.
struct Program {
    Word rules;
    Word head_words;                // of PackedTerms or WideTerms
    unsigned short const* arities;  // per symbol
    // Applies a defined symbol to arguments in normal form.
    Result (*call)(Worker*, Word* heap, Word* stack, unsigned symbol, Word const* arguments);
    // Terms that are built once. They never move.
    Word* constants;
    Word constant_words;
    Word const* constant_table;  // per constant: symbol, arguments, and the arguments' offsets in `constants`
    Word constant_count;
};

}  // namespace lockstep::term_rewriting::compiled
