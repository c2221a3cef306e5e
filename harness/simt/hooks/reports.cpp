#include <algorithm>
#include <utility>

#include "harness/simt/hooks/checker.hpp"

namespace lockstep::simt::hooks {
namespace {

std::string triple(emulator::Index const& index) {
    return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + ")";
}

emulator::Index index_in(Dim3 const& shape, std::uint64_t rank) {
    return {static_cast<unsigned>(rank % shape.x), static_cast<unsigned>(rank / shape.x % shape.y),
            static_cast<unsigned>(rank / shape.x / shape.y)};
}

}  // namespace

std::string text_of(LanePlace const& place) {
    std::string text = "block " + triple(place.block) + ", thread " + triple(place.thread) + ", warp " +
                       std::to_string(place.warp) + ", lane " + std::to_string(place.lane);
    if (place.at.line != 0) {
        text += ", at " + place.at.file + ":" + std::to_string(place.at.line);
    } else if (!place.at.function.empty()) {
        text += ", in " + place.at.function;
    }
    return text;
}

std::string Report::text() const {
    if (kernel.empty()) {
        return what + (where.at.line == 0 ? "" : ", at " + where.at.file + ":" + std::to_string(where.at.line));
    }
    return what + " in kernel '" + kernel + "', " + text_of(where);
}

LanePlace Checker::other_place(Record const& record) const {
    auto const lane = static_cast<unsigned>(record.lane);
    return {index_in(launch_->shape.grid, record.block), index_in(launch_->shape.block, lane), lane / 32, lane % 32,
            sites_.place(record.site)};
}

Report Checker::make_report(emulator::Lane& lane, Problem problem, std::string const& what, std::uintptr_t pc) {
    CallSites::Site const site = sites_.site(state_of(lane.block()).stacks[lane.number], pc);
    LanePlace const where = {lane.block().index(), lane.thread, lane.number / 32, lane.number % 32, sites_.place(site)};
    return {problem, what, launch_->name, where, false, {}};
}

bool Checker::add(Report report) {
    std::lock_guard const lock(add_mutex_);
    Place const& one = report.where.at;
    Place const& other = report.other.at;
    // A race has the same two lines in either order.
    std::pair<std::string, unsigned> first{one.file, one.line};
    std::pair<std::string, unsigned> second{other.file, other.line};
    if (second < first) {
        std::swap(first, second);
    }
    bool const has_lines = one.line != 0;
    bool const is_new =
        !has_lines ||
        reported_lines_.insert({report.problem, first.first, first.second, second.first, second.second}).second;
    if (!is_new || reports_.size() >= settings_.max_reports) {
        return false;
    }
    reports_.push_back(std::move(report));
    if (settings_.on_report) {
        settings_.on_report(reports_.back());
    }
    return true;
}

void Checker::report(emulator::Lane& lane, Problem problem, std::string const& what, std::uintptr_t pc) {
    CallSites::Site const site = sites_.site(state_of(lane.block()).stacks[lane.number], pc);
    if (reported_sites_.insert(std::uint64_t{site} << 32 | (0xFFFFFF00u + static_cast<unsigned>(problem))).second) {
        add(make_report(lane, problem, what, pc));
    }
}

void Checker::fail(emulator::Lane& lane, Problem problem, std::string const& what, std::uintptr_t pc) {
    Report made = make_report(lane, problem, what, pc);
    launch_->stop(made.text());
    add(std::move(made));
    end_lane(lane);
}

// Back to Checker::run, further up this stack. No exception: the compiler assumes that instrumentation does not throw.
void Checker::end_lane(emulator::Lane& lane) { __builtin_longjmp(state_of(lane.block()).exits[lane.number].data(), 1); }

}  // namespace lockstep::simt::hooks
