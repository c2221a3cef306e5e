// The built-in integers: values, operations, errors, on the oracle and the engines that have them.

#include "common/term_rewriting/language/integers.hpp"

#include <random>

#include "common/term_rewriting/language/binary_terms.hpp"
#include "common/term_rewriting/rewrite.hpp"
#include "kernels/term_rewriting/as_printed/engine.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "reference_cpu/term_rewriting/check_operations.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

constexpr char const* functions = R"(
sort Int64 = fac(Int64) | fib(Int64) | choose(Bool, Int64, Int64) | same(Int64, Int64); Bool = true() | false();
     T = leaf() | wrap(Int64);
var N, M : Int64;
eqn fac(0) = 1;
    fac(N) = mul64(N, fac(sub64(N, 1)));
    fib(N) = choose(less64(N, 2), N, N);
    choose(true(), N, M) = N;
    choose(false(), N, M) = add64(fib(sub64(M, 1)), fib(sub64(M, 2)));
    same(N, N) = 1;
    same(-1, M) = -9223372036854775808;
    same(N, M) = 0;
)";

std::vector<NamedEngine> engines_of(System const& system) {
    std::vector<NamedEngine> engines;
    engines.push_back({"oracle", make_oracle(system)});
    engines.push_back({"one core", make_compiled_engine(system, 1)});
    engines.push_back({"one core, wide", make_compiled_engine(system, 1, false)});
    engines.push_back({"four workers", make_compiled_engine(system, 4)});
    engines.push_back({"as printed, CPU", make_printed_engine(system)});
    if (sanitized)
        return engines;  // the tests of the kernels have small launches
    engines.push_back({"as printed, emulator", as_printed::make_engine(system, simt::Machine::emulator)});
    engines.push_back({"fast, emulator", fast::make_engine(system, simt::Machine::emulator)});
    return engines;
}

void expect_forms(std::vector<std::pair<std::string, std::string>> const& forms) {
    System system = parse_text(functions);
    std::vector<std::pair<TermId, std::string>> inputs;
    for (auto const& [term, form] : forms)
        inputs.emplace_back(parse_term(system, term, term), form);
    std::vector<std::vector<std::uint64_t>> applications;
    for (NamedEngine const& named : engines_of(system)) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            Ran const ran = run_engine(*named.engine, system.terms, inputs[i].first);
            ASSERT_EQ(ran.outcome.end, End::finished) << named.name;
            EXPECT_EQ(to_string(system, ran.terms, ran.normal_form), inputs[i].second)
                << named.name << ": " << forms[i].first;
            if (named.name == "oracle")
                applications.push_back(ran.outcome.applications);
            EXPECT_EQ(ran.outcome.applications, applications[i]) << named.name << ": " << forms[i].first;
            named.engine->run(test_limits());
            std::string text;
            named.engine->write_normal_form(plain_style(system), [&](std::string_view piece) { text += piece; });
            EXPECT_EQ(text, inputs[i].second) << named.name;
        }
    }
}

TEST(Integers, AreRewrittenByFunctions) {
    expect_forms({{"fac(20)", "2432902008176640000"},
                  {"fib(15)", "610"},
                  {"same(add64(2, 3), 5)", "1"},
                  {"same(-1, 255)", "-9223372036854775808"},
                  {"same(256, 65536)", "0"},
                  {"wrap(sub64(0, 7))", "wrap(-7)"},
                  {"leaf", "leaf"},
                  {"choose(at_most64(3, 3), 1, 2)", "1"},
                  {"equal64(-1, -1)", "true"}});
    System system = parse_text(functions);
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const ran = run_engine(*oracle, system.terms, parse_term(system, "fac(3)", "term"));
    RuleCounts const counts = system.counts_of(ran.outcome.applications);
    EXPECT_EQ(counts.rewrites, 4u);
    EXPECT_EQ(counts.operations, 6u);
    EXPECT_EQ(counts.comparisons, 0u);
    // In the rules of operations, variables are the bytes.
    for (Rule const& rule : system.rules) {
        if (rule.operation == Operation::add) {
            EXPECT_EQ(to_string(system, rule.right, &rule), "=(Int64)(r0,r1,r2,r3,r4,r5,r6,r7)");
        }
    }
}

// Against arithmetic with 128 bits.
std::optional<std::string> expected_of(std::string const& operation, std::int64_t x, std::int64_t y) {
    __extension__ typedef __int128 Wide;
    Wide const a = x;
    Wide const b = y;
    if (operation == "less64" || operation == "at_most64" || operation == "equal64") {
        bool const yes = operation == "less64" ? a < b : operation == "at_most64" ? a <= b : a == b;
        return yes ? "true" : "false";
    }
    if ((operation == "div64" || operation == "mod64") && b == 0)
        return std::nullopt;
    Wide const result = operation == "add64"   ? a + b
                        : operation == "sub64" ? a - b
                        : operation == "mul64" ? a * b
                        : operation == "div64" ? a / b
                                               : a % b;
    if (result < smallest || result > largest)
        return std::nullopt;
    return std::to_string(static_cast<std::int64_t>(result));
}

