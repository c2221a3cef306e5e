#include "experiments/random_grids/board_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "common/random_grids/choice.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/parallel_chunks.hpp"
#include "harness/cli/variant_choice.hpp"
#include "harness/ranks/ranks.hpp"

namespace lockstep::random_grids {

namespace {

// Fewer drawn sites take a CPU less time than it takes to start a GPU.
constexpr double min_sites_for_gpu = 1 << 30;

// Boards with k sites from a file have streams of their own, so that no two boards share random words.
std::uint64_t first_stream_of(unsigned const sites) { return (std::uint64_t{sites} + 1) << 44; }

bool draws_exactly(bench::Variant const& variant) { return variant.name != "warpwise_no_sum"; }

// The fastest variant for many streams among those that every machine has.
std::string automatic_variant(bench::Experiment const& experiment, bench::Axes const& axes) {
    Workload const workload = read_workload(axes);
    std::vector<std::string> names = fastest_variants(workload, many_streams);
    // On a GPU, one kernel of `pooled` draws and packs sets of 1024 sites. The others take a second one, which costs
    // more than what they gain with some k.
    if (workload.shape.sites() == 1024 && workload.planes() == 1)
        names.insert(names.begin(), "pooled");
    auto const everywhere = [&](std::string const& name) {
        return std::any_of(experiment.variants.begin(), experiment.variants.end(), [&](bench::Variant const& variant) {
            return variant.name == name && variant.machine == bench::Machine::cpu &&
                   variant.unsupported_reason(axes).empty();
        });
    };
    auto const found = std::find_if(names.begin(), names.end(), everywhere);
    return found == names.end() ? names.back() : *found;
}

void check_variant(bench::Experiment const& experiment, std::string const& name) {
    std::vector<std::string> names;  // each once: a variant is listed for every machine that has it
    for (bench::Variant const& variant : experiment.variants) {
        bool const is_new = std::find(names.begin(), names.end(), variant.name) == names.end();
        if (draws_exactly(variant) && is_new)
            names.push_back(variant.name);
    }
    bench::require_known("variant", name, names);
}

std::vector<bench::Machine> machines_for(BoardRequest const& request) {
    using bench::Machine;
    double const sites = static_cast<double>(request.count) * request.mask.free_sites();
    bool const automatic = request.machine == "auto";
    if (automatic && sites >= min_sites_for_gpu)
        return cli::machines_to_try("auto", {Machine::cuda, Machine::cpu, Machine::emulator});
    // Looking for a GPU takes longer than a few boards.
    if (automatic && request.variant == "auto")
        return {Machine::cpu};
    return cli::machines_to_try(request.machine, {Machine::cpu, Machine::cuda, Machine::emulator});
}

void check_free_sites(BoardRequest const& request) {
    std::string const& occupied = request.axes.at("occupied");
    unsigned const free = request.mask.free_sites();
    if (free == 0)
        throw bench::Error("nothing to draw", "the mask has no free site", "Mark free sites with ?.");
    if (!request.masked || occupied == "half" || occupied == "mixed")
        return;
    unsigned const sites = parse_occupied(occupied, request.mask.shape()).front();
    if (sites > free)
        throw bench::Error("occupied " + occupied + " does not fit",
                           "the mask has " + std::to_string(free) + " free sites");
}

}  // namespace

BoardSource::BoardSource(bench::Experiment const& experiment, BoardRequest request)
    : experiment_(experiment), request_(std::move(request)), by_sites_(request_.site_counts) {
    check_free_sites(request_);
    NumberedSets const any = sets_of(request_.axes.at("occupied"), 0);
    variant_ = &any.variant();
    set_planes_ = any.workload().planes();
    if (request_.site_counts.empty())
        sets_.emplace(0u, any);
}

NumberedSets BoardSource::sets_of(std::string const& occupied, std::uint64_t const first_stream) const {
    Shape const shape = request_.mask.shape();
    bool const by_rows = request_.variant != "auto" && !request_.masked;
    cli::AxisTexts texts = request_.axes;
    texts["grid"] = by_rows ? std::to_string(shape.width) + "x" + std::to_string(shape.height)
                            : std::to_string(request_.mask.free_sites()) + "x1";
    texts["occupied"] = occupied;
    unsigned const length = request_.boards_per_stream;
    texts["length"] = std::to_string(length != 0 ? length : sets_per_stream(request_.mask.free_sites()));
    texts["streams"] = "1";
    texts["output"] = "stored";
    bench::Axes const axes = cli::axes_from(experiment_, texts);
    experiment_.check(axes);
    std::string name = request_.variant;
    if (name == "auto")
        name = automatic_variant(experiment_, axes);
    else
        check_variant(experiment_, name);
    bench::Variant const& variant = cli::choose_variant(experiment_, axes, machines_for(request_), {name},
                                                        "cannot draw with variant " + request_.variant);
    return NumberedSets(variant, axes, request_.seed, first_stream);
}

unsigned BoardSource::planes() const { return std::max(set_planes_, request_.mask.colours()); }

unsigned BoardSource::max_occupied(std::uint64_t const first, std::uint64_t const count) const {
    unsigned drawn = 0;
    if (!request_.site_counts.empty()) {
        auto const begin = request_.site_counts.begin() + static_cast<std::ptrdiff_t>(first);
        drawn = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(count));
    } else {
        Workload const& workload = sets_.begin()->second.workload();
        drawn = workload.mixed() ? request_.mask.free_sites() : workload.occupied.front();
    }
    return drawn + request_.mask.fixed_sites();
}

