#pragma once
// Output of measured limits: a table for the terminal and rows for results/<device>/limits.json.

#include <optional>
#include <string>
#include <vector>

#include "harness/bench/limits/expectations.hpp"
#include "harness/bench/limits/measure_limit.hpp"
#include "harness/bench/record.hpp"
#include "harness/bench/results_file.hpp"

namespace lockstep::limits {

// A measurement and its expected values.
struct LimitRow {
    LimitMeasurement measured;
    std::optional<Expectation> documented;
    std::optional<Expectation> before;
};

// Returns a value in the limit's unit, with four significant digits: "33.10 T FMA/s", "2.700 us".
std::string value_text(Limit const& limit, double value);

// Returns the unit of a limit's value in the results, such as "FMA/s" or "s".
std::string unit_of(Limit const& limit);

// The table's heading and one line of the table: no colours, at most 120 columns. CPU limits have no expected values.
std::string table_heading(simt::Machine machine);
std::string table_line(LimitRow const& row);

// The row for the results, with experiment "limits".
bench::CaseRecord case_record(LimitRow const& row);

// Returns the values of valid limits by name. If the multiprocessors' clock was measured during `fma`, includes it as
// "clock".
bench::Limits counted_limits(std::vector<LimitRow> const& rows);

}  // namespace lockstep::limits
