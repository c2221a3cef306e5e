#include "experiments/replications/replicate_progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "harness/cli/progress.hpp"
#include "harness/ranks/ranks.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::replications {

namespace {

constexpr double long_job = 2e9;                            // items: more than a second, even on a GPU
constexpr std::uint64_t parts = 20;                         // of a long job
constexpr std::uint64_t min_part = std::uint64_t{1} << 14;  // replications that occupy a GPU

}  // namespace

ReplicateProgress::ReplicateProgress(std::uint64_t total, bool by_precision)
    : draws_(ranks::is_root() && ::isatty(STDERR_FILENO) == 1),
      by_precision_(by_precision),
      total_(total),
      start_(std::chrono::steady_clock::now()) {}

ReplicateProgress::~ReplicateProgress() {
    if (draws_)
        std::fputs("\r\033[K", stderr);
}

void ReplicateProgress::show(std::uint64_t done) {
    if (!draws_)
        return;
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    std::fprintf(stderr, "\r\033[K%s", progress_text(done, total_, seconds, by_precision_).c_str());
    std::fflush(stderr);
}

std::uint64_t ReplicateProgress::part_of(std::uint64_t replications, double items) const {
    // All ranks divide a job alike, and only the root knows whether somebody watches.
    if (ranks::count() > 1 || !draws_ || items < long_job)
        return replications;
    return std::max(min_part, simt::round_up(replications / parts, std::uint64_t{2}));
}

std::string progress_text(std::uint64_t done, std::uint64_t total, double seconds, bool by_precision) {
    std::string text = cli::bar_text(done, total, 20) + " " + std::to_string(done) + " of " +
                       (by_precision ? "at most " : "") + std::to_string(total) + " replications";
    if (done != 0 && !by_precision)
        text += ", " + cli::format_duration(seconds * static_cast<double>(total - done) / static_cast<double>(done)) +
                " left";
    return text;
}

}  // namespace lockstep::replications
