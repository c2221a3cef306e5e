#pragma once
// What the generated rewriter of the paper and the engine around it agree on: the arrays of Section 3. This text stands
// at the head of every generated file, so it includes nothing.

namespace lockstep::term_rewriting::cpu_as_printed {

using Index = unsigned;  // of a term; 0 is never used

struct Columns {
    unsigned* hss;        // head symbols
    Index** args;         // subterms: args[i][t], as far as the head symbol of t has any
    unsigned* refcounts;  // references to each term; without any it is on the free list, or will be
    bool* nf;             // in normal form
    Index* free_indices;  // of deleted terms whose own references have not been given up yet
    Index free_count;
    Index next_fresh;                  // greater than every index in use
    Index capacity;                    // indices below it have room in the arrays
    unsigned long long* applications;  // of each rule
    unsigned long long budget;         // rewrites until attend() is called
    char const* stack_end;             // derive() must not reach below
    void (*attend)(Columns*);          // looks at the limits, and sets a new budget
    void (*no_room)();                 // memory or stack is spent: does not return
    bool (*equal)(Columns const*, Index, Index);
};

// What a generated file exports as lockstep_printed_program.
using Derive = void (*)(Columns*, Index);

}  // namespace lockstep::term_rewriting::cpu_as_printed
