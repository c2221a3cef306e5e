#pragma once
// Rules evaluated on all lanes (selected.hpp) over many states. A row is two neighbouring states. A thread has the same
// four instances of both states of a row side by side, and goes from row to row. It computes once what depends on the
// instance only. It loads the words of the next row before it evaluates the rules after the first one, so they arrive
// in registers meanwhile.
//
// Preconditions: layout A; a range that is a multiple of four, so that every state is aligned to 16 bytes; at least one
// product and one pass; only the first rule is enabled by values, by any bit, and has the range of the state.

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/registers.hpp"
#include "kernels/rule_interpreter/selected.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned states_side_by_side = 2;

template <class First, class... Others>
class SelectedStates {
public:
    static constexpr unsigned words = states_side_by_side * selected_values;
    static_assert(First::enabling_column == value_column && First::enabling_bits == ~0u);
    static_assert(((Others::enabling_column == result_column && Others::enabling_bits != ~0u) && ...));
    static_assert(First::selected_column == result_column && ((Others::selected_column == result_column) && ...));

    // first: the first of the thread's instances.
    __device__ SelectedStates(Parameters const& p, unsigned first)
        : p_(p), loops_(p.load - 1), range_(p.range[value_column]), first_(first) {
        // If the number of states is odd, the last row has one state only: the thread evaluates and stores it twice,
        // with the same words.
        alone_ = p.states % states_side_by_side != 0 ? (p.states - 1) * range_ + first : none;
#pragma unroll
        for (unsigned k = 0; k < selected_values; ++k) {
            allowed_[k] = in_register((allowed_bits<Others>(first + k) | ... | 0u));
            unsigned rule = 0;
            offset_[rule++][k] = in_register(First::offset(first + k));
            ((offset_[rule++][k] = in_register(Others::offset(first + k))), ...);
        }
    }

    // Rows `row`, row + step ... of states. one_pass: there is one pass, so the loop over passes is left out.
    template <bool one_pass>
    __device__ void run(unsigned row, unsigned step) {
        unsigned const rows = simt::ceil_div(p_.states, states_side_by_side);
        if (row >= rows)
            return;
        unsigned const row_words = states_side_by_side * range_;
        unsigned at = row * row_words + first_;  // of the thread's first word in a column
        FourWords value[states_side_by_side], next[states_side_by_side];
        load(at, value, next);
#pragma unroll 1
        for (unsigned left = simt::ceil_div(rows - row, step); left != 0; --left) {
            unsigned const here = at;
            float result[words];
#pragma unroll
            for (unsigned k = 0; k < words; ++k)
                result[k] = __uint_as_float(word_of(next, k));
            at += step * row_words;
            unsigned passes = one_pass ? 1 : p_.passes;
            do {
                apply_first(value, result);
                if (passes == 1 && left != 1)
                    load(at, value, next);
                unsigned rule = 1;
                (apply<Others>(offset_[rule++], result), ...);
            } while (--passes != 0);
            store(here, result);
        }
    }

private:
    static constexpr unsigned none = ~0u;  // not the index of a thread's first word: that is a multiple of four

    __device__ static unsigned word_of(FourWords const (&fours)[states_side_by_side], unsigned k) {
        return fours[k / selected_values].word[k % selected_values];
    }

    // The word of state `s` of the row whose first state's word is `at`.
    __device__ unsigned beside(unsigned at, unsigned s) const { return s == 0 || at == alone_ ? at : at + range_; }

    __device__ void load(unsigned at, FourWords (&value)[states_side_by_side],
                         FourWords (&result)[states_side_by_side]) const {
#pragma unroll
        for (unsigned s = 0; s < states_side_by_side; ++s) {
            value[s] = *reinterpret_cast<FourWords const*>(p_.columns[value_column] + beside(at, s));
            result[s] = *reinterpret_cast<FourWords const*>(p_.columns[result_column] + beside(at, s));
        }
    }

    __device__ void store(unsigned at, float const (&result)[words]) const {
#pragma unroll
        for (unsigned s = 0; s < states_side_by_side; ++s) {
            FourWords four;
#pragma unroll
            for (unsigned k = 0; k < selected_values; ++k)
                four.word[k] = __float_as_uint(result[s * selected_values + k]);
            *reinterpret_cast<FourWords*>(p_.columns[result_column] + beside(at, s)) = four;
        }
    }

    template <class Rule>
    __device__ unsigned allowed_bits(unsigned i) const {
        return i < Rule::range(p_) ? Rule::enabling_bits : 0u;
    }

    __device__ void apply_first(FourWords const (&value)[states_side_by_side], float (&result)[words]) const {
        unsigned word[words];
#pragma unroll
        for (unsigned k = 0; k < words; ++k)
            word[k] = word_of(value, k);
        typename First::template Products<words> products(word, offset_[0]);
        products.multiply(loops_);
#pragma unroll
        for (unsigned k = 0; k < words; ++k)
            products.last_product_if(word[k], k, result[k]);
    }

    template <class Rule>
    __device__ void apply(unsigned const (&offset)[selected_values], float (&result)[words]) const {
        unsigned word[words];
#pragma unroll
        for (unsigned k = 0; k < words; ++k)
            word[k] = __float_as_uint(result[k]);
        typename Rule::template Products<words> products(word, offset);
        products.multiply(loops_);
#pragma unroll
        for (unsigned k = 0; k < words; ++k)
            products.last_product_if(word[k] & allowed_[k % selected_values] & Rule::enabling_bits, k, result[k]);
    }

    Parameters const& p_;
    LoopsBeforeLast loops_;
    unsigned range_;
    unsigned first_;
    unsigned alone_;
    unsigned allowed_[selected_values];
    unsigned offset_[1 + sizeof...(Others)][selected_values];
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
