#include "harness/cli/progress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "harness/bench/one_line.hpp"
#include "harness/cli/terminal.hpp"

namespace lockstep::cli {

std::string format_seconds(double const seconds) {
    if (seconds < 1e-6)
        return fmt::format("{:.3g} ns", seconds * 1e9);
    if (seconds < 1e-3)
        return fmt::format("{:.3g} us", seconds * 1e6);
    if (seconds < 1)
        return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} s", seconds);
}

std::string format_quantity(double const value) {
    if (value >= 1e12)
        return fmt::format("{:.3g} T", value * 1e-12);
    if (value >= 1e9)
        return fmt::format("{:.3g} G", value * 1e-9);
    if (value >= 1e6)
        return fmt::format("{:.3g} M", value * 1e-6);
    if (value >= 1e3)
        return fmt::format("{:.3g} k", value * 1e-3);
    return fmt::format("{:.3g} ", value);
}

std::string format_duration(double const seconds) {
    auto const total = static_cast<long long>(std::lround(seconds));
    if (total >= 3600)
        return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
    return fmt::format("{}:{:02}", total / 60, total % 60);
}

std::string bar_text(std::size_t const done, std::size_t const total, std::size_t const width) {
    std::size_t const full = total == 0 ? width : width * done / total;
    return "[" + std::string(full, '#') + std::string(width - full, '.') + "]";
}

Progress::Progress(bench::RunObserver& lines, std::ostream& terminal, bool const bar, std::size_t const width)
    : lines_(lines), terminal_(terminal), bar_(bar), width_(width), start_(std::chrono::steady_clock::now()) {}

void Progress::begun(std::size_t const cases) {
    total_ = cases;
    start_ = std::chrono::steady_clock::now();
    lines_.begun(cases);
}

void Progress::compiling(std::size_t const texts) { lines_.compiling(texts); }

void Progress::started(bench::PlannedCase const& planned) {
    lines_.started(planned);
    if (done_ == 0)
        start_ = std::chrono::steady_clock::now();  // not when the code was compiled
    if (!bar_)
        return;
    clear_bar();
    double const elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    std::string left;
    if (done_ > 0) {
        double const each = elapsed / static_cast<double>(done_);
        left = ", " + format_duration(each * static_cast<double>(total_ - done_)) + " left";
    }
    std::string const text = fmt::format("{} {}/{}{}  {} on {}", bar_text(done_, total_, 20), done_, total_, left,
                                         planned.variant->name, simt::to_string(planned.variant->machine));
    terminal_ << cut(bench::one_line(text), width_ - 1) << std::flush;
    drawn_ = true;
}

void Progress::finished(bench::CaseRecord const& record) {
    clear_bar();
    ++done_;
    lines_.finished(record);
}

void Progress::end() { clear_bar(); }

void Progress::clear_bar() {
    if (!drawn_)
        return;
    terminal_ << "\r\033[K" << std::flush;
    drawn_ = false;
}

}  // namespace lockstep::cli
