#include "baselines/term_rewriting/compiled/compiled_engine.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <utility>

#include "baselines/term_rewriting/compiled/generate_cpp.hpp"
#include "baselines/term_rewriting/compiled/program_race.hpp"
#include "baselines/term_rewriting/compiled/programs.hpp"
#include "baselines/term_rewriting/compiled/runtime.hpp"
#include "common/term_rewriting/language/digest_graph.hpp"
#include "common/term_rewriting/language/write_graph.hpp"
#include "harness/bench/error.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::term_rewriting {

namespace {

using namespace compiled;

constexpr TermId none = ~TermId{0};

// With fewer, the sequential program would take too large a part of the cores from the parallel one.
constexpr std::size_t least_workers_of_a_race = 4;

// The program of a system for many workers, which races against the one for one worker.
struct ParallelProgram {
    std::string text;
    std::size_t workers = 0;
    std::shared_ptr<jit::BackgroundCompile> compile;  // null if nothing has to be compiled

    jit::BackgroundCompile::State state() const {
        return compile == nullptr ? jit::BackgroundCompile::State::done : compile->state();
    }
};

class CompiledEngine : public Engine {
public:
    // `text`: the program, for so many workers. `threads`: what make_ready() chooses.
    CompiledEngine(System const& system, std::size_t workers, std::string const& text, Runtime::Threads threads)
        : system_(system), workers_(workers), threads_(threads), program_(&load_program(text)), layout_(*program_) {
        for (Symbol const& symbol : system.symbols)
            defined_.push_back(symbol.defined);
    }

    // `text`: the program for one worker.
    CompiledEngine(System const& system, std::string const& text, ParallelProgram parallel)
        : CompiledEngine(system, 1, text, Runtime::Threads::waiting) {
        parallel_ = std::move(parallel);
        has_parallel_ = true;
    }

    void load(Terms const& terms, TermId input) override {
        if (runtime_ != nullptr)
            runtime_->rest();
        if (race_ != nullptr)
            race_->rest();
        peak_waiting_ = 0;
        LargeVector<TermId> const reached = reached_terms(terms, input);
        std::size_t words = 0;
        for (TermId const term : reached)
            words += input_words(terms.symbol(term));
        input_ = LargeVector<Word>(words);
        LargeVector<Word*> made(std::size_t{input} + 1);
        Word* next = input_.data();
        for (TermId const term : reached) {
            SymbolId const symbol = terms.symbol(term);
            std::size_t const size = input_words(symbol);
            made[term] = size == 0 ? immediate(symbol) : next;
            if (size == 0)
                continue;
            auto const arguments = terms.arguments(term);
            Word head = layout_.head(symbol) | (defined_[symbol] ? pending_mark : 0);
            std::fill_n(next, size, Word{0});
            for (std::size_t argument = 0; argument < arguments.size(); ++argument) {
                Word* const child = made[arguments[argument]];
                head |= is_pending(child) ? pending_mark : 0;
                layout_.set_argument(next, argument, child);
            }
            *next |= head;
            next += size;
        }
        root_ = made[input];
    }

    // Waits for the compiler, because a timed run has both programs.
    void make_ready(Limits const& limits) override {
        make_runtime(limits, threads_);
        if (race_ != nullptr) {
            waits_for_compiler_ = true;
            race_->make_ready();
            waits_for_compiler_ = false;
        }
    }

    void prepare() override {
        if (runtime_ != nullptr)
            runtime_->rouse();
        if (race_ != nullptr)
            race_->rouse();
    }

    Outcome run(Limits const& limits) override {
        make_runtime(limits, Runtime::Threads::on_demand);
        return race_ != nullptr ? race_->run(root_, limits) : runtime_->run(root_, limits);
    }

