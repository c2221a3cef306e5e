#pragma once
// The interface between generated code and its runtime. Every generated file starts with this text, so it has no
// includes.
//
// A term without arguments is an immediate value: an odd word that contains the symbol. Another term is a pointer to
// its words: a head, which contains the symbol, and its arguments. In a system with few symbols the head shares a word
// with the first argument, so a term takes as many words as it has arguments. Memory written for the first time is the
// main cost of small terms, so fewer words help. Terms never change, so an old term never points to a young one. A
// defined symbol is a function from its arguments, in normal form, to the normal form. What the runtime calls receives
// the end of the used part of its worker's nursery (`heap`) and returns the new end. A function keeps terms that it
// needs after a call on the worker's stack of terms, below `stack`, where the collector finds and moves them.

namespace lockstep::term_rewriting::compiled {

using Word = unsigned long long;
static_assert(sizeof(Word) == sizeof(void*), "terms are words that are pointers");

// The low bits of a term's first word. For a moved term they are all set, and its new address is above them.
constexpr unsigned low_bits = 16;
constexpr Word low_mask = (Word{1} << low_bits) - 1;
constexpr Word moved_mark = low_mask;

// Addresses have 48 bits.
inline Word above(Word const* address) { return reinterpret_cast<Word>(address) << low_bits; }
inline Word* above_low_bits(Word word) { return reinterpret_cast<Word*>(word >> low_bits); }

// Terms without arguments.
inline Word* immediate(Word symbol) { return reinterpret_cast<Word*>(symbol << 1 | 1); }
inline bool is_immediate(Word const* term) { return (reinterpret_cast<Word>(term) & 1) != 0; }
inline unsigned immediate_symbol(Word const* term) { return static_cast<unsigned>(reinterpret_cast<Word>(term) >> 1); }

// The head shares the word of the first argument: the symbol is in the low bits, so one load of 16 bits finds it.
struct PackedTerms {
    static constexpr Word head_words = 0;
    static constexpr Word symbols = Word{1} << 14;  // maximum number of symbols; the runtime uses bit 15
    static constexpr unsigned symbol_shift = 0;
    static constexpr Word head(Word symbol) { return symbol; }
    static Word head(Word symbol, Word const* first_argument) { return symbol | above(first_argument); }
    // Preconditions: the term has arguments and is a normal form. Generated code sees only normal forms.
    static unsigned pointed_symbol(Word const* term) { return static_cast<unsigned>(*term & low_mask); }
    static Word* argument(Word const* term, Word index) {
        return index == 0 ? above_low_bits(term[0]) : reinterpret_cast<Word*>(term[index]);
    }
    // As argument(), if the argument is tested next. The compiler would test the bit in the word, which needs a copy of
    // the word for the argument; a chain of such tests is shorter if it sees the argument alone.
    static Word* tested_argument(Word const* term, Word index) {
        Word* tested = argument(term, index);
        asm("" : "+r"(tested));
        return tested;
    }
};

// The head is a separate word.
struct WideTerms {
    static constexpr Word head_words = 1;
    static constexpr Word symbols = Word{1} << 32;
    static constexpr unsigned symbol_shift = low_bits;
    static constexpr Word head(Word symbol) { return symbol << symbol_shift; }
    static Word head(Word symbol, Word const*) { return head(symbol); }
    static unsigned pointed_symbol(Word const* term) { return static_cast<unsigned>(*term >> symbol_shift); }
    static Word* argument(Word const* term, Word index) { return reinterpret_cast<Word*>(term[1 + index]); }
    static Word* tested_argument(Word const* term, Word index) { return argument(term, index); }
};

template <class Terms>
unsigned symbol_of(Word const* term) {
    return is_immediate(term) ? immediate_symbol(term) : Terms::pointed_symbol(term);
}

constexpr Word term_words(Word head_words, Word arguments) {
    return head_words + arguments == 0 ? 1 : head_words + arguments;
}

// Arguments beyond these are passed on the stack of terms, so that every call can be a tail call.
constexpr unsigned register_arguments = 6;

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
    Word* limit;          // of `heap`, see has_room(); other threads set it to null, atomically, for a call of attend()
    Spawned* top;         // end of the spawned tasks
    Spawned* first_kept;  // tasks below it were given to other workers
    // Makes room for `words` words and handles pending requests to this worker. Terms below `stack` may move.
    Word* (*attend)(Worker*, Word* heap, Word* stack, Word words);
    // Returns the value of the task at the top. Precondition: the task was given to another worker.
    Result (*join)(Worker*, Word* heap, Word* stack);
    // Returns true if two normal forms are equal as trees. Most comparisons end earlier, in equal_terms().
    bool (*equal)(Worker const*, Word const*, Word const*);
    void* runtime;
    Word counts[1];  // applications per rule that is counted
};

// Words between the limit and the end of the nursery, so that most checks need no addition.
constexpr Word limit_slack = 32;

// True if `words` words fit and nobody calls the worker.
inline bool has_room(Worker const* worker, Word const* heap, Word words) {
    Word const* const limit = __atomic_load_n(&worker->limit, __ATOMIC_RELAXED);
    return __builtin_expect(heap + (words > limit_slack ? words - limit_slack : 0) <= limit, 1);
}

template <class Terms>
bool equal_terms(Worker const* worker, Word const* left, Word const* right) {
    if (left == right)
        return true;
    if (is_immediate(left) || is_immediate(right) || Terms::pointed_symbol(left) != Terms::pointed_symbol(right))
        return false;
    return worker->equal(worker, left, right);
}

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
    // Per constant: symbol, number of arguments, and the arguments: an immediate value, or twice the offset of an
    // earlier constant.
    Word const* constant_table;
    Word constant_count;
    // Rules that are not counted. Per rule: the rule, the number of terms, and the terms: a rule and a factor, modulo
    // 2^64. The sum of the terms, and of the rule's own count, is its number of applications.
    Word const* implied_table;
    Word implied_count;
};

}  // namespace lockstep::term_rewriting::compiled
