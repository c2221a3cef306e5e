// Failures that the program has not noticed yet.

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "harness/simt/cuda_api/discarded.hpp"
#include "harness/simt/cuda_api/tell_error.hpp"

namespace lockstep::simt::cuda {
namespace {

constexpr std::size_t max_unnoticed = 100;

struct Failures {
    std::mutex mutex;
    std::vector<Unnoticed> all;
};

// Never destroyed: destructors of a program's global objects call the API.
Failures& failures() {
    static auto& made = *new Failures;
    return made;
}

thread_local constinit unsigned discarding = 0;

// What says nothing about the call: the error of an earlier call, an event that is not ready yet, and what only the
// emulator does not have.
bool says_nothing(std::string_view call, cudaError_t error) {
    return error == cudaSuccess || error == cudaErrorNotReady || error == cudaErrorNotSupported ||
           call.ends_with("Synchronize") || call.ends_with("Query");
}

}  // namespace

void remember_unnoticed(Unnoticed failure) {
    std::lock_guard const lock(failures().mutex);
    auto const same = [&](Unnoticed const& known) { return known.text == failure.text; };
    std::vector<Unnoticed>& all = failures().all;
    if (all.size() < max_unnoticed && std::none_of(all.begin(), all.end(), same)) {
        all.push_back(std::move(failure));
    }
}

void forget_unnoticed() {
    std::lock_guard const lock(failures().mutex);
    failures().all.clear();
}

void forget_unnoticed_by_synchronization() {
    if (discarding == 0) {
        forget_unnoticed();
    }
}

std::vector<Unnoticed> unnoticed() {
    std::lock_guard const lock(failures().mutex);
    return failures().all;
}

Discarded::Discarded(char const* call, Site site) : call_(call), site_(site) { ++discarding; }
Discarded::~Discarded() { --discarding; }

void Discarded::note(cudaError_t error) const {
    if (says_nothing(call_, error)) {
        return;
    }
    std::string const reason = last_reason();
    std::string const place = std::string(site_.file_name()) + ":" + std::to_string(site_.line());
    remember_unnoticed({"failed-call",
                        std::string(call_) + " fails at " + place + " (" + cudaGetErrorString(error) +
                            (reason.empty() ? "" : ": " + reason) + ")",
                        site_.file_name(), static_cast<unsigned>(site_.line())});
}

}  // namespace lockstep::simt::cuda
