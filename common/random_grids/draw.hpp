#pragma once
// Sets of exactly k of N sites for host code: a call that fills a buffer of the host, and an object that fills buffers
// of a GPU. `lockstep grids` draws the same sets.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace lockstep::random_grids {

// What to draw. Every set with these numbers of sites is equally likely.
struct Draw {
    unsigned sites = 0;             // N, at most 16384
    std::string occupied = "half";  // as the axis `occupied`: k, one number per colour (71,70), half or mixed
    std::uint64_t seed = 1;
    std::string engine = "philox10";
    std::string machine = "auto";  // a GPU for much work, else all CPU cores; the sets are the same
};

// Words of one set: ceil(N / 32) per colour. Site s is bit s % 32 of word s / 32; the bits past the last site are 0.
// Several colours are nested sets, the first of which holds all occupied sites. Throws bench::Error like draw().
std::size_t words_per_set(Draw const& draw);

// Fills `sets` with set `first`, set `first` + 1 and so on. A set depends on the seed, the engine, the sites, their
// numbers and its own number, so calls with other ranges or on other machines agree. `sets` has whole sets, in host
// memory. Throws bench::Error for values that are invalid alone or together. Another thread can stop a long call, which
// looks at `stop` before each part of 16 MiB (GPU: 64 MiB): it then returns false, and the last sets are not drawn.
bool draw(Draw const& draw, std::uint64_t first, std::span<std::uint32_t> sets, std::stop_token const& stop = {});

// The same sets in memory of a GPU, the current device of the constructing thread. The object has the method's tables
// and scratch memory, so that drawing neither allocates nor waits, except for the first time. For one thread and one
// stream at a time.
class DeviceDraw {
public:
    // Throws bench::Error for invalid values, and if there is no GPU. Machine `emulator` has its memory in the host's.
    explicit DeviceDraw(Draw const& draw);
    ~DeviceDraw();
    DeviceDraw(DeviceDraw&&) noexcept;
    DeviceDraw& operator=(DeviceDraw&&) noexcept;

    // Queues the drawing of set `first`, set `first` + 1 and so on to `sets`, whole sets in memory of the device, on a
    // cudaStream_t (null: the default stream).
    void draw(std::uint64_t first, std::span<std::uint32_t> sets, void* stream = nullptr);
    void wait_for(void* stream = nullptr) const;
    // Uninitialised memory of the device.
    std::shared_ptr<void> memory(std::size_t bytes) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lockstep::random_grids
