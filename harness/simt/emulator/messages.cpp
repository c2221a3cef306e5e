// What a block says when a launch stops: the problem, and which lane is where.

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

namespace lockstep::simt::emulator {

std::string Block::place(Lane const& lane) const {
    auto const triple = [](Index const& i) {
        return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
    };
    return "block " + triple(index_) + ", warp " + std::to_string(lane.number / 32) + ", lane " +
           std::to_string(lane.number % 32);
}

std::string Block::location(Lane const& lane) const { return location(lane, lane.site); }

std::string Block::location(Lane const& lane, std::source_location site) const {
    std::string text = "in kernel '" + std::string(launch_.name) + "', " + place(lane);
    if (site.line() != 0) {
        text += ", at " + std::string(site.file_name()) + ":" + std::to_string(site.line());
    }
    return text;
}

void Block::refuse(Lane const& lane, std::string const& what, std::source_location site) {
    launch_.stop(what + " " + location(lane, site));
    throw Abandoned{};
}

void Block::report_no_progress() {
    std::string text = "no lane can proceed (each waits for another)";
    unsigned shown = 0;
    for (Lane const& lane : lanes()) {
        if (lane.exited() || shown == 4) {
            continue;
        }
        text += (shown++ == 0 ? " " : "; and ") + location(lane);
        bool const at_barrier = (lane.warp->at_barrier & lane.bit()) != 0;
        text += at_barrier ? " at the block's barrier" : " at a warp collective";
    }
    launch_.stop(text);
}

void Block::report_endless_sleep() {
    constexpr unsigned rounds_per_look = 64;  // at the clock
    if (sleeping_rounds_++ % rounds_per_look != 0) {
        return;
    }
    auto const now = std::chrono::steady_clock::now();
    if (sleeping_rounds_ == 1) {
        sleeping_since_ = now;
    }
    if (std::chrono::duration<double>(now - sleeping_since_).count() < options_.spin_limit_seconds) {
        return;
    }
    for (Lane const& lane : lanes()) {
        if (!lane.exited()) {
            launch_.stop("no lane can proceed (all runnable lanes only sleep in polling loops) " + location(lane));
            return;
        }
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
