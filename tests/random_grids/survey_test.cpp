// The survey of random boards: its table, its random settings, and the score of the choice.

#include "experiments/random_grids/survey.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "common/random_grids/choice.hpp"
#include "experiments/random_grids/survey_score.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::random_grids {
namespace {

Survey survey_of(std::string const& text) { return read_survey(text, "FILE"); }

std::string refusal_of(std::string const& text) {
    try {
        survey_of(text);
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "";
}

std::string const head = "grid,occupied,engine,streams,length,pooled,tree\n";

TEST(Survey, ReadsATable) {
    Survey const survey =
        survey_of("# a device\n" + head + "33x33,7,xorwow,300,16,2.5,\n15x15,71+70,philox7,5,4,,1e3\n");
    EXPECT_EQ(survey.source, std::vector<std::string>{"a device"});
    EXPECT_EQ(survey.variants, (std::vector<std::string>{"pooled", "tree"}));
    ASSERT_EQ(survey.rows.size(), 2u);
    EXPECT_EQ(survey.rows[0].microseconds, (std::map<std::string, double>{{"pooled", 2.5}}));
    EXPECT_EQ(survey.rows[1].microseconds, (std::map<std::string, double>{{"tree", 1000}}));
    EXPECT_EQ(survey.rows[1].setting.workload().occupied, (std::vector<unsigned>{141, 70}));
    EXPECT_EQ(survey.rows[1].setting.streams, 5u);
    EXPECT_EQ(row_line(survey.rows[1], survey.variants), "15x15,71+70,philox7,5,4,,1000");
    EXPECT_EQ(header_line(survey.variants) + "\n", head);
}

TEST(Survey, NamesTheLineThatIsNoRow) {
    EXPECT_NE(refusal_of("grid,occupied\n").find("FILE (line 1: the columns"), std::string::npos);
    EXPECT_NE(refusal_of("grid,occupied,engine,streams,lengths,tree\n").find("line 1: the columns"), std::string::npos);
    EXPECT_NE(refusal_of("grid,occupied,engine,streams,length,tree,tree\n").find("two columns"), std::string::npos);
    EXPECT_NE(refusal_of("#\n" + head).find("line 2: the table has no rows"), std::string::npos);
    EXPECT_NE(refusal_of("").find("no rows"), std::string::npos);
    EXPECT_NE(refusal_of(head + "33x33,7,xorwow,300,16,2.5\n").find("line 2: 6 cells, not 7"), std::string::npos);
    for (std::string const cell : {"0", "-1", "nan", "inf", "fast", "1e999", "1 "}) {
        std::string const refusal = refusal_of(head + "33x33,7,xorwow,300,16,2.5," + cell + "\n");
        EXPECT_NE(refusal.find("line 2: '" + cell), std::string::npos) << refusal;
    }
    EXPECT_NE(refusal_of(head + "33x33,7,xorwow,300,16,,\n").find("no variant has a time"), std::string::npos);
    EXPECT_NE(refusal_of(head + "0x33,7,xorwow,300,16,1,\n").find("line 2: "), std::string::npos);
    EXPECT_NE(refusal_of(head + "2x2,7,xorwow,300,16,1,\n").find("line 2: "), std::string::npos);
}

TEST(Survey, SettingsAreRandomValidAndRepeatable) {
    RandomSettings some(1), same(1), others(2);
    unsigned different = 0;
    for (int i = 0; i < 300; ++i) {
        std::vector<Setting> const settings = some.next(), repeated = same.next();
        ASSERT_EQ(settings.size(), 6u);
        different += settings[0].axes() != others.next()[0].axes();
        for (std::size_t j = 0; j < settings.size(); ++j) {
            EXPECT_EQ(settings[j].axes(), repeated[j].axes());
            Workload const workload = settings[j].workload();  // throws for values that no variant takes
            EXPECT_GE(workload.shape.sites(), 65u);
            EXPECT_LE(workload.shape.sites(), max_sites);
            EXPECT_GE(workload.length, 4u);
            double const bytes =
                4.0 * static_cast<double>(settings[j].streams) * workload.length * workload.shape.words();
            EXPECT_TRUE(workload.length == 4 || bytes <= 1.5e9) << settings[j].grid << " " << bytes;
        }
    }
    EXPECT_GT(different, 290u);
}

// Two variants: the one that is expected to be the fastest takes 4 us in one row and 2 in the other, the second one 3.
TEST(Survey, ScoresTheFirstChoiceAndTheTrials) {
    Setting const setting{"33x33", "7", "xorwow", 300'000, 16};
    std::vector<std::string> const expected = fastest_variants(setting.workload(), setting.streams);
    auto const draws = [](std::string const& name) { return name != "unranked" && name != "word"; };
    auto const first = std::find_if(expected.begin(), expected.end(), draws);
    std::string const second = *(first + 1);
    ASSERT_NE(*first, second);
    Survey const survey{
        {}, {*first, second}, {{setting, {{*first, 4}, {second, 3}}}, {setting, {{*first, 2}, {second, 3}}}}};

    std::vector<Scored> const scores = scores_of(survey);
    ASSERT_EQ(scores.size(), 2u);
    EXPECT_EQ(scores[0].first, *first);
    EXPECT_EQ(scores[0].fastest, second);
    EXPECT_EQ(scores[0].first_speed, 0.75);
    EXPECT_EQ(scores[0].trials_speed, 1);
    EXPECT_EQ(scores[1].fastest, *first);
    EXPECT_EQ(scores[1].first_speed, 1);
    std::string const page = score_page(survey);
    EXPECT_NE(page.find("| all | 2 | 50.0% | 50.0% | 100.0% | 0.75 |"), std::string::npos) << page;
    EXPECT_NE(page.find("| `" + second + "` | 1 | 0 | 0 |"), std::string::npos) << page;
    EXPECT_EQ(page.find("| mixed k |"), std::string::npos) << "a group without settings";
}

// The fastest variant is the seventh choice, and `auto` tries six.
TEST(Survey, TrialsEndAfterTheirNumber) {
    Setting const setting{"33x33", "7", "xorwow", 1000, 16};
    SurveyRow row{setting, {}};
    std::vector<std::string> names;
    for (std::string const& name : fastest_variants(setting.workload(), setting.streams)) {
        if (!row.microseconds.contains(name)) {
            names.push_back(name);
            row.microseconds[name] = 8;
        }
    }
    ASSERT_GT(names.size(), trial_count);
    row.microseconds[names[trial_count]] = 2;
    row.microseconds[names[trial_count - 1]] = 4;
    Scored const scored = scores_of({{}, names, {row}}).at(0);
    EXPECT_EQ(scored.first_speed, 0.25);
    EXPECT_EQ(scored.trials_speed, 0.5);
}

TEST(Survey, TimesOfUnknownVariantsAreRefused) {
    Survey const survey = survey_of("grid,occupied,engine,streams,length,magic\n33x33,7,xorwow,300,16,1\n");
    EXPECT_THROW(scores_of(survey), bench::Error);
}

// 33 x 33 sites have 66 words per board; a warp that halves draws the words of a row in some number of steps.
TEST(Survey, AmountsAreThoseOfTheMethodsWithATime) {
    Survey const survey =
        survey_of("grid,occupied,engine,streams,length,warpwise_folded,tree\n33x33,mixed,xorwow,300,16,32,8\n");
    std::istringstream lines(amounts_table(survey));
    std::string head_of_table, tree, folded, more;
    std::getline(lines, head_of_table);
    std::getline(lines, tree);
    std::getline(lines, folded);
    EXPECT_FALSE(std::getline(lines, more)) << more;
    EXPECT_TRUE(head_of_table.starts_with("grid,occupied,engine,streams,method,picoseconds,relative,special,a0,"));
    // 8 us are 8e6 ps for 16 boards in each stream. A board, and its 66 words, which are cut from packed sites.
    EXPECT_TRUE(tree.starts_with("33x33,\"mixed\",xorwow,300,tree,500000,1.0000,0,1,")) << tree;
    EXPECT_NE(tree.find(",66,"), std::string::npos) << tree;
    EXPECT_TRUE(folded.starts_with("33x33,\"mixed\",xorwow,300,warpwise_folded,2e+06,4.0000,0,1,")) << folded;
}

// A page that does not follow from its table, or from the choice, fails here. To write it anew:
// random_grids_survey score STEM.csv > STEM.md
TEST(Survey, ThePageIsWhatTheTimesGive) {
    for (std::string const stem :
         {"results/nvidia-h200/random_grids.survey", "results/nvidia-h200/random_grids.survey_held_out"}) {
        SCOPED_TRACE(stem);
        std::string const times = bench::read_file(stem + ".csv");
        EXPECT_EQ(score_page(read_survey(times, stem + ".csv")), bench::read_file(stem + ".md"));
    }
}

}  // namespace
}  // namespace lockstep::random_grids