    // This is the last use of terms in the old space, so their heads are overwritten with the ids of the new terms.
    TermId normal_form(Terms& terms) override {
        result_program_ = &result_runtime().program();
        input_terms_.assign(input_.size(), none);
        constant_terms_.assign(result_program_->constant_words, none);
        immediate_terms_.assign(system_.symbols.size(), none);
        std::vector<Word*> open = {result_runtime().result()};
        std::vector<TermId> arguments;
        while (!open.empty()) {
            Word* const term = open.back();
            if (number_of(term) != none) {
                open.pop_back();
                continue;
            }
            std::size_t const count = layout_.arguments(term);
            arguments.clear();
            bool ready = true;
            for (std::size_t i = count; i-- > 0;) {
                Word* const argument = layout_.argument(term, i);
                if (number_of(argument) == none) {
                    open.push_back(argument);
                    ready = false;
                }
            }
            if (!ready)
                continue;
            for (std::size_t i = 0; i < count; ++i)
                arguments.push_back(number_of(layout_.argument(term, i)));
            set_number(term, terms.application(layout_.symbol(term), arguments));
            open.pop_back();
        }
        return number_of(result_runtime().result());
    }

    std::uint64_t normal_form_digest() override {
        Runtime const& runtime = result_runtime();
        auto const [old, old_words] = runtime.old_terms();
        CompiledGraph const graph{layout_, runtime.program(), input_, old};
        std::size_t const words = input_.size() + runtime.program().constant_words + old_words;
        return GraphDigest<Word const*, CompiledGraph>(graph, words).of(runtime.result());
    }

    void write_normal_form(PrintStyle const& style, Write const& write) override {
        CompiledTerms view{layout_, style.constant_suffix, {}};
        for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol)
            view.names.push_back(style.symbol(symbol));
        write_graph<Word const*>(view, result_runtime().result(), style, write);
    }

    // A program for one worker has no tasks.
    std::optional<std::size_t> peak_waiting() const override {
        return workers_ > 1 || has_parallel_.load() ? std::optional(peak_waiting_.load()) : std::nullopt;
    }

    std::string found_by() const override {
        if (race_ == nullptr || !race_->parallel_began())
            return {};
        return race_->parallel_won() ? "all_cores before one_core" : "one_core before all_cores";
    }

    bool calls_watch() const override { return true; }
    bool is_busy() override {
        return (runtime_ != nullptr && runtime_->is_busy()) || (race_ != nullptr && race_->is_busy());
    }

    std::size_t workers() const { return race_ != nullptr ? race_->workers() : runtime_->workers(); }

private:
    // The words of an input term. A constructor without arguments is an immediate value; a defined symbol without
    // arguments is to be evaluated.
    std::size_t input_words(SymbolId symbol) const {
        return system_.arity(symbol) == 0 && !defined_[symbol] ? 0 : layout_.words(symbol);
    }

    // Reuses the memory of an earlier run, because touched pages are faster than fresh ones.
    void make_runtime(Limits const& limits, Runtime::Threads threads) {
        if ((runtime_ != nullptr && runtime_->memory_limit() == limits.memory) ||
            (race_ != nullptr && race_->memory_limit() == limits.memory))
            return;
        runtime_.reset();
        race_.reset();
        auto runtime = std::make_unique<Runtime>(*program_, defined_, workers_, limits.memory, threads, peak_waiting_);
        if (!parallel_) {
            runtime_ = std::move(runtime);
            return;
        }
        auto const make_parallel = [this, memory = limits.memory, threads]() -> std::unique_ptr<Runtime> {
            using State = jit::BackgroundCompile::State;
            State const state = waits_for_compiler_ ? State::done : parallel_->state();
            if (state == State::running)
                return nullptr;
            has_parallel_ = false;  // until the rest has succeeded
            if (state == State::failed)
                throw std::runtime_error("the compiler failed");
            auto made = std::make_unique<Runtime>(load_program(parallel_->text), defined_, parallel_->workers, memory,
                                                  threads, peak_waiting_);
            has_parallel_ = true;
            return made;
        };
        race_ = std::make_unique<ProgramRace>(std::move(runtime), make_parallel);
    }

    Runtime const& result_runtime() const { return race_ != nullptr ? race_->winner() : *runtime_; }

    // The view for GraphDigest. Offsets count the words of the input, the constants and the old terms.
    struct CompiledGraph {
        TermLayout const& layout;
        Program const& program;
        LargeVector<Word> const& input;
        Word const* old;

        SymbolId symbol(Word const* term) const { return layout.symbol(term); }
        std::size_t arguments(Word const* term) const { return layout.arguments(term); }
        Word const* argument(Word const* term, std::size_t index) const { return layout.argument(term, index); }
        std::size_t offset(Word const* term) const {
            if (term >= input.data() && term < input.data() + input.size())
                return static_cast<std::size_t>(term - input.data());
            if (term >= program.constants && term < program.constants + program.constant_words)
                return input.size() + static_cast<std::size_t>(term - program.constants);
            return input.size() + program.constant_words + static_cast<std::size_t>(term - old);
        }
    };

