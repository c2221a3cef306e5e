#pragma once
// The simplest store for generated steps: terms in a vector, no collection. A term that became a copy of another names
// it.

#include <vector>

#include "reference_cpu/term_rewriting/system.hpp"

namespace lockstep::term_rewriting {

class StepStore {
public:
    explicit StepStore(std::size_t rules) : applications(rules, 0) {}

    unsigned symbol(unsigned term) const { return terms_[at(term)].symbol; }
    unsigned argument(unsigned term, unsigned i) const { return terms_[at(term)].arguments[i]; }
    std::size_t arity(unsigned term) const { return terms_[at(term)].arguments.size(); }
    bool normal(unsigned term) const { return terms_[at(term)].normal; }
    void set_normal(unsigned term) { terms_[at(term)].normal = true; }

    unsigned make(unsigned symbol, std::vector<unsigned> arguments = {}) {
        terms_.push_back({symbol, std::move(arguments), false, static_cast<unsigned>(terms_.size())});
        return static_cast<unsigned>(terms_.size() - 1);
    }
    void become(unsigned term, unsigned symbol, std::vector<unsigned> arguments = {}) {
        terms_[term].symbol = symbol;
        terms_[term].arguments = std::move(arguments);
    }
    void become_stuck(unsigned term, unsigned symbol, std::vector<unsigned> arguments = {}) {
        become(term, symbol, std::move(arguments));
        set_normal(term);
    }
    void become_copy(unsigned term, unsigned other) { terms_[term].copy_of = at(other); }
    void count(unsigned rule) { ++applications[rule]; }

    bool equal(unsigned left, unsigned right) const {
        if (symbol(left) != symbol(right))
            return false;
        for (unsigned i = 0; i < arity(left); ++i) {
            if (!equal(argument(left, i), argument(right, i)))
                return false;
        }
        return true;
    }

    std::vector<std::uint64_t> applications;

private:
    struct Term {
        unsigned symbol;
        std::vector<unsigned> arguments;
        bool normal;
        unsigned copy_of;
    };
    unsigned at(unsigned term) const { return terms_[term].copy_of; }

    std::vector<Term> terms_;
};

// Rewrites to normal form with the steps of one generated file; false where it takes over a million of them.
using Normalise = bool (*)(StepStore& store, unsigned term);

}  // namespace lockstep::term_rewriting
