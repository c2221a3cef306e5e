// What a block says when a launch stops: the problem, and which lane is where.

#include <algorithm>
#include <string>
#include <vector>

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

namespace lockstep::simt::emulator {

namespace {

// Appends to the text of a PlaceText. Under ThreadSanitizer every lane gets its name, and templates of the standard
// library may be linked from a file that is instrumented, so this uses none.
class PlaceWriter {
public:
    explicit PlaceWriter(char* at) : at_(at) { *at_ = '\0'; }
    PlaceWriter& operator<<(char const* text) {
        while (*text != '\0') {
            *at_++ = *text++;
        }
        *at_ = '\0';
        return *this;
    }
    PlaceWriter& operator<<(unsigned number) {
        char* end = at_ + 1;
        for (unsigned rest = number / 10; rest != 0; rest /= 10) {
            ++end;
        }
        at_ = end;
        *at_ = '\0';
        do {
            *--end = static_cast<char>('0' + number % 10);
            number /= 10;
        } while (number != 0);
        return *this;
    }

private:
    char* at_;
};

}  // namespace

Block::PlaceText Block::place(Lane const& lane) const {
    PlaceText text;
    PlaceWriter(text.data) << "block (" << index_.x << "," << index_.y << "," << index_.z << "), warp "
                           << lane.number / 32 << ", lane " << lane.number % 32;
    return text;
}

std::string Block::location(Lane const& lane) const {
    std::string const latest =
        lane.site.line() == 0 && observer != nullptr ? observer->latest_place_of(lane) : std::string();
    return location(lane, lane.site) + (latest.empty() ? "" : ", at " + latest);
}

std::string Block::location(Lane const& lane, std::source_location site) const {
    return location(lane, site.file_name(), site.line());
}

std::string Block::location(Lane const& lane, char const* file, unsigned line) const {
    std::string text = "in kernel '" + std::string(launch_.name) + "', " + place(lane).data;
    if (line != 0) {
        text += ", at " + std::string(file) + ":" + std::to_string(line);
    }
    return text;
}

void Block::refuse(Lane const& lane, std::string const& what, std::source_location site) {
    refuse(lane, what, site.file_name(), site.line());
}

void Block::refuse(Lane const& lane, std::string const& what, char const* file, unsigned line) {
    launch_.stop(what + " " + location(lane, file, line));
    throw Abandoned{};
}

void Block::report_no_progress(char const* why) {
    std::string text = std::string("no lane can proceed (") + why + ")";
    // Lanes that wait in the same way are named once, up to four ways.
    std::vector<std::string> ways;
    for (Lane const& lane : lanes()) {
        if (lane.exited() || ways.size() == 4) {
            continue;
        }
        std::string const way = (lane.warp->at_barrier & lane.bit()) != 0      ? " at the block's barrier"
                                : (lane.warp->at_collective & lane.bit()) != 0 ? " at a warp collective"
                                                                               : "";
        // Lanes at a collective may wait for each other with different masks.
        unsigned const mask = (lane.warp->at_collective & lane.bit()) != 0 ? lane.mask : 0;
        std::string const key = way + std::to_string(lane.site.line()) + ":" + std::to_string(mask);
        if (std::find(ways.begin(), ways.end(), key) != ways.end()) {
            continue;
        }
        text += (ways.empty() ? " " : "; and ") + location(lane) + way;
        ways.push_back(key);
    }
    launch_.stop(text);
}

bool Block::Rounds::go_on_for(double seconds) {
    constexpr unsigned rounds_per_look = 64;  // at the clock
    if (count_++ % rounds_per_look != 0) {
        return false;
    }
    auto const now = std::chrono::steady_clock::now();
    if (count_ == 1) {
        since_ = now;
    }
    return std::chrono::duration<double>(now - since_).count() >= seconds;
}

void Block::report_endless_sleep() {
    if (sleeping_.go_on_for(options_.spin_limit_seconds)) {
        report_no_progress(
            "all runnable lanes only wait in polling loops, or at the barrier of a grid that not all blocks reach");
    }
}

// Lanes that compute and only ask now and then whether they may stop look the same, so the limit is that of a turn.
// With access checks, a lane's stores count as changes, and lanes that go round often and store nothing do not compute.
void Block::report_idle_lanes() {
    constexpr unsigned rounds_of_a_loop = 10'000;
    std::uint64_t const changes = launch_.changes.load(std::memory_order_relaxed);
    if (changes != changes_) {
        changes_ = changes;
        idling_.reset();
    }
    bool const sees_stores = observer != nullptr && idling_.count() >= rounds_of_a_loop;
    double const limit = sees_stores ? options_.spin_limit_seconds : options_.turn_limit_seconds;
    if (idling_.go_on_for(limit)) {
        report_no_progress("all runnable lanes repeat atomics or reads of volatile values, and nothing changes");
    }
}

void Launch::stop(std::string const& message) {
    std::lock_guard const lock(mutex);
    if (!stopped.load()) {
        error = message;
    }
    stopped.store(true);
    sanitizers::release(&ended);  // the host reads the message
}

}  // namespace lockstep::simt::emulator
