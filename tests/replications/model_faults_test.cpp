// Signals that a model raises become one line with the place.

#include "tests/replications/model_files.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::replications::tests {
namespace {

class ModelFaults : public testing::Test {
protected:
    void SetUp() override {
        if (lockstep::tests::under_thread_sanitizer)
            GTEST_SKIP() << "ThreadSanitizer takes the signals of faults";
    }
};

struct Place {
    bench::Machine machine;
    std::string scheme;
};
std::vector<Place> const places = {{bench::Machine::cpu, "auto"},
                                   {bench::Machine::cpu, "sequential"},
                                   {bench::Machine::emulator, "threads"},
                                   {bench::Machine::emulator, "warps"}};

// A model whose step has this line, which is the fifth.
std::string model_with(std::string const& line) {
    return "parameter u64 steps = 3;\nparameter i64 zero = 0;\nstruct State { f64 x = 0; u32 a[4] = {}; };\n"
           "void step(State& s) {\n" +
           line + "\n}\nmean x = s.x;\n";
}

std::string error_in(Place const& place, std::string const& line) {
    return error_of_model(model_with(line), place.machine, place.scheme);
}

TEST_F(ModelFaults, ADivisionByZeroHasItsLine) {
    for (Place const& place : places) {
        std::string const error = error_in(place, "s.x += 7 / zero;");
        EXPECT_TRUE(has(error, "cannot run own.hpp line 5 (") && has(error, "divides by zero")) << error;
        EXPECT_EQ(error_in(place, "s.x += 7 / (zero + 1);"), "no error");
    }
}

TEST_F(ModelFaults, AWrongAddressHasItsLine) {
    for (Place const& place : places)
        EXPECT_EQ(error_in(place, "s.x += *reinterpret_cast<u32 volatile*>(zero + 8);"),
                  "cannot run own.hpp line 5 (the model reads or writes outside of its variables, or calls itself too "
                  "deeply) Correct the model file.");
}

// The array is the last member of the state, so the next word is not mapped only by chance.
TEST_F(ModelFaults, AnIndexOutsideOfAnArrayHasItsLine) {
    for (Place const& place : places) {
        for (char const* const wrong : {"s.a[4 + zero] = 1;", "s.x += s.a[zero - 1];"})
            EXPECT_EQ(
                error_in(place, wrong),
                "cannot run own.hpp line 5 (the model uses an index outside of an array, or divides by zero) Test "
                "the index, or the divisor.");
        EXPECT_EQ(error_in(place, "s.a[3 + zero] = 1;"), "no error");
    }
}

TEST_F(ModelFaults, EndlessRecursionIsAnError) {
    for (Place const& place : places) {
        std::string const error =
            error_of_model("u32 deep(u32 n) { u32 volatile held = n; return deep(held + 1) + held; }\n" +
                               model_with("s.x += deep(1);"),
                           place.machine, place.scheme);
        EXPECT_TRUE(has(error, "cannot run own.hpp line 1 (") && has(error, "or calls itself too deeply)")) << error;
    }
}

// One replication of several, in the middle of a step, and also where the means are computed.
TEST_F(ModelFaults, AFaultOfAMeanAndOfOneReplicationIsAnError) {
    for (Place const& place : places) {
        EXPECT_TRUE(has(error_in(place, "s.x += 1;\n}\nmean y = 7 / zero;\nvoid none() {"), "own.hpp line 7 ("));
        EXPECT_TRUE(has(error_in(place, "s.x += 7 / i64(draw.below(u32(zero + 2)));"), "own.hpp line 5 ("));
    }
}

}  // namespace
}  // namespace lockstep::replications::tests
