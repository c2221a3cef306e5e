#pragma once
// The data of Section 3, shared by host and kernels: one column per attribute and one slot per term. Slot 0 is never
// used. NVRTC reads this file, so it includes nothing.

namespace lockstep::term_rewriting::as_printed {

using Wide = unsigned long long;

// Value in `refcounts` of a slot that holds no term and whose index is in free_indices.
inline constexpr unsigned free_slot = 0xFFFFFFFFu;

struct Columns {
    void* hss;            // head symbols, in the narrowest type that holds the system's symbols
    unsigned* arguments;  // arg0, then arg1 and so on: argument i of slot t is at i * capacity + t
    unsigned char* nf;
    unsigned char* nf_read;
    unsigned* refcounts;
    unsigned* refcounts_read;
    unsigned* free_indices;  // a ring of `capacity` entries
    void* last_checked;      // per term: index of the subterm last found not to be normal, in the narrowest type
    unsigned* listed;        // for orders that keep lists: slots that a pass visits or rewrites
    unsigned* next_listed;   // slots for the next pass, or the same slots sorted by head symbol
    unsigned capacity;       // number of allocated slots
};

// Flags that threads raise, and the number of rewrites in one pass. There are `flag_copies` copies, and each block uses
// one of them: writes of all warps to one word would serialize and take longer than the pass.
struct alignas(32) Flags {
    unsigned done;                // 0: a term is not normal yet
    unsigned garbage_collecting;  // 1: a slot has lost its last reference
    unsigned put_off;             // 1: a step found no free slot
    unsigned comparing;           // 1: a comparison ran out of memory
    unsigned progress;            // 1: a term has changed or become normal
    unsigned unused;
    Wide redexes;  // rewritten in this pass, without steps of helpers
};
inline constexpr unsigned flag_copies = 64;

// What the host reads after each pass and writes before the next one.
struct Control {
    Flags flags[flag_copies];
    struct alignas(32) {
        unsigned value;
    } next_free_begin, next_free_end, next_fresh, next_listed;
    struct alignas(32) {
        Wide value;
    } comparison_next;
    // Counted by an instrumented program.
    Wide own_bytes;        // read and written at the thread's own slot
    Wide random_bytes;     // read and written at other slots
    Wide random_accesses;  // of at most 4 bytes each, so each touches one sector
    Wide atomics;
    Wide checks;       // whether a subterm is normal
    Wide allocations;  // indices taken and freed, each through a counter that all threads share
};

// Arguments of the rewriting kernels.
struct Arguments {
    Columns columns;
    Control* control;
    Wide* applications;           // per rule, in `application_copies` copies
    unsigned application_copies;  // a power of two
    unsigned n;                   // slots in use, including slot 0
    unsigned listed;              // entries of the list that the kernel processes
    unsigned* bins;               // per symbol: the number of listed slots, then the index for the next one
    Wide* comparison_memory;      // words for long comparisons
    Wide comparison_words;
};

// Arguments of the kernel that computes the digest of a normal form.
struct DigestArguments {
    Columns columns;
    Wide* digests;
    unsigned* passes;  // number of the pass in which each slot got its digest; 0: none yet
    unsigned pass;     // counted from 1
    unsigned n;
};

}  // namespace lockstep::term_rewriting::as_printed
