// What tests/door does not reach: schemas that this program does not know, and the place of a misfit.

#include "harness/bench/json_schema.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/bench/results_schema.hpp"

namespace lockstep::bench {
namespace {

std::string verdict(std::string const& schema, std::string const& document) {
    auto const misfit =
        JsonSchema(Json::parse(R"({"$defs": {"node": {"items": {"$ref": "#/$defs/node"}, "maxItems": 2}},)" +
                               schema.substr(1)))
            .check(Json::parse(document));
    return misfit ? misfit->text() : "ok";
}

TEST(BenchJsonSchema, ThePlaceOfAMisfitIsNamed) {
    std::string const schema = R"({"properties": {"a": {"items": {"type": "integer", "minimum": 3, "maximum": 4}}},
        "required": ["a"]})";
    EXPECT_EQ(verdict(schema, R"({"a": [3, 4.0]})"), "ok");
    EXPECT_EQ(verdict(schema, R"({"a": [3, 4.5]})"), "a[1]: is not of type integer");
    EXPECT_EQ(verdict(schema, R"({"a": [2]})"), "a[0]: is not a number from 3 to 4");
    EXPECT_EQ(verdict(schema, R"({"b": []})"), "a: is missing");
    EXPECT_EQ(verdict(R"({"type": ["object", "null"], "description": "an object"})", "3"),
              "the document: is not an object");
    EXPECT_EQ(verdict(R"({"enum": ["x", null]})", "\"y\""), "the document: is not one of \"x\", null");
    EXPECT_EQ(verdict(R"({"additionalProperties": {"type": "null"}})", R"({")" + std::string(300, 'k') + R"(": 1})"),
              std::string(200, 'k') + "...: is not of type null");
}

TEST(BenchJsonSchema, ADefinitionMayContainItself) {
    std::string const schema = R"({"$ref": "#/$defs/node"})";
    EXPECT_EQ(verdict(schema, "[[[], [[]]]]"), "ok");
    EXPECT_EQ(verdict(schema, "[[[], [[], [], []]]]"), "[0][1]: has 3 entries");
}

TEST(BenchJsonSchema, UnknownKeywordsAreRefused) {
    EXPECT_THROW(verdict(R"({"multipleOf": 2})", "4"), std::logic_error);
    EXPECT_THROW(verdict(R"({"pattern": "a|b"})", "4"), std::logic_error);
}

TEST(BenchJsonSchema, TheEmbeddedSchemaIsThatOfResults) {
    EXPECT_FALSE(
        misfit_of_results(Json::parse(R"({"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": []})")));
    EXPECT_EQ(misfit_of_results(Json::parse(R"({"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": [3]})"))
                  ->text(),
              "cases[0]: is not an object: one variant on one machine at one tuple of axes");
}

}  // namespace
}  // namespace lockstep::bench
