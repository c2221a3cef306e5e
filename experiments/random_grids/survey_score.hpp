#pragma once
// How good the choice of `auto` is on a survey: the speed of the variant that it expects to be the fastest, relative to
// the fastest one. And what the fit of the expected times needs.

#include <string>
#include <vector>

#include "experiments/random_grids/survey.hpp"

namespace lockstep::random_grids {

struct Scored {
    Setting setting;
    std::string fastest;
    std::string first;        // of the choice, among the variants with a time
    double first_speed = 0;   // relative to the fastest
    double trials_speed = 0;  // the same for the fastest of the variants that `auto` times
};

// Throws bench::Error if a row has times only of variants that `auto` does not choose from.
std::vector<Scored> scores_of(Survey const& survey);

// A page of results/<device>/, in Markdown.
std::string score_page(Survey const& survey);

// CSV for fit_expected_time.py, with a line per setting and method that draws it: the time per board times the number
// of streams in picoseconds, the time relative to the fastest variant, and what a board takes (expected_time.hpp).
std::string amounts_table(Survey const& survey);

}  // namespace lockstep::random_grids
