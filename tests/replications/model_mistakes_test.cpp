// A bad model file gets one line with the place and the reason.

#include "tests/replications/model_files.hpp"

namespace lockstep::replications::tests {
namespace {

class ModelMistakes : public testing::Test {
protected:
    void SetUp() override {
        if (std::string const why = lockstep::tests::why_not_here(); !why.empty())
            GTEST_SKIP() << why;
    }
};

std::string const head = "parameter u64 steps = 3;\nstruct State { f64 x = 0; };\n";
std::string const step = "void step(State& s) { s.x += 1; }\n";
std::string const mean = "mean x = s.x;\n";

TEST_F(ModelMistakes, MistakesInDeclarationsHaveALine) {
    auto const error = [](std::string const& text) { return error_of_model(text); };
    EXPECT_EQ(error(head + step + mean), "no error");
    EXPECT_TRUE(has(error(step + mean), "no steps in own.hpp")) << error(step + mean);
    EXPECT_TRUE(has(error("parameter u64 steps = 3;\n" + step + mean), "no state in own.hpp"));
    EXPECT_TRUE(has(error(head + mean), "no step in own.hpp (a model has one) Write void step(State& s)"));
    EXPECT_TRUE(has(error(head + step), "no mean and no result in own.hpp"));
    EXPECT_TRUE(has(error("\nparameter u46 steps = 3;\n"), "invalid own.hpp line 2 (unknown type u46) did you mean"));
    EXPECT_TRUE(has(error("parameter f64 steps = 3;\n"), "line 1 (steps is a number of steps)"));
    EXPECT_TRUE(has(error(head + "parameter u32 draw = 3;\n"), "line 3 (the name draw has a meaning already)"));
    EXPECT_TRUE(has(error(head + "stream a, b;\n"), "line 3 (expected ;) Write stream NAME;"))
        << error(head + "stream a, b;\n");
    EXPECT_TRUE(has(error(head + mean + mean), "line 4 (the name x is declared twice)"));
    EXPECT_TRUE(has(error(head + step + "mean y = ;\n"), "line 4 (an expression is missing) Write mean"));
    EXPECT_TRUE(has(error(head + step + "result y = s.x\n"), "line 4 (expected ; before the end"));
    EXPECT_TRUE(has(error(head + "void step(State& s) {\n" + mean), "line 3 (this { is not closed)"));
    EXPECT_TRUE(has(error("#include <cmath>\n" + head), "line 1 (a model file cannot include a header)"));
    EXPECT_TRUE(has(error(std::string("\0", 1)), "it has a NUL byte"));
    EXPECT_TRUE(has(error("parameter u64 steps = many;\nstruct State { f64 x = 0; };\n" + step + mean),
                    "line 1 (the value many of parameter steps must be"));
    EXPECT_TRUE(has(error("parameter u64 steps = 2000000000;\nstruct State { f64 x = 0; };\n" + step + mean),
                    "a replication of 2000000000 steps is too long"));
    std::string many;
    for (int i = 0; i < 9; ++i)
        many += "mean m" + std::to_string(i) + " = s.x;\n";
    EXPECT_TRUE(has(error(head + step + many), "line 12 (more than 8 means)"));
}

TEST_F(ModelMistakes, PiecesAreWhole) {
    std::string const composed = head + "struct Piece { f64 plus = 0; };\nPiece piece() { return {1.0}; }\n";
    std::string const compose = "static Piece compose(Piece const& a, Piece const& b) { return {a.plus + b.plus}; }\n";
    std::string const apply = "void apply(State& s, Piece const& piece) { s.x += piece.plus; }\n";
    EXPECT_EQ(error_of_model(composed + compose + apply + mean), "no error");
    EXPECT_TRUE(has(error_of_model(composed + apply + mean), "no compose in own.hpp"));
    EXPECT_TRUE(has(error_of_model(composed + compose + mean), "no apply in own.hpp"));
    EXPECT_TRUE(has(error_of_model(composed + compose + apply + step + mean), "both step and piece"));
    EXPECT_TRUE(
        has(error_of_model(composed + compose + apply + mean + "bool finished(State const& s) { return s.x > 1; }"),
            "both finished and piece"));
    EXPECT_TRUE(has(error_of_model(head + "Piece piece() { return {}; }\n" + mean), "no struct Piece"));
    bench::Machine const machine = lockstep::tests::kernel_machine();
    EXPECT_TRUE(has(error_of_model(head + step + mean, machine, "cooperative"), "it does not say how pieces compose"));
    EXPECT_TRUE(has(error_of_model(composed + compose + apply + mean, machine, "cooperative:2048"), "is too large"));
    std::string const varying =
        head + "struct Piece { f64 plus = 0; };\nPiece piece() { return {1.0 * draw.poisson(step_number)}; }\n" +
        compose + apply + mean;
    std::string const found = error_of_model(varying, machine, "cooperative:4");
    EXPECT_TRUE(has(found, "its steps draw different numbers of words")) << found;
    EXPECT_EQ(error_of_model(varying, machine, "threads"), "no error");
}

TEST_F(ModelMistakes, MistakesInCodeHaveTheUsersLine) {
    for (bench::Machine const machine : lockstep::tests::machines_under_test()) {
        auto const error = [&](std::string const& text) { return error_of_model(text, machine); };
        std::string const syntax = error(head + mean + "void step(State& s) {\n    s.x = 1 +\n}\n");
        EXPECT_TRUE(has(syntax, "cannot compile own.hpp line 6 (")) << syntax;
        EXPECT_EQ(syntax.find('\n'), syntax.npos);
        std::string const unknown = error(head + step + "\nmean y =\n    s.unknown;\n");
        EXPECT_TRUE(has(unknown, "cannot compile own.hpp line 6 (")) << unknown;
        std::string const wrong = error(head + mean + "\nvoid step(State s, int i) {}\n");
        EXPECT_TRUE(has(wrong, "line 5 (") && has(wrong, "step must be void step(State& s)")) << wrong;
        std::string const draws = error(head + step + "mean y = s.x\n    + draw.uniform();\n");
        bool const says_why = has(draws, "const") || has(draws, "type qualifiers");  // a host compiler, NVRTC
        EXPECT_TRUE(has(draws, "cannot compile own.hpp line 5 (") && says_why) << draws;
        EXPECT_EQ(error(head + step + "result y = s.x + draw.uniform();\n"), "no error");
        std::string const twice = error(head + mean + step + "parameter u32 State = 2;");
        EXPECT_TRUE(has(twice, "has a meaning already")) << twice;
    }
}

TEST_F(ModelMistakes, ReplicationsWithoutAResultAreNamed) {
    for (bench::Machine const machine : lockstep::tests::machines_under_test()) {
        auto const error = [&](std::string const& text) { return error_of_model(text, machine); };
        EXPECT_TRUE(has(error(head + step + "mean y = s.x * 1e9;"),
                        "has no mean (a value is not a number, or is not below 2^30"));
        EXPECT_TRUE(has(error(head + step + "mean y = s.x / 0.0;"), "replication 0 of point 0 of own.hpp has no mean"));
        EXPECT_TRUE(has(error(head + step + mean + "bool finished(State const& s) { return s.x > 3; }"),
                        "did not finish (finished() is false after 3 steps) Raise the parameter steps."));
        EXPECT_EQ(error(head + step + mean + "bool finished(State const& s) { return s.x > 2; }"), "no error");
        // Without a step there is nothing to average.
        std::string const ended = "bool finished(State const& s) { return true; }";
        EXPECT_TRUE(has(error(head + step + mean + ended), "has no mean (it ended after 0 steps) Use a result."));
        EXPECT_EQ(error(head + step + "result y = s.x;\n" + ended), "no error");
    }
}

TEST_F(ModelMistakes, AMeanOfSmallValuesOnlyIsRefused) {
    std::string const means = "mean small = 1e-9 * s.x;\nmean zero = 0.0;\n";
    for (bench::Machine const machine : lockstep::tests::machines_under_test()) {
        EXPECT_EQ(
            error_of_model(head + step + means, machine),
            "the mean small of point 0 of own.hpp is not accurate (its values are below 2^-22, and are rounded to "
            "multiples of 2^-32) Use another unit, or a result.");
        EXPECT_EQ(error_of_model(head + step + "mean mixed = s.x < 2 ? 1e-9 : s.x;\nmean zero = 0.0;\n", machine),
                  "no error");
    }
}

TEST_F(ModelMistakes, TheNumberOfBelowIsAnInteger) {
    EXPECT_TRUE(has(error_of_model(head + mean + "void step(State& s) { s.x += draw.below(1.5); }"), "line "));
}

struct Draw {
    std::string code;
    std::string reason;  // empty: the arguments are right
};
std::string const wrong_mean = "a draw has a mean that is negative or not finite";
std::string const wrong_probability = "chance(p) draws with a p that is not between 0 and 1";
std::vector<Draw> const draws = {
    {"draw.below(0)", "below(n) draws with an n that is not 1 to 2^32 - 1"},
    {"draw.below(-1)", "below(n) draws with an n that is not 1 to 2^32 - 1"},
    {"draw.below(u64(1) << 32)", "below(n) draws with an n that is not 1 to 2^32 - 1"},
    {"draw.below(1)", ""},
    {"draw.chance(1.001)", wrong_probability},
    {"draw.chance(-0.001)", wrong_probability},
    {"draw.chance(s.x / 0.0)", wrong_probability},
    {"draw.chance(1.0000000000000002)", ""},
    {"draw.exponential(-1)", wrong_mean},
    {"draw.exponential(1 / s.x)", wrong_mean},
    {"draw.exponential(s.x)", ""},
    {"draw.erlang(0, 1)", "erlang(phases, mean) draws with phases that are not 1 to 2^32 - 1"},
    {"draw.erlang(-1, 1)", "erlang(phases, mean) draws with phases that are not 1 to 2^32 - 1"},
    {"draw.erlang(2, 1)", ""},
    {"draw.erlang(2, -1)", wrong_mean},
    {"draw.poisson(-1)", wrong_mean},
    {"draw.poisson(1 / s.x)", wrong_mean},
    {"draw.poisson(s.x)", ""},
    {"draw.normal(0, -1)", "normal(mean, deviation) draws with a deviation that is negative or not finite"},
    {"draw.normal(-1, s.x)", ""},
};

// Draws number `which`. The generated code does not depend on the number, so it is compiled once per machine.
std::string model_that_draws(std::size_t which) {
    std::string text = "parameter u64 steps = 1;\nparameter u32 which = " + std::to_string(which) +
                       ";\nstruct State { f64 x = 0; f64 y = 0; };\nvoid step(State& s) {\n    switch (which) {\n";
    for (std::size_t i = 0; i < draws.size(); ++i)
        text += "    case " + std::to_string(i) + ": s.y = " + draws[i].code + "; break;\n";
    return text + "    }\n}\nresult y = s.y;\n";
}

TEST_F(ModelMistakes, DrawsWithAWrongArgumentAreNamed) {
    for (bench::Machine const machine : lockstep::tests::machines_under_test()) {
        for (std::size_t i = 0; i < draws.size(); ++i)
            EXPECT_EQ(error_of_model(model_that_draws(i), machine),
                      draws[i].reason.empty() ? "no error"
                                              : "replication 0 of point 0 of own.hpp has no result (" +
                                                    draws[i].reason + ") Correct the model file, or its parameters.")
                << draws[i].code;
    }
}

// Each lane of a team sees the draws of its own steps only, and the last one those of the results.
TEST_F(ModelMistakes, AWrongDrawOfOneLaneOfATeamIsNamed) {
    auto const model = [](std::string const& n, std::string const& result) {
        return "parameter u64 steps = 40;\nstruct State { u32 x = 0; };\nstruct Piece { u32 x = 0; };\n"
               "Piece piece() { Piece one; one.x = draw.below(" +
               n +
               "); return one; }\n"
               "static Piece compose(Piece const& a, Piece const& b) { Piece both; both.x = a.x + b.x; return both; }\n"
               "void apply(State& s, Piece const& piece) { s.x += piece.x; }\nresult x = " +
               result + ";\n";
    };
    for (char const* const scheme : {"cooperative:8", "cooperative:64", "threads"}) {
        auto const error = [&](std::string const& text) {
            return error_of_model(text, bench::Machine::emulator, scheme);
        };
        EXPECT_TRUE(has(error(model("step_number == 29 ? 0 : 3", "s.x")), "(below(n) draws with an n that is not"));
        EXPECT_TRUE(has(error(model("3", "draw.exponential(-1)")), wrong_mean)) << scheme;
        EXPECT_EQ(error(model("3", "s.x")), "no error") << scheme;
    }
}

}  // namespace
}  // namespace lockstep::replications::tests
