// Subsets of exactly k of n sites, in memory of the host or of a GPU.

#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

#include "common/random_grids/draw.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/devices.hpp"
#include "python/library/c_abi.hpp"
#include "python/library/stop.hpp"
#include "python/library/tensor.hpp"

namespace lockstep::python {

namespace {

// The devices of a process do not change.
std::size_t device_count() {
    static std::size_t const count = simt::cuda_devices().devices.size();
    return count;
}

constexpr ElementType word_type = {TypeCode::natural, 32, 1};

random_grids::Draw draw_of(lockstep_subsets_request const& request) {
    if (request.sites == 0 || request.sites > random_grids::max_sites) {
        throw bench::Error("n " + std::to_string(request.sites) + " is out of range",
                           "1 to " + std::to_string(random_grids::max_sites));
    }
    if (request.occupied > request.sites) {
        throw bench::Error("k " + std::to_string(request.occupied) + " is too large",
                           "a subset has at most all " + std::to_string(request.sites) + " elements");
    }
    random_grids::Draw draw;
    draw.sites = request.sites;
    draw.occupied = std::to_string(request.occupied);
    draw.seed = request.seed;
    draw.engine = request.engine;
    draw.machine = request.device.type == DeviceType::cpu ? "cpu" : "cuda";
    return draw;
}

std::uint64_t words_of(lockstep_subsets_request const& request, std::uint64_t const words_per_set) {
    std::uint64_t words = 0;
    if (__builtin_mul_overflow(request.batch, words_per_set, &words) ||
        words > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(std::uint32_t))
        throw bench::Error("a batch of " + std::to_string(request.batch) + " sets is too large", "", "Draw fewer.");
    return words;
}

// Makes the GPU of a request the current one, and afterwards that of before.
class CurrentDevice {
public:
    explicit CurrentDevice(int const device) : before_(simt::device_in_use()) {
        std::size_t const devices = device_count();
        if (device < 0 || static_cast<std::size_t>(device) >= devices) {
            throw bench::Error("no device cuda:" + std::to_string(device),
                               "there are " + std::to_string(devices) + " GPUs");
        }
        simt::use_device(static_cast<std::size_t>(device));
    }
    ~CurrentDevice() { simt::use_device(before_); }
    CurrentDevice(CurrentDevice const&) = delete;
    CurrentDevice& operator=(CurrentDevice const&) = delete;

private:
    std::size_t before_;
};

// The method's tables and scratch memory of the last request on a GPU. A loop that draws the next sets of a sequence
// finds them again.
struct Kept {
    lockstep_subsets_request request{};
    std::string engine;
    std::unique_ptr<random_grids::DeviceDraw> draw;

    bool serves(lockstep_subsets_request const& other) const {
        return draw && request.sites == other.sites && request.occupied == other.occupied &&
               request.seed == other.seed && engine == other.engine && request.device.index == other.device.index;
    }
};

// Returns the new memory if `words` is null.
std::shared_ptr<void> draw_on_gpu(lockstep_subsets_request const& request, std::uint32_t* words,
                                  std::uint64_t const count) {
    static std::mutex one_at_a_time;
    static Kept kept;
    std::lock_guard const lock(one_at_a_time);
    CurrentDevice const current(request.device.index);
    if (!kept.serves(request)) {
        kept = {};
        kept = {request, request.engine, std::make_unique<random_grids::DeviceDraw>(draw_of(request))};
    }
    std::shared_ptr<void> memory;
    if (words == nullptr) {
        memory = kept.draw->memory(count * sizeof(std::uint32_t));
        words = static_cast<std::uint32_t*>(memory.get());
    }
    kept.draw->draw(request.first, std::span(words, count));
    kept.draw->wait_for();
    return memory;
}

std::shared_ptr<void> draw_on_cpu(lockstep_subsets_request const& request, std::uint32_t* words,
                                  std::uint64_t const count) {
    std::shared_ptr<void> memory;
    if (words == nullptr) {
        memory = host_memory(count * sizeof(std::uint32_t));
        words = static_cast<std::uint32_t*>(memory.get());
    }
    auto const stop = request.stop != nullptr ? request.stop->source.get_token() : std::stop_token();
    if (!random_grids::draw(draw_of(request), request.first, std::span(words, count), stop))
        throw bench::Error("stopped", "the caller ended the call");
    return memory;
}

void draw_subsets(lockstep_subsets_request const& request, std::uint32_t* const words, lockstep_tensor** const made) {
    random_grids::Draw const draw = draw_of(request);
    std::uint64_t const words_per_set = random_grids::words_per_set(draw);
    std::uint64_t const count = words_of(request, words_per_set);
    bool const on_gpu = request.device.type == DeviceType::cuda;
    std::shared_ptr<void> memory = on_gpu ? draw_on_gpu(request, words, count) : draw_on_cpu(request, words, count);
    if (words == nullptr) {
        *made = make_tensor(std::move(memory), request.device, word_type,
                            {static_cast<std::int64_t>(request.batch), static_cast<std::int64_t>(words_per_set)})
                    .release();
    }
}

}  // namespace

}  // namespace lockstep::python

std::uint32_t lockstep_gpu_count() { return static_cast<std::uint32_t>(lockstep::python::device_count()); }

std::uint32_t lockstep_subset_words(std::uint32_t const sites) { return lockstep::simt::ceil_div(sites, 32u); }

int lockstep_random_subsets(lockstep_subsets_request const* const request, std::uint32_t* const words,
                            lockstep_tensor** const made) {
    return lockstep::python::guarded([&] { lockstep::python::draw_subsets(*request, words, made); });
}
