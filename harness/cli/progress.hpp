#pragma once
// Progress of a run on a terminal: a bar with the remaining time, and texts of times and quantities.

#include <chrono>
#include <iosfwd>
#include <string>

#include "harness/bench/runner.hpp"

namespace lockstep::cli {

class Progress : public bench::RunObserver {
public:
    // Passes events on to `lines`, which prints them. If `bar` is true, draws a bar of at most `width` columns on
    // `terminal`, which the lines overwrite.
    Progress(bench::RunObserver& lines, std::ostream& terminal, bool bar, std::size_t width = 120);

    void begun(std::size_t cases) override;
    void compiling(std::size_t texts) override;
    void started(bench::PlannedCase const& planned) override;
    void finished(bench::CaseRecord const& record) override;

    // Removes the bar.
    void end();

private:
    void clear_bar();
    bench::RunObserver& lines_;
    std::ostream& terminal_;
    bool bar_;
    std::size_t width_;
    bool drawn_ = false;
    std::size_t total_ = 0;
    std::size_t done_ = 0;
    std::chrono::steady_clock::time_point start_;
};

// "12.3 us": three digits and a suitable unit.
std::string format_seconds(double seconds);

// "8.1 G": three digits and a decimal prefix.
std::string format_quantity(double value);

// "1:05", "2:00:10".
std::string format_duration(double seconds);

// "[##########..........]", `width` characters between the brackets.
std::string bar_text(std::size_t done, std::size_t total, std::size_t width);

}  // namespace lockstep::cli
