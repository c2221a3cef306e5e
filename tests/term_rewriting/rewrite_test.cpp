// lockstep::rewrite(system, terms).

#include "common/term_rewriting/rewrite.hpp"

#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

constexpr char const* system_text =
    "(VAR x y)\n(RULES +(0, y) -> y\n +(s(x), y) -> s(+(x, y))\n eq(x, x) -> yes\n loop -> loop)\n";

TEST(Rewrite, IsOneCall) {
    std::vector<std::string> const terms = {"+(s(0), 0)", "eq(s(0), s(0))", "0"};
    for (std::string const engine : {"oracle", "one_core"}) {
        Rewritten const found = rewrite(system_text, terms, {engine, "cpu", {}});
        EXPECT_EQ(found.normal_forms, (std::vector<std::string>{"s(0)", "yes", "0"})) << engine;
        EXPECT_EQ(found.rewrites, 3u);
        EXPECT_EQ(found.comparisons, 2u);
        EXPECT_EQ(found.engine, engine);
    }
    EXPECT_EQ(rewrite("sort T = a(); input a();", {}, {"oracle", "cpu", {}}).normal_forms.size(), 1u);
}

TEST(Rewrite, MistakesAndLimitsAreErrors) {
    auto const error = [](std::vector<std::string> const& terms, RewriteOptions options) {
        try {
            options.engine = "oracle";
            rewrite(system_text, terms, options);
        } catch (bench::Error const& thrown) {
            return std::string(thrown.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(error({"0", "s(t)"}, {}).rfind("term 2:1:3: unknown symbol t", 0), 0u);
    EXPECT_EQ(error({}, {}).rfind("no term to rewrite", 0), 0u);
    RewriteOptions few;
    few.limits.rewrites = 7;
    EXPECT_EQ(error({"loop"}, few).rfind("not finished after 7 rewrites", 0), 0u);
    EXPECT_EQ(error({"loop"}, {"", "cuda", {}}).rfind("engine oracle does not rewrite on machine cuda", 0), 0u);
}

TEST(Rewrite, AnUnknownEngineNamesEachEngineOnce) {
    std::vector<std::string> const terms = {"0"};
    try {
        rewrite(system_text, terms, {"turbo", "cpu", {}});
        FAIL() << "turbo was accepted";
    } catch (bench::Error const& error) {
        std::string const text = error.what();
        EXPECT_EQ(text.find(" fast,"), text.rfind(" fast,")) << text;
        EXPECT_NE(text.find(" fast,"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
