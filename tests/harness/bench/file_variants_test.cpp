// Variants are named after their files.

#include "harness/bench/file_variants.hpp"

#include <gtest/gtest.h>

#include "harness/bench/error.hpp"

namespace lockstep::bench {
namespace {

void add_named(Experiment& experiment, std::string const& name) {
    Variant variant;
    variant.name = name;
    experiment.variants.push_back(variant);
}

// The check does not apply to variants that other files have added.
TEST(BenchFileVariants, AcceptsTheStemAndTheStemWithASuffix) {
    Experiment experiment;
    add_named(experiment, "probe");
    add_variants_of_file(experiment, "list", [](Experiment& into) {
        add_named(into, "list");
        add_named(into, "list_sorted");
    });
    ASSERT_EQ(experiment.variants.size(), 3u);
    EXPECT_EQ(experiment.variants[1].name, "list");
    EXPECT_EQ(experiment.variants[2].name, "list_sorted");
}

TEST(BenchFileVariants, AcceptsAFileWithoutVariants) {
    Experiment experiment;
    add_variants_of_file(experiment, "list", [](Experiment& into) { into.references.push_back({"list", nullptr}); });
    EXPECT_TRUE(experiment.variants.empty());
}

TEST(BenchFileVariants, RejectsAVariantWithAnotherName) {
    for (std::string const& other : {std::string("probe"), std::string("lists"), std::string("lis")}) {
        static std::string name;
        name = other;
        Experiment experiment;
        experiment.name = "grids";
        try {
            add_variants_of_file(experiment, "list", [](Experiment& into) {
                add_named(into, "list");
                add_named(into, name);
            });
            FAIL() << other << " was accepted";
        } catch (Error const& error) {
            EXPECT_EQ(std::string(error.what()),
                      "variant " + other +
                          " of grids is in the file list (a variant is named after its file) Name it list or "
                          "list_SUFFIX, or move it to a file with its name.");
        }
    }
}

}  // namespace
}  // namespace lockstep::bench
