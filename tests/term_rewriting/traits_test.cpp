// What the rules of a system say of how its terms are evaluated, and which options of `fast` follow.

#include <algorithm>
#include <map>

#include "kernels/term_rewriting/fast/options.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

using fast::Traits;
using fast::traits_of;

std::string traits_text(Traits const& traits) {
    std::string text = traits.tree_recursion ? "tree " : "";
    text += traits.nested_calls ? "nested " : "";
    return text + (traits.walks ? "walks" : "");
}

TEST(Traits, FollowFromTheRules) {
    struct {
        char const* rules;  // of F, beside those below
        char const* traits;
    } const tested[] = {
        {"F(Zero()) = Zero(); F(S(X)) = Pair(F(X), F(S(X)))", "tree "},
        {"F(Zero()) = Zero(); F(S(X)) = Pair(F(X), Other(X))", "tree "},
        {"F(Zero()) = Zero(); F(S(X)) = Pair(F(X), F(X))", ""},  // equal terms are one call
        {"F(Zero()) = Zero(); F(S(X)) = Pair(G(X), G(S(X)))", ""},
        {"F(Zero()) = Zero(); F(S(X)) = Sum(F(X), F(S(X)))", "tree nested "},
        {"F(Zero()) = Zero(); F(S(X)) = Pair(F(G(X)), F(S(G(X))))", "nested "},
        {"F(Zero()) = Zero(); F(S(X)) = S(F(X))", ""},
        {"F(Zero()) = Zero(); F(S(X)) = G(F(X))", "nested "},
        {"F(Zero()) = Zero(); F(S(X)) = Pair(X, Pair(G(X), F(X)))", ""},
        {"F(Zero()) = Zero(); F(S(X)) = Pair(G(X), F(X))", "walks"},
        {"F(Zero()) = Zero(); F(S(X)) = Pair(F(X), G(X))", ""},  // the rest is not the last argument
        {"F(Zero()) = Zero(); F(S(X)) = Pair(G(G(X)), F(X))", "nested walks"},
        {"F(X) = Wrap(X)", ""},  // a chain of rules is one step
    };
    for (auto const& [rules, traits] : tested) {
        System const system = parse_text(
            std::string("sort Nat = Zero() | S(Nat) | F(Nat) | G(Nat) | Other(Nat) | Sum(Nat, Nat) | Pair(Nat, Nat) | "
                        "Wrap(Nat);\nvar X, Y : Nat;\n"
                        "eqn G(Zero()) = Zero(); G(S(X)) = S(G(X)); Other(Zero()) = Zero(); Other(S(X)) = F(X); "
                        "Sum(Zero(), Y) = Y; Sum(S(X), Y) = S(Sum(X, Y)); Wrap(X) = S(X);\n") +
            rules + ";\ninput F(S(Zero()));\n");
        EXPECT_EQ(traits_text(traits_of(system)), traits) << rules;
    }
}

TEST(Traits, ConditionsWithCallsAreNested) {
    auto const system = [](std::string const& condition) {
        return parse_text(
            "REC-SPEC A\nSORTS\n N\nCONS\n zero : -> N\n s : N -> N\nOPNS\n f : N -> N\n g : N -> N\n"
            "VARS\n x : N\nRULES\n g(x) -> zero if x -><- s(x)\n f(s(x)) -> f(x) if " +
                condition + " -><- zero\nEVAL\n f(zero)\nEND-SPEC\n",
            "text.rec");
    };
    EXPECT_FALSE(traits_of(system("x")).nested_calls);
    EXPECT_TRUE(traits_of(system("g(x)")).nested_calls);
}

// The options of `fast` that depend on the system, and the systems of the source tree that get them.
TEST(Traits, OptionsOfEverySystem) {
    std::map<std::string, std::string> const expected = {
        {"ramp 0, ends 0, repeats 1, loops 8, stack 128",
         " ackermann.trs automaton.trs binary_arithmetic.trs collatz.rec condition_order.rec"
         " deep_spine.trs gcd.rec hanoi.trs inherited.rec insertion_sort.trs integers.trs"
         " langtons_ant.trs lists.rec merge_sort_50.trs queens.rec quick_sort.rec repeated.trs"
         " shared_exponential.rec sieve.rec tree_merge_sort.trs unary_arithmetic.rec"},
        {"ramp 0, ends 0, repeats 8, loops 8, stack 128",
         " brackets.rec count.trs endless_depth.trs endless_growth.trs endless_loop.trs"
         " hundred_arguments.trs one_expand.trs priority.trs stuck.rec"},
        {"ramp 0, ends 0, repeats 8, loops 8, stack 256", " list_of_lists.trs"},
        {"ramp 32, ends 16, repeats 1, loops 8, stack 128",
         " binary_fibonacci.trs binary_search.trs combinators.trs derivative.rec expression.trs"
         " fibonacci.rec mirrors.trs symbolic.trs tautology.trs tree_fold.trs"},
        {"ramp 32, ends 16, repeats 8, loops 4, stack 128", " payload_tree.trs transformation_tree.trs"},
    };
    std::map<std::string, std::string> found;
    std::vector<std::string> files;
    for (auto const& entry : std::filesystem::directory_iterator(systems_folder))
        files.push_back(entry.path().filename().string());
    std::sort(files.begin(), files.end());
    for (std::string const& file : files) {
        if (file == "included.rec")  // has no input
            continue;
        System const system = parse_system(systems_folder + file, bench::read_file);
        fast::Options const options = general_options(traits_of(system), fast::options_for(simt::Machine::cuda));
        std::ostringstream text;
        text << "ramp " << options.ramp_steps << ", ends " << options.ends_after << ", repeats " << options.repeats
             << ", loops " << options.loops << ", stack " << options.stack_words;
        found[text.str()] += " " + file;
        EXPECT_TRUE(options.returns && options.walks && options.warps_first && options.independent_parts) << file;
        EXPECT_EQ(options.few_waiting, 16u) << file;
    }
    EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace lockstep::term_rewriting
