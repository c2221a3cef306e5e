#include "kernels/term_rewriting/as_printed/engine.hpp"

#include <algorithm>
#include <chrono>

#include "harness/bench/error.hpp"
#include "kernels/term_rewriting/as_printed/memory.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Copies of the counters: enough that blocks seldom meet, few enough for a small share of the cache.
unsigned copies_for(std::size_t rules) {
    unsigned copies = 512;
    while (copies > 1 && copies * rules > std::size_t{1} << 16)
        copies /= 2;
    return copies;
}

// The flags of all copies as one.
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

class TopologyEngine::Run {
public:
    Run(System const& system, Device& device, Options const& options, Kernels const& kernels, Limits const& limits)
        : device_(device),
          options_(options),
          kernels_(kernels),
          limits_(limits),
          rules_(system.rules.size()),
          copies_(copies_for(rules_)),
          control_(device, 1),
          applications_(device, std::max<std::size_t>(rules_, 1) * copies_),
          memory_(system, device, options, limits.memory) {}

    Outcome run(Input const& input) {
        Outcome outcome;
        outcome.applications.assign(rules_, 0);
        outcome.iterations = 0;
        outcome.most_redexes = 0;
        std::uint64_t const slots = input.terms() + 1;
        std::uint64_t const wanted = options_.first_slots != 0 ? options_.first_slots : 2 * slots;
        if (control_.missing() || applications_.missing() ||
            !(memory_.grow_to(std::max(wanted, slots), 0) || memory_.grow_to(slots, 0))) {
            outcome.end = End::out_of_memory;
            return outcome;
        }
        input.write(device_, memory_.columns());
        applications_.fill(0);
        n_ = most_n_ = static_cast<unsigned>(slots);
        host_ = {};
        prepare_pass();
        device_.synchronize();
        device_.forget_marks();
        double const start = now();
        outcome.end = rewrite(outcome, start);
        device_.synchronize();
        outcome.seconds = now() - start;
        outcome.processor_seconds = outcome.seconds;
        outcome.memory = memory_.most_bytes() + sizeof(Control) + applications_.size() * sizeof(Wide);
        read_applications(outcome);
        if (options_.traces)
            read_times();
        return outcome;
    }

    std::vector<Pass> const& passes() const { return passes_; }
    Columns const& columns() const { return memory_.columns(); }
    unsigned n() const { return n_; }
    unsigned most_n() const { return most_n_; }

private:
    // Listing 3.
    End rewrite(Outcome& outcome, double start) {
        std::uint64_t rewrites = 0;
        for (;;) {
            unsigned const n = n_;
            mark();
            copy_columns(n);
            mark();
            launch("derive", n);
            mark();
            device_.download(&host_, control_.data(), sizeof(Control));
            Flags const flags = sum_of(host_);
            ++*outcome.iterations;
            outcome.most_redexes = std::max<std::uint64_t>(*outcome.most_redexes, flags.redexes);
            rewrites += flags.redexes;
            note_pass(flags, n);
            n_ += std::min(host_.next_fresh.value, memory_.columns().capacity - n_);
            most_n_ = std::max(most_n_, n_);
            if (rewrites > limits_.rewrites)
                return End::too_many_rewrites;
            if (flags.done != 0)
                return End::finished;
            if (now() - start > limits_.seconds)
                return End::out_of_time;
            prepare_pass();
            if (flags.garbage_collecting != 0)
                launch("collect_free_indices", n);
            if ((flags.put_off != 0 || flags.comparing != 0) && !make_room(flags))
                return End::out_of_memory;
            if (flags.put_off == 0 && flags.comparing == 0)
                standstill_ = most_free_ = 0;
        }
    }

    // Sets `done` and the other scalars for the next pass. The front of the free list, which threads may have run past
    // its end, is put back, and positions are kept within one round of the ring.
    void prepare_pass() {
        for (Flags& flags : host_.flags)
            flags = {1, 0, 0, 0, 0, 0, 0};
        unsigned& begin = host_.next_free_begin.value;
        unsigned& end = host_.next_free_end.value;
        begin = std::min(begin, end);
        unsigned const rounds = begin == end                          ? begin
                                : begin >= memory_.columns().capacity ? memory_.columns().capacity
                                                                      : 0;
        begin -= rounds;
        end -= rounds;
        host_.next_fresh.value = 0;
        host_.comparison_next.value = 0;
        host_.own_bytes = host_.random_bytes = host_.atomics = 0;
        device_.upload(control_.data(), &host_, sizeof(Control));
    }

    void copy_columns(unsigned n) {
        Columns const& columns = memory_.columns();
        if (options_.collects)
            device_.copy(columns.refcounts_read, columns.refcounts, n * sizeof(unsigned));
        device_.copy(columns.nf_read, columns.nf, n);
    }

    void launch(std::string const& name, unsigned n) {
        Arguments const arguments = {memory_.columns(),     control_.data(),           applications_.data(), copies_, n,
                                     memory_.comparisons(), memory_.comparison_words()};
        simt::LaunchShape shape;
        shape.grid.x = (n + options_.block - 1) / options_.block;  // Listing 3 rounds down
        shape.block.x = options_.block;
        device_.launch(name, kernels_.at(name), shape, &arguments);
    }

