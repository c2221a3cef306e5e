#include "kernels/term_rewriting/as_printed/run.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/bench/error.hpp"
#include "harness/simt/ceil_div.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

// Initial number of slots on a GPU: growing the memory costs more than allocating too much.
constexpr std::uint64_t gpu_slots = std::uint64_t{1} << 24;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Number of copies of the counters: enough that blocks seldom collide, few enough to take a small part of the cache.
unsigned copies_for(std::size_t rules) {
    unsigned copies = 512;
    while (copies > 1 && copies * rules > std::size_t{1} << 16)
        copies /= 2;
    return copies;
}

Flags sum_of(Control const& control) {
    Flags sum = {1, 0, 0, 0, 0, 0, 0};
    for (Flags const& flags : control.flags) {
        sum.done &= flags.done;
        sum.garbage_collecting |= flags.garbage_collecting;
        sum.put_off |= flags.put_off;
        sum.comparing |= flags.comparing;
        sum.progress |= flags.progress;
        sum.redexes += flags.redexes;
    }
    return sum;
}

}  // namespace

Run::Run(System const& system, jit::Device& device, Options const& options, jit::Kernels const& kernels,
         std::uint64_t memory_limit)
    : device_(device),
      options_(options),
      kernels_(kernels),
      memory_limit_(memory_limit),
      rules_(system.rules.size()),
      symbols_(symbols_and_helpers(system)),
      copies_(copies_for(rules_)),
      control_(device, 1),
      applications_(device, std::max<std::size_t>(rules_, 1) * copies_),
      bins_(device, symbols_),
      memory_(system, device, options, memory_limit) {}

bool Run::upload(Input const& input) {
    std::uint64_t const slots = input.terms() + 1;
    std::uint64_t wanted = 2 * slots;
    if (options_.first_slots != 0)
        wanted = std::max<std::uint64_t>(options_.first_slots, slots);
    else if (device_.machine() == simt::Machine::cuda)
        wanted = std::max(wanted, std::min(gpu_slots, memory_.max_slots() / 2));
    if (control_.missing() || applications_.missing() || bins_.missing() ||
        !(memory_.grow_to(wanted, 0) || memory_.grow_to(slots, 0)))
        return false;
    input.write(device_, memory_.columns());
    applications_.fill(0);
    n_ = max_n_ = static_cast<unsigned>(slots);
    listed_ = n_ - 1;
    if (options_.order == Order::worklist)
        launch("list_all", listed_);
    prepare_pass();
    device_.synchronize();
    return true;
}

Outcome Run::rewrite(Limits const& limits) {
    Outcome outcome;
    outcome.iterations = 0;
    if (options_.counts_rewrites)
        outcome.max_redexes = 0;
    device_.forget_marks();
    double const start = now();
    outcome.end = passes_until_normal(limits, start, outcome);
    device_.synchronize();
    outcome.seconds = now() - start;
    outcome.memory = memory_.max_bytes();
    outcome.applications = applications();
    if (options_.traces)
        read_times();
    return outcome;
}

// Listing 3.
End Run::passes_until_normal(Limits const& limits, double start, Outcome& outcome) {
    std::uint64_t rewrites = 0;
    for (;;) {
        unsigned const n = n_;
        pass();
        ++*outcome.iterations;
        if (outcome.max_redexes)
            outcome.max_redexes = std::max<std::uint64_t>(*outcome.max_redexes, flags_.redexes);
        rewrites += flags_.redexes;
        if (rewrites > limits.rewrites)
            return End::too_many_rewrites;
        if (done_)
            return End::finished;
        if (now() - start > limits.seconds)
            return End::out_of_time;
        if (limits.stop.stop_requested())
            return End::stopped;
        prepare_pass();
        if (flags_.garbage_collecting != 0 && options_.order != Order::worklist)
            launch("collect_free_indices", n);
        bool const stopped = flags_.put_off != 0 || flags_.comparing != 0;
        if (!stopped)
            standstill_ = max_free_ = 0;
        if (stopped ? !make_room() : !grow_ahead())
            return End::out_of_memory;
    }
}

