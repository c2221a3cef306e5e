#pragma once
// Runs of the engine `fast` within one limit of memory: what they allocate, their launches and collections, and what
// they leave behind.

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <vector>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/error.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "kernels/term_rewriting/fast/heap_input.hpp"
#include "kernels/term_rewriting/fast/heap_terms.hpp"
#include "kernels/term_rewriting/fast/stop_word.hpp"

namespace lockstep::term_rewriting::fast {

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr std::uint64_t granule_bytes = 16;
constexpr double limited_seconds = 0.1;  // launch time up to which a run of limited rewrites doubles its rounds
constexpr std::size_t control_words = sizeof(Control) / sizeof(unsigned long long);

inline std::uint64_t largest_power_below(std::uint64_t value) {
    std::uint64_t power = 1;
    while (2 * power <= value)
        power *= 2;
    return power;
}

// Memory for one limit, and the results that a run leaves in it.
class Run {
public:
    Run(Program const& program, jit::Device& device, Options const& options, jit::Kernels const& kernels,
        HeapInput& input, Limits const& limits)
        : program_(program),
          device_(device),
          options_(options),
          kernels_(kernels),
          limits_(limits),
          input_(input),
          input_granules_(input.words().size() / 4),
          state_(device, control_words + std::max<std::size_t>(program.rules_of_counters.size(), 1)),
          stop_(device, 1),
          symbols_(device, program.symbols.size()),
          pcs_(device, program.pcs.size()),
          calls_(device, std::max<std::size_t>(program.calls.size(), 1)) {
        auto const counters = static_cast<unsigned>(std::max<std::size_t>(program.rules_of_counters.size(), 1));
        shape_.block.x = options.block;
        shape_.cooperative = options.cooperative;
        shape_.shared_bytes = shared_bytes(counters, program.registers);
        symbols_.upload(program.symbols);
        pcs_.upload(program.pcs);
        calls_.upload(program.calls);
        stop_.fill(0);
        enough_ = allocate();
        if (!enough_)
            return;
        tasks_.fill(0);
        input_.reset();
        heap_.upload(input_.words());
        upload_first_tasks();
    }

    std::uint64_t limit() const { return limits_.memory; }

    Outcome run(std::size_t rules, Limits const& limits) {
        limits_ = limits;
        Outcome outcome;
        outcome.applications.assign(rules, 0);
        measures_ = {};
        if (!enough_) {
            outcome.end = End::out_of_memory;
            return outcome;
        }
        start_ = now();
        begin();
        outcome.end = rewrite();
        outcome.seconds = now() - start_;
        outcome.memory = held_;
        add_counts(outcome.applications);
        if (outcome.end == End::finished && outcome.rewrites() > limits_.rewrites)
            outcome.end = End::too_many_rewrites;
        record_counts();
        return outcome;
    }

    // Returns the words of the normal form. Collects the heap first, so that nothing else is copied: lanes leave
    // granules unwritten in between.
    HeapTerms normal_form() {
        collect();
        std::vector<unsigned> results(results_.size());
        results_.download(results);
        result_ = input_.put(results);
        std::uint64_t const made = std::min<std::uint64_t>(host_.next - begin_, half_);
        HeapTerms terms(program_, input_.words().data(), input_granules_, begin_, made);
        heap_.download(terms.made(), 4 * begin_);
        return terms;
    }
    // Precondition: normal_form() was called.
    unsigned result() const { return result_; }
    Measures const& measures() const { return measures_; }

private:
    // Allocates lanes, queue and heap within the limit. Little memory means few lanes. Returns false if it does not
    // suffice.
    bool allocate() {
        std::uint64_t const budget = std::min<std::uint64_t>(limits_.memory, device_.free_memory() / 10 * 9);
        std::uint64_t const tables = input_granules_ * granule_bytes + program_.symbols.size() * sizeof(SymbolInfo) +
                                     program_.pcs.size() * sizeof(PcInfo) + program_.calls.size() * 4 + 65536;
        if (budget <= tables)
            return false;
        std::uint64_t const rest = budget - tables;
        std::uint64_t const saved = 4 * (saved_words + program_.registers + std::uint64_t{program_.stack_words});
        std::uint64_t const lane = 2 * saved + 64 * granule_bytes;
        unsigned const resident = blocks_of_device();
        std::uint64_t blocks = options_.blocks != 0 ? std::min(options_.blocks, resident) : resident;
        blocks = std::min<std::uint64_t>(blocks, std::max<std::uint64_t>(rest / 4 / (lane * options_.block), 1));
        shape_.grid.x = static_cast<unsigned>(blocks);
        lanes_ = blocks * options_.block;
        std::uint64_t const task = 4 * (task_words + program_.registers);
        std::uint64_t tasks = queue_length(blocks, input_.roots().size(), rest / 8);
        if (tasks < 2 * input_.roots().size()) {
            roots_.assign(1, input_.whole());
            tasks = queue_length(blocks, 1, rest / 8);
        }
        std::uint64_t const taken = lanes_ * 2 * saved + tasks * task + roots_.size() * (task + 4);
        if (rest <= taken)
            return false;
        // Two halves, and one bit per granule of the half that the collector copies to.
        half_ = std::min((rest - taken) / (2 * granule_bytes + 1), (max_granules - input_granules_) / 2);
        tasks_ = jit::DeviceArray<unsigned>(device_, tasks * task / 4);
        first_tasks_ = jit::DeviceArray<unsigned>(device_, roots_.size() * task / 4);
        results_ = jit::DeviceArray<unsigned>(device_, roots_.size());
        saved_ = jit::DeviceArray<unsigned>(device_, lanes_ * saved / 4);
        heap_ = jit::DeviceArray<unsigned>(device_, 4 * (input_granules_ + 2 * half_));
        bits_ = jit::DeviceArray<unsigned>(device_, half_ / 32 + 1);
        task_mask_ = static_cast<unsigned>(tasks - 1);
        chunk_ = static_cast<unsigned>(std::clamp<std::uint64_t>(half_ / (8 * lanes_), 8, options_.chunk));
        held_ = budget;
        return !tasks_.missing() && !first_tasks_.missing() && !results_.missing() && !saved_.missing() &&
               !heap_.missing() && !bits_.missing() && half_ > 2 * lanes_;
    }

