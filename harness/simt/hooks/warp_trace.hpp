#pragma once
// Finds the warp's steps in the traces of its lanes.
//
// The emulator runs lanes one after the other, so each lane leaves a trace of basic blocks, accesses and collectives,
// and a warp's execution has to be found afterwards. Lanes at the same instruction form a step. The next step is that
// of the deepest call, and there of the earliest block (block_order.hpp): lanes that are ahead wait until the others
// have caught up, and a loop's lanes that have left it wait behind it. (Diamos and others, SIMD re-convergence at
// thread frontiers, MICRO 2011.) At a collective or barrier the lanes of its mask wait for each other.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/simt/hooks/block_order.hpp"
#include "harness/simt/hooks/call_sites.hpp"
#include "harness/simt/hooks/counters.hpp"
#include "harness/simt/hooks/loop_rounds.hpp"
#include "harness/simt/hooks/type_alignments.hpp"
#include "harness/simt/hooks/update_loops.hpp"

namespace lockstep::simt::hooks {

enum class EventKind : std::uint8_t {
    block,  // start of a basic block
    global_load,
    global_store,
    global_atomic,
    shared_load,
    shared_store,
    shared_atomic,
    shared_increment,
    shared_swap,  // a compare-and-swap
    shared_loop,  // an update that a GPU makes in a loop (update_loops.hpp)
    global_swap,
    global_update,  // whose values nvcc does not combine: of floating-point numbers, of 64 bits, or exchanges
    collective,     // address: the mask of the lanes that meet
    none,
};

struct Event {
    std::uint64_t address;  // in shared memory from its beginning
    CallSites::Site site;
    EventKind kind;
    std::uint8_t bytes;        // of an access, at most 16
    bool is_volatile = false;  // the compiler leaves it as it is
};
static_assert(sizeof(Event) == 16);

// Requests of several instructions as one (joined_accesses.hpp).
struct Joined {
    unsigned bytes = 0;
    std::uint64_t executions = 0;
    Requests requests;
};

// A block that has followed another one.
struct Successor {
    CallSites::Site site;
    std::uint64_t executions = 0;  // after which it followed for some lanes
    std::uint64_t of_all = 0;      // for all that executed the block before, too
};

// What is known of one instruction.
struct Tally {
    EventKind kind = EventKind::none;
    std::uint64_t warps = 0;
    std::uint64_t lanes = 0;
    Requests requests;
    UpdateLoop loop{};          // of `shared_loop`, which makes no other requests
    std::uint64_t address = 0;  // of an access: of its first execution
    bool moves = false;         // to other addresses
    // Of a basic block: executions after which its lanes went to more than one successor, and the successors.
    std::uint64_t divergent = 0;
    std::vector<Successor> successors{};
    // Of a block that is a loop: its branches if it is unrolled by 2, and by 4.
    std::array<UnrolledBranches, 2> unrolled{};
    // Requests that begin with this one's: of at most 16 bytes, and of at most 8.
    std::map<std::vector<CallSites::Site>, Joined> joined{};
    std::map<std::vector<CallSites::Site>, Joined> joined_to_8{};
    std::map<CallSites::Site, std::uint64_t> same_as{};  // loads of the words that an earlier one has just loaded
    bool is_joined = false;                              // to an earlier one: it makes no request
};

using Tallies = std::unordered_map<CallSites::Site, Tally>;

// The addresses of a request, by lane.
using Addresses = std::vector<std::pair<unsigned, std::uint64_t>>;

class JoinedAccesses;

class WarpTrace {
public:
    WarpTrace();
    WarpTrace(WarpTrace&&) noexcept;
    WarpTrace& operator=(WarpTrace&&) noexcept;
    ~WarpTrace();

    void record(unsigned lane, Event const& event) { lanes_[lane].push_back(event); }
    // An update is a load and an exchange that succeeds; the load is no request of its own.
    void drop_load(unsigned lane, std::uint64_t address);
    std::size_t size(unsigned lane) const { return lanes_[lane].size(); }
    // Finds steps while each lane of `running` has events left. With running = 0 to the traces' ends.
    void merge(unsigned running, CallSites const& sites, BlockOrder& order, Tallies& tallies);

private:
    void issue(unsigned mask, Tallies& tallies);
    void follow(unsigned mask, CallSites::Site site, Tallies& tallies);
    void end_global(Tallies& tallies);
    void count_rounds(unsigned mask, CallSites::Site site, Tallies& tallies);
    static void add_loop(CallSites::Site site, std::vector<unsigned> const& rounds, Tallies& tallies);

    std::array<std::deque<Event>, 32> lanes_;
    // The last basic block of each lane, the lanes that executed it together, and the number of that step.
    struct Last {
        std::uint64_t step = 0;
        CallSites::Site site = 0;
        unsigned mask = 0;
        unsigned mask_before = 0;  // of the step before, of the lowest lane
    };
    std::array<Last, 32> last_{};
    std::uint64_t steps_ = 0;
    LoopRounds rounds_;
    std::unique_ptr<JoinedAccesses> joined_;  // of shared memory
    std::unique_ptr<JoinedAccesses> global_;  // of global memory
    std::unique_ptr<JoinedAccesses> global_to_8_;
};

// The cost of one request by lanes that access `addresses`, `bytes` each, in the order of the lanes' numbers.
Requests cost_of(EventKind kind, unsigned bytes, Addresses const& addresses);

struct Line {
    std::string file;
    unsigned line = 0;
    friend auto operator<=>(Line const&, Line const&) = default;
};
struct LineCounts {
    std::uint64_t barriers = 0;
    std::uint64_t warp_collectives = 0;
};
// Per source line. `synchronised` has the lines of barriers and collectives.
Counters counters_of(Tallies const& tallies, CallSites const& sites, std::map<Line, LineCounts> const& synchronised,
                     TypeAlignments const& alignments);

}  // namespace lockstep::simt::hooks
