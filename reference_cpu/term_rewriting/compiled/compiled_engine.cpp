#include "reference_cpu/term_rewriting/compiled/compiled_engine.hpp"

#include <thread>

#include "harness/bench/error.hpp"
#include "reference_cpu/term_rewriting/compiled/generate_cpp.hpp"
#include "reference_cpu/term_rewriting/compiled/runtime.hpp"
#include "reference_cpu/term_rewriting/compiled/shared_object.hpp"

namespace lockstep::term_rewriting {

namespace {

using namespace compiled;

constexpr TermId none = ~TermId{0};

class CompiledEngine : public Engine {
public:
    CompiledEngine(System const& system, std::size_t workers) : system_(system), workers_(workers) {
        for (Symbol const& symbol : system.symbols)
            defined_.push_back(symbol.defined);
        program_ = &load_program(generate_cpp(system, workers > 1));
    }

    void load(Terms const& terms, TermId input) override {
        runtime_.reset();
        std::vector<bool> reached(std::size_t{input} + 1, false);
        reached[input] = true;
        std::size_t words = 0;
        for (std::size_t i = std::size_t{input} + 1; i-- > 0;) {
            if (!reached[i])
                continue;
            auto const arguments = terms.arguments(static_cast<TermId>(i));
            words += 1 + arguments.size();
            for (TermId const argument : arguments)
                reached[argument] = true;
        }
        input_.assign(words, 0);
        std::vector<std::size_t> place(std::size_t{input} + 1);
        std::size_t at = 0;
        for (std::size_t i = 0; i <= input; ++i) {
            if (!reached[i])
                continue;
            place[i] = at;
            TermId const term = static_cast<TermId>(i);
            auto const arguments = terms.arguments(term);
            Word head = header(terms.symbol(term), arguments.size());
            if (defined_[terms.symbol(term)])
                head |= pending_mark;
            for (std::size_t argument = 0; argument < arguments.size(); ++argument) {
                Word* const child = input_.data() + place[arguments[argument]];
                head |= *child & pending_mark;
                input_[at + 1 + argument] = reinterpret_cast<Word>(child);
            }
            input_[at] = head;
            at += 1 + arguments.size();
        }
        root_ = place[input];
    }

    Outcome run(Limits const& limits) override {
        runtime_ = std::make_unique<Runtime>(*program_, defined_, workers_, limits);
        return runtime_->run(input_.data() + root_);
    }

    // Terms of the old space have had their last use: their headers become the numbers of the terms made of them.
    TermId normal_form(Terms& terms) override {
        input_terms_.assign(input_.size(), none);
        constant_terms_.assign(program_->constant_words, none);
        std::vector<Word*> open = {runtime_->result()};
        std::vector<TermId> arguments;
        while (!open.empty()) {
            Word* const term = open.back();
            if (number_of(term) != none) {
                open.pop_back();
                continue;
            }
            std::size_t const count = arguments_of(*term);
            arguments.clear();
            bool ready = true;
            for (std::size_t i = count; i > 0; --i) {
                Word* const argument = reinterpret_cast<Word*>(term[i]);
                if (number_of(argument) == none) {
                    open.push_back(argument);
                    ready = false;
                }
            }
            if (!ready)
                continue;
            for (std::size_t i = 1; i <= count; ++i)
                arguments.push_back(number_of(reinterpret_cast<Word*>(term[i])));
            set_number(term, terms.application(symbol_of(term), arguments));
            open.pop_back();
        }
        return number_of(runtime_->result());
    }

private:
    static TermId* within(std::vector<Word> const& words, std::vector<TermId>& numbers, Word const* term) {
        bool const inside = term >= words.data() && term < words.data() + words.size();
        return inside ? &numbers[static_cast<std::size_t>(term - words.data())] : nullptr;
    }

    TermId* side_number(Word const* term) {
        if (TermId* const number = within(input_, input_terms_, term))
            return number;
        bool const constant = term >= program_->constants && term < program_->constants + program_->constant_words;
        return constant ? &constant_terms_[static_cast<std::size_t>(term - program_->constants)] : nullptr;
    }

    TermId number_of(Word const* term) {
        if (TermId const* const number = side_number(term))
            return *number;
        return is_header(*term) ? none : static_cast<TermId>(*term);
    }

    void set_number(Word* term, TermId number) {
        if (TermId* const side = side_number(term))
            *side = number;
        else
            *term = number;
    }

    System const& system_;
    std::size_t workers_;
    std::vector<bool> defined_;
    Program const* program_;
    std::vector<Word> input_;
    std::size_t root_ = 0;
    std::vector<TermId> input_terms_;
    std::vector<TermId> constant_terms_;
    std::unique_ptr<Runtime> runtime_;
};

}  // namespace

std::unique_ptr<Engine> make_compiled_engine(System const& system, std::size_t workers) {
    std::size_t const cores = std::max(1u, std::thread::hardware_concurrency());
    return std::make_unique<CompiledEngine>(system, workers == 0 ? cores : workers);
}

}  // namespace lockstep::term_rewriting
