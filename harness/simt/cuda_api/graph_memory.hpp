#pragma once
// Memory that graphs allocate and free when they run. An allocation node has its address when it is made, and each
// launch allocates the same bytes again.

#include <cstddef>
#include <memory>

#include "harness/simt/cuda_api/error_codes.hpp"

namespace lockstep::simt::cuda {

class GraphMemory {
public:
    // Null if the device has no such memory.
    static std::shared_ptr<GraphMemory> reserve(std::size_t bytes);
    // That of the allocation node with this address, or null.
    static std::shared_ptr<GraphMemory> at(void const* address);

    GraphMemory(GraphMemory const&) = delete;
    GraphMemory& operator=(GraphMemory const&) = delete;
    ~GraphMemory();

    void* address() const { return address_; }
    bool is_allocated() const;
    void allocate() const;  // if it is not allocated
    void free() const;      // if it is
    // Of all graphs, one node may free the memory. False if there is one.
    bool take_free_node();

private:
    GraphMemory(void* address, std::size_t bytes, std::shared_ptr<void> storage);

    void* address_;
    std::size_t bytes_;
    std::shared_ptr<void> storage_;  // shared with the allocation that the program sees, which may outlive the graph
    bool has_free_node_ = false;
};

}  // namespace lockstep::simt::cuda
