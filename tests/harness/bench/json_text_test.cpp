// Limits of the JSON that is read, and the one line that names what does not parse.

#include "harness/bench/json_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/results_document.hpp"
#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::bench {
namespace {

std::string json_rejection(std::string const& text) {
    try {
        parse_json(text, "f.json");
    } catch (Error const& error) {
        return error.what();
    }
    return "no error";
}

std::string nested(std::size_t const depth, char const* const open, char const* const inner, char const* const close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i)
        text += open;
    text += inner;
    for (std::size_t i = 0; i < depth; ++i)
        text += close;
    return text;
}

TEST(BenchJsonText, NestingHasALimit) {
    EXPECT_EQ(json_rejection(nested(max_json_depth, "[", "1", "]")), "no error");
    EXPECT_EQ(json_rejection(nested(max_json_depth, "{\"a\":", "1", "}")), "no error");
    std::string const why = " does not parse (more than 64 brackets inside each other) correct the file";
    EXPECT_EQ(json_rejection(nested(max_json_depth + 1, "[", "1", "]")), "f.json:1:65" + why);
    EXPECT_EQ(json_rejection(nested(max_json_depth + 1, "{\"a\":", "1", "}")), "f.json:1:321" + why);
    EXPECT_EQ(json_rejection(nested(max_json_depth / 2, "[{\"a\":", "[[]]", "}]")), "f.json:1:193" + why);
    EXPECT_EQ(json_rejection(nested(1000000, "[\n", "", "]")), "f.json:65:1" + why);
    EXPECT_EQ(json_rejection(std::string(1000000, '[')), "f.json:1:65" + why) << "brackets that nothing closes";
}

TEST(BenchJsonText, OnlyOpenBracketsOutsideStringsCount) {
    std::string const wide = "[" + nested(1000, "[],", "", "") + "1]";
    EXPECT_EQ(json_rejection(wide), "no error");
    std::string const brackets(1000, '[');
    EXPECT_EQ(json_rejection("\"" + brackets + "\""), "no error");
    EXPECT_EQ(json_rejection("[\"\\\"" + brackets + "\"]"), "no error") << "an escaped quote ends no string";
    EXPECT_EQ(json_rejection("[\"\\\\\"," + nested(64, "[", "", "]") + "]").rfind("f.json:1:70 ", 0), 0u)
        << "a quote after an escaped backslash does";
    EXPECT_EQ(parse_json("[\"\\\"[\"]", "")[0].get<std::string>(), "\"[");
    EXPECT_EQ(json_rejection("]]" + nested(64, "[", "", "]")).rfind("f.json:1:1 does not parse (", 0), 0u);
}

TEST(BenchJsonText, AMessageIsOneLineOfPrintableCharacters) {
    std::string const name(1000000, 'x');
    for (std::string const& text :
         std::vector<std::string>{"", "{", "nul", "[1,]", "[1 2]", "\"a\nb\"", "[\"\xff\xfe\"]", std::string("[\0]", 3),
                                  "\x1b[31m", "[1e999]", "[-1e999]", "\"\\ud800\"", "\xef\xbb", "[\n\n\n" + name + "]",
                                  "[\"" + name + "\n\"]", "\"" + name}) {
        std::string const message = json_rejection(text);
        EXPECT_TRUE(message.starts_with("f.json")) << message;
        EXPECT_TRUE(message.ends_with(" correct the file")) << message;
        EXPECT_TRUE(std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; }))
            << message;
        EXPECT_LT(message.size(), 300u);
    }
    EXPECT_EQ(json_rejection("[1e999]"), "f.json does not parse (number overflow parsing '1e999') correct the file");
    EXPECT_TRUE(json_rejection("{\n  \"a\": ,\n}").starts_with("f.json:2:8 does not parse ("))
        << json_rejection("{\n  \"a\": ,\n}");
}

TEST(BenchJsonText, KeysKeepTheirOrderAndTheLastOfTwoEqualOnesCounts) {
    std::string text = "{";
    for (int i = 0; i < 40; ++i)
        text += "\"k" + std::to_string(i) + "\": [" + std::to_string(i) + "], ";
    Json const json = parse_json(text + R"("k3": {"a": 1, "a": 2}, "k30": true, "": -7})", "f.json");
    ASSERT_EQ(json.size(), 41u);
    int place = 0;
    for (auto const& [key, value] : json.items()) {
        EXPECT_EQ(key, place == 40 ? "" : "k" + std::to_string(place));
        ++place;
    }
    EXPECT_EQ(json["k3"], Json::parse(R"({"a": 2})"));
    EXPECT_EQ(json["k30"], true);
    EXPECT_EQ(json["k39"], Json::parse("[39]"));
    EXPECT_EQ(json[""], -7);
}

// The library's parser compares each key with all former ones of its object: half an hour for this text.
TEST(BenchJsonText, ManyKeysTakeLinearTime) {
    std::string text = "{";
    for (int i = 0; i < 400000; ++i)
        text += "\"" + std::to_string(i) + "\": 0, ";
    EXPECT_EQ(parse_json(text + "\"end\": 0}", "f.json").size(), 400001u);
}

// Copying and writing values within the limit needs little stack.
TEST(BenchJsonText, AResultsFileIsReadWithTheLimit) {
    tests::TemporaryFolder const folder;
    auto const path = folder.path() / "toy.json";
    auto const text = [](std::size_t depth) {
        return R"({"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": [{"name": "a", "experiment": "toy",
            "variant": "right", "role": "ours", "machine": "cpu", "status": "ok", "axes": {}, "metrics": {},
            "measurements": {}, "note_of_mine": )" +
               nested(depth, "[", "", "]") + "}]}";
    };
    write_file_atomically(path, text(61));
    ResultsDocument const document = parse_results(path);
    ASSERT_EQ(document.entries.size(), 1u);
    EXPECT_NE(text_of(document).find(nested(61, "[", "", "]")), std::string::npos);
    for (std::size_t const depth : {62u, 1000000u}) {
        write_file_atomically(path, text(depth));
        try {
            parse_results(path);
            ADD_FAILURE() << "read at depth " << depth;
        } catch (Error const& error) {
            EXPECT_NE(std::string(error.what()).find("toy.json:3:110 does not parse (more than 64 brackets"),
                      std::string::npos)
                << error.what();
            EXPECT_TRUE(std::string(error.what()).ends_with(results_advice)) << error.what();
        }
    }
}

}  // namespace
}  // namespace lockstep::bench
