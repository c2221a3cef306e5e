#pragma once
// Shared memory in the emulator: members of a kernel's struct that report reads before the first write and array
// indices out of range. Each wrapper has the size of the type that it wraps, so structs are as large as on CUDA.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/source_location.hpp"

namespace lockstep::simt::emulator {

// The flags of a variable of so many bytes, one per byte: 1 if a lane has written the byte. They are read and set like
// the variable, so a race for flags is a race for the variable too, and ThreadSanitizer need not follow the flags.
template <std::size_t bytes>
struct WrittenFlags {
    using Word =
        std::conditional_t<bytes % 8 == 0, std::uint64_t,
                           std::conditional_t<bytes % 4 == 0, std::uint32_t,
                                              std::conditional_t<bytes % 2 == 0, std::uint16_t, std::uint8_t>>>;
    static constexpr auto all = static_cast<Word>(0x0101010101010101u);

    __attribute__((no_sanitize("thread"))) static void set(unsigned char* flags) {
        for (std::size_t i = 0; i < bytes; i += sizeof(Word)) {
            std::memcpy(flags + i, &all, sizeof(Word));
        }
    }
    __attribute__((no_sanitize("thread"))) static bool all_set(unsigned char const* flags) {
        for (std::size_t i = 0; i < bytes; i += sizeof(Word)) {
            Word word;
            std::memcpy(&word, flags + i, sizeof word);
            if (word != all) {
                return false;
            }
        }
        return true;
    }
};

// The result of &shared.member: an address for atomics and further reads, checked like the member.
template <class T>
class SharedPointer;

// The result of shared.array[i]: reads and writes one element of shared memory.
template <class T>
class SharedReference {
public:
    SharedReference(T* address, std::source_location site) : address_(address), site_(site) {}
    SharedReference(SharedReference const&) = default;

    operator T() const&& { return read(); }  // NOLINT(google-explicit-constructor): implicit, as for a plain element
    // In CUDA `auto x = shared.array[i]` copies the element. Here it would refer to it, and x would follow later
    // writes. Give the type: `float x = shared.array[i]`.
    operator T() const& = delete;

    SharedReference& operator=(T value) {
        *address_ = value;
        mark_written();
        return *this;
    }
    SharedReference& operator=(SharedReference const& other) { return *this = other.read(); }

    SharedReference& operator+=(T value) { return *this = static_cast<T>(read() + value); }
    SharedReference& operator-=(T value) { return *this = static_cast<T>(read() - value); }
    SharedReference& operator|=(T value) { return *this = static_cast<T>(read() | value); }
    SharedReference& operator&=(T value) { return *this = static_cast<T>(read() & value); }
    SharedReference& operator^=(T value) { return *this = static_cast<T>(read() ^ value); }
    SharedReference& operator++() { return *this += T{1}; }
    SharedReference& operator--() { return *this -= T{1}; }

    SharedPointer<T> operator&() const { return SharedPointer<T>(*this); }

    // Returns the address for atomics, which access the element without the checked operators above.
    T* checked_address() const {
        check_written();
        return address_;
    }
    void mark_written() const { WrittenFlags<sizeof(T)>::set(shadow()); }

private:
    T read() const {
        check_written();
        return *address_;
    }
    void check_written() const {
        if (!WrittenFlags<sizeof(T)>::all_set(shadow())) {
            refuse("use of unset shared memory (no lane of this block has written it)", site_);
        }
    }
    unsigned char* shadow() const {
        SharedArena const& arena = shared_arena();
        auto const* const byte = reinterpret_cast<std::byte const*>(address_);
        if (byte < arena.data || byte + sizeof(T) > arena.data + arena.bytes) {
            refuse("access outside the block's shared memory (the launch requested fewer bytes)", site_);
        }
        return arena.written + (byte - arena.data);
    }

    T* address_;
    std::source_location site_;
};

template <class T>
class SharedPointer {
public:
    explicit SharedPointer(SharedReference<T> reference) : reference_(reference) {}
    SharedReference<T> operator*() const { return reference_; }
    T* checked_address() const { return reference_.checked_address(); }

private:
    SharedReference<T> reference_;
};

// An array index together with the source location of its use.
struct SharedIndex {
    std::size_t value;
    std::source_location site;

    template <class I>
    requires std::is_integral_v<I> SharedIndex(I index,
                                               std::source_location where = std::source_location::current())  // NOLINT
        : value(static_cast<std::size_t>(index)), site(where) {}
};

template <class T, unsigned n>
class SharedArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    SharedReference<T> operator[](SharedIndex index) {
        if (index.value >= n) {
            refuse_index(index.value, n, index.site);
        }
        return {&data_[index.value], index.site};
    }

private:
    T data_[n];
};

template <class T>
class Shared {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    operator T() { return element(std::source_location::current()); }  // NOLINT(google-explicit-constructor)
    Shared& operator=(T value) {
        element(std::source_location::current()) = value;
        return *this;
    }
    Shared& operator=(Shared& other) { return *this = static_cast<T>(other); }
    Shared& operator+=(T value) { return *this = static_cast<T>(static_cast<T>(*this) + value); }
    Shared& operator-=(T value) { return *this = static_cast<T>(static_cast<T>(*this) - value); }
    SharedPointer<T> operator&() { return SharedPointer<T>(element(std::source_location::current())); }

private:
    SharedReference<T> element(std::source_location site) { return {&value_, site}; }

    T value_;
};

template <class Struct>
Struct& shared_memory(std::source_location site = std::source_location::current()) {
    SharedArena const& arena = shared_arena();
    if (sizeof(Struct) > arena.bytes) {
        refuse("the kernel's shared struct is larger than the launch's shared bytes (pass sizeof the struct)", site);
    }
    return *reinterpret_cast<Struct*>(arena.data);
}

}  // namespace lockstep::simt::emulator
