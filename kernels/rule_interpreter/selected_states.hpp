#pragma once
// Rules evaluated on all lanes (selected.hpp) over many states: a thread has the same four instances of one state after
// another. What depends on the instance only, it computes once; and the words of the next state are on their way to
// shared memory while it evaluates. A thread reads only what it copied itself, so there is no barrier.
//
// Preconditions: layout A, a range that is a multiple of four, so that every row starts at 16 bytes, and a rule that is
// enabled by any bit has the range of the state.

#include <utility>

#include "harness/simt/async_copy.hpp"
#include "harness/simt/registers.hpp"
#include "kernels/rule_interpreter/selected.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned copied_states = 2;  // at a time: the one that is evaluated and the next
inline constexpr unsigned copied_columns = 2;
inline constexpr std::size_t copied_bytes_per_thread = copied_states * copied_columns * sizeof(FourWords);

template <class... Rules>
class SelectedStates {
public:
    static constexpr unsigned columns = copied_columns;
    static_assert(((Rules::loaded_columns | Rules::stored_columns) | ...) == 3u);

    __device__ SelectedStates(Parameters const& p, unsigned first)
        : p_(p), slots_(shared_words_in_register<FourWords>(0)) {
#pragma unroll
        for (unsigned k = 0; k < selected_values; ++k) {
            allowed_[k] = in_register((allowed_bits<Rules>(first + k) | ...));
            unsigned rule = 0;
            ((offset_[rule++][k] = in_register(Rules::offset(first + k))), ...);
        }
    }

    // States `begin`, begin + step ...: `at` is the first word of the thread's four in state 0.
    __device__ void run(unsigned at, unsigned begin, unsigned step, unsigned range) {
        if (begin >= p_.states)
            return;
        unsigned const* values = p_.columns[value_column] + begin * range + at;
        unsigned* results = p_.columns[result_column] + begin * range + at;
        unsigned const between = step * range;
        unsigned left = (p_.states - begin + step - 1) / step;
        unsigned stage = 0;
        copy(stage, values, results);
#pragma unroll 1
        for (; left != 0; --left) {
            values += between;
            if (left > 1)
                copy(stage ^ 1, values, results + between);
            else
                end_copies();
            wait_for_copies<1>();
            evaluate(stage, results);
            results += between;
            stage ^= 1;
        }
    }

private:
    // Bits by which the rule may enable instance i. None for a rule that any bit enables, which needs no check.
    template <class Rule>
    __device__ unsigned allowed_bits(unsigned i) const {
        return Rule::enabling_bits != ~0u && i < Rule::range(p_) ? Rule::enabling_bits : 0u;
    }

    __device__ unsigned slot(unsigned stage, unsigned column) const {
        return (stage * columns + column) * threads_in_block() + thread_rank();
    }

    __device__ void copy(unsigned stage, unsigned const* values, unsigned const* results) {
        copy_async(slots_, slot(stage, value_column), reinterpret_cast<FourWords const*>(values));
        copy_async(slots_, slot(stage, result_column), reinterpret_cast<FourWords const*>(results));
        end_copies();
    }

    __device__ void evaluate(unsigned stage, unsigned* results) {
        FourWords words[columns];
#pragma unroll
        for (unsigned column = 0; column < columns; ++column)
            words[column] = slots_[slot(stage, column)];
        for (unsigned pass = 0; pass < p_.passes; ++pass) {
            unsigned rule = 0;
            (apply<Rules>(words, offset_[rule++]), ...);
        }
        *reinterpret_cast<FourWords*>(results) = words[result_column];
    }

    template <class Rule>
    __device__ void apply(FourWords (&words)[columns], unsigned const (&offset)[selected_values]) {
        unsigned outcome[selected_values];
        Rule::outcomes(p_, words[Rule::enabling_column].word, offset, outcome);
#pragma unroll
        for (unsigned k = 0; k < selected_values; ++k) {
            unsigned const bits = words[Rule::enabling_column].word[k];
            bool const enabled =
                Rule::enabling_bits == ~0u ? bits != 0 : (bits & allowed_[k] & Rule::enabling_bits) != 0;
            unsigned& word = words[Rule::selected_column].word[k];
            word = enabled ? outcome[k] : word;
        }
    }

    Parameters const& p_;
    SharedWords<FourWords> slots_;
    unsigned allowed_[selected_values];
    unsigned offset_[sizeof...(Rules)][selected_values];
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