TEST(Integers, OperationsAreThoseOfWideArithmetic) {
    std::vector<std::int64_t> values = {
        smallest, smallest + 1, -(std::int64_t{1} << 32), -256,        -255,   -1, 0, 1, 2, 127, 128,
        255,      256,          std::int64_t{1} << 31,    largest - 1, largest};
    std::mt19937_64 random(7);
    for (unsigned i = 0; i < 8; ++i)
        values.push_back(static_cast<std::int64_t>(random()) >> (7 * i));
    System system = parse_text(functions);
    std::vector<NamedEngine> const engines = engines_of(system);
    std::size_t undefined = 0;
    for (char const* const operation :
         {"add64", "sub64", "mul64", "div64", "mod64", "less64", "at_most64", "equal64"}) {
        for (std::size_t i = 0; i < values.size(); i += lockstep::tests::under_thread_sanitizer ? 8
                                                        : sanitized                             ? 3
                                                                                                : 1) {
            for (std::int64_t const y : values) {
                std::optional<std::string> const expected = expected_of(operation, values[i], y);
                std::string const text =
                    std::string(operation) + "(" + std::to_string(values[i]) + "," + std::to_string(y) + ")";
                TermId const input = parse_term(system, text, "term");
                for (NamedEngine const& named : engines) {
                    bool const emulated = named.name.ends_with("emulator");
                    if (named.name == "four workers" || (emulated && (sanitized || i % 5 != 0)))
                        continue;
                    Ran const ran = run_engine(*named.engine, system.terms, input);
                    std::string error;
                    try {
                        check_operations(system, input, ran.outcome.applications, test_limits());
                    } catch (bench::Error const& thrown) {
                        error = thrown.what();
                    }
                    if (expected) {
                        EXPECT_EQ(to_string(system, ran.terms, ran.normal_form), *expected) << named.name << text;
                        EXPECT_EQ(error, "");
                    } else {
                        EXPECT_EQ(error.rfind(text + " has no result (", 0), 0u) << named.name << ": " << error;
                        ++undefined;
                    }
                }
            }
        }
    }
    EXPECT_GE(undefined, lockstep::tests::under_thread_sanitizer ? 30u : 100u);
}

// Functions over integers that recurse along a numeral, so that they end.
class RandomFunctions {
public:
    explicit RandomFunctions(unsigned seed) : random_(seed) {}

    std::string text() {
        std::string text =
            "sort Int64 = g(Nat, Int64) | pick(Bool, Int64, Int64) | twice(Int64, Int64); Nat = z() | s(Nat); "
            "Bool = true() | false();\nvar N, M : Int64; X : Nat;\n"
            "eqn pick(true(), N, M) = N; pick(false(), N, M) = M; twice(N, N) = add64(N, 1); twice(N, M) = M;\n";
        text += "g(X, " + std::to_string(number()) + ") = " + std::to_string(number()) + ";\n";
        text += "g(z(), N) = " + expression(3, false) + ";\n";
        text += "g(s(X), N) = " + expression(3, true) + ";\ninput ";
        for (unsigned i = 0; i < 4; ++i)
            text += "g(s(s(s(z()))), " + std::to_string(number()) + ");\n";
        return text;
    }

private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    std::int64_t number() {
        std::int64_t const some[] = {0, 1, -1, 2, 7, -256, 255, largest, smallest, 1000003};
        return some[below(10)];
    }
    std::string expression(unsigned depth, bool recurses) {
        if (depth == 0)
            return below(3) == 0 ? std::to_string(number()) : recurses && below(2) == 0 ? "g(X, N)" : "N";
        char const* const names[] = {"add64", "sub64", "mul64", "div64", "mod64", "twice"};
        char const* const tests[] = {"less64", "at_most64", "equal64"};
        auto const part = [&] { return expression(depth - 1, recurses); };
        if (below(4) == 0)
            return std::string("pick(") + tests[below(3)] + "(" + part() + ", " + part() + "), " + part() + ", " +
                   part() + ")";
        return std::string(names[below(6)]) + "(" + part() + ", " + part() + ")";
    }

    std::mt19937 random_;
};

TEST(Integers, EnginesAgreeOnRandomFunctions) {
    std::uint64_t operations = 0;
    std::uint64_t comparisons = 0;
    for (unsigned seed = 1; seed <= (sanitized ? 1u : 5u); ++seed) {
        System const system = parse_text(RandomFunctions(seed).text());
        std::vector<NamedEngine> const engines = engines_of(system);
        for (TermId const input : system.inputs) {
            Limits limits = test_limits();
            limits.rewrites = 30000;
            Ran const expected = run_engine(*engines[0].engine, system.terms, input, limits);
            if (expected.outcome.end != End::finished)
                continue;
            operations += system.counts_of(expected.outcome.applications).operations;
            comparisons += system.counts_of(expected.outcome.applications).comparisons;
            for (NamedEngine const& named : engines) {
                Ran const ran = run_engine(*named.engine, system.terms, input, limits);
                ASSERT_EQ(ran.outcome.end, End::finished) << "seed " << seed << " on " << named.name;
                EXPECT_EQ(ran.outcome.applications, expected.outcome.applications)
                    << "seed " << seed << " on " << named.name;
                EXPECT_EQ(to_string(system, ran.terms, ran.normal_form),
                          to_string(system, expected.terms, expected.normal_form))
                    << "seed " << seed << " on " << named.name;
            }
        }
    }
    EXPECT_GE(operations, sanitized ? 10u : 300u);
    EXPECT_GE(comparisons, sanitized ? 0u : 20u);
}

