#include "experiments/random_grids/board_writer.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "harness/bench/npy.hpp"
#include "harness/bench/parallel_chunks.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::random_grids {

static_assert(std::endian::native == std::endian::little, "binary formats are little-endian");

namespace {

constexpr unsigned max_sites_at_a_time = 1u << 24;

// Writes the sites of one board, and then -1, to `to`.
void list_sites(PackedBoards const& boards, std::size_t const board, std::int32_t* to, std::int32_t* const end) {
    std::size_t const words = boards.words_per_plane();
    std::uint32_t const* const first = boards.words.data() + board * boards.words_per_board();
    for (unsigned plane = 0; plane < boards.planes; ++plane) {
        std::uint32_t const* const here = first + plane * words;
        for (std::size_t i = 0; i < words; ++i) {
            std::uint32_t const later = plane + 1 < boards.planes ? here[words + i] : 0;
            for (std::uint32_t colour = here[i] & ~later; colour != 0; colour &= colour - 1)
                *to++ = static_cast<std::int32_t>(32 * i) + std::countr_zero(colour);
        }
    }
    std::fill(to, end, -1);
}

}  // namespace

bool is_binary(std::string const& format) { return format == "npy" || format == "packed" || format == "indices"; }

std::uint64_t min_bytes_of(BoardsToWrite const& boards) {
    std::uint64_t const sites = boards.shape.sites();
    std::uint64_t per_board = 2 * sites;  // pbm, pgm, json: a digit and a separator
    if (boards.format == "text")
        per_board = sites + boards.shape.height;  // with the ends of lines
    else if (boards.format == "npy")
        per_board = sites;
    else if (boards.format == "packed")
        per_board = boards.planes * simt::ceil_div<std::uint64_t>(sites, 32) * sizeof(std::uint32_t);
    else if (boards.format == "indices")
        per_board = boards.max_occupied * sizeof(std::int32_t);
    std::uint64_t bytes = 0;
    bool const fits = !__builtin_mul_overflow(per_board, boards.count, &bytes);
    return fits ? bytes : std::numeric_limits<std::uint64_t>::max();
}

BoardWriter::BoardWriter(BoardsToWrite boards, std::string const& path)
    : all_(std::move(boards)), file_(path.empty() ? bench::StreamedFile() : bench::StreamedFile(path)) {
    if (all_.format == "npy")
        file_.write(bench::npy_head("|u1", {all_.count, all_.shape.height, all_.shape.width}));
    if (all_.format == "indices")
        file_.write(bench::npy_head("<i4", {all_.count, all_.max_occupied}));
    if (all_.format == "json")
        file_.write("{" + all_.json_head + ", \"boards\": [");
}

// Larger forms than the packed one are made of a part at a time.
void BoardWriter::write(PackedBoards const& boards) {
    if (all_.format == "packed") {
        file_.write(boards.words.data(), boards.words.size() * sizeof(std::uint32_t));
        return;
    }
    std::size_t const at_a_time = std::max(1u, max_sites_at_a_time / boards.shape.sites());
    for (std::size_t first = 0; first < boards.count(); first += at_a_time) {
        std::size_t const last = std::min(first + at_a_time, boards.count());
        std::size_t const words = boards.words_per_board();
        write_part({boards.shape, boards.planes, boards.words.subspan(first * words, (last - first) * words)});
    }
}

void BoardWriter::write_part(PackedBoards const& boards) {
    if (all_.format == "npy")
        write_npy(boards);
    else if (all_.format == "indices")
        write_indices(boards);
    else
        write_text(unpack_boards(boards));
}

void BoardWriter::write_npy(PackedBoards const& boards) {
    std::vector<unsigned char> sites(boards.count() * boards.shape.sites());
    bench::parallel_chunks(boards.count(), 256, [&](std::size_t, std::size_t const begin, std::size_t const end) {
        for (std::size_t i = begin; i < end; ++i)
            unpack_board(boards, i, sites.data() + i * boards.shape.sites());
    });
    file_.write(sites.data(), sites.size());
}

void BoardWriter::write_indices(PackedBoards const& boards) {
    std::size_t const columns = all_.max_occupied;
    std::vector<std::int32_t> sites(boards.count() * columns);
    bench::parallel_chunks(boards.count(), 256, [&](std::size_t, std::size_t const begin, std::size_t const end) {
        for (std::size_t i = begin; i < end; ++i)
            list_sites(boards, i, sites.data() + i * columns, sites.data() + (i + 1) * columns);
    });
    file_.write(sites.data(), sites.size() * sizeof(std::int32_t));
}

void BoardWriter::write_text(std::vector<Board> const& boards) {
    if (boards.empty())
        return;
    if (all_.format == "json")
        file_.write((begun_ ? "," : "") + json_boards(boards));
    else if (all_.format == "pbm")
        file_.write(pbm_of(boards));
    else if (all_.format == "pgm")
        file_.write(pgm_of(boards, all_.planes));
    else
        file_.write((begun_ ? "\n" : "") + text_of(boards));
    begun_ = true;
}

void BoardWriter::finish() {
    if (all_.format == "json")
        file_.write(begun_ ? "\n]}\n" : "]}\n");
    file_.finish();
}

}  // namespace lockstep::random_grids
