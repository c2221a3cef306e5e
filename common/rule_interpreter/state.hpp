#pragma once
// Accessor through which rules read and write a state, in global memory in any layout.

#include "common/rule_interpreter/layout.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout>
class State {
public:
    __device__ State(Parameters const& p, unsigned number) : p_(p), number_(number) {}

    template <class Index>
    __device__ unsigned get(unsigned column, Index i) const {
        return p_.columns[column][index(column, i)];
    }
    __device__ void set(unsigned column, unsigned i, unsigned word) { p_.columns[column][index(column, i)] = word; }
    // Number of words in a column; 0 if the rules do not use it.
    __device__ unsigned words(unsigned column) const { return p_.range[column]; }
    __device__ Parameters const& parameters() const { return p_; }
    __device__ unsigned number() const { return number_; }

private:
    template <class Index>
    __device__ Index index(unsigned column, Index i) const {
        return Layout::index(p_, p_.range[column], number_, i);
    }

    Parameters const& p_;
    unsigned number_;
};

// Accessor for the evaluation of a deferred rule: stores go to the column `deferred_column` until all conditions of the
// rule have been tested.
template <class Inner, unsigned deferred_column>
class Deferring {
public:
    __device__ explicit Deferring(Inner& inner) : inner_(inner) {}

    __device__ unsigned get(unsigned column, unsigned i) const { return inner_.get(column, i); }
    __device__ void set(unsigned, unsigned i, unsigned word) { inner_.set(deferred_column, i, word); }
    __device__ Parameters const& parameters() const { return inner_.parameters(); }

private:
    Inner& inner_;
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
