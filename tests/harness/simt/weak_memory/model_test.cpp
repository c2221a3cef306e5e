// The weak memory against the axioms of PTX's memory model: exhaustively for the known litmus tests, with their
// verdicts written by hand, and for random programs.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/harness/simt/weak_memory/litmus_tests.hpp"

namespace lockstep::litmus {
namespace {

bool has_update(Program const& program) {
    return std::any_of(program.threads.begin(), program.threads.end(), [](Thread const& thread) {
        return std::any_of(thread.code.begin(), thread.code.end(),
                           [](Instruction const& one) { return one.kind == Kind::update; });
    });
}

std::string text(Program const& program) {
    std::string all;
    for (Thread const& thread : program.threads) {
        all += "block " + std::to_string(thread.block) + " lane " + std::to_string(thread.lane) + ":";
        for (Instruction const& one : thread.code) {
            static char const* const kinds[] = {" R", " W", " U", " F"};
            all += kinds[static_cast<int>(one.kind)];
            all += one.kind == Kind::fence ? "" : std::string(1, "xyzw"[one.location]);
            all += one.writes() ? std::to_string(one.value) : "";
            all += one.strength.acquires ? ".acq" : "";
            all += one.strength.releases ? ".rel" : "";
            all += one.strength.scope == Scope::block ? ".block" : "";
        }
        all += "\n";
    }
    return all;
}

Outcomes without(Outcomes const& all, Outcomes const& some) {
    Outcomes rest;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::inserter(rest, rest.end()));
    return rest;
}

TEST(WeakMemoryModel, verdicts_of_the_litmus_tests) {
    for (Litmus const& test : litmus_tests()) {
        for (Place const place : {Place::warp, Place::block, Place::grid}) {
            Program const tested = program(test.codes, place);
            Outcomes const machine = machine_outcomes(tested);
            EXPECT_EQ(machine.count(test.outcome), test.allowed ? 1 : 0) << test.name;
            EXPECT_EQ(allowed_outcomes(tested, true).count(test.outcome), test.allowed ? 1 : 0) << test.name;
            // Words that share a history of 8 bytes do not affect each other.
            EXPECT_EQ(machine_outcomes(tested, 4), machine) << test.name;
        }
    }
}

// All that the axioms allow is produced, and nothing else, but for load buffering.
TEST(WeakMemoryModel, litmus_tests_have_all_their_outcomes) {
    for (Litmus const& test : litmus_tests()) {
        Program const tested = program(test.codes);
        EXPECT_EQ(machine_outcomes(tested), allowed_outcomes(tested, false)) << test.name;
    }
}

TEST(WeakMemoryModel, load_buffering_is_allowed_and_not_produced) {
    Program const tested = program({{read(x), write(y, 1)}, {read(y), write(x, 1)}});
    EXPECT_EQ(without(allowed_outcomes(tested, true), machine_outcomes(tested)), Outcomes{"1 1 ; x=1 y=1"});
}

// A block's fence orders for the lanes of the block only.
TEST(WeakMemoryModel, scopes_of_fences) {
    Instruction const narrow = fence(Scope::block);
    for (auto const& [mine, other] : {std::pair(narrow, narrow), {narrow, device_fence}, {device_fence, narrow}}) {
        std::vector<Code> const passing = {{write(x, 1), mine, write(y, 1)}, {read(y), other, read(x)}};
        std::vector<Code> const buffering = {{write(x, 1), mine, read(y)}, {write(y, 1), other, read(x)}};
        for (Place const place : {Place::warp, Place::block, Place::grid}) {
            unsigned const expected = place == Place::grid ? 1 : 0;
            EXPECT_EQ(machine_outcomes(program(passing, place)).count("1 0 ; x=1 y=1"), expected);
            EXPECT_EQ(machine_outcomes(program(buffering, place)).count("0 0 ; x=1 y=1"), expected);
        }
    }
}

// Fences are cumulative: a device fence passes on what a block's fence has told its lane.
TEST(WeakMemoryModel, fences_of_two_scopes_are_cumulative) {
    Program tested = program({{write(x, 1), fence(Scope::block), write(y, 1)},
                              {read(y), fence(Scope::block), device_fence, write(2, 1)},
                              {read(2), device_fence, read(x)}});
    tested.locations = 3;
    tested.threads[1].block = 0;
    tested.threads[1].lane = 40;
    EXPECT_EQ(machine_outcomes(tested), allowed_outcomes(tested, false));
    EXPECT_EQ(machine_outcomes(tested).count("1 1 0 ; x=1 y=1 z=1"), 0);
}

class RandomPrograms {
public:
    explicit RandomPrograms(unsigned seed) : random_(seed) {}

    Program next(bool updates, bool scopes) {
        Program made;
        unsigned const threads = 2 + below(2);
        unsigned value = 0;
        for (unsigned i = 0; i < threads; ++i) {
            Thread thread{scopes ? below(2) : i, 32 * i, {}};
            for (unsigned left = threads == 2 ? 3 + below(2) : 2 + below(2); left > 0; --left) {
                Scope const scope = scopes && below(2) == 0 ? Scope::block : Scope::device;
                thread.code.push_back(instruction(updates, scope, value));
            }
            made.threads.push_back(thread);
        }
        return made;
    }

private:
    unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

    Instruction instruction(bool updates, Scope scope, unsigned& value) {
        unsigned const location = below(2);
        switch (below(updates ? 7 : 6)) {
            case 0:
            case 1:
                return read(location, below(3) == 0 ? acquire(scope) : Strength::relaxed());
            case 2:
            case 3:
                return write(location, ++value, below(3) == 0 ? release(scope) : Strength::relaxed());
            case 4:
                return fence(scope, __ATOMIC_ACQ_REL);
            case 5:
                return fence(scope);
            default:
                return exchange(location, ++value,
                                below(2) == 0 ? Strength::relaxed() : Strength::of(__ATOMIC_ACQ_REL, scope));
        }
    }

    std::mt19937 random_;
};

TEST(WeakMemoryModel, random_programs_have_the_outcomes_of_the_axioms) {
    RandomPrograms programs(1);
    for (unsigned i = 0; i < 120; ++i) {
        Program const tested = programs.next(i % 3 == 1, i % 3 == 2);
        Outcomes const machine = machine_outcomes(tested);
        Outcomes const allowed = allowed_outcomes(tested, false);
        ASSERT_EQ(without(machine, allowed), Outcomes{}) << text(tested);
        // Updates read the latest value, and accesses without a common scope keep coherence.
        if (i % 3 != 2 && !has_update(tested)) {
            ASSERT_EQ(without(allowed, machine), Outcomes{}) << text(tested);
        }
    }
}

// The test above must be able to fail: without their fences programs have outcomes that those with them have not.
TEST(WeakMemoryModel, axioms_refute_a_memory_that_ignores_fences) {
    unsigned refuted = 0;
    for (Litmus const& test : litmus_tests()) {
        std::vector<Code> codes = test.codes;
        for (Code& code : codes) {
            std::erase_if(code, [](Instruction const& one) { return one.kind == Kind::fence; });
        }
        refuted +=
            without(machine_outcomes(program(codes)), allowed_outcomes(program(test.codes), true)).empty() ? 0 : 1;
    }
    EXPECT_GE(refuted, 7u);
}

}  // namespace
}  // namespace lockstep::litmus