    // A step found no slot, or a comparison no memory. Grows where that is allowed and collection did not help. Where
    // neither does, goes on as long as anything changes: terms that finish give slots back.
    bool make_room(Flags const& flags) {
        device_.download(&host_, control_.data(), sizeof(Control));
        unsigned const free = host_.next_free_end.value - host_.next_free_begin.value;
        bool grown = false;
        if (flags.comparing != 0)
            grown = memory_.grow_comparisons();
        if (flags.put_off != 0 && free < memory_.columns().capacity / 4)
            grown = memory_.grow(n_) || grown;
        if (memory_.columns().capacity == 0)
            return false;
        if (grown || flags.progress != 0 || free > most_free_)
            standstill_ = 0;
        most_free_ = std::max(most_free_, free);
        // Slots that a step took and could not use come back after two passes.
        return ++standstill_ < 8;
    }

    void mark() {
        if (options_.traces)
            device_.mark();
    }

    void note_pass(Flags const& flags, unsigned n) {
        if (!options_.traces)
            return;
        Pass pass;
        pass.redexes = flags.redexes;
        pass.slots = n - 1;
        pass.own_bytes =
            host_.own_bytes + (options_.counts_traffic ? std::uint64_t{n} * (options_.collects ? 10 : 2) : 0);
        pass.random_bytes = host_.random_bytes;
        pass.atomics = host_.atomics;
        passes_.push_back(pass);
    }

    // Three marks a pass: before the copies, before and after derive. What follows derive counts to the pass.
    void read_times() {
        std::size_t const last = device_.mark();
        device_.synchronize();
        for (std::size_t i = 0; i < passes_.size(); ++i) {
            passes_[i].derive_seconds = device_.seconds_between(3 * i + 1, 3 * i + 2);
            passes_[i].seconds = device_.seconds_between(3 * i, i + 1 == passes_.size() ? last : 3 * i + 3);
        }
    }

    void read_applications(Outcome& outcome) {
        std::vector<Wide> counts(applications_.size());
        applications_.download(counts);
        for (std::size_t i = 0; i < rules_ * copies_; ++i)
            outcome.applications[i % rules_] += counts[i];
    }

    Device& device_;
    Options const& options_;
    Kernels const& kernels_;
    Limits const& limits_;
    std::size_t rules_;
    unsigned copies_;
    DeviceArray<Control> control_;
    DeviceArray<Wide> applications_;
    ColumnMemory memory_;
    Control host_ = {};
    unsigned n_ = 0;
    unsigned most_n_ = 0;
    unsigned most_free_ = 0;
    unsigned standstill_ = 0;
    std::vector<Pass> passes_;
};

TopologyEngine::TopologyEngine(System const& system, Device& device, Options const& options)
    : system_(system), device_(device), options_(options), kernels_(device.load(program_text(system, options))) {}

TopologyEngine::~TopologyEngine() = default;

void TopologyEngine::load(Terms const& terms, TermId input) { load(input_from(system_, terms, input)); }

void TopologyEngine::load(std::unique_ptr<Input> input) {
    run_.reset();
    input_ = std::move(input);
}

Outcome TopologyEngine::run(Limits const& limits) {
    run_.reset();  // its memory first
    run_ = std::make_unique<Run>(system_, device_, options_, kernels_, limits);
    return run_->run(*input_);
}

std::vector<Pass> const& TopologyEngine::passes() const { return run_->passes(); }
std::uint64_t TopologyEngine::slots_used() const { return run_->most_n() - 1; }
std::uint64_t TopologyEngine::slots_held() const { return run_->columns().capacity - 1; }

// Terms of the device that the root reaches, arguments first.
TermId TopologyEngine::normal_form(Terms& terms) {
    Columns const& columns = run_->columns();
    std::size_t const n = run_->n();
    std::size_t const width = symbol_bytes(system_);
    std::vector<unsigned char> heads(n * width);
    device_.download(heads.data(), columns.hss, heads.size());
    std::vector<std::vector<unsigned>> arguments(largest_arity(system_), std::vector<unsigned>(n));
    for (std::size_t i = 0; i < arguments.size(); ++i)
        device_.download(arguments[i].data(), columns.arguments + i * columns.capacity, n * sizeof(unsigned));
    auto const symbol_at = [&](unsigned slot) {
        SymbolId symbol = 0;
        for (std::size_t byte = 0; byte < width; ++byte)
            symbol |= SymbolId{heads[slot * width + byte]} << (8 * byte);
        return symbol;
    };
    constexpr TermId none = ~TermId{0};
    std::vector<TermId> numbers(n, none);
    std::vector<unsigned> open = {input_->root()};
    std::vector<TermId> named;
    while (!open.empty()) {
        unsigned const slot = open.back();
        SymbolId const symbol = symbol_at(slot);
        std::size_t const arity = system_.arity(symbol);
        bool ready = true;
        for (std::size_t i = arity; i-- > 0 && numbers[slot] == none;) {
            if (numbers[arguments[i][slot]] == none) {
                open.push_back(arguments[i][slot]);
                ready = false;
            }
        }
        if (!ready)
            continue;
        open.pop_back();
        if (numbers[slot] != none)
            continue;
        named.clear();
        for (std::size_t i = 0; i < arity; ++i)
            named.push_back(numbers[arguments[i][slot]]);
        numbers[slot] = terms.application(symbol, named);
    }
    return numbers[input_->root()];
}

std::unique_ptr<Engine> make_engine(System const& system, simt::Machine machine, Options const& options) {
    return std::make_unique<TopologyEngine>(system, device_of(machine), options);
}

}  // namespace lockstep::term_rewriting::as_printed
