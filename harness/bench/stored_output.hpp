#pragma once
// Results of a case, stored as 32-bit words in the memory of its machine in the layout that digest.hpp describes. A
// Case poisons it in reset(), passes data() to its kernel, and implements results() and digest() with it. On `cpu` it
// is a plain array, otherwise a device buffer.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "harness/bench/digest.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/parallel_chunks.hpp"
#include "harness/bench/variant.hpp"
#if defined(__CUDACC__)
#include "harness/bench/gather.hpp"
#endif
#if defined(__CUDACC__) || defined(LOCKSTEP_EMULATOR)
#include "harness/simt/buffer.hpp"
#endif

namespace lockstep::bench::LOCKSTEP_MACHINE {

#if defined(__CUDACC__) || defined(LOCKSTEP_EMULATOR)
using WordBuffer = simt::LOCKSTEP_MACHINE::Buffer<unsigned>;
#else
// Host memory with the device-buffer functions that StoredOutput calls.
class WordBuffer {
public:
    explicit WordBuffer(std::size_t size) : words_(size) {}
    std::size_t size() const { return words_.size(); }
    unsigned* data() { return words_.data(); }
    unsigned const* data() const { return words_.data(); }
    void upload(std::span<unsigned const> from) {
        if (from.size() > words_.size()) {
            throw Error("copy past the end of an array", "it is smaller");
        }
        std::copy(from.begin(), from.end(), words_.begin());
    }
    void fill_bytes(unsigned char value) {
        if (!words_.empty())
            std::memset(words_.data(), value, words_.size() * sizeof(unsigned));
    }

private:
    std::vector<unsigned> words_;
};
#endif

class StoredOutput {
public:
    // Allocates memory for the units of `problem`, `words` words each; `interleave` as in WordLayout.
    StoredOutput(Problem const& problem, unsigned words, unsigned interleave = 1)
        : first_unit_(problem.first_unit),
          layout_{problem.units, words, interleave},
          buffer_(static_cast<std::size_t>(words_stored(layout_))) {}

    unsigned* data() { return buffer_.data(); }
    unsigned const* data() const { return buffer_.data(); }
    WordLayout const& layout() const { return layout_; }
    std::size_t bytes() const { return buffer_.size() * sizeof(unsigned); }

    // Fills every word with a pattern that no correct unit consists of, so that an unwritten unit disagrees.
    void poison() { buffer_.fill_bytes(0xA5); }

    // Copies the storage, in its layout, from host memory; for variants that compute on the host.
    void upload(std::span<unsigned const> stored) { buffer_.upload(stored); }

    // Results of the named units (absolute numbers), in that order.
    std::vector<UnitResult> results(std::span<std::uint64_t const> units) const;

    std::uint64_t digest() const { return stored_digest(DigestParameters{layout_, first_unit_}, buffer_.data()); }

private:
    // Units counted from 0.
    std::vector<unsigned long long> indices_of(std::span<std::uint64_t const> units) const {
        std::vector<unsigned long long> indices;
        indices.reserve(units.size());
        for (std::uint64_t const unit : units)
            indices.push_back(index_of(unit));
        return indices;
    }

    unsigned long long index_of(std::uint64_t unit) const {
        if (unit < first_unit_ || unit - first_unit_ >= layout_.units) {
            throw Error(
                "unit " + std::to_string(unit) + " is not stored",
                "the case holds " + std::to_string(layout_.units) + " units from " + std::to_string(first_unit_));
        }
        return unit - first_unit_;
    }

    std::vector<unsigned> gathered(std::span<unsigned long long const> indices) const;

    std::uint64_t first_unit_ = 0;
    WordLayout layout_;
    WordBuffer buffer_;
};

// The words of these units, unit after unit.
inline std::vector<unsigned> StoredOutput::gathered(std::span<unsigned long long const> indices) const {
    std::vector<unsigned> words(indices.size() * layout_.words);
#if defined(__CUDACC__)
    simt::LOCKSTEP_MACHINE::Buffer<unsigned long long> wanted(indices.size());
    WordBuffer found(words.size());
    wanted.upload(indices);
    gather_units(layout_, buffer_.data(), wanted.data(), indices.size(), found.data());
    found.download(words);
#else
    parallel_chunks(indices.size(), 256, [&](std::size_t, std::size_t const first, std::size_t const last) {
        for (std::size_t i = first; i < last; ++i) {
            for (unsigned word = 0; word < layout_.words; ++word)
                words[i * layout_.words + word] = buffer_.data()[word_index(layout_, indices[i], word)];
        }
    });
#endif
    return words;
}

// Copies at most 16 Mi words at a time, unless one unit has more.
inline std::vector<UnitResult> StoredOutput::results(std::span<std::uint64_t const> units) const {
    std::vector<unsigned long long> const indices = indices_of(units);
    std::size_t const max_units = std::max<std::size_t>(1, (std::size_t{16} << 20) / std::max(1u, layout_.words));
    std::vector<UnitResult> found(units.size());
    for (std::size_t start = 0; start < units.size(); start += max_units) {
        std::size_t const count = std::min(max_units, units.size() - start);
        std::vector<unsigned> const words = gathered(std::span(indices).subspan(start, count));
        parallel_chunks(count, 256, [&](std::size_t, std::size_t const first, std::size_t const last) {
            for (std::size_t i = first; i < last; ++i) {
                auto const begin = words.begin() + static_cast<std::ptrdiff_t>(i * layout_.words);
                found[start + i].assign(begin, begin + layout_.words);
            }
        });
    }
    return found;
}

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
