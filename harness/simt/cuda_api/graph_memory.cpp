#include "harness/simt/cuda_api/graph_memory.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "harness/simt/cuda_api/memory.hpp"

namespace lockstep::simt::cuda {
namespace {

struct Reserved {
    std::mutex mutex;
    std::map<void const*, std::weak_ptr<GraphMemory>> by_address;
};

// Never destroyed: a program's global objects may own graphs.
Reserved& reserved() {
    static auto& made = *new Reserved;
    return made;
}

}  // namespace

GraphMemory::GraphMemory(void* address, std::size_t bytes, std::shared_ptr<void> storage)
    : address_(address), bytes_(bytes), storage_(std::move(storage)) {}

GraphMemory::~GraphMemory() {
    std::lock_guard const lock(reserved().mutex);
    reserved().by_address.erase(address_);
}

std::shared_ptr<GraphMemory> GraphMemory::reserve(std::size_t bytes) {
    void* address = nullptr;
    std::shared_ptr<void> storage = reserve_storage(&address, bytes);
    if (storage == nullptr) {
        return nullptr;
    }
    std::shared_ptr<GraphMemory> made(new GraphMemory(address, bytes, std::move(storage)));
    std::lock_guard const lock(reserved().mutex);
    reserved().by_address[address] = made;
    return made;
}

std::shared_ptr<GraphMemory> GraphMemory::at(void const* address) {
    std::lock_guard const lock(reserved().mutex);
    auto const found = reserved().by_address.find(address);
    return found == reserved().by_address.end() ? nullptr : found->second.lock();
}

bool GraphMemory::is_allocated() const { return is_allocation(address_); }
void GraphMemory::allocate() const { allocate_storage(address_, bytes_, storage_); }
void GraphMemory::free() const { release_now(address_, false); }

bool GraphMemory::take_free_node() {
    std::lock_guard const lock(reserved().mutex);
    return !std::exchange(has_free_node_, true);
}

}  // namespace lockstep::simt::cuda
