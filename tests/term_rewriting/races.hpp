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

}  // namespace lockstep::term_rewriting
