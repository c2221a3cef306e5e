#pragma once
// A survey: the times of variants on random boards. The constants of common/random_grids/expected_time.cpp are
// fitted to one (fit_expected_time.py), and its score says how good the choice is at parameters that no sweep has.
//
// A table of a survey is CSV. Lines that begin with # say where it comes from. A column per axis, then one per variant:
// the time of the case in microseconds, empty where the variant has none. Colours are joined by +.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"
#include "harness/bench/axes.hpp"

namespace lockstep::random_grids {

struct Setting {
    std::string grid;
    std::string occupied;
    std::string engine;
    std::uint64_t streams = 0;
    unsigned length = 0;  // boards per stream

    // The axes of a case that stores its boards.
    bench::Axes axes() const;
    Workload workload() const { return read_workload(axes()); }
};

struct SurveyRow {
    Setting setting;
    std::map<std::string, double> microseconds;  // by variant
};

struct Survey {
    std::vector<std::string> source;  // lines without the leading #
    std::vector<std::string> variants;
    std::vector<SurveyRow> rows;
};

// Throws bench::Error, which names the line, if the text is not a survey's table. `name` is that of the text.
Survey read_survey(std::string const& text, std::string const& name);
std::string header_line(std::vector<std::string> const& variants);
std::string row_line(SurveyRow const& row, std::vector<std::string> const& variants);

// Random boards of 65 to 16 384 sites, with any k or two colours, and numbers of streams from 300 to 300 000. The same
// seed gives the same settings with the same standard library.
class RandomSettings {
public:
    explicit RandomSettings(std::uint64_t seed) : random_(seed) {}
    // One board with six numbers of streams.
    std::vector<Setting> next();

private:
    double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random_); }
    bool happens(double probability) { return uniform(0, 1) < probability; }
    template <class List>
    auto one_of(List const& list) {
        return list[std::uniform_int_distribution<std::size_t>(0, std::size(list) - 1)(random_)];
    }
    Shape shape();
    std::string occupied(unsigned sites);

    std::mt19937_64 random_;
};

}  // namespace lockstep::random_grids
