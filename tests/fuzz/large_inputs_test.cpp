// Texts of at most 5 MB that once made a parser take minutes or gigabytes. libFuzzer's inputs are too small for them.

#include <gtest/gtest.h>

#include <ctime>

#include "experiments/replications/weave.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {
namespace {

std::string repeated(std::size_t const times, std::string const& text) {
    std::string all;
    all.reserve(times * text.size());
    for (std::size_t i = 0; i < times; ++i)
        all += text;
    return all;
}

// The limit is of the CPU time, and far above what is needed: it tells a text from one that takes minutes.
template <class Work>
void within_limit(Work const& work) {
    constexpr int max_seconds = 60;
    std::clock_t const begin = std::clock();
    work();
    EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, max_seconds);
}

void run(std::string const& name, std::string const& input) {
    auto const target =
        std::find_if(targets().begin(), targets().end(), [&](Target const& t) { return t.name == name; });
    ASSERT_NE(target, targets().end()) << name;
    within_limit([&] { target->run(input); });
}

// 2^32 neighbours, for which 16 GB were allocated.
TEST(FuzzLargeInputs, StreetsFromAJunctionToItself) { run("network", repeated(65535, "a a 1 1\n")); }

// Each quote looked for its parenthesis in the whole rest of the text.
TEST(FuzzLargeInputs, RawStringsWithoutAParenthesis) {
    std::string const text = repeated(1500000, "R\"\n");
    within_limit([&] { EXPECT_TRUE(replications::weave(text, "kernel.cu").ends_with(text)); });
}

// The edit distance of two names takes as much time as the product of their lengths.
TEST(FuzzLargeInputs, AnUnknownNameThatIsLong) {
    std::string const name(600000, 'a');
    run("trs", "sort T = " + name + ";\neqn b" + name + " = " + name + ";\n");
    run("term", name);
}

// The message listed all names of the text.
TEST(FuzzLargeInputs, AnUnknownNameAmongMany) {
    std::string sorts = "sort ";
    for (int i = 0; i < 50000; ++i)
        sorts += "S" + std::to_string(i) + ";";
    run("trs", sorts + "T = c(unknown);");
}

// Each of the symbols has a copy of the list of arguments: 8 GB.
TEST(FuzzLargeInputs, ALineThatDeclaresManySymbols) {
    std::string names;
    for (int i = 0; i < 30000; ++i)
        names += "s" + std::to_string(i) + " ";
    run("rec", "REC-SPEC X\nSORTS N\nCONS\n" + names + ": " + repeated(65535, "N ") + "-> N\nEND-SPEC\n");
}

// Each base was looked for in all tokens before it.
TEST(FuzzLargeInputs, SpecificationsWithTheSameBase) {
    run("rec", "REC-SPEC Y\nSORTS " + repeated(500000, "N ") + "\nEND-SPEC\nREC-SPEC X\nEND-SPEC\n" +
                   repeated(50000, "REC-SPEC Z : X\nEND-SPEC\n"));
}

}  // namespace
}  // namespace lockstep::fuzz
