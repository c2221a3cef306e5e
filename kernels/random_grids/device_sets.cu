// Sets by their number in memory of the machine, or of the host. A kernel that packs its sets draws whole streams where
// they are wanted. Others, and streams of which a part is wanted, are drawn a part at a time into scratch memory, in
// the layout of the variant's kernel, and then packed. To the host, two parts are under way: one is drawn while the
// other is copied.

#include "common/random_grids/device_sets.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/random_grids/stream_drawing.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/streaming.hpp"
#include "kernels/random_grids/packed_sets.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

namespace {

using Words = simt::LOCKSTEP_MACHINE::Buffer<unsigned>;

// Words of scratch memory for a part: as many as the streams that keep a GPU busy take, within limits. A copy to the
// host takes longer than the drawing, so its parts are smaller.
constexpr std::uint64_t streams_per_part = std::uint64_t{1} << 17;
constexpr std::uint64_t min_words_per_part = std::uint64_t{1} << 26;
constexpr std::uint64_t max_words_per_part = std::uint64_t{1} << 28;
constexpr std::uint64_t words_per_copied_part = std::uint64_t{1} << 22;

void reserve(Words& words, std::uint64_t const size) {
    if (words.size() < size) {
        words = Words();  // frees first
        words = Words(static_cast<std::size_t>(size));
    }
}

// Memory of one part and the stream that it is drawn in.
struct Part {
    Words stored;
    Words packed;
    simt::LOCKSTEP_MACHINE::OwnStream stream;
};

class PartedSets : public DeviceSets {
public:
    explicit PartedSets(DeviceSetsRequest const& request)
        : case_(request.variant.make({request.axes, request.seed, 0, 0})),
          drawing_(dynamic_cast<StreamDrawing const*>(case_.get())),
          first_stream_(request.first_stream) {
        if (drawing_ == nullptr)
            throw bench::Error("variant " + request.variant.name + " draws no sets by their number");
        if (first_stream_ % 32 != 0)
            throw bench::Error("streams by number begin at a multiple of 32");
        Workload const workload = read_workload(request.axes);
        length_ = workload.length;
        words_per_set_ = workload.words_per_board();
    }

    void draw(std::uint64_t const first, std::uint64_t const count, std::uint32_t* const to,
              simt::Stream const stream) override {
        draw_to(parts_[0].stored, first, count, to, stream);
    }

    void draw_to_host(std::uint64_t const first, std::uint64_t const count, std::uint32_t* const to) override {
        std::size_t next = 0;
        for_each_part(first, count, words_per_copied_part,
                      [&](std::uint64_t number, std::uint64_t done, std::uint64_t sets) {
                          Part& part = parts_[next++ % parts_.size()];
                          std::uint64_t const words = sets * words_per_set_;
                          reserve(part.packed, words);
                          draw_to(part.stored, number, sets, part.packed.data(), part.stream.get());
                          simt::LOCKSTEP_MACHINE::queue_download(to + done * words_per_set_, part.packed.data(),
                                                                 words * sizeof(std::uint32_t), part.stream.get());
                      });
        for (Part const& part : parts_)
            wait_for(part.stream.get());
    }

    std::shared_ptr<void> device_memory(std::size_t const bytes) const override {
        auto const words = std::make_shared<Words>(simt::ceil_div(bytes, sizeof(unsigned)));
        return {words, words->data()};
    }
    std::shared_ptr<void> host_memory(std::size_t const bytes) const override {
        return simt::LOCKSTEP_MACHINE::host_memory(bytes);
    }
    void wait_for(simt::Stream const stream) const override { simt::LOCKSTEP_MACHINE::synchronize(stream); }

private:
    // A kernel may draw 32 streams together.
    std::uint64_t sets_per_group() const { return 32 * length_; }

    // Calls work(number of the first set, sets before it, sets) for parts that begin with a stream, but for the first.
    template <class Work>
    void for_each_part(std::uint64_t const first, std::uint64_t const count, std::uint64_t const words,
                       Work const& work) const {
        std::uint64_t const group = sets_per_group();
        std::uint64_t const sets_at_a_time = std::max<std::uint64_t>(1, words / words_per_set_ / group) * group;
        for (std::uint64_t done = 0; done < count;) {
            std::uint64_t const number = first + done;
            std::uint64_t const sets = std::min(count - done, sets_at_a_time - number % length_);
            work(number, done, sets);
            done += sets;
        }
    }

    void draw_to(Words& stored, std::uint64_t const first, std::uint64_t const count, std::uint32_t* const to,
                 simt::Stream const stream) const {
        std::uint64_t const end = first + count;
        std::uint64_t const begin_whole = std::min(simt::round_up(first, sets_per_group()), end);
        std::uint64_t const end_whole = std::max(begin_whole, end / length_ * length_);
        if (!drawing_->packs() || begin_whole == end_whole)
            return draw_parts(stored, first, count, to, stream);
        draw_parts(stored, first, begin_whole - first, to, stream);
        drawing_->draw_packed(first_stream_ + begin_whole / length_, (end_whole - begin_whole) / length_,
                              to + (begin_whole - first) * words_per_set_, stream);
        draw_parts(stored, end_whole, end - end_whole, to + (end_whole - first) * words_per_set_, stream);
    }

    void draw_parts(Words& stored, std::uint64_t const first, std::uint64_t const count, std::uint32_t* const to,
                    simt::Stream const stream) const {
        std::uint64_t const words =
            std::clamp(streams_per_part * length_ * words_per_set_, min_words_per_part, max_words_per_part);
        for_each_part(first, count, words, [&](std::uint64_t number, std::uint64_t done, std::uint64_t sets) {
            draw_part(stored, number, sets, to + done * words_per_set_, stream);
        });
    }

    void draw_part(Words& stored, std::uint64_t const number, std::uint64_t const sets, std::uint32_t* const to,
                   simt::Stream const stream) const {
        std::uint64_t const first = number / sets_per_group() * 32;
        std::uint64_t const streams = (number + sets - 1) / length_ - first + 1;
        bench::WordLayout const layout = drawing_->layout_of(streams);
        reserve(stored, bench::LOCKSTEP_MACHINE::words_stored(layout));
        drawing_->draw_streams(first_stream_ + first, streams, stored.data(), stream);
        pack_words(layout, stored.data(), {(number - first * length_) * words_per_set_, sets * words_per_set_}, to,
                   stream);
    }

    std::unique_ptr<bench::Case> case_;  // has the tables
    StreamDrawing const* drawing_;
    std::uint64_t first_stream_;
    std::uint64_t length_ = 1;
    std::uint64_t words_per_set_ = 1;
    std::array<Part, 2> parts_;
};

}  // namespace

std::unique_ptr<DeviceSets> make_device_sets(DeviceSetsRequest const& request) {
    return std::make_unique<PartedSets>(request);
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