void Run::pass() {
    mark();
    copy_columns();
    mark();
    if (options_.order == Order::topology)
        topology_pass();
    else if (options_.order == Order::binned)
        binned_pass();
    else
        worklist_pass();
    record_pass();
    unsigned const begin = host_.next_free_begin.value;
    unsigned const fresh = std::min(host_.next_fresh.value, memory_.columns().capacity - n_);
    taken_ = fresh + std::min(begin, host_.next_free_end.value) - first_free_;
    n_ += fresh;
    max_n_ = std::max(max_n_, n_);
}

void Run::topology_pass() {
    launch("derive", n_);
    mark();
    read_control();
    done_ = flags_.done != 0;
}

void Run::binned_pass() {
    bins_.fill(0);
    launch("select", n_);
    read_control();
    done_ = flags_.done != 0;
    listed_ = host_.next_listed.value;
    if (listed_ != 0) {
        std::vector<unsigned> bins(symbols_);
        bins_.download(bins);
        unsigned first = 0;
        for (unsigned& bin : bins)
            first += std::exchange(bin, first);
        bins_.upload(bins);
        launch("sort_by_symbol", listed_);
        launch("derive_listed", listed_);
    }
    mark();
    read_control();
}

void Run::worklist_pass() {
    launch("derive_worklist", listed_);
    mark();
    read_control();
    listed_ = host_.next_listed.value;
    swapped_ = !swapped_;
    done_ = listed_ == 0;
}

void Run::read_control() {
    device_.download(&host_, control_.data(), sizeof(Control));
    flags_ = sum_of(host_);
}

// Sets `done` and the other scalars for the next pass. Resets the front of the free list, which threads may have moved
// past the end, and keeps positions within one round of the ring.
void Run::prepare_pass() {
    for (Flags& flags : host_.flags)
        flags = {1, 0, 0, 0, 0, 0, 0};
    unsigned& begin = host_.next_free_begin.value;
    unsigned& end = host_.next_free_end.value;
    begin = std::min(begin, end);
    unsigned const capacity = memory_.columns().capacity;
    unsigned const rounds = begin == end ? begin : begin >= capacity ? capacity : 0;
    begin -= rounds;
    end -= rounds;
    first_free_ = begin;
    host_.next_fresh.value = 0;
    host_.next_listed.value = 0;
    host_.comparison_next.value = 0;
    host_.own_bytes = host_.random_bytes = host_.random_accesses = 0;
    host_.atomics = host_.checks = host_.allocations = 0;
    device_.upload(control_.data(), &host_, sizeof(Control));
}

// A worklist pass reads no counts: garbage is collected only when memory is short.
void Run::copy_columns() {
    Columns const& columns = memory_.columns();
    if (options_.collects && options_.order != Order::worklist)
        device_.copy(columns.refcounts_read, columns.refcounts, n_ * sizeof(unsigned));
    device_.copy(columns.nf_read, columns.nf, n_);
}

void Run::launch(std::string const& name, unsigned threads) {
    Arguments arguments = {memory_.columns(), control_.data(),       applications_.data(),      copies_, n_, listed_,
                           bins_.data(),      memory_.comparisons(), memory_.comparison_words()};
    if (swapped_)
        std::swap(arguments.columns.listed, arguments.columns.next_listed);
    // Slots that the last pass allocated are not in the copies yet, so collection visits only `threads` slots.
    if (name == "collect_free_indices")
        arguments.n = threads;
    launch(name, threads, &arguments);
}

// Rounds the number of blocks up, whereas Listing 3 rounds it down.
void Run::launch(std::string const& name, unsigned threads, void const* arguments) {
    simt::LaunchShape shape;
    shape.block.x = options_.block != 0 ? options_.block : device_.machine() == simt::Machine::cuda ? 256 : 32;
    shape.grid.x = simt::ceil_div(threads, shape.block.x);
    device_.launch(name, kernels_.at(name), shape, arguments);
}

// Called after a pass in which a step found no slot or a comparison no memory. Grows the memory if that is allowed and
// collection did not help. If neither helps, the run continues as long as anything changes, because finished terms free
// slots. Returns false if the run has to end.
bool Run::make_room() {
    unsigned const free = free_slots();
    bool grown = false;
    if (flags_.comparing != 0)
        grown = memory_.grow_comparisons();
    if (flags_.put_off != 0)
        grown = grow(free) || grown;
    if (grown || flags_.progress != 0 || free > max_free_)
        standstill_ = 0;
    max_free_ = std::max(max_free_, free);
    // Slots that a step took but could not use are free again after two passes.
    return memory_.columns().capacity != 0 && ++standstill_ < 8;
}

