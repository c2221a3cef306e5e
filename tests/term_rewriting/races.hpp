#pragma once
// Races between engines with planted behaviour.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/term_rewriting/race/racing_engine.hpp"
#include "tests/support/machines.hpp"
#include "tests/term_rewriting/planted_engine.hpp"

namespace lockstep::term_rewriting {

// Both engines begin at once.
inline constexpr RaceOptions together = {.head_start = 0, .alone = 0};

inline Racer planted(std::string const& name, Action const& action, SymbolId result, PlantedEngine::Asked& asked) {
    return {name, [=, &asked] { return std::make_unique<PlantedEngine>(action, result, asked); }};
}

class Races : public testing::Test {
protected:
    void SetUp() override {
        if (!lockstep::tests::why_not_here().empty())
            GTEST_SKIP() << lockstep::tests::why_not_here();
    }
};

// A race of two engines on a term of one symbol.
struct Race {
    PlantedEngine::Asked first, second;
    std::unique_ptr<Engine> engine;

    Race(Action of_first_engine, Action of_second_engine, RaceOptions const& options) {
        engine = make_racing_engine(planted("first", of_first_engine, of_first, first),
                                    planted("second", of_second_engine, of_second, second), options);
        Terms terms;
        engine->load(terms, terms.application(0, {}));
    }
    SymbolId found() {
        Terms terms;
        return terms.symbol(engine->normal_form(terms));
    }
};

}  // namespace lockstep::term_rewriting
