#include "experiments/random_grids/board_stream.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <memory>
#include <span>

#include "harness/ranks/ranks.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::random_grids {

namespace {

class BoardStream {
public:
    BoardStream(BoardSource& source, Shape const& shape, std::uint64_t const first, std::uint64_t const count)
        : source_(source),
          shape_(shape),
          first_(first),
          count_(count),
          at_a_time_(std::min(source.boards_at_a_time(), count)) {}

    void run(std::function<void(PackedBoards const&)> const& consume) {
        std::uint64_t const parts = simt::ceil_div(count_, at_a_time_);
        std::future<void> drawing = start(0);
        for (std::uint64_t part = 0; part < parts; ++part) {
            drawing.get();
            if (source_.draws_aside() && part + 1 < parts)
                drawing = start(part + 1);
            ranks::together([&] {
                if (ranks::is_root())
                    consume({shape_, source_.planes(), memory_of(part)});
            });
            if (!source_.draws_aside() && part + 1 < parts)
                drawing = start(part + 1);
        }
    }

private:
    std::uint64_t boards_of(std::uint64_t const part) const { return std::min(at_a_time_, count_ - part * at_a_time_); }

    // Two parts are in memory if the source draws aside.
    std::span<std::uint32_t> memory_of(std::uint64_t const part) {
        if (!ranks::is_root())
            return {};
        std::shared_ptr<void>& memory = memory_[source_.draws_aside() ? part % memory_.size() : 0];
        if (!memory)
            memory = source_.memory_for(at_a_time_);
        return {static_cast<std::uint32_t*>(memory.get()), boards_of(part) * source_.words_per_board()};
    }

    std::future<void> start(std::uint64_t const part) {
        auto const draw = [this, part, to = memory_of(part)] {
            source_.draw(first_ + part * at_a_time_, boards_of(part), to);
        };
        if (!source_.draws_aside())
            return std::async(std::launch::deferred, draw);
        bool const on_gpu = source_.variant().machine == bench::Machine::cuda;
        std::size_t const device = on_gpu ? simt::device_in_use() : 0;
        return std::async(std::launch::async, [draw, on_gpu, device] {
            if (on_gpu)
                simt::use_device(device);  // a new thread would use the first one
            draw();
        });
    }

    BoardSource& source_;
    Shape shape_;
    std::uint64_t first_;
    std::uint64_t count_;
    std::uint64_t at_a_time_;
    std::array<std::shared_ptr<void>, 2> memory_;
};

double seconds_of(std::function<void()> const& work) {
    auto const start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void stream_boards(BoardSource& source, Shape const& shape, std::uint64_t const first, std::uint64_t const count,
                   std::function<void(PackedBoards const&)> const& consume) {
    BoardStream(source, shape, first, count).run(consume);
}

double draw_and_discard(BoardSource& source, Shape const& shape, std::uint64_t const first, std::uint64_t const count) {
    if (!source.draws_aside())
        return seconds_of([&] { stream_boards(source, shape, first, count, [](PackedBoards const&) {}); });
    constexpr std::uint64_t words_at_a_time = 1 << 28;
    std::uint64_t const at_a_time = std::min(count, words_at_a_time / source.words_per_board());
    DeviceSets& sets = *source.on_device();
    auto const memory = sets.device_memory(at_a_time * source.words_per_board() * sizeof(std::uint32_t));
    auto const draw = [&](std::uint64_t const done) {
        sets.draw(first + done, std::min(at_a_time, count - done), static_cast<std::uint32_t*>(memory.get()), {});
    };
    draw(0);  // opens the machine and allocates scratch memory
    sets.wait_for({});
    return seconds_of([&] {
        for (std::uint64_t done = 0; done < count; done += at_a_time)
            draw(done);
        sets.wait_for({});
    });
}

}  // namespace lockstep::random_grids
