#pragma once
// Data structures that the host and the kernels of the engine `fast` share. Freestanding, because NVRTC reads it.
//
// A term is the 32-bit number of a 16-byte granule of the heap. The granule holds the symbol in one word and then the
// arguments: three in the first granule and four in each granule that follows. A constant without arguments has no
// node. Its number is that of its symbol, and granule `symbol` holds the symbol, so reading it needs no special case.
// After those granules come the closed constructor terms of the rules, then the input, then new nodes.
//
// The roots of an input are independent terms, each of which is a task when the kernel starts: the outermost terms with
// something to evaluate, below constructors that each occur once. These constructors are never evaluated. The host puts
// the normal forms of the roots in their places when it reads the result.
//
// A lane is a machine with a program counter, a few argument registers and a stack of frames. A frame consists of terms
// and a top word. The top word has the program counter at which the lane continues once the call has its value, and the
// frame's length, so that a walk down the stack reads nothing else. A cell is a part of a stack that waits in the heap
// for values: {mark, words, counter, value} {parent, slot, spilled, 0}, then the words.

namespace lockstep::term_rewriting::fast {

// Program counters that every program has; those of the rules follow.
constexpr unsigned pc_idle = 0;        // the lane has no task
constexpr unsigned pc_deliver = 1;     // bottom of every stack: the value goes to the parent cell
constexpr unsigned pc_evaluate = 2;    // a term of the input
constexpr unsigned pc_evaluated = 3;   // frame: arguments, the term, number of the argument that is evaluated
constexpr unsigned pc_equal = 4;       // two normal forms, as trees; gives 1 or 0
constexpr unsigned pc_equal_next = 5;  // frame: the two terms, number of the argument that was compared
constexpr unsigned pc_fill = 6;        // frame: the value to give, the node that waits, number of its word
constexpr unsigned first_program_pc = 8;

constexpr unsigned pending_mark = 1u << 31;  // on a symbol of the input: the term contains a defined symbol
constexpr unsigned cell_mark = 0x7fffffffu;
constexpr unsigned busy_mark = 0xfffffffeu;     // set by the collector: the node is being moved
constexpr unsigned moved_mark = 0xffffffffu;    // the node was moved; the next word is its new number
constexpr unsigned cell_words = 8;              // before the stack's words
constexpr unsigned value_slot = 0xffffffffu;    // in a cell: the value that the top frame receives
constexpr unsigned walk_slot = 0xfffffffeu;     // the value is in its node already and is only counted
constexpr unsigned constant_source = 1u << 31;  // a call's argument is this constant, not a slot

// The top word of a frame: program counter, length, and whether other lanes can take calls that it has yet to make.
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

// Why the kernel ended, or that it continues. The largest value wins.
enum : unsigned { state_running, state_slice_over, state_no_memory, state_finished, state_lost_task };

// A lane that waits for an entry of the queue sleeps this often at most, for seconds. Then the kernel ends with
// state_lost_task: a run that fails is better than a device that hangs.
constexpr unsigned max_sleeps = 1u << 25;

struct SymbolInfo {
    unsigned arity;
    unsigned entry;  // program counter; 0 if the symbol is not defined
    unsigned boxed;  // 1: too many arguments for registers, so a call gets a node with the arguments
    unsigned reserved;
};

struct PcInfo {
    unsigned terms;      // number of the frame's first slots, which hold terms while the call is evaluated
    unsigned registers;  // number of registers that hold terms when the lane is there
    unsigned join;       // top word of the frame once all calls of the group have their values
    unsigned slot;       // for the value of the call that the lane evaluates itself
    unsigned first;      // index of the first later call of the group
    unsigned count;      // number of later calls
    unsigned starts;     // of a frame that is an element of a walk (walk.hpp): program counter of its task
    unsigned reserved;
};

// A call in the table Parameters::calls: this, then one source per register.
struct CallInfo {
    unsigned pc;
    unsigned slot;
};
constexpr unsigned call_words = 2;

// The words that all blocks change are spread over several cache lines.
struct Control {
    unsigned state;
    int available;           // published tasks in the queue
    int waiting;             // idle lanes
    unsigned unfinished;     // roots of the input without a normal form
    unsigned all_take_part;  // 1: the blocks that did not start first take part too
    unsigned line_0[27];
    unsigned long long next;  // next free granule
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
    unsigned long long warps_with_work;   // per launch
    unsigned long long blocks_with_work;  // per launch
    unsigned long long ticks;             // of clock_ticks(), in the rounds of one block
    unsigned long long idle_ticks;        // those in which at least seven eighths of the lanes waited
    unsigned longest;                     // turns of the warp with the most turns in one launch
    unsigned line_4[13];
};

// A task: one word for the queue, pc, parent, slot, then the registers.
constexpr unsigned task_words = 4;

constexpr unsigned max_threads = 256;  // per block
// With more lanes, each has less of the caches, and loads take longer.
constexpr unsigned blocks_per_multiprocessor = 2;
constexpr unsigned max_shared_counters = 2048;
// Bytes of shared memory per block: its counters if they fit, one task per lane, and 512 bytes for everything else.
// schedule.hpp asserts that SharedMemory fits.
constexpr unsigned shared_bytes(unsigned counters, unsigned registers) {
    unsigned const shared_counters = counters <= max_shared_counters ? counters : 4;
    return 4 * shared_counters + 4 * max_threads * (task_words + registers) + 512;
}
// Calls that a block gives to other blocks per round, not counting those of one more group.
constexpr unsigned max_given = 256;

struct Parameters {
    unsigned* heap;  // words
    unsigned long long heap_end;
    Control* control;
    unsigned const* stop;  // nonzero if the host wants the kernel to end
    unsigned* results;     // normal forms of the roots
    unsigned* tasks;
    unsigned task_mask;
    unsigned const* first_task;          // of a ramp
    unsigned ramp_lanes;                 // lanes that take part in a ramp
    unsigned ramp_steps;                 // steps without a call to share after which a ramp ends
    unsigned long long used_task_words;  // of `tasks`, by the previous run; a ramp clears them
    unsigned* saved;             // state of every lane: word 0 of all lanes, then word 1 of all lanes, and so on
    unsigned begins;             // 1: first launch, nothing is saved yet and all lanes are idle
    unsigned long long granted;  // in the first launch: first granule of the lanes' first chunks; 0: they have none
    SymbolInfo const* symbols;
    PcInfo const* pcs;
    unsigned const* calls;
    unsigned long long* counts;
    unsigned chunk;  // granules that a lane allocates at a time
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
    unsigned few_waiting;
    unsigned turns_narrow;
    unsigned waiting_published;
};

// Parameters of the collector.
struct Collection {
    unsigned* heap;
    Control* control;
    SymbolInfo const* symbols;
    PcInfo const* pcs;
    unsigned* results;
    unsigned result_count;
    unsigned* tasks;
    unsigned* saved;
    unsigned* bits;  // per granule of the half that is copied to: 1 if a copy that must be scanned begins there
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
