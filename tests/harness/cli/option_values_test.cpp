// Tests of the values of options: which texts are numbers, sizes, lists and axes, and what is said about others.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/options.hpp"
#include "tests/harness/cli/toy_program.hpp"

namespace lockstep::cli {
namespace {

TEST(CliAxisOptions, HelpAndDefaultsAreTheAxes) {
    bench::Experiment const experiment = toy::make_toy();
    AxisTexts texts = {{"style", "fancy"}};  // the command's own default
    auto const parse = [&](std::vector<char const*> const& argv) {
        CommandLine line("greet", "");
        add_axes(line, axes_named(experiment, {"factor", "style"}), texts);
        line.parse(static_cast<int>(argv.size()), argv.data());
        return axes_from(experiment, texts);
    };
    try {
        parse({"greet", "--help"});
        ADD_FAILURE() << "no help";
    } catch (HelpRequested const& help) {
        EXPECT_NE(help.text.find("multiplier (default 3)"), std::string::npos) << help.text;
        EXPECT_NE(help.text.find("has no effect (one of plain, fancy)"), std::string::npos) << help.text;
        bool const shown =
            help.text.find("=fancy") != std::string::npos || help.text.find("[fancy]") != std::string::npos;
        EXPECT_TRUE(shown) << "the command's own default, in the format of either CLI11 version: " << help.text;
        EXPECT_EQ(help.text.find("--count"), std::string::npos) << help.text;
    }
    bench::Axes expected = bench::default_axes(experiment);
    EXPECT_EQ(expected.text("count"), "33");
    bench::set_axis(experiment, expected, "factor", "7");
    bench::set_axis(experiment, expected, "style", "fancy");
    texts = {{"style", "fancy"}};
    EXPECT_EQ(parse({"greet", "--factor", "7"}), expected);
    EXPECT_THROW(parse({"greet", "--factor", "101"}), bench::Error);
    EXPECT_THROW(axes_named(experiment, {"facto"}), bench::Error);
    EXPECT_THROW(bench::set_axis(experiment, expected, "facto", "7"), bench::Error);
    EXPECT_EQ(expected.has("facto"), false) << "a rejected axis was set";
}

// An empty value counted as "not given", and `nan` was below every limit.
TEST(CliOptions, ValuesThatAreNoneAreMistakes) {
    auto const parse = [](std::vector<char const*> const& argv) {
        CommandLine line("greet", "");
        std::string name = "world", whom;
        double seconds = 1;
        line.add_argument("whom", whom, "");
        line.add_option("--name", name, "");
        line.add_option("--seconds", seconds, "");
        line.parse(static_cast<int>(argv.size()), argv.data());
        return seconds;
    };
    EXPECT_EQ(parse({"greet", "you", "--name", "x", "--seconds", "2.5"}), 2.5);
    EXPECT_EQ(parse({"greet", "you", "--seconds", "0"}), 0);
    for (char const* const wrong : {"", "nan", "-nan", "inf", "-1", "1e999", "x"})
        EXPECT_THROW(parse({"greet", "you", "--seconds", wrong}), bench::Error) << wrong;
    EXPECT_THROW(parse({"greet", "you", "--name", ""}), bench::Error);
    EXPECT_THROW(parse({"greet", "you", "--name="}), bench::Error);
    EXPECT_THROW(parse({"greet", ""}), bench::Error);
}

TEST(CliOptions, AnOptionWithOneValueIsGivenOnce) {
    auto const error_of = [](std::vector<char const*> const& given) -> std::string {
        std::uint64_t count = 0;
        std::string name;
        std::vector<std::string> all;
        bool flag = false;
        CommandLine line("greet", "");
        line.add_option("--count", count, "");
        line.add_option("-n,--name", name, "");
        line.add_option("--all", all, "");
        line.add_flag("--flag", flag, "");
        try {
            line.parse(static_cast<int>(given.size()), given.data());
        } catch (bench::Error const& error) {
            return error.what();
        }
        return "no error";
    };
    auto const twice = [](std::string const& name) {
        return name + " is given several times (it has one value) Give it once.";
    };
    EXPECT_EQ(error_of({"greet", "--count", "3", "--count", "3"}), twice("--count"));
    EXPECT_EQ(error_of({"greet", "--count=3", "--all", "a", "--count=4", "--count=5"}), twice("--count"));
    EXPECT_EQ(error_of({"greet", "-n", "a", "--name", "b"}), twice("--name"));
    EXPECT_EQ(error_of({"greet", "--all", "a", "--all", "b", "--flag", "--flag"}), "no error");
    EXPECT_EQ(error_of({"greet", "--count"}),
              "invalid command line (--count: 1 required UINT missing) see lockstep "
              "greet --help");
}

TEST(CliOptions, WholeNumbersMayHaveAnExponent) {
    struct Numbers {
        std::uint64_t count = 0;
        unsigned width = 1;
        double seconds = 1;
        std::uint64_t bytes = 0;
    };
    auto const parse = [](char const* const option, std::string const& value) {
        Numbers numbers;
        CommandLine line("greet", "");
        line.add_option("--count", numbers.count, "");
        line.add_option("--width", numbers.width, "");
        line.add_option("--seconds", numbers.seconds, "");
        line.add_size("--bytes", numbers.bytes, "");
        std::vector<char const*> const argv = {"greet", option, value.c_str()};
        line.parse(3, argv.data());
        return numbers;
    };
    auto const error_of = [&](char const* const option, std::string const& value) -> std::string {
        try {
            parse(option, value);
        } catch (bench::Error const& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(parse("--count", "1e9").count, 1000000000u);
    EXPECT_EQ(parse("--count", "2.5e3").count, 2500u);
    EXPECT_EQ(parse("--count", "0x10").count, 16u);
    EXPECT_EQ(parse("--count", "18446744073709551615").count, 18446744073709551615u);
    EXPECT_EQ(parse("--width", "1e3").width, 1000u);
    EXPECT_EQ(parse("--seconds", "1e-3").seconds, 1e-3);
    EXPECT_EQ(parse("--bytes", "1e6").bytes, 1000000u);
    EXPECT_EQ(parse("--bytes", "2K").bytes, 2048u);
    auto const line = [](std::string const& problem) {
        return "invalid command line (" + problem + ") see lockstep greet --help";
    };
    EXPECT_EQ(error_of("--width", "1e10"), line("--width: 10000000000 is too large, the most is 4294967295"));
    EXPECT_EQ(error_of("--count", "1e300").find("invalid command line (--count: 1000000000"), 0u);
    for (std::string const wrong : {"1.5", "1e-1", "2.5e0", "x", "1e", "7x", "1_000", "nan", "0x"}) {
        EXPECT_EQ(error_of("--count", wrong), line("--count: " + wrong + " is not a whole number"));
        EXPECT_EQ(error_of("--width", wrong), line("--width: " + wrong + " is not a whole number"));
    }
    EXPECT_EQ(error_of("--count", "-1e3"), line("--count: -1e3 is negative"));
    for (std::string const wrong : {"x", "1,5", "1e"})
        EXPECT_EQ(error_of("--seconds", wrong), line("--seconds: " + wrong + " is not a number"));
    EXPECT_NE(error_of("--bytes", "1e30").find("is too large"), std::string::npos);
    EXPECT_EQ(error_of("--count", "1e401"), line("--count: 1e401 is too large, the most is 18446744073709551615"));
    EXPECT_EQ(error_of("--width", "2.5E+999"), line("--width: 2.5E+999 is too large, the most is 4294967295"));
    EXPECT_EQ(error_of("--count", "1e-401"), line("--count: 1e-401 is not a whole number"));
    // Options of `run`, and axes.
    EXPECT_EQ(parse_number("--seed", "1e3", 0, 5000), 1000u);
    Outcome const axis =
        run({"run", "toy", "--dry-run", "--machine", "cpu", "--variant", "right", "--factor", "1e1,7"});
    EXPECT_NE(axis.out.find("factor:10"), std::string::npos) << axis.out << axis.err;
    expect_mistake({"run", "toy", "--factor", "1.5e0"}, "invalid factor=1.5e0 (must be an integer)");
}

TEST(CliOptions, SizesHaveUnits) {
    auto const bytes_of = [](std::string const& value) -> std::string {
        std::uint64_t bytes = 0;
        CommandLine line("greet", "");
        line.add_size("--bytes", bytes, "");
        std::vector<char const*> const argv = {"greet", "--bytes", value.c_str()};
        try {
            line.parse(3, argv.data());
        } catch (bench::Error const& error) {
            return error.what();
        }
        return std::to_string(bytes);
    };
    EXPECT_EQ(bytes_of("0"), "0");
    EXPECT_EQ(bytes_of("7b"), "7");
    for (char const* const one : {"3k", "3K", "3kb", "3KiB", "3 Ki"})
        EXPECT_EQ(bytes_of(one), "3072") << one;
    EXPECT_EQ(bytes_of("2GB"), std::to_string(std::uint64_t{2} << 30));
    EXPECT_EQ(bytes_of("15E"), std::to_string(std::uint64_t{15} << 60));
    auto const line = [](std::string const& problem) {
        return "invalid command line (--bytes: " + problem + ") see lockstep greet --help";
    };
    for (std::string const wrong : {"abc", "GB", "1x", "10QB", "1.5GB", "2kk", "1 G B"})
        EXPECT_EQ(bytes_of(wrong), line(wrong + " is not a number of bytes, such as 1000000, 1e6 or 2GB"));
    for (std::string const large : {"16E", "99999999999GB", "1e401"})
        EXPECT_EQ(bytes_of(large), line(large + " is too large, the most is 18446744073709551615"));
    EXPECT_EQ(bytes_of("-3"), line("-3 is negative"));
}

TEST(CliOptions, AnEscapedCommaIsPartOfAValue) {
    EXPECT_EQ(split_list("--k", "71,70"), (std::vector<std::string>{"71", "70"}));
    EXPECT_EQ(split_list("--k", R"(half,71\,70)"), (std::vector<std::string>{"half", "71,70"}));
    EXPECT_EQ(split_list("--k", R"(a\b)"), (std::vector<std::string>{R"(a\b)"}));
    EXPECT_THROW(split_list("--k", R"(71\,70,)"), bench::Error);
}

}  // namespace
}  // namespace lockstep::cli
