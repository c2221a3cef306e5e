#pragma once
// Results of a case stored as 32-bit words in the memory of its machine, in the layout that digest.hpp describes. A
// Case poisons it in reset(), hands data() to its kernel, and answers results() and digest() from it. On `cpu` it is a
// plain array, elsewhere a device buffer.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "harness/bench/digest.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/in_parts.hpp"
#include "harness/bench/variant.hpp"
#if defined(__CUDACC__) || defined(LOCKSTEP_EMULATOR)
#include "harness/simt/buffer.hpp"
#endif

namespace lockstep::bench::LOCKSTEP_MACHINE {

#if defined(__CUDACC__) || defined(LOCKSTEP_EMULATOR)
using WordBuffer = simt::LOCKSTEP_MACHINE::Buffer<unsigned>;
#else
// Host memory behind the few calls of a device buffer that StoredOutput makes.
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
    void download(std::span<unsigned> target, std::size_t first = 0) const {
        std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(first), target.size(), target.begin());
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
    // Room for the units of `problem`, `words` words each; `interleave` as in WordLayout.
    StoredOutput(Problem const& problem, unsigned words, unsigned interleave = 1)
        : first_unit_(problem.first_unit),
          layout_{problem.units, words, interleave},
          buffer_(static_cast<std::size_t>(words_stored(layout_))) {}

    unsigned* data() { return buffer_.data(); }
    WordLayout const& layout() const { return layout_; }
    std::size_t bytes() const { return buffer_.size() * sizeof(unsigned); }

    // A pattern that no run leaves by accident in every word, so that a unit which was not written disagrees.
    void poison() { buffer_.fill_bytes(0xA5); }

    // The storage from host memory, as laid out: for variants that compute on the host.
    void upload(std::span<unsigned const> stored) { buffer_.upload(stored); }

    // Results of the named units (absolute numbers), in that order.
    std::vector<UnitResult> results(std::span<std::uint64_t const> units) const;

    std::uint64_t digest() const { return stored_digest(DigestParameters{layout_, first_unit_}, buffer_.data()); }

private:
    std::uint64_t group_of(std::uint64_t unit) const {
        if (unit < first_unit_ || unit - first_unit_ >= layout_.units) {
            throw Error(
                "unit " + std::to_string(unit) + " is not stored",
                "the case holds " + std::to_string(layout_.units) + " units from " + std::to_string(first_unit_));
        }
        return (unit - first_unit_) / layout_.interleave;
    }

    std::uint64_t first_unit_ = 0;
    WordLayout layout_;
    WordBuffer buffer_;
};

// Groups of units that lie near one another come over in one transfer of at most 16 Mi words, unless one group is
// larger.
inline std::vector<UnitResult> StoredOutput::results(std::span<std::uint64_t const> units) const {
    std::vector<std::size_t> order(units.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!std::is_sorted(units.begin(), units.end()))
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return units[a] < units[b]; });

    std::uint64_t const group_words = std::uint64_t{layout_.interleave} * layout_.words;
    std::uint64_t const most =
        std::max<std::uint64_t>(1, (std::uint64_t{16} << 20) / std::max<std::uint64_t>(1, group_words));
    std::vector<UnitResult> found(units.size());
    std::vector<unsigned> part;
    for (std::size_t first = 0; first < order.size();) {
        std::uint64_t const from = group_of(units[order[first]]);
        std::uint64_t to = from;
        std::size_t last = first;
        for (; last < order.size(); ++last) {
            std::uint64_t const group = group_of(units[order[last]]);
            if (group > to + 64 || group - from >= most)
                break;
            to = group;
        }
        part.resize(static_cast<std::size_t>((to - from + 1) * group_words));
        buffer_.download(part, static_cast<std::size_t>(from * group_words));
        in_parts(last - first, 256, [&](std::size_t, std::size_t const part_first, std::size_t const part_last) {
            for (std::size_t i = first + part_first; i < first + part_last; ++i) {
                UnitResult& result = found[order[i]];
                result.resize(layout_.words);
                for (unsigned word = 0; word < layout_.words; ++word) {
                    std::uint64_t const at = word_index(layout_, units[order[i]] - first_unit_, word);
                    result[word] = part[static_cast<std::size_t>(at - from * group_words)];
                }
            }
        });
        first = last;
    }
    return found;
}

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
