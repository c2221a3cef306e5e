#pragma once
// The data of Section 3, as host and kernels see it: a column an attribute, a slot a term, slot 0 never used. Read by
// NVRTC, so it includes nothing.

namespace lockstep::term_rewriting::as_printed {

using Wide = unsigned long long;

// In `refcounts`: the slot holds no term and its index is in free_indices.
inline constexpr unsigned free_slot = 0xFFFFFFFFu;

struct Columns {
    void* hss;            // head symbols, as narrow as the system's symbols allow
    unsigned* arguments;  // arg0, then arg1 and so on: argument i of slot t is at i * capacity + t
    unsigned char* nf;
    unsigned char* nf_read;
    unsigned* refcounts;
    unsigned* refcounts_read;
    unsigned* free_indices;  // a ring of `capacity` entries
    void* last_checked;      // the subterm that was last found not to be normal, as narrow as arities allow
    unsigned* listed;        // of the orders that keep lists: slots that a pass looks at or rewrites
    unsigned* next_listed;   // and those of the next pass, or the same by head symbol
    unsigned capacity;       // slots that there is room for
};

// Flags that threads raise, and the rewrites of one pass. There are `flag_copies` of them, threads of one block use one
// copy: a hundred thousand warps that write one word would take longer than the pass.
struct alignas(32) Flags {
    unsigned done;                // 0: a term is not yet normal
    unsigned garbage_collecting;  // 1: a slot has lost its last reference
    unsigned put_off;             // 1: a step found no free slot
    unsigned comparing;           // 1: a comparison found no memory
    unsigned progress;            // 1: a term has changed or become normal
    unsigned unused;
    Wide redexes;  // rewritten in this pass, steps of helpers apart
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
    // What an instrumented program counted.
    Wide own_bytes;     // read and written at the thread's own slot
    Wide random_bytes;  // and elsewhere
    Wide atomics;
    Wide checks;  // of subterms, whether they are normal
};

// Of every kernel.
struct Arguments {
    Columns columns;
    Control* control;
    Wide* applications;           // of each rule, in `application_copies` copies
    unsigned application_copies;  // a power of two
    unsigned n;                   // slots in use, slot 0 among them
    unsigned listed;              // entries of the list that the kernel goes through
    unsigned* bins;               // of each symbol, how many are listed, and then where its next one goes
    Wide* comparison_memory;      // words for comparisons that are long
    Wide comparison_words;
};

// Of the kernel that finds the digest of a normal form.
struct DigestArguments {
    Columns columns;
    Wide* digests;
    unsigned* passes;  // in which each slot got its digest; 0: not yet
    unsigned pass;     // from 1
    unsigned n;
};

}  // namespace lockstep::term_rewriting::as_printed