    // The view for write_graph().
    struct CompiledTerms {
        TermLayout const& layout;
        std::string_view constant_suffix;
        std::vector<std::string> names;

        SymbolId symbol(Word const* term) const { return layout.symbol(term); }
        std::size_t arguments(Word const* term) const { return layout.arguments(term); }
        Word const* argument(Word const* term, std::size_t index) const { return layout.argument(term, index); }
        void write_head(Word const* term, std::string& text) const {
            text += names[layout.symbol(term)];
            if (layout.arguments(term) == 0)
                text += constant_suffix;
        }
    };

    static TermId* within(LargeVector<Word> const& words, std::vector<TermId>& numbers, Word const* term) {
        bool const inside = term >= words.data() && term < words.data() + words.size();
        return inside ? &numbers[static_cast<std::size_t>(term - words.data())] : nullptr;
    }

    TermId* side_number(Word const* term) {
        if (is_immediate(term))
            return &immediate_terms_[immediate_symbol(term)];
        if (TermId* const number = within(input_, input_terms_, term))
            return number;
        Word const* const constants = result_program_->constants;
        bool const constant = term >= constants && term < constants + result_program_->constant_words;
        return constant ? &constant_terms_[static_cast<std::size_t>(term - constants)] : nullptr;
    }

    TermId number_of(Word const* term) {
        if (TermId const* const number = side_number(term))
            return *number;
        return TermLayout::is_moved(*term) ? static_cast<TermId>(*term >> low_bits) : none;
    }

    void set_number(Word* term, TermId number) {
        if (TermId* const side = side_number(term))
            *side = number;
        else
            *term = moved_mark | Word{number} << low_bits;
    }

    System const& system_;
    std::size_t workers_;
    Runtime::Threads threads_;
    Program const* program_;                   // the sequential one, if there are two
    Program const* result_program_ = nullptr;  // that found the result, for normal_form()
    TermLayout layout_;                        // of both programs
    std::vector<bool> defined_;
    LargeVector<Word> input_;
    Word* root_ = nullptr;
    std::vector<TermId> input_terms_;
    std::vector<TermId> constant_terms_;
    std::vector<TermId> immediate_terms_;  // per symbol
    std::atomic<std::size_t> peak_waiting_{0};
    std::optional<ParallelProgram> parallel_;
    std::atomic<bool> has_parallel_{false};  // it works, or will be compiled
    bool waits_for_compiler_ = false;
    std::unique_ptr<Runtime> runtime_;   // without a parallel program
    std::unique_ptr<ProgramRace> race_;  // with one
};

}  // namespace

std::size_t workers_of_last_run(Engine const& engine) { return dynamic_cast<CompiledEngine const&>(engine).workers(); }

std::unique_ptr<Engine> make_compiled_engine(System const& system, std::size_t workers, bool packed) {
    std::size_t const count = workers == 0 ? threads::allowed_cpu_count() : workers;
    return std::make_unique<CompiledEngine>(system, count, generate_cpp(system, count > 1, packed),
                                            Runtime::Threads::before_runs);
}

ComingEngine begin_compiled_engine(System const& system, std::size_t workers, bool packed) {
    std::size_t const count = workers == 0 ? threads::allowed_cpu_count() : workers;
    bool const races = count >= least_workers_of_a_race;
    std::string const text = generate_cpp(system, count > 1 && !races, packed);
    auto compile = compile_program_in_background(text);
    if (!races)
        return {std::move(compile), [&system, count, text] {
                    return std::make_unique<CompiledEngine>(system, count, text, Runtime::Threads::waiting);
                }};
    // Unless the caller chooses their number, one core is for the sequential program.
    ParallelProgram parallel{generate_cpp(system, true, packed), workers == 0 ? count - 1 : count, {}};
    parallel.compile = compile_program_in_background(parallel.text);
    return {std::move(compile),
            [&system, text, parallel] { return std::make_unique<CompiledEngine>(system, text, parallel); }};
}

}  // namespace lockstep::term_rewriting
