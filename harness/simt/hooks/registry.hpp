#pragma once
// The allocations of device memory that memory.hpp's functions register, and how to find one by an address.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "harness/simt/hooks/memory.hpp"
#include "harness/simt/hooks/shadow.hpp"

namespace lockstep::simt::hooks {

using Address = std::uintptr_t;

struct Allocation {
    Allocation(Address first, std::size_t size, Memory of_kind, char const* named)
        : begin(first), bytes(size), kind(of_kind), name(named), shadow(size) {}

    Address begin;
    std::size_t bytes;
    Memory kind;
    char const* name;  // or null
    std::atomic<bool> freed = false;
    bool guarded = false;  // nothing is in its redzones
    bool opened = false;   // the host may access it although it is the device's
    Shadow shadow;

    bool contains(Address at, std::size_t count) const {
        return at - begin < bytes && count <= bytes - static_cast<std::size_t>(at - begin);
    }
    // "byte 12 of a buffer of 400 bytes", "24 bytes behind ..."
    std::string describe(Address at) const;
};

struct HostVariable {
    std::size_t bytes;
    char const* name;
};

class Registry {
public:
    void add(Address begin, std::size_t bytes, Memory kind, char const* name);
    void remove(Address begin);
    void guard(Address begin);
    // The variable whose guards contain the byte, or null. Cheap where there are none.
    Allocation* guarded_by(Address at);
    // The allocation that contains the access, or null. A table of the latest finds by 256-byte chunk makes it cheap.
    Allocation* find(Address at, std::size_t bytes) {
        Allocation* const hint = hints_[at / alignment % hint_count].load(std::memory_order_acquire);
        if (hint != nullptr && hint->contains(at, bytes) && !hint->freed) {
            return hint;
        }
        return find_slowly(at, bytes);
    }
    // The allocation at most `distance` bytes away from an access outside all, or null. A freed one that contains the
    // access counts as well.
    Allocation* nearest(Address at, std::size_t distance);
    // The host has written there. Not only by memory.hpp: instrumented host code may write a buffer, too.
    void host_writes(Address at, std::size_t bytes);
    void host_copies(Address target, Address source, std::size_t bytes);
    // Whether the host may not access the byte. Cheap where it may.
    bool is_closed_to_host(Address at);
    // "byte 12 of a buffer of 400 bytes"; empty if the byte is in none.
    std::string describe(Address at);
    void open(Address at);
    void add_host_variable(Address begin, std::size_t bytes, char const* name);
    // Whether the byte may be in one. Cheap.
    bool is_near_host_variables(Address at) const { return at >= lowest_of_host_ && at < highest_of_host_; }
    // "byte 12 of variable 'x' of 400 bytes, which is the host's"; empty if the byte is in none.
    std::string describe_host_variable(Address at);

private:
    Allocation* find_slowly(Address at, std::size_t bytes);
    void retire(std::unique_ptr<Allocation> allocation);
    bool is_known_variable(Address begin, std::size_t bytes) const;
    Allocation* starting_at_or_before(Address at);

    static constexpr std::size_t hint_count = 4096;
    std::recursive_mutex mutex_;  // memory functions that it calls come back (instrumentation.cpp)
    std::map<Address, std::unique_ptr<Allocation>> allocations_;
    std::deque<std::unique_ptr<Allocation>> retired_;
    std::array<std::atomic<Allocation*>, hint_count> hints_{};
    std::atomic<Address> lowest_ = ~Address{0};
    std::atomic<Address> highest_ = 0;
    std::atomic<Address> lowest_guard_ = ~Address{0};
    std::atomic<Address> highest_guard_ = 0;
    std::map<Address, HostVariable> host_variables_;
    std::atomic<Address> lowest_of_host_ = ~Address{0};
    std::atomic<Address> highest_of_host_ = 0;
    // The address range of cudaMalloc memory, whose chunks hold nothing else, and the latest chunks within that range
    // that hold none of it.
    std::atomic<Address> lowest_device_ = ~Address{0};
    std::atomic<Address> highest_device_ = 0;
    std::array<std::atomic<Address>, hint_count> open_chunks_{};
};

// Made by the first allocation, null before it. Lives until the program ends.
extern constinit Registry* registry;
extern constinit bool registering;  // instrumented code has been loaded
Registry& make_registry();

}  // namespace lockstep::simt::hooks
