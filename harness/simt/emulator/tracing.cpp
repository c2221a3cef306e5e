#include "harness/simt/emulator/tracing.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <tuple>

#include "harness/simt/emulator/block.hpp"

namespace lockstep::simt::emulator {
namespace {

struct Recorder {
    std::mutex mutex;
    bool recording = false;
    std::vector<TraceEvent> events;
};

Recorder& recorder() {
    static Recorder instance;
    return instance;
}

}  // namespace

TraceRecording::TraceRecording() {
    std::lock_guard const lock(recorder().mutex);
    if (recorder().recording) {
        throw std::logic_error("cannot start a trace (another one is being recorded)");
    }
    recorder().recording = true;
    recorder().events.clear();
}

TraceRecording::~TraceRecording() {
    std::lock_guard const lock(recorder().mutex);
    recorder().recording = false;
}

std::vector<TraceEvent> TraceRecording::events() const {
    std::lock_guard const lock(recorder().mutex);
    std::vector<TraceEvent> sorted = recorder().events;
    std::stable_sort(sorted.begin(), sorted.end(), [](TraceEvent const& a, TraceEvent const& b) {
        return std::tie(a.block, a.warp, a.lane) < std::tie(b.block, b.warp, b.lane);
    });
    return sorted;
}

void trace(unsigned step, char const* label, long long index) {
    Lane const& lane = running_lane();
    std::lock_guard const lock(recorder().mutex);
    if (recorder().recording) {
        unsigned const block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        recorder().events.push_back({block, lane.number / 32, lane.number % 32, step, label, index});
    }
}

}  // namespace lockstep::simt::emulator
