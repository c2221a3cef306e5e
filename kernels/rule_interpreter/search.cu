// The launches of search_kernel.hpp, and the search behind `lockstep sudoku`.

#include "kernels/rule_interpreter/search.hpp"

#include <algorithm>

#include "harness/simt/buffer.hpp"
#include "harness/simt/devices.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/rule_interpreter/search_kernel.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

namespace {

// Launches between two looks at what is left. Most puzzles end in the first launch; one without items takes a few us.
constexpr unsigned launches_per_look = 4;

simt::LaunchShape search_shape() {
    constexpr bool gpu = machine == simt::Machine::cuda;
    simt::LaunchShape shape;
    shape.block.x = (gpu ? search_warps : 1) * 32;
    // A block takes items until none is left, so one that has to wait for a place finds what the others left. The
    // emulator runs them one after the other.
    constexpr unsigned resident = 4;  // blocks per multiprocessor, which the launch bounds of search_boards promise
    constexpr unsigned fewest = 160;  // multiprocessors; with some more than there are, the last blocks do not wait
    shape.grid.x =
        gpu ? resident * std::max(fewest, static_cast<unsigned>(simt::current_device_info().multiprocessors)) : 2;
    return shape;
}

}  // namespace

// Puzzles in device memory, and their solutions. Stacks of one launch are the grids of the next, so there are two sets.
class Search::Implementation {
public:
    Implementation(std::span<Puzzle const> puzzles, unsigned limit)
        : count_(static_cast<unsigned>(puzzles.size())),
          shape_(search_shape()),
          puzzles_(puzzles.size() * cells),
          found_(puzzles.size()),
          solutions_(puzzles.size() * cells),
          counters_(launches_per_look + 1) {
        static_assert(sizeof(Puzzle) == cells);
        puzzles_.upload({reinterpret_cast<unsigned char const*>(puzzles.data()), puzzles_.size()});
        std::size_t const stack_total =
            std::size_t{shape_.grid.x} * (shape_.block.x / 32) * grids_per_warp * stack_grids;
        for (unsigned i = 0; i < 2; ++i) {
            stacks_[i] = Buffer<unsigned>(stack_total * words_of_grid);
            items_[i] = Buffer<uint2>(stack_total);
        }
        p_.puzzles = puzzles_.data();
        p_.found = found_.data();
        p_.solutions = solutions_.data();
        p_.limit = limit;
        p_.grace = 32;
    }

    // Forgets what was found.
    void reset() {
        found_.fill_bytes(0);
        solutions_.fill_bytes(0);
    }

    // Launches until no grid is left.
    void run(simt::Stream stream) {
        unsigned left = count_;
        p_.grids = nullptr;
        for (unsigned turn = 0; left != 0;) {
            std::vector<LaunchCounters> counters(launches_per_look + 1);
            counters[0].handed_over = left;
            counters_.upload(counters);
            for (unsigned i = 0; i < launches_per_look; ++i) {
                p_.previous = counters_.data() + i;
                p_.counters = counters_.data() + i + 1;
                p_.stacks = stacks_[turn].data();
                p_.handed_over = items_[turn].data();
                launch("search_boards", search_boards, shape_, stream, p_);
                p_.grids = p_.stacks;
                p_.items = p_.handed_over;
                turn ^= 1;
            }
            synchronize(stream);
            left = counters_.to_vector().back().handed_over;
        }
    }

    // `limit` as in the constructor.
    std::vector<cpu::Solutions> solutions() const {
        std::vector<cpu::Solutions> all(count_);
        std::vector<unsigned> const counts = found_.to_vector();
        std::vector<unsigned char> const digits = solutions_.to_vector();
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].count = std::min(counts[i], p_.limit);
            std::copy_n(digits.begin() + static_cast<std::ptrdiff_t>(i * cells), cells, all[i].solution.begin());
        }
        return all;
    }

    simt::KernelAttributes kernel() const { return attributes("search_boards", search_boards, shape_); }

private:
    unsigned count_;
    simt::LaunchShape shape_;
    SearchParameters p_;
    Buffer<unsigned char> puzzles_;
    Buffer<unsigned> found_;
    Buffer<unsigned char> solutions_;
    Buffer<LaunchCounters> counters_;
    Buffer<unsigned> stacks_[2];
    Buffer<uint2> items_[2];
};

Search::Search(std::span<Puzzle const> puzzles, unsigned limit)
    : implementation_(std::make_unique<Implementation>(puzzles, limit)) {}
Search::~Search() = default;
void Search::reset() { implementation_->reset(); }
void Search::run(simt::Stream stream) { implementation_->run(stream); }
std::vector<cpu::Solutions> Search::solutions() const { return implementation_->solutions(); }
simt::KernelAttributes Search::kernel() const { return implementation_->kernel(); }

std::vector<cpu::Solutions> count_all_solutions(std::span<Puzzle const> puzzles, std::uint64_t limit) {
    if (puzzles.empty() || limit == 0)
        return std::vector<cpu::Solutions>(puzzles.size());
    Search search(puzzles, static_cast<unsigned>(std::min<std::uint64_t>(limit, 1u << 30)));
    search.reset();
    search.run({});
    return search.solutions();
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
