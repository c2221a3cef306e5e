#include "baselines/term_rewriting/cpu_as_printed/printed_engine.hpp"

#include <algorithm>
#include <chrono>
#include <csetjmp>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>

#include "baselines/term_rewriting/compiled/memory.hpp"
#include "baselines/term_rewriting/compiled/programs.hpp"
#include "baselines/term_rewriting/cpu_as_printed/columns.hpp"
#include "baselines/term_rewriting/cpu_as_printed/generate.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/shared_object.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::term_rewriting {

namespace {

using cpu_as_printed::Columns;
using cpu_as_printed::Derive;
using cpu_as_printed::Index;
using Clock = std::chrono::steady_clock;

constexpr unsigned long long rewrites_between_checks = 1 << 14;
constexpr std::size_t stack_reserve = std::size_t{256} << 10;  // below derive()'s stack, for its callees

Derive load_derive(System const& system) {
    static std::mutex mutex;
    static std::map<std::string, Derive> loaded;
    std::unique_lock const lock(mutex);
    std::string const path = jit::shared_object(cpu_as_printed::generate(system),
                                                {"-std=c++17", "-O2", "-fPIC", "-shared", "-w", "-fno-exceptions"},
                                                compiled::compile_context());
    Derive& derive = loaded[path];
    if (derive == nullptr)
        derive = reinterpret_cast<Derive (*)()>(jit::symbol_in(path, "lockstep_printed_program"))();
    return derive;
}

// One column: address space for `count` values. Only written pages take memory.
template <class T>
class Column {
public:
    void reserve(std::size_t count) {
        if (values() == nullptr || capacity() < count)
            memory_ = ReservedMemory(count * sizeof(T));
    }
    T* values() const { return reinterpret_cast<T*>(memory_.begin()); }
    std::size_t capacity() const { return memory_.bytes() / sizeof(T); }

private:
    ReservedMemory memory_;
};

class PrintedEngine : public Engine {
public:
    explicit PrintedEngine(System const& system) : system_(system), derive_(load_derive(system)) {
        for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol)
            widest_ = std::max(widest_, system.arity(symbol));
    }

    void load(Terms const& terms, TermId input) override {
        std::vector<bool> reached(std::size_t{input} + 1, false);
        reached[input] = true;
        for (std::size_t i = std::size_t{input} + 1; i-- > 0;) {
            for (TermId const argument : terms.arguments(static_cast<TermId>(i))) {
                if (reached[i])
                    reached[argument] = true;
            }
        }
        heads_.assign(1, 0);
        references_.assign(1, 0);
        arguments_.assign(1, {});
        arguments_.resize(widest_, {});
        for (std::vector<Index>& column : arguments_)
            column.assign(1, 0);
        std::vector<Index> index(std::size_t{input} + 1, 0);
        for (std::size_t i = 0; i <= input; ++i) {
            if (!reached[i])
                continue;
            index[i] = static_cast<Index>(heads_.size());
            heads_.push_back(terms.symbol(static_cast<TermId>(i)));
            references_.push_back(0);
            auto const arguments = terms.arguments(static_cast<TermId>(i));
            for (std::size_t k = 0; k < widest_; ++k)
                arguments_[k].push_back(k < arguments.size() ? index[arguments[k]] : 0);
            for (TermId const argument : arguments)
                ++references_[index[argument]];
        }
        root_ = index[input];
        ++references_[root_];  // the engine's own reference
        is_fresh_ = false;
    }

    bool consumes_input() const override { return true; }

    void prepare() override {
        reserve(limits_.memory);
        std::memcpy(hss_.values(), heads_.data(), heads_.size() * sizeof(unsigned));
        std::memcpy(refcounts_.values(), references_.data(), references_.size() * sizeof(unsigned));
        std::memset(nf_.values(), 0, heads_.size());
        for (std::size_t k = 0; k < widest_; ++k)
            std::memcpy(args_[k].values(), arguments_[k].data(), heads_.size() * sizeof(Index));
        is_fresh_ = true;
        thread_->rouse();
    }

