#pragma once
// The simplest store for generated steps: terms in a vector, no collection. A term that became a copy of another refers
// to it.

#include <vector>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

class StepStore {
public:
    explicit StepStore(std::size_t rules) : applications(rules, 0) {}

    // A term of the input: a tree.
    unsigned add(unsigned symbol, std::vector<unsigned> arguments) {
        ++reserved_;
        for (unsigned const argument : arguments)
            ++terms_[argument].references;
        return make(symbol, 0, std::move(arguments));
    }

    unsigned symbol(unsigned term) const { return terms_[at(term)].symbol; }
    unsigned argument(unsigned term, unsigned i) const { return terms_[at(term)].arguments[i]; }
    std::size_t arity(unsigned term) const { return terms_[at(term)].arguments.size(); }
    bool normal(unsigned term) const { return terms_[at(term)].normal; }
    void set_normal(unsigned term) { terms_[at(term)].normal = true; }

    template <unsigned count>
    bool reserve() {
        reserved_ = count;
        return true;
    }
    unsigned make(unsigned symbol, unsigned references, std::vector<unsigned> arguments = {}) {
        --reserved_;
        terms_.push_back({symbol, std::move(arguments), false, static_cast<unsigned>(terms_.size()), references});
        return static_cast<unsigned>(terms_.size() - 1);
    }
    void refer(unsigned term, unsigned times) { terms_[term].references += times; }
    void drop(unsigned term) { --terms_[term].references; }
    void become(unsigned term, unsigned symbol, std::vector<unsigned> arguments = {}) {
        terms_[term].symbol = symbol;
        terms_[term].arguments = std::move(arguments);
    }
    void become_stuck(unsigned term, unsigned symbol, std::vector<unsigned> arguments = {}) {
        become(term, symbol, std::move(arguments));
        set_normal(term);
    }
    void become_copy(unsigned term, unsigned other) {
        terms_[term].copy_of = at(other);
        for (unsigned const argument : terms_[at(other)].arguments)
            ++terms_[argument].references;
    }
    void count(unsigned rule) { ++applications[rule]; }

    bool compare(unsigned left, unsigned right, bool& is_equal) const {
        is_equal = equal(left, right);
        return true;
    }

    // Returns true if each step created the number of terms that it reserved, and every reference count equals the
    // number of references.
    bool adds_up() const {
        std::vector<unsigned> named(terms_.size(), 0);
        for (Term const& term : terms_) {
            for (unsigned const argument : terms_[term.copy_of].arguments)
                ++named[argument];
        }
        bool equal = reserved_ == 0;
        for (std::size_t i = 0; i < terms_.size(); ++i)
            equal = equal && terms_[i].references == named[i];
        return equal;
    }

    std::vector<std::uint64_t> applications;

private:
    struct Term {
        unsigned symbol;
        std::vector<unsigned> arguments;
        bool normal;
        unsigned copy_of;
        unsigned references;
    };
    unsigned at(unsigned term) const { return terms_[term].copy_of; }

    bool equal(unsigned left, unsigned right) const {
        if (symbol(left) != symbol(right))
            return false;
        for (unsigned i = 0; i < arity(left); ++i) {
            if (!equal(argument(left, i), argument(right, i)))
                return false;
        }
        return true;
    }

    std::vector<Term> terms_;
    unsigned reserved_ = 0;
};

// Rewrites to normal form with the steps of one generated file. Returns false after more than a million steps.
using Normalise = bool (*)(StepStore& store, unsigned term);

}  // namespace lockstep::term_rewriting
