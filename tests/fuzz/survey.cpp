// Tables of times on random boards (`random_grids_survey score`).

#include "experiments/random_grids/survey.hpp"

#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

namespace {

std::string printed(random_grids::Survey const& survey) {
    std::string text = random_grids::header_line(survey.variants) + "\n";
    for (random_grids::SurveyRow const& row : survey.rows)
        text += random_grids::row_line(row, survey.variants) + "\n";
    return text;
}

}  // namespace

void survey(std::string const& input) {
    accepts([&] {
        std::string const text = printed(random_grids::read_survey(input, "input"));
        require(printed(random_grids::read_survey(text, "printed")) == text, "a printed table is read as it is");
    });
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(survey)
