#pragma once
// Measured limits for people and for results/<device>/limits.json.

#include <optional>
#include <string>
#include <vector>

#include "harness/bench/limits/expectations.hpp"
#include "harness/bench/limits/measure_limit.hpp"
#include "harness/bench/record.hpp"
#include "harness/bench/results_file.hpp"

namespace lockstep::limits {

// A measurement beside what it should come to.
struct LimitRow {
    LimitMeasurement measured;
    std::optional<Expectation> documented;
    std::optional<Expectation> before;
};

// "33.1 T FMA/s", "2.70 us": a value in the limit's unit, with three digits.
std::string value_text(Limit const& limit, double value);

// "FMA/s" or "s": the unit of a limit's value in the results.
std::string unit_of(Limit const& limit);

// The table's heading and one line of it. No colours, no more than 120 columns. A CPU has nothing to be compared with.
std::string table_heading(simt::Machine machine);
std::string table_line(LimitRow const& row);

// The row of the results, with experiment "limits".
bench::CaseRecord case_record(LimitRow const& row);

// The values that counted, by name; with the multiprocessors' clock under FMA as "clock", where it was measured.
bench::Limits counted_limits(std::vector<LimitRow> const& rows);

}  // namespace lockstep::limits
