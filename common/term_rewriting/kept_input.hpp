#pragma once
// The input of an engine that has to load it into another engine later.

#include <memory>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

class KeptInput {
public:
    // `lasting`: terms that outlive this object; an input in them needs no copy.
    KeptInput(Terms const& terms, TermId term, Terms const* lasting)
        : lasting_(&terms == lasting ? lasting : nullptr), term_(term) {
        if (lasting_ == nullptr)
            copy_ = terms;
    }
    KeptInput(KeptInput const&) = delete;
    KeptInput& operator=(KeptInput const&) = delete;

    void load_into(Engine& engine) const { engine.load(lasting_ != nullptr ? *lasting_ : copy_, term_); }

private:
    Terms const* lasting_;
    Terms copy_;
    TermId term_;
};

}  // namespace lockstep::term_rewriting
