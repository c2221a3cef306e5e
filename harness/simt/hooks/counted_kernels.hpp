#pragma once
// Kernels whose counters are compared with a GPU's begin with this header. They are optimised as far as nvcc does it:
// short loops are unrolled, and a value is loaded once. Left out is what moves blocks to where lanes do not meet again;
// for this, compile with -fno-thread-jumps too. GCC's partial PRE is left out too: it keeps more words in registers
// over the rounds of a loop than nvcc does (tests/counters/object_layout.cu, inlined-columns).

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-crossjumping", "no-ipa-cp-clone", "no-peel-loops", "no-reorder-blocks")
#pragma GCC optimize("no-reorder-blocks-and-partition", "no-split-loops", "no-split-paths", "no-thread-jumps")
#pragma GCC optimize("no-tree-partial-pre", "no-tree-tail-merge", "no-tree-vectorize", "no-unswitch-loops")
#endif
