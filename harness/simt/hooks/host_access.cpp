// What the host may not do with the device's memory, and kernels not with the host's variables.

#include <execinfo.h>

#include <algorithm>
#include <array>

#include "harness/simt/hooks/checker.hpp"
#include "harness/simt/hooks/host_access.hpp"

namespace lockstep::simt::hooks {
namespace {

thread_local constinit int works_of_library = 0;

// The user's line of the instruction: its own, or that of the call of the library's function that it is in.
Place place_on_host(std::uintptr_t return_address) {
    Place const& own = locate(return_address);
    if (is_in_kernel(own)) {
        return own;
    }
    std::array<void*, 64> frames{};
    int const count = backtrace(frames.data(), static_cast<int>(frames.size()));
    bool found = false;
    for (int i = 0; i < count; ++i) {
        auto const address = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]);
        found |= address == return_address;
        if (found && is_in_kernel(locate(address))) {
            return locate(address);
        }
    }
    return own;
}

}  // namespace

void check_host_access(Access const& access) {
    if (registry == nullptr || active_checker == nullptr || works_of_library != 0) {
        return;
    }
    if (registry->is_closed_to_host(access.at)) {
        active_checker->host_access(access);
    }
}

void Checker::host_access(Access const& access) {
    if (!settings_.host_accesses) {
        return;
    }
    std::lock_guard const lock(host_mutex_);
    std::string const memory = registry->describe(access.at);
    if (memory.empty() || !reported_on_host_.insert(access.pc).second) {  // another thread may have freed it
        return;
    }
    std::string const what = std::string("the host ") + (access.is_write ? "writes" : "reads") + " device memory (" +
                             memory + "; use cudaMemcpy or cudaMallocManaged)";
    LanePlace where;
    where.at = place_on_host(access.pc);
    add({Problem::device_memory_on_host, what, "", where, false, {}});
}

// Not by hints, because another thread may free the allocation meanwhile.
bool Registry::is_closed_to_host(Address at) {
    if (at < lowest_device_.load(std::memory_order_relaxed) || at >= highest_device_.load(std::memory_order_relaxed)) {
        return false;
    }
    Address const chunk = at / alignment;
    std::atomic<Address>& open = open_chunks_[chunk % hint_count];
    if (open.load(std::memory_order_relaxed) == chunk) {
        return false;
    }
    std::lock_guard const lock(mutex_);
    Allocation const* const found = starting_at_or_before(at);
    if (found != nullptr && found->contains(at, 1) && !found->freed && found->kind == Memory::device &&
        !found->opened) {
        return true;
    }
    open.store(chunk, std::memory_order_relaxed);
    return false;
}

std::string Registry::describe(Address at) {
    std::lock_guard const lock(mutex_);
    Allocation const* const found = starting_at_or_before(at);
    return found != nullptr && found->contains(at, 1) ? found->describe(at) : std::string();
}

void Registry::open(Address at) {
    std::lock_guard const lock(mutex_);
    Allocation* const found = starting_at_or_before(at);
    if (found != nullptr && found->contains(at, 1)) {
        found->opened = true;
    }
}

void Registry::add_host_variable(Address begin, std::size_t bytes, char const* name) {
    std::lock_guard const lock(mutex_);
    host_variables_.insert({begin, {bytes, name}});
    lowest_of_host_ = std::min(lowest_of_host_.load(), begin);
    highest_of_host_ = std::max(highest_of_host_.load(), begin + bytes);
}

std::string Registry::describe_host_variable(Address at) {
    std::lock_guard const lock(mutex_);
    auto next = host_variables_.upper_bound(at);
    if (next == host_variables_.begin() || at - (--next)->first >= next->second.bytes) {
        return {};
    }
    return "byte " + std::to_string(at - next->first) + " of variable '" + next->second.name + "' of " +
           std::to_string(next->second.bytes) + " bytes, which is the host's";
}

void host_variable(void const* data, std::size_t bytes, char const* name) {
    make_registry().add_host_variable(reinterpret_cast<Address>(data), bytes, name);
}

void opened(void const* data) {
    if (registry != nullptr) {
        registry->open(reinterpret_cast<Address>(data));
    }
}

void library_works(int change) { works_of_library += change; }

}  // namespace lockstep::simt::hooks