std::uint64_t BoardSource::boards_at_a_time() const {
    // Two parts of page-locked memory take time to allocate, but a GPU needs many streams to be busy. The emulator is
    // slow, and its parts are there for tests.
    auto const log2_bits = [](bench::Machine const machine) {
        return machine == bench::Machine::cuda ? 29 : machine == bench::Machine::cpu ? 27 : 20;
    };
    std::uint64_t const bits = std::uint64_t{1} << log2_bits(variant().machine);
    std::uint64_t const length = sets_per_stream(request_.mask.free_sites());
    std::uint64_t const boards = bits / (std::uint64_t{32} * planes() * request_.mask.words_per_plane());
    return std::max<std::uint64_t>(1, boards / length) * length;
}

std::shared_ptr<void> BoardSource::memory_for(std::uint64_t const boards) const {
    std::size_t const bytes = boards * words_per_board() * sizeof(std::uint32_t);
    if (on_device() != nullptr)
        return on_device()->host_memory(bytes);
    void* const found = std::malloc(std::max<std::size_t>(bytes, 1));
    if (found == nullptr)
        throw std::bad_alloc();
    return {found, std::free};
}

bool BoardSource::draws_aside() const { return on_device() != nullptr && !request_.masked && ranks::count() == 1; }

void BoardSource::draw(std::uint64_t const first, std::uint64_t const count, std::span<std::uint32_t> const to) {
    if (!request_.masked)
        return draw_sets(first, count, to);
    std::size_t const words_per_set = std::size_t{set_planes_} * simt::ceil_div(request_.mask.free_sites(), 32u);
    std::vector<std::uint32_t> sets(ranks::is_root() ? count * words_per_set : 0);
    draw_sets(first, count, sets);
    if (ranks::is_root())
        place(sets, to);
}

void BoardSource::draw_sets(std::uint64_t const first, std::uint64_t const count, std::span<std::uint32_t> const to) {
    if (request_.site_counts.empty())
        sets_.begin()->second.draw(first, count, to);
    else
        draw_by_site_counts(first, count, to);
}

void BoardSource::draw_by_site_counts(std::uint64_t const first, std::uint64_t const count,
                                      std::span<std::uint32_t> const to) {
    std::size_t const words = simt::ceil_div(request_.mask.free_sites(), 32u);
    std::vector<std::vector<CountedBoard>> const boards = by_sites_.boards(first, count);
    for (unsigned sites = 0; sites < boards.size(); ++sites) {
        if (boards[sites].empty())
            continue;
        auto found = sets_.find(sites);
        if (found == sets_.end())
            found = sets_.emplace(sites, sets_of(std::to_string(sites), first_stream_of(sites))).first;
        std::vector<std::uint32_t> drawn(ranks::is_root() ? boards[sites].size() * words : 0);
        found->second.draw(boards[sites].front().number, boards[sites].size(), drawn);
        for (std::size_t i = 0; i * words < drawn.size(); ++i)
            std::copy_n(drawn.begin() + static_cast<std::ptrdiff_t>(i * words), words,
                        to.begin() + static_cast<std::ptrdiff_t>(boards[sites][i].at * words));
    }
}

void BoardSource::place(std::vector<std::uint32_t> const& sets, std::span<std::uint32_t> const boards) const {
    BoardMask const& mask = request_.mask;
    std::size_t const set_words = simt::ceil_div(mask.free_sites(), 32u);
    std::size_t const count = sets.size() / (set_words * set_planes_);
    bench::parallel_chunks(count, 256, [&](std::size_t, std::size_t const begin, std::size_t const end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (unsigned plane = 0; plane < planes(); ++plane) {
                std::uint32_t const* const set = sets.data() + (i * set_planes_ + plane) * set_words;
                mask.place(plane, plane < set_planes_ ? set : nullptr,
                           boards.data() + i * words_per_board() + plane * mask.words_per_plane());
            }
        }
    });
}

}  // namespace lockstep::random_grids
