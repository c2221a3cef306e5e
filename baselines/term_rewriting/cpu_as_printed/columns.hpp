#pragma once
// The interface between the generated rewriter of the paper and its engine: the arrays of Section 3. Every generated
// file starts with this text, so it has no includes.

namespace lockstep::term_rewriting::cpu_as_printed {

using Index = unsigned;  // index of a term; 0 is unused

struct Columns {
    unsigned* hss;        // head symbols
    Index** args;         // subterms: args[i][t] for i below the arity of the head symbol of t
    unsigned* refcounts;  // number of references per term; a term with 0 is on the free list or about to be
    bool* nf;             // true if the term is in normal form
    Index* free_indices;  // deleted terms, which still hold their references to subterms
    Index free_count;
    Index next_fresh;                  // larger than every used index
    Index capacity;                    // the arrays have room for indices below it
    unsigned long long* applications;  // per rule
    unsigned long long budget;         // rewrites until the next call of attend()
    char const* stack_end;             // lower bound of derive()'s stack
    void (*attend)(Columns*);          // checks the limits and sets a new budget
    void (*no_room)();                 // called when memory or stack is exhausted; does not return
    bool (*equal)(Columns const*, Index, Index);
};

// The return type of lockstep_printed_program(), which every generated file exports.
using Derive = void (*)(Columns*, Index);

}  // namespace lockstep::term_rewriting::cpu_as_printed