    Outcome run(Limits const& limits) override {
        if (limits.memory != limits_.memory)
            is_fresh_ = false;
        limits_ = limits;
        if (!is_fresh_)
            prepare();
        is_fresh_ = false;
        applications_.assign(system_.rules.size() + 1, 0);
        pointers_.clear();
        for (Column<Index> const& column : args_)
            pointers_.push_back(column.values());
        pointers_.push_back(nullptr);  // a system with only constants also has one column
        columns_ = {hss_.values(),
                    pointers_.data(),
                    refcounts_.values(),
                    nf_.values(),
                    free_indices_.values(),
                    0,
                    static_cast<Index>(heads_.size()),
                    static_cast<Index>(capacity_),
                    applications_.data(),
                    1,
                    reinterpret_cast<char const*>(stack_.begin()) + stack_reserve,
                    attend,
                    no_room,
                    equal};
        outcome_ = {};
        max_stack_ = 0;
        start_ = Clock::now();
        grant();
        derive_on_own_stack();
        outcome_.applications.assign(applications_.begin(), applications_.end() - 1);
        outcome_.memory = memory();
        if (outcome_.end == End::finished && outcome_.rewrites() > limits_.rewrites)
            outcome_.end = End::too_many_rewrites;
        return outcome_;
    }

    TermId normal_form(Terms& terms) override {
        constexpr TermId not_made = ~TermId{0};
        std::vector<TermId> made(columns_.next_fresh, not_made);
        std::vector<Index> open = {root_};
        std::vector<TermId> arguments;
        while (!open.empty()) {
            Index const term = open.back();
            SymbolId const symbol = columns_.hss[term];
            arguments.clear();
            bool ready = true;
            for (std::size_t k = system_.arity(symbol); k-- > 0;) {
                if (made[columns_.args[k][term]] == not_made) {
                    open.push_back(columns_.args[k][term]);
                    ready = false;
                }
            }
            if (!ready)
                continue;
            open.pop_back();
            for (std::size_t k = 0; k < system_.arity(symbol); ++k)
                arguments.push_back(made[columns_.args[k][term]]);
            if (made[term] == not_made)
                made[term] = terms.application(symbol, arguments);
        }
        return made[root_];
    }

private:
    std::size_t bytes_per_term() const { return (3 + widest_) * sizeof(unsigned) + sizeof(bool); }

    // Reserves address space of the size of the memory limit for all arrays together, and as much for the stack.
    void reserve(std::size_t memory) {
        std::size_t const max_terms = std::size_t{~Index{0}} - 1;
        std::size_t const wanted = std::clamp(memory / bytes_per_term(), std::size_t{2}, max_terms);
        hss_.reserve(wanted);
        refcounts_.reserve(wanted);
        nf_.reserve(wanted);
        free_indices_.reserve(wanted);
        args_.resize(widest_);
        capacity_ =
            std::min({wanted, hss_.capacity(), refcounts_.capacity(), nf_.capacity(), free_indices_.capacity()});
        for (Column<Index>& column : args_) {
            column.reserve(wanted);
            capacity_ = std::min(capacity_, column.capacity());
        }
        if (capacity_ < heads_.size())
            throw bench::Error("the input does not fit", std::to_string(memory) + " bytes", "Raise --memory.");
        if (stack_.bytes() < memory + stack_reserve) {
            thread_.reset();
            stack_ = ReservedMemory(memory + 2 * stack_reserve);
        }
        if (thread_ == nullptr)
            make_thread();
    }

    // It lives as long as its stack, so that no run creates it.
    void make_thread() {
        threads::Stack const stack[] = {{stack_.begin(), stack_.bytes()}};
        thread_ = std::make_unique<threads::Pool>(1, threads::Pool::Placement::pinned, stack);
        if (thread_->threads() != 0)
            return;
        thread_.reset();
        throw bench::Error("cannot start a thread", "the operating system rejects it", "Try --engine oracle.");
    }

