#pragma once
// What the host and the kernels of the engine `fast` agree on. Freestanding: NVRTC reads it.
//
// A term is the 32-bit number of a 16-byte granule of the heap: one word of symbol, then its arguments, three in the
// first granule and four in each that follows. A constant without arguments has no node: its number is that of its
// symbol, and granule `symbol` holds the symbol, so that looking at it needs no case. Behind those granules stand the
// closed constructor terms of the rules, then the input, then what is made.
//
// A lane works as a machine with a program counter, a few argument registers and a stack of frames. A frame is a row of
// terms and, on top, a word of the program counter that goes on once the call has its value and of the frame's length,
// so that a walk down the stack reads nothing else. A cell is a part of a stack that
// waits in the heap for values: {mark, words, counter, value} {parent, slot, 0, 0} then the words.

namespace lockstep::term_rewriting::fast {

// Program counters that every program has; those of the rules follow.
constexpr unsigned pc_idle = 0;        // the lane has no task
constexpr unsigned pc_deliver = 1;     // below every stack: the value goes to the parent cell
constexpr unsigned pc_evaluate = 2;    // a term of the input
constexpr unsigned pc_evaluated = 3;   // frame: arguments, the term, number of the argument that is evaluated
constexpr unsigned pc_equal = 4;       // two normal forms, as trees; gives 1 or 0
constexpr unsigned pc_equal_next = 5;  // frame: the two terms, number of the argument that was compared
constexpr unsigned pc_fill = 6;        // frame: the value to give, the node that waits, number of its word
constexpr unsigned first_program_pc = 8;

constexpr unsigned pending_mark = 1u << 31;  // on a symbol of the input: a defined one stands in the term
constexpr unsigned cell_mark = 0x7fffffffu;
constexpr unsigned busy_mark = 0xfffffffeu;     // of the collector: being moved
constexpr unsigned moved_mark = 0xffffffffu;    // and moved: the next word says where to
constexpr unsigned cell_words = 8;              // before the stack's words
constexpr unsigned value_slot = 0xffffffffu;    // of a cell: the value that the frame on top is given
constexpr unsigned constant_source = 1u << 31;  // a call's argument is this constant, not a slot

// The top word of a frame: program counter, length, and whether others can take calls that it has still to make.
constexpr unsigned words_shift = 16;
constexpr unsigned pc_mask = 0xffffu;
constexpr unsigned max_frame_words = 0x7fffu;
constexpr unsigned group_mark = 1u << 31;
#if defined(__CUDACC__)
__host__ __device__
#endif
    constexpr unsigned
    frame_top(unsigned pc, unsigned words, bool group) {
    return pc | words << words_shift | (group ? group_mark : 0);
}

constexpr unsigned fill_words = 4;
constexpr unsigned fill_top = pc_fill | fill_words << words_shift;

// Why the kernel ended, or that it shall go on. Larger ones win.
enum : unsigned { state_running, state_slice_over, state_no_memory, state_finished };

struct SymbolInfo {
    unsigned arity;
    unsigned entry;  // program counter; 0 where the symbol is not defined
    unsigned boxed;  // too many arguments for registers: its calls are given a node
    unsigned reserved;
};

struct PcInfo {
    unsigned terms;      // the first slots of the frame, which hold terms while the call is under way
    unsigned registers;  // that hold terms when the lane is there
    unsigned join;       // top of the frame once all calls of the group have their values
    unsigned slot;       // of the value of the call under way
    unsigned first;      // of the group's later calls
    unsigned count;
    unsigned reserved[2];
};

// A call in a table: this, then one source for each register.
struct CallInfo {
    unsigned pc;
    unsigned slot;
};
constexpr unsigned call_words = 2;

// One line of the cache for each word that all blocks change.
struct Control {
    unsigned state;
    int available;  // tasks in the queue that are published
    int waiting;    // lanes that have nothing to do
    unsigned result;
    unsigned all_take_part;  // the blocks that were not among the first, too
    unsigned line_0[27];
    unsigned long long next;  // granule
    unsigned line_1[30];
    unsigned head;
    unsigned line_2[31];
    unsigned tail;
    unsigned line_3[31];
    // Measures.
    unsigned long long warp_turns;
    unsigned long long lane_turns;
    unsigned long long splits;
    unsigned long long spills;
    unsigned long long rounds;
    unsigned long long line_4[11];
};

// A task: one word of the queue's own, pc, parent, slot; then the registers.
constexpr unsigned task_words = 4;

constexpr unsigned max_threads = 256;  // of a block
constexpr unsigned max_shared_counters = 2048;
// Bytes of a block's shared memory: its counters, where they fit, a task for each lane, and 512 for all else.
// SharedMemory (schedule.hpp) asserts that it fits in them.
constexpr unsigned shared_bytes(unsigned counters, unsigned registers) {
    unsigned const shared_counters = counters <= max_shared_counters ? counters : 4;
    return 4 * shared_counters + 4 * max_threads * (task_words + registers) + 512;
}
constexpr unsigned max_given = 256;  // calls that a block hands to others in a round, and those of one group more

struct Parameters {
    unsigned* heap;  // words
    unsigned long long heap_end;
    Control* control;
    unsigned const* stop;  // not zero once the host wants the kernel to end
    unsigned* tasks;
    unsigned task_mask;
    unsigned* saved;             // of every lane, word by word
    unsigned begins;             // 1: nothing is saved yet, all lanes are idle
    unsigned long long granted;  // then, where the lanes' first chunks begin; 0: they have none
    SymbolInfo const* symbols;
    PcInfo const* pcs;
    unsigned const* calls;
    unsigned long long* counts;
    unsigned chunk;  // granules that a lane takes at once
    unsigned turns_saturated;
    unsigned turns_busy;
    unsigned turns_steady;
    unsigned turns_spreading;
    unsigned turns_startup;
    unsigned slice_rounds;
    unsigned first_blocks;
    unsigned busy_rounds;
    unsigned age_rounds;
    unsigned min_groups;
    unsigned votes;
};

// What the collector is given.
struct Collection {
    unsigned* heap;
    Control* control;
    SymbolInfo const* symbols;
    PcInfo const* pcs;
    unsigned* tasks;
    unsigned* saved;
    unsigned* bits;  // of each granule of the half that is copied to: a copy to scan begins there
    unsigned task_mask;
    unsigned registers;
    unsigned long long lanes;
    unsigned long long from;
    unsigned long long from_end;
    unsigned long long to;
    unsigned long long first;
    unsigned long long last;
};

// Words that a lane saves before its registers and its stack.
constexpr unsigned saved_words = 6;

}  // namespace lockstep::term_rewriting::fast
