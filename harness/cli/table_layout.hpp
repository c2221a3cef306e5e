#pragma once
// The columns of a run's table.

#include <string>
#include <vector>

#include "harness/bench/plan.hpp"
#include "harness/cli/comparison.hpp"

namespace lockstep::cli {

constexpr std::size_t time_width = 8, noise_width = 6, rate_width = 7, share_width = 6, speed_width = 7;

// The cells that tell the cases of one experiment apart.
struct TableLayout {
    struct Column {
        std::string head;  // the name of an axis, or "cache"
        std::size_t width = 0;
    };
    std::vector<Column> settings;  // the axes that vary
    std::string constant;          // those that do not, where they differ from their defaults
    std::size_t cases = 0;
    std::size_t variant_width = 7;
    std::size_t machine_width = 7;
    std::string item;        // of the rate
    bool has_speed = false;  // there is a baseline
    bool has_share = false;  // the bandwidth of the device is known
    bool is_headed = false;  // the settings do not fit into columns: a line above the rows names them
    std::string baseline;    // "list on cpu, list on cuda"
};

// For the cases of one experiment, in lines of `width` columns.
TableLayout layout_of(std::vector<bench::PlannedCase const*> const& cases, Comparison const& comparison,
                      std::size_t width);

// The width of the columns before those of what is measured.
std::size_t columns_width(TableLayout const& layout);

// The value in the column of an axis, or in that of the cache.
std::string const& value_of(std::string const& column, bench::Axes const& axes, std::string const& cache);

}  // namespace lockstep::cli
