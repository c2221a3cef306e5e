#pragma once
// The table of a run: a row per case as soon as it is measured, then the problems and the fastest case of each setting.

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "harness/bench/runner.hpp"
#include "harness/cli/comparison.hpp"
#include "harness/cli/table_layout.hpp"
#include "harness/cli/terminal.hpp"

namespace lockstep::cli {

class RunTable : public bench::RunObserver {
public:
    // `cases` and `comparison` outlive the table. Records are added to the comparison.
    RunTable(std::vector<bench::PlannedCase> const& cases, Comparison& comparison, std::ostream& out,
             Terminal const& terminal);

    void begun(std::size_t cases) override;
    void compiling(std::size_t texts) override;
    void finished(bench::CaseRecord const& record) override;

    // What the marks mean, what was not measured and why, the fastest case of each setting, and the number of cases by
    // status.
    void end(std::vector<bench::RefusedSetting> const& refused, std::size_t left_out);

private:
    void begin_experiment(std::string const& experiment);
    std::vector<std::string> values_of(TableLayout const& layout, bench::CaseRecord const& record) const;
    std::string front_of(TableLayout const& layout, bench::CaseRecord const& record) const;
    std::string measured(TableLayout const& layout, bench::CaseRecord const& record);
    void print_heads(TableLayout const& layout);
    void print_problems(std::vector<bench::RefusedSetting> const& refused);
    void print_ranking();
    void print_counts(std::size_t left_out, std::size_t refused);
    std::string label_of(bench::CaseRecord const& record) const;

    Comparison& comparison_;
    std::ostream& out_;
    Terminal terminal_;
    std::map<std::string, TableLayout> layouts_;
    std::string experiment_;  // of the last row
    std::string heading_;     // of the last row, where settings are no columns
    std::size_t total_ = 0;
    std::size_t done_ = 0;
    bool has_extrapolated_ = false;
    bool has_sample_ = false;
};

}  // namespace lockstep::cli