// Grows the memory before the next pass if that pass may need more slots than are free, so that no step is postponed. A
// pass that makes more than twice as many terms as the one before it is rare. Returns false if a failed attempt lost
// the columns.
bool Run::grow_ahead() {
    std::uint64_t const unused = memory_.columns().capacity - n_;
    std::uint64_t const wanted = 2 * std::uint64_t{taken_};
    if (wanted > unused + host_.next_free_end.value - host_.next_free_begin.value) {
        unsigned const free = free_slots();
        if (wanted > unused + free)
            grow(free);
    }
    return memory_.columns().capacity != 0;
}

// Returns the number of entries in the free list. With a worklist, collects garbage first.
unsigned Run::free_slots() {
    if (options_.collects && options_.order == Order::worklist)
        collect_all();
    device_.download(&host_, control_.data(), sizeof(Control));
    return host_.next_free_end.value - host_.next_free_begin.value;
}

// Does not grow if a quarter of the slots is free, unless the run is at a standstill, or if the free list wraps around
// the end of its ring.
bool Run::grow(unsigned free) {
    unsigned const capacity = memory_.columns().capacity;
    bool const suffices = free >= std::max(capacity / 4, 1u) && standstill_ == 0;
    return !suffices && host_.next_free_end.value <= capacity && memory_.grow(n_);
}

// Collects garbage terms level by level until none is left.
void Run::collect_all() {
    Columns const& columns = memory_.columns();
    unsigned before = 0;
    do {
        before = host_.next_free_end.value;
        device_.copy(columns.refcounts_read, columns.refcounts, n_ * sizeof(unsigned));
        launch("collect_free_indices", n_);
        device_.download(&host_, control_.data(), sizeof(Control));
    } while (before != host_.next_free_end.value);
}

void Run::mark() {
    if (options_.traces)
        device_.mark();
}

void Run::record_pass() {
    if (!options_.traces)
        return;
    Pass pass;
    pass.redexes = flags_.redexes;
    pass.slots = n_ - 1;
    pass.own_bytes = host_.own_bytes;
    if (options_.counts_traffic) {
        bool const counts = options_.collects && options_.order != Order::worklist;
        pass.own_bytes += std::uint64_t{n_} * (counts ? 10 : 2);  // the copies
    }
    pass.random_bytes = host_.random_bytes;
    pass.random_accesses = host_.random_accesses;
    pass.atomics = host_.atomics;
    pass.checks = host_.checks;
    pass.allocations = host_.allocations;
    passes_.push_back(pass);
}

// Each pass has three marks: before the copies, before the rewriting kernels and after them. Everything up to the next
// pass counts towards the pass.
void Run::read_times() {
    std::size_t const last = device_.mark();
    device_.synchronize();
    for (std::size_t i = 0; i < passes_.size(); ++i) {
        passes_[i].derive_seconds = device_.seconds_between(3 * i + 1, 3 * i + 2);
        passes_[i].seconds = device_.seconds_between(3 * i, i + 1 == passes_.size() ? last : 3 * i + 3);
    }
}

std::vector<std::uint64_t> Run::applications() {
    std::vector<Wide> counts(applications_.size());
    applications_.download(counts);
    std::vector<std::uint64_t> sums(rules_, 0);
    for (std::size_t i = 0; i < rules_ * copies_; ++i)
        sums[i % rules_] += counts[i];
    return sums;
}

std::uint64_t Run::digest(unsigned root) {
    jit::DeviceArray<Wide> digests(device_, n_);
    jit::DeviceArray<unsigned> passes(device_, n_);
    if (digests.missing() || passes.missing())
        throw bench::Error("cannot compute the digest of the normal form", "device memory is exhausted",
                           "Rewrite a smaller term.");
    passes.fill(0);
    std::uint64_t found = 0;
    for (unsigned pass = 1;; ++pass) {
        DigestArguments const arguments = {memory_.columns(), digests.data(), passes.data(), pass, n_};
        launch("digest", n_, &arguments);
        unsigned digest_pass = 0;
        device_.download(&digest_pass, passes.data() + root, sizeof digest_pass);
        if (digest_pass == 0)
            continue;
        device_.download(&found, digests.data() + root, sizeof found);
        return found;
    }
}

}  // namespace lockstep::term_rewriting::as_printed