TEST(Integers, AnErrorNamesTheFirstTermWithoutAResult) {
    auto const error = [](std::string const& term, std::string const& engine) {
        try {
            rewrite(functions, std::vector<std::string>{"leaf", term}, {engine, "cpu", {}});
        } catch (bench::Error const& thrown) {
            return std::string(thrown.what());
        }
        return std::string("no error");
    };
    for (std::string const engine : {"oracle", "one_core"}) {
        EXPECT_EQ(error("fac(21)", engine),
                  "mul64(21,2432902008176640000) has no result (it does not fit into 64 bits)");
        EXPECT_EQ(error("wrap(div64(add64(3, 4), 0))", engine), "div64(7,0) has no result (a division by zero)");
        // Also if no normal form has it.
        EXPECT_EQ(error("choose(true, 1, mod64(5, 0))", engine), "mod64(5,0) has no result (a division by zero)");
    }
}

// After a missing result this goes on for ever: mod64(N, M) of no number is stuck, and so never 0.
TEST(Integers, ARunThatWouldNotEndIsStopped) {
    std::string const text =
        "sort Int64 = gcd(Int64, Int64);\nvar N, M : Int64;\neqn gcd(N, 0) = N; gcd(N, M) = gcd(M, mod64(N, M));\n";
    for (std::string const engine : {"oracle", "one_core", "all_cores"}) {
        Limits limits = test_limits();
        limits.seconds = 1000;  // the run ends much sooner
        try {
            rewrite(text, std::vector<std::string>{"gcd(12, 18)", "gcd(3, mul64(3037000500, 3037000500))"},
                    {engine, "cpu", limits});
            FAIL() << engine;
        } catch (bench::Error const& thrown) {
            EXPECT_EQ(std::string(thrown.what()),
                      "mul64(3037000500,3037000500) has no result (it does not fit into 64 bits)");
        }
    }
}

TEST(Integers, MistakesNameTheirLocation) {
    auto const error = [](std::string const& text, std::string const& name) {
        try {
            parse_text(text, name);
        } catch (bench::Error const& thrown) {
            return std::string(thrown.what());
        }
        return std::string("no error");
    };
    std::string const head = "sort Int64; T = a() | f(Int64, T);\nvar X : T; N : Int64;\n";
    EXPECT_EQ(error("sort T = a();\ninput 5;", "x.trs").rfind("x.trs:2:7: a number in a system without integers", 0),
              0u);
    EXPECT_EQ(
        error(head + "input f(9223372036854775808, a());", "x.trs").rfind("x.trs:3:9: the number is too large", 0), 0u);
    EXPECT_EQ(error(head + "input f(a(), a());", "x.trs").rfind("x.trs:3:9: a is of sort T here", 0), 0u);
    EXPECT_EQ(error(head + "input f(1, 2);", "x.trs").rfind("x.trs:3:12: 2 is of sort Int64 here", 0), 0u);
    EXPECT_EQ(error(head + "eqn 5 = 6;", "x.trs").rfind("x.trs:3:5: the left side is 5", 0), 0u);
    EXPECT_EQ(error(head + "eqn add64(N, 1) = N;", "x.trs").rfind("x.trs:3:5: the left side is add64", 0), 0u);
    EXPECT_EQ(error("sort Int64 = mul64(Int64);", "x.trs").rfind("x.trs:1:14: symbol mul64 is declared twice", 0), 0u);
    // Without constants true and false there are no comparisons.
    EXPECT_NE(error(head + "input less64(1, 2);", "x.trs").find("unknown symbol less64"), std::string::npos);
    EXPECT_EQ(error("REC-SPEC X\nSORTS\n Int64 B\nCONS\n True False : -> B\nVARS\n n : Int64\nOPNS\n g : Int64 -> B\n"
                    "RULES\n g(-3) -> True\n g(n) -> less64(n, 4)\nEVAL\n g(div64(-7, 2))\nEND-SPEC\n",
                    "x.rec"),
              "no error");
}

TEST(Integers, BinaryTermsHoldThem) {
    System system = parse_text(functions);
    std::vector<TermId> const terms = {parse_term(system, "wrap(-42)", "term"),
                                       parse_term(system, "add64(1, 2)", "term")};
    std::string bytes;
    write_binary_terms(system, system.terms, terms, [&](std::string_view piece) { bytes += piece; });
    System other = parse_text(functions);
    std::vector<TermId> const again = read_binary_terms(other, bytes, "bytes");
    ASSERT_EQ(again.size(), 2u);
    EXPECT_EQ(to_string(other, again[0]), "wrap(-42)");
    EXPECT_EQ(to_string(other, again[1]), "add64(1,2)");
}

}  // namespace
}  // namespace lockstep::term_rewriting
