#pragma once
// What the checks remember of memory: for each word of 4 bytes its last write and two reads, and for each byte whether
// it is set. 48 bytes per word for races, on pages that exist only once they are touched, and 1 per byte.
//
// A write is compared with the word's write and reads, a read with its write: at most three times what clocks.hpp says.
// Of several reads that are not ordered, two are kept, of different blocks if there are such, else of different warps,
// else of different lanes, so that a later write is not ordered with at least one of them.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "harness/simt/hooks/clocks.hpp"

namespace lockstep::simt::hooks {

enum class Kind : unsigned { plain, atomic, is_volatile };

// What has a cell: a word, or the halves or the bytes of a word that lanes access by those.
enum class Split : unsigned { word, halves, bytes };

struct Record {
    Time time = 0;  // 0: no access
    std::uint32_t block = 0;
    std::uint32_t site = 0;  // of call_sites.hpp
    std::uint32_t lane : 10 = 0;
    std::uint32_t kind : 2 = 0;
    std::uint32_t split : 2 = 0;  // Split, in a word's write
};
static_assert(sizeof(Record) == 16);

struct Cell {
    Record write;
    Record reads[2];
};

// Pages that are zero until they are written.
class ZeroPages {
public:
    explicit ZeroPages(std::size_t bytes);
    ~ZeroPages();
    ZeroPages(ZeroPages const&) = delete;
    ZeroPages& operator=(ZeroPages const&) = delete;
    void* data() const { return data_; }

private:
    void* data_;
    std::size_t bytes_;
};

class Shadow {
public:
    explicit Shadow(std::size_t bytes);

    std::size_t bytes() const { return bytes_; }
    void mark_set(std::size_t offset, std::size_t count);
    void mark_unset();
    unsigned char* set_flags() const { return static_cast<unsigned char*>(set_.data()); }
    // True if 8 bytes in a row, or all bytes of a smaller access, are unset. Fewer may be a struct's padding, which a
    // copy of the struct reads.
    bool is_unset(std::size_t offset, std::size_t count) const;

    // Calls visit(Cell&) for the cells of an access: a cell per word, or per half or byte of a word that lanes access
    // by those.
    template <class Visit>
    void for_cells(std::size_t offset, std::size_t count, Visit visit) {
        std::size_t const end = offset + count;
        for (std::size_t word = offset / 4; 4 * word < end; ++word) {
            std::size_t const first = 4 * word >= offset ? 0 : offset - 4 * word;
            std::size_t const last = end - 4 * word >= 4 ? 4 : end - 4 * word;
            Cell& cell = cells()[word];
            bool const whole = last - first == 4;
            if (whole && cell.write.split == 0) {
                visit(cell);
                continue;
            }
            bool const halves = whole || (last - first == 2 && first % 2 == 0);
            Cell* const parts = parts_of(word, halves ? Split::halves : Split::bytes);
            std::size_t const step = cell.write.split == static_cast<unsigned>(Split::halves) ? 2 : 1;
            for (std::size_t part = first; part < last; part += step) {
                visit(parts[part]);
            }
        }
    }

private:
    Cell* cells();
    // Splits the word at least so far. The cells of its bytes; of its halves, the first and the third.
    Cell* parts_of(std::size_t word, Split split);

    std::size_t bytes_;
    ZeroPages set_;
    std::unique_ptr<ZeroPages> cells_;  // null until the first access
    std::unique_ptr<ZeroPages> parts_;  // null until the first split
};

}  // namespace lockstep::simt::hooks
