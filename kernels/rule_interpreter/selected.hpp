#pragma once
// Rules evaluated on all lanes, whether an instance is enabled or not, and their words selected (fused.cu). A thread
// has four neighbouring instances: one load and one store per column, and rules whose loops they share. Evaluations are
// not counted (program.hpp): that is for rule bases of one rule, which read no outcome and have nothing to select.

#include "common/rule_interpreter/program.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned selected_values = 4;  // per thread

// True if a rule may be evaluated for instances that are not enabled (synthetic_rules.hpp).
template <class Rule>
inline constexpr bool selectable = requires {
    requires Rule::enabling_bits != 0;
};

struct alignas(16) FourWords {
    unsigned word[selected_values] = {};
};

// Four neighbouring instances of a state in layout A, `first` to `first` + 3, which are neighbours in memory, and their
// words in registers. A row that does not start at a multiple of 16 bytes has its first and last few instances in fours
// of which some do not belong to it.
template <class... Rules>
class FourInstances {
public:
    static constexpr unsigned loaded = (Rules::loaded_columns | ...);
    static constexpr unsigned stored = (Rules::stored_columns | ...);

    // four: number of these four, counted from those with the first word of the state's row. range: words of a state in
    // each column.
    __device__ FourInstances(Parameters const& p, unsigned number, unsigned four, unsigned range)
        : p_(p), number_(number), range_(range), first_(four * selected_values - number * range % selected_values) {
        static_assert(disjoint());
        load();
        allow();
    }

    // Evaluates the rule on all four, and keeps the outcomes of the enabled ones.
    template <class Rule>
    __device__ void apply() {
        unsigned offset[selected_values];
#pragma unroll
        for (unsigned k = 0; k < selected_values; ++k)
            offset[k] = Rule::offset(first_ + k);
        typename Rule::template Products<selected_values> products(words_[Rule::enabling_column].word, offset);
        products.multiply(ProductLoops<20>(p_.load));
#pragma unroll
        for (unsigned k = 0; k < selected_values; ++k) {
            unsigned& word = words_[Rule::selected_column].word[k];
            word = enabled<Rule>(k) ? products.checksum(k) : word;
        }
    }

    __device__ void store() const {
#pragma unroll
        for (unsigned column = 0; column < max_columns; ++column) {
            if ((stored >> column & 1) == 0)
                continue;
            unsigned* const to = p_.columns[column] + (number_ * range_ + first_);
            if (all_present()) {
                *reinterpret_cast<FourWords*>(to) = words_[column];
                continue;
            }
#pragma unroll
            for (unsigned k = 0; k < selected_values; ++k) {
                if (present(k))
                    to[k] = words_[column].word[k];
            }
        }
    }

private:
    // An instance in front of the row has a number that wraps.
    __device__ bool present(unsigned k) const { return first_ + k < range_; }
    __device__ bool all_present() const { return present(0) && present(selected_values - 1); }

    // The words of others are 0, which enables no rule.
    __device__ void load() {
        bool const all = all_present();
#pragma unroll
        for (unsigned column = 0; column < max_columns; ++column) {
            if ((loaded >> column & 1) == 0)
                continue;
            unsigned const* const from = p_.columns[column] + (number_ * range_ + first_);
            if (all) {
                words_[column] = *reinterpret_cast<FourWords const*>(from);
                continue;
            }
#pragma unroll
            for (unsigned k = 0; k < selected_values; ++k)
                words_[column].word[k] = present(k) ? from[k] : 0;
        }
    }

    // Computes the bits by which rules enable each instance: those of the rules in whose range it is. Only the last few
    // instances of a state are not in all of them.
    __device__ void allow() {
        unsigned shortest = range_;
        ((shortest = Rules::range(p_) < shortest ? Rules::range(p_) : shortest), ...);
        bool const in_all = present(0) && first_ + (selected_values - 1) < shortest;
        constexpr unsigned all[max_columns] = {bits_of(0), bits_of(1), bits_of(2), bits_of(3)};
#pragma unroll
        for (unsigned column = 0; column < max_columns; ++column) {
#pragma unroll
            for (unsigned k = 0; k < selected_values; ++k)
                allowed_[column].word[k] = all[column];
        }
        if (in_all)
            return;
#pragma unroll
        for (unsigned k = 0; k < selected_values; ++k)
            ((allowed_[Rules::enabling_column].word[k] &= first_ + k < Rules::range(p_) ? ~0u : ~Rules::enabling_bits),
             ...);
    }

    __host__ __device__ static constexpr unsigned bits_of(unsigned column) {
        return ((Rules::enabling_column == column ? Rules::enabling_bits : 0u) | ...);
    }

    template <class Rule>
    __device__ bool enabled(unsigned k) const {
        constexpr unsigned column = Rule::enabling_column;
        return (words_[column].word[k] & allowed_[column].word[k] & Rule::enabling_bits) != 0;
    }

    // Rules of one column must not share a bit, or the range of one would be that of the other.
    __host__ __device__ static constexpr bool disjoint() {
        unsigned bits[max_columns] = {};
        bool all = true;
        ((all = all && (bits[Rules::enabling_column] & Rules::enabling_bits) == 0,
          bits[Rules::enabling_column] |= Rules::enabling_bits),
         ...);
        return all;
    }

    Parameters const& p_;
    unsigned number_;
    unsigned range_;
    unsigned first_;
    FourWords words_[max_columns];
    FourWords allowed_[max_columns];
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