    // At most blocks_per_multiprocessor on each.
    unsigned blocks_of_device() const {
        unsigned const resident = device_.resident_blocks(kernels_.at("rewrite"), shape_);
        auto const of_one = static_cast<unsigned>(
            device_.attributes("rewrite", kernels_.at("rewrite"), shape_).resident_blocks_per_multiprocessor);
        return of_one > blocks_per_multiprocessor ? resident / of_one * blocks_per_multiprocessor : resident;
    }

    // Returns at least the number of roots and of tasks that all blocks can add before they see each other's tasks.
    std::uint64_t queue_length(std::uint64_t blocks, std::uint64_t roots, std::uint64_t bytes) const {
        std::uint64_t group = 0;
        for (PcInfo const& info : program_.pcs)
            group = std::max<std::uint64_t>(group, info.starts != 0 ? program_.stack_words : info.count);
        for (SymbolInfo const& symbol : program_.symbols)
            group = std::max<std::uint64_t>(group, symbol.arity);
        std::uint64_t const wanted = 4 * blocks * (max_given + group) + 2 * roots;
        std::uint64_t const fit = bytes / (4 * (task_words + program_.registers));
        return std::max<std::uint64_t>(largest_power_below(std::min(2 * wanted, std::max<std::uint64_t>(fit, 64))), 64);
    }

    void upload_first_tasks() {
        std::size_t const task_length = task_words + program_.registers;
        std::vector<unsigned> tasks(task_length * roots_.size(), 0);
        for (std::size_t i = 0; i < roots_.size(); ++i) {
            unsigned* const task = tasks.data() + task_length * i;
            task[0] = 1;
            task[1] = pc_evaluate;
            task[3] = static_cast<unsigned>(i);
            task[task_words] = roots_[i].term;
        }
        first_tasks_.upload(tasks);
    }

    void begin() {
        used_task_words_ = (task_words + program_.registers) * used_tasks();
        tail_wrapped_ = false;
        std::memset(&host_, 0, sizeof host_);
        begin_ = input_granules_;
        host_.next = begin_;
        // Each lane starts with a chunk, so that one atomic counter does not limit how fast work spreads.
        granted_ = std::uint64_t{chunk_} * lanes_ <= half_ / 8 ? begin_ : 0;
        if (granted_ != 0)
            host_.next += std::uint64_t{chunk_} * lanes_;
        host_.unfinished = static_cast<unsigned>(roots_.size());
        ramps_ = program_.ramps && roots_.size() == 1 && granted_ != 0;
        if (!ramps_) {
            device_.fill(tasks_.data(), 0, sizeof(unsigned) * used_task_words_);
            results_.fill(0);
            device_.copy(tasks_.data(), first_tasks_.data(), sizeof(unsigned) * first_tasks_.size());
            host_.waiting = publishes_waiting() ? static_cast<int>(first_blocks() * options_.block) : 0;
            host_.all_take_part = roots_.size() > std::size_t{first_blocks()} * options_.block ? 1 : 0;
            host_.available = static_cast<int>(roots_.size());
            host_.tail = static_cast<unsigned>(roots_.size());
        }
        begins_ = true;
        mirror_.assign(state_.size(), 0);
        std::memcpy(mirror_.data(), &host_, sizeof host_);
        state_.upload(mirror_);
    }

