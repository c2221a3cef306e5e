#pragma once
// Options of the engine `fast`.

#include <cstddef>

#include "harness/simt/machine.hpp"
#include "kernels/term_rewriting/fast/traits.hpp"

namespace lockstep::term_rewriting::fast {

// Without changes, the engine has its first options (variant `fast_plain`).
struct Options {
    // If a symbol's only rule matches any arguments, the generator replaces a call of the symbol by the rule's right
    // side, so a chain of such rules is one step. Otherwise each rule takes one turn.
    bool chains = true;
    unsigned block = 256;
    unsigned blocks = 0;        // 0: as many as can be resident
    bool cooperative = false;   // the emulator, too, runs all blocks at the same time
    unsigned first_blocks = 0;  // blocks that start first; 0: two thirds of them; ~0u: all
    unsigned busy_rounds = 8;   // busy rounds after which the other blocks start
    // If a symbol is called from one place, apart from its own rules, its step becomes part of the caller's step.
    bool joins = true;
    // If such a call has its value within the turn, the step that awaits it follows in the same turn.
    bool returns = false;
    // Makes a node before the last call if only that node needs the call's value, so that a spine takes one frame.
    // Slower for short spines.
    bool fills = false;
    // Parts of a right side that need nothing of each other are calls of their own (independent.hpp), and a lane walks
    // along a list itself while others take what it passes.
    bool independent_parts = false;
    // A rule that walks along a list makes the list from its head on, and hands out many elements at once (walk.hpp).
    // Needs independent_parts.
    bool walks = false;
    // Calls of its own symbol that a rule may follow within one step.
    unsigned loops = 1;
    // A turn of a warp serves the program counter that most lanes have. Otherwise it serves all lanes, one program
    // counter after the other.
    bool votes = true;
    unsigned stack_words = 128;  // per lane, at least
    // Turns per round: after nearly all lanes have been busy for long; while nearly all are busy; in general; while
    // work spreads to many lanes; and until half of the lanes have been busy.
    unsigned turns_saturated = 256;
    unsigned turns_busy = 64;
    unsigned turns_steady = 32;
    unsigned turns_spreading = 4;
    unsigned turns_startup = 2;
    // A round ends for all warps of a block once one of them has ended its turns and each has had this many; 0: each
    // warp takes all turns.
    unsigned ends_after = 0;
    // Work goes to other warps and blocks before it goes to other lanes of the same warp (schedule.hpp). turns_narrow:
    // turns per round while nearly all lanes wait and no lane has a call to share.
    bool warps_first = false;
    unsigned turns_narrow = 8;
    // Steps that the lanes of a warp may take in one turn while most of those that take it stay at its program counter.
    unsigned repeats = 1;
    // All lanes take the same first steps, and take part in different calls of the groups that they reach (ramp.hpp);
    // 0: a term begins in one lane. Otherwise, the steps without such a group after which the lanes stop. ramp_even:
    // only a power of two of the lanes, so that the parts of a tree are equal.
    unsigned ramp_steps = 0;
    bool ramp_even = true;
    unsigned age_rounds = 64;
    unsigned min_groups = 4;
    // Blocks pass calls to other blocks only if at least 1/few_waiting of all lanes wait there for work that the queue
    // does not have; 0: if any lane does.
    unsigned few_waiting = 0;
    unsigned slice_rounds = 1u << 15;
    std::size_t max_roots = 1u << 16;  // about as many as a GPU has lanes; 1: the whole input is one task
    unsigned chunk = 256;              // granules that a lane allocates at a time, at most
};

// Default options for the machine. The emulator gets few lanes, because each is slow.
Options options_for(simt::Machine machine);

// Work goes to other warps first, and independent parts of a right side are calls of their own: far faster for terms
// with little parallelism, somewhat slower for others (variant `fast_narrow`).
Options narrow_options(Options options);

// For terms with much parallelism: longer steps, rounds that end together, and a start without exchange (variant
// `fast_wide`).
Options wide_options(Options options);

// narrow_options(), and rules that walk along a list hand out many elements at once (variant `fast_walks`).
Options walking_options(Options options);

// walking_options() and wide_options() together, as far as they pay for such rules: the variant `fast`, and how a GPU
// runs terms of users.
// - Work spreads from one lane fastest by a ramp if it is a tree recursion. Other terms reach no group of independent
//   calls soon, so all lanes would take the same steps in vain. Rounds end together only there: elsewhere that gains
//   nothing.
// - A step is repeated within a turn if no call is nested. Where calls are nested, `returns` already goes from one to
//   the next, and repeated steps delay the exchange of work.
// - If values of a tree recursion only become arguments of constructors, a step follows its own calls less far. Lanes
//   that the ramp has sent to different calls then stay together.
// - A walk leaves a frame per element, so a longer stack has more elements to hand out. It repeats its steps, as the
//   others wait for it.
// - A ramp reaches all lanes at once, so all blocks start. Tasks that are there at the start are taken by two thirds of
//   the blocks first, as few lanes leave each more of the caches.
// - Blocks pass no calls to other blocks while few lanes wait there. While nearly all wait, rounds are longer.
Options general_options(Traits const& traits, Options options);

}  // namespace lockstep::term_rewriting::fast