    std::size_t memory() const { return columns_.next_fresh * bytes_per_term() + max_stack_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    void derive_on_own_stack() {
        thread_->start(1, [this](std::size_t) { derive(); });
        thread_->wait();
    }

    void derive() {
        running_ = this;
        if (setjmp(exit_) == 0)
            derive_(&columns_, root_);
        outcome_.seconds = seconds();
    }

    // Sets the budget of the next rewrites, up to the first one above the limit.
    void grant() {
        std::uint64_t const done = std::accumulate(applications_.begin(), applications_.end(), std::uint64_t{0});
        std::uint64_t const left = limits_.rewrites < done ? 0 : limits_.rewrites - done;
        columns_.budget = std::min<std::uint64_t>(left, rewrites_between_checks - 1) + 1;
    }

    [[noreturn]] void stop(End end) {
        outcome_.end = end;
        std::longjmp(exit_, 1);
    }

    static void attend(Columns* columns) {
        PrintedEngine& me = *running_;
        char const* const stack_top = reinterpret_cast<char const*>(me.stack_.end());
        char const* const here = static_cast<char const*>(__builtin_frame_address(0));
        me.max_stack_ = std::max(me.max_stack_, static_cast<std::size_t>(stack_top - here));
        std::uint64_t const done = std::accumulate(me.applications_.begin(), me.applications_.end(), std::uint64_t{0});
        if (done > me.limits_.rewrites)
            me.stop(End::too_many_rewrites);
        if (columns->next_fresh * me.bytes_per_term() + static_cast<std::size_t>(stack_top - here) > me.limits_.memory)
            me.stop(End::out_of_memory);
        if (me.seconds() > me.limits_.seconds)
            me.stop(End::out_of_time);
        if (me.limits_.stop.stop_requested())
            me.stop(End::stopped);
        me.grant();
    }

    static void no_room() { running_->stop(End::out_of_memory); }

    static bool equal(Columns const* columns, Index left, Index right) {
        std::vector<std::pair<Index, Index>> open = {{left, right}};
        std::map<std::pair<Index, Index>, bool> seen;
        System const& system = running_->system_;
        while (!open.empty()) {
            auto const pair = open.back();
            open.pop_back();
            if (pair.first == pair.second || !seen.emplace(pair, true).second)
                continue;
            SymbolId const symbol = columns->hss[pair.first];
            if (symbol != columns->hss[pair.second])
                return false;
            for (std::size_t k = 0; k < system.arity(symbol); ++k)
                open.emplace_back(columns->args[k][pair.first], columns->args[k][pair.second]);
        }
        return true;
    }

    static thread_local PrintedEngine* running_;

    System const& system_;
    Derive derive_;
    std::size_t widest_ = 0;

    // The loaded input.
    std::vector<unsigned> heads_;
    std::vector<unsigned> references_;
    std::vector<std::vector<Index>> arguments_;
    Index root_ = 0;
    bool is_fresh_ = false;

    Column<unsigned> hss_;
    std::vector<Column<Index>> args_;
    Column<unsigned> refcounts_;
    Column<bool> nf_;
    Column<Index> free_indices_;
    std::size_t capacity_ = 0;
    ReservedMemory stack_;
    std::unique_ptr<threads::Pool> thread_;  // runs on stack_

    Limits limits_;
    Outcome outcome_;
    Columns columns_{};
    std::vector<Index*> pointers_;
    std::vector<unsigned long long> applications_;
    std::size_t max_stack_ = 0;
    Clock::time_point start_;
    std::jmp_buf exit_;
};

thread_local PrintedEngine* PrintedEngine::running_ = nullptr;

}  // namespace

std::unique_ptr<Engine> make_printed_engine(System const& system) { return std::make_unique<PrintedEngine>(system); }

}  // namespace lockstep::term_rewriting
