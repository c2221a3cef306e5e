// Rules that walk along a list in the engine `fast`: which rules do, and that the results are the oracle's while lanes
// hand out elements, run out of stack and memory, and stop and resume. Linked with the machine that runs it.

#include "kernels/term_rewriting/fast/engine.hpp"
#include "tests/support/machines.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/fast_options.hpp"

namespace lockstep::term_rewriting {
namespace {

fast::Options walking() { return fast::walking_options(default_options()); }

class Walks : public testing::Test {
protected:
    void SetUp() override {
        if (!lockstep::tests::why_not_here().empty())
            GTEST_SKIP() << lockstep::tests::why_not_here();
    }
};

std::string system_text(std::string const& right, unsigned length = 3) {
    std::string list = "Nil()";
    for (unsigned i = 0; i < length; ++i)
        list = "Cons(S(S(" + std::string(i % 3 == 0 ? "S(Zero())" : "Zero()") + ")), " + list + ")";
    return "sort Nat = Zero() | S(Nat) | Plus(Nat, Nat) | Double(Nat) | Lost(Nat);\n"
           "List = Nil() | Cons(Nat, List) | Pair(Nat, Nat, List) | Map(List, Nat) | Rest(List, Nat);\n"
           "var X, Y : Nat; L : List;\neqn Plus(Zero(), Y) = Y; Plus(S(X), Y) = S(Plus(X, Y));\n"
           "Double(Zero()) = Zero(); Double(S(X)) = S(S(Double(X)));\n"
           "Lost(Zero()) = Zero(); Lost(S(X)) = Lost(X); Rest(Nil(), Y) = Nil(); Rest(Cons(X, L), Y) = L;\n"
           "Map(Nil(), Y) = Cons(Y, Nil());\nMap(Cons(X, L), Y) = " +
           right + ";\ninput Map(" + list + ", S(S(Zero())));\n";
}

TEST_F(Walks, AreRulesWithOneOtherCallPerElement) {
    struct {
        char const* right;
        bool walks;
    } const rules[] = {
        {"Cons(Double(X), Map(L, Y))", true},
        {"Cons(Plus(X, Y), Map(L, S(Y)))", true},
        {"Cons(Plus(Y, S(Zero())), Map(L, X))", true},
        {"Pair(X, Plus(X, S(Y)), Map(L, Y))", true},
        {"Pair(Double(X), Double(X), Map(L, Y))", false},  // one call, for two arguments
        {"Pair(Double(X), Double(Y), Map(L, Y))", false},  // two calls per element
        {"Cons(Lost(Plus(Y, X)), Map(L, Y))", true},       // two calls, one part
        {"Cons(S(Double(X)), Map(L, Y))", false},          // the value belongs to another node
        {"Cons(X, Map(L, Y))", false},                     // nothing to hand out
        {"Cons(Double(X), Map(L, Double(Y)))", false},     // the rest waits for a call
        {"Cons(Double(X), Rest(Map(L, Y), X))", false},    // the rest is not the last argument
    };
    for (auto const& [right, walks] : rules) {
        System const system = parse_text(system_text(right));
        EXPECT_EQ(fast::make_program(system, walking()).text.find(", walk") != std::string::npos, walks) << right;
        fast::Options options = walking();
        options.walks = false;
        EXPECT_EQ(fast::make_program(system, options).text.find(", walk"), std::string::npos) << right;
    }
}

fast::Measures expect_the_oracles(std::string const& right, unsigned length, fast::Options const& options,
                                  std::string const& what, std::size_t memory = 1u << 26) {
    System const system = parse_text(system_text(right, length));
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const expected = run_engine(*oracle, system.terms, system.inputs[0]);
    fast::FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
    Limits limits = test_limits();
    limits.memory = memory;
    Ran const ran = run_engine(engine, system.terms, system.inputs[0], limits);
    EXPECT_EQ(ran.outcome.end, End::finished) << what << ": " << right;
    if (ran.outcome.end != End::finished)
        return {};
    EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << what << ": " << right;
    EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form)) << what << ": " << right;
    return engine.measures();
}

// One lane alone, warps of several blocks, stacks that hold a few elements, kernels that end in the middle.
TEST_F(Walks, EqualTheOracle) {
    for (std::string const right : {"Cons(Double(X), Map(L, Y))", "Cons(Lost(Plus(Y, X)), Map(L, S(Y)))",
                                    "Pair(X, Plus(Y, S(Zero())), Map(L, X))"}) {
        for (unsigned const length : {0u, 1u, 2u, shortened ? 20u : 150u}) {
            for (unsigned const stack : {1u, 128u}) {
                for (unsigned const loops : {1u, 8u}) {
                    fast::Options options = walking();
                    options.stack_words = stack;
                    options.loops = loops;
                    options.cooperative = true;
                    options.blocks = options.first_blocks = loops == 1 ? 1 : 3;
                    options.block = 64;
                    options.turns_spreading = options.turns_startup = stack == 1 ? 4 : 64;
                    options.slice_rounds = stack == 1 ? 8 : 1024;
                    options.few_waiting = loops == 8 ? 16 : 0;
                    expect_the_oracles(right, length, options, std::to_string(length));
                }
            }
        }
    }
}

// While most lanes have work, elements are handed out when the stack is full, and spilled if the queue is full too.
TEST_F(Walks, EqualTheOracleWhereLanesAreBusy) {
    for (bool const warps_first : {false, true}) {
        fast::Options options = walking();
        options.warps_first = warps_first;
        options.blocks = 1;
        options.block = 32;
        options.stack_words = 1;
        options.turns_startup = options.turns_spreading = options.turns_narrow = 1024;
        options.slice_rounds = 16;
        expect_the_oracles("Cons(Plus(X, Y), Map(L, S(Y)))", shortened ? 20 : 120, options, "busy", 1u << 20);
    }
}

TEST_F(Walks, SurviveCollections) {
    fast::Options options = walking();
    options.blocks = 1;
    options.block = 32;
    options.chunk = 16;
    fast::Measures const measures = expect_the_oracles("Cons(Lost(Plus(Y, X)), Map(L, S(Y)))", shortened ? 60 : 300,
                                                       options, "collected", 1u << 20);
    EXPECT_GE(measures.collections, shortened ? 0u : 1u);
}

}  // namespace
}  // namespace lockstep::term_rewriting