    std::uint64_t used_tasks() const {
        std::uint64_t const all = std::uint64_t{task_mask_} + 1;
        return tail_wrapped_ ? all : std::min<std::uint64_t>(host_.tail, all);
    }

    // If another thread may stop the run, this thread leaves its core to others during a long wait.
    End rewrite() {
        jit::PatientWaits const patient(device_, limits_.stop.stop_possible());
        StopWord const stop_word(device_, stop_.data());
        StopOnRequest const on_request(stop_word, limits_.stop);
        StopInTime const in_time(stop_word, limits_.seconds);
        bool const is_counted = limits_.rewrites != Limits().rewrites;
        for (unsigned rounds = is_counted ? 64 : options_.slice_rounds;;) {
            double const began = now();
            launch(rounds);
            read_state();
            if (now() - began < limited_seconds)
                rounds = std::min(2 * rounds, options_.slice_rounds);
            if (host_.state == state_lost_task)
                throw simt::Error("the engine fast lost a task: a lane waited for an entry of the queue in vain");
            if (host_.state == state_finished)
                return End::finished;
            if (limits_.stop.stop_requested())
                return End::stopped;
            if (is_counted && rewrites() > limits_.rewrites)
                return End::too_many_rewrites;
            if (now() - start_ > limits_.seconds)
                return End::out_of_time;
            if (host_.state == state_no_memory) {
                ++measures_.collections;
                if (!collect())
                    return End::out_of_memory;
            }
            host_.state = state_running;
            upload_control();
        }
    }

    unsigned first_blocks() const {
        unsigned const first =
            options_.first_blocks != 0 ? options_.first_blocks : simt::ceil_div(2 * shape_.grid.x, 3u);
        return std::min(first, shape_.grid.x);
    }
    // Blocks take their share of the first tasks only if they know from the first round on how many lanes wait.
    bool publishes_waiting() const { return options_.warps_first || roots_.size() > 1; }

    // Number of lanes that a ramp gives calls to: of the blocks that start first, or of all.
    unsigned ramp_lanes() const {
        std::uint64_t const first = std::uint64_t{first_blocks()} * options_.block;
        return static_cast<unsigned>(options_.ramp_even ? std::bit_floor(first) : first);
    }

    void launch(unsigned rounds) {
        if (begins_ && ramps_) {
            Parameters ramp = parameters(rounds);
            device_.launch("ramp", kernels_.at("ramp"), shape_, &ramp);
            begins_ = false;
        }
        Parameters const of_launch = parameters(rounds);
        device_.launch("rewrite", kernels_.at("rewrite"), shape_, &of_launch);
        begins_ = false;
        ++measures_.launches;
    }

    Parameters parameters(unsigned rounds) {
        Parameters parameters = {};
        parameters.heap = heap_.data();
        parameters.heap_end = begin_ + half_;
        parameters.control = control();
        parameters.stop = stop_.data();
        parameters.begins = begins_ ? 1 : 0;
        parameters.granted = granted_;
        parameters.first_task = first_tasks_.data();
        parameters.ramp_lanes = ramp_lanes();
        parameters.ramp_steps = options_.ramp_steps;
        parameters.used_task_words = used_task_words_;
        parameters.results = results_.data();
        parameters.tasks = tasks_.data();
        parameters.task_mask = task_mask_;
        parameters.saved = saved_.data();
        parameters.symbols = symbols_.data();
        parameters.pcs = pcs_.data();
        parameters.calls = calls_.data();
        parameters.counts = state_.data() + control_words;
        parameters.chunk = chunk_;
        parameters.turns_saturated = options_.turns_saturated;
        parameters.turns_busy = options_.turns_busy;
        parameters.turns_steady = options_.turns_steady;
        parameters.turns_spreading = options_.turns_spreading;
        parameters.turns_startup = options_.turns_startup;
        parameters.slice_rounds = rounds;
        parameters.first_blocks = first_blocks();
        parameters.busy_rounds = options_.busy_rounds;
        parameters.age_rounds = options_.age_rounds;
        parameters.min_groups = options_.min_groups;
        parameters.few_waiting = options_.few_waiting;
        parameters.turns_narrow = options_.turns_narrow;
        parameters.waiting_published = publishes_waiting() ? 1 : 0;
        return parameters;
    }

    // Copies live terms to the other half. Returns false if that leaves too little room to continue.
    bool collect() {
        Collection collection = {};
        collection.heap = heap_.data();
        collection.control = control();
        collection.symbols = symbols_.data();
        collection.pcs = pcs_.data();
        collection.results = results_.data();
        collection.result_count = static_cast<unsigned>(results_.size());
        collection.tasks = tasks_.data();
        collection.saved = saved_.data();
        collection.bits = bits_.data();
        collection.task_mask = task_mask_;
        collection.registers = program_.registers;
        collection.lanes = lanes_;
        collection.from = begin_;
        collection.from_end = begin_ + half_;
        collection.to = begin_ == input_granules_ ? begin_ + half_ : input_granules_;
        bits_.fill(0);
        host_.next = collection.to;
        upload_control();
        simt::LaunchShape shape;
        shape.grid = shape_.grid;
        shape.block = shape_.block;
        device_.launch("collect_roots", kernels_.at("collect_roots"), shape, &collection);
        for (collection.first = collection.to;; collection.first = collection.last) {
            read_state();
            collection.last = host_.next;
            if (collection.first == collection.last)
                break;
            device_.launch("collect_scan", kernels_.at("collect_scan"), shape, &collection);
        }
        begin_ = collection.to;
        // Every lane needs a chunk; otherwise the next collection follows immediately.
        return host_.next - begin_ + std::max(half_ / 10, lanes_ * chunk_) < half_;
    }

    Control* control() { return reinterpret_cast<Control*>(state_.data()); }

    void upload_control() { device_.upload(state_.data(), &host_, sizeof host_); }

    // Reads control and counts in one copy, because waiting for the device costs more than the additional words.
    void read_state() {
        mirror_.resize(state_.size());
        state_.download(mirror_);
        unsigned const tail = host_.tail;
        std::memcpy(&host_, mirror_.data(), sizeof host_);
        tail_wrapped_ |= host_.tail < tail;  // a launch is too short for 2^32 tasks
    }

    void add_counts(std::vector<std::uint64_t>& applications) const {
        for (std::size_t i = 0; i < program_.rules_of_counters.size(); ++i) {
            for (RuleId const rule : program_.rules_of_counters[i])
                applications[rule] += mirror_[control_words + i];
        }
    }

    std::uint64_t rewrites() const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < program_.rules_of_counters.size(); ++i)
            sum += mirror_[control_words + i] * program_.rules_of_counters[i].size();
        return sum;
    }

    void record_counts() {
        measures_.lanes = lanes_;
        measures_.roots = roots_.size();
        measures_.warp_turns = host_.warp_turns;
        measures_.lane_turns = host_.lane_turns;
        measures_.splits = host_.splits;
        measures_.spills = host_.spills;
        measures_.rounds = host_.rounds;
        if (host_.ticks != 0)
            measures_.idle_share = static_cast<double>(host_.idle_ticks) / static_cast<double>(host_.ticks);
        measures_.longest = host_.longest;
        measures_.warps_with_work = host_.warps_with_work;
        measures_.blocks_with_work = host_.blocks_with_work;
        measures_.granules = host_.next - begin_;
    }

    Program const& program_;
    jit::Device& device_;
    Options const& options_;
    jit::Kernels const& kernels_;
    Limits limits_;
    HeapInput& input_;
    std::uint64_t input_granules_;
    std::vector<HeapInput::Root> roots_{input_.roots().begin(), input_.roots().end()};
    simt::LaunchShape shape_;
    std::uint64_t lanes_ = 0;
    jit::DeviceArray<unsigned long long> state_;  // Control, then one count per counter
    std::vector<unsigned long long> mirror_;
    jit::DeviceArray<unsigned> stop_;
    jit::DeviceArray<SymbolInfo> symbols_;
    jit::DeviceArray<PcInfo> pcs_;
    jit::DeviceArray<unsigned> calls_;
    jit::DeviceArray<unsigned> first_tasks_;  // one per root
    jit::DeviceArray<unsigned> results_;      // one per root
    jit::DeviceArray<unsigned> tasks_;
    jit::DeviceArray<unsigned> saved_;
    jit::DeviceArray<unsigned> heap_;
    unsigned task_mask_ = 0;
    bool tail_wrapped_ = false;  // the run has queued 2^32 tasks or more
    jit::DeviceArray<unsigned> bits_;
    std::uint64_t half_ = 0;   // granules
    std::uint64_t begin_ = 0;  // first granule of the half in use
    unsigned chunk_ = 0;
    bool begins_ = true;                 // as in Parameters
    bool ramps_ = false;                 // the run begins with the kernel `ramp`
    std::uint64_t used_task_words_ = 0;  // as in Parameters
    std::uint64_t granted_ = 0;          // as in Parameters
    std::uint64_t held_ = 0;
    bool enough_ = false;
    unsigned result_ = 0;
    Control host_ = {};
    double start_ = 0;
    Measures measures_;
};

}  // namespace lockstep::term_rewriting::fast
