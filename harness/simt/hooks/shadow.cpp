#include "harness/simt/hooks/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace lockstep::simt::hooks {

ZeroPages::ZeroPages(std::size_t bytes) : bytes_(bytes == 0 ? 1 : bytes) {
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED) {
        throw std::bad_alloc();
    }
}

ZeroPages::~ZeroPages() { munmap(data_, bytes_); }

Shadow::Shadow(std::size_t bytes) : bytes_(bytes), set_(bytes) {}

void Shadow::mark_set(std::size_t offset, std::size_t count) {
    unsigned char* const flags = set_flags() + offset;
    if (count == 4) {
        std::memset(flags, 1, 4);  // the usual size, without a call
    } else {
        std::memset(flags, 1, count);
    }
}

void Shadow::mark_unset() { std::memset(set_flags(), 0, bytes_); }

bool Shadow::is_unset(std::size_t offset, std::size_t count) const {
    unsigned char const* const flags = set_flags() + offset;
    if (count == 4) {
        std::uint32_t word;
        std::memcpy(&word, flags, 4);
        return word == 0;
    }
    for (std::size_t first = 0; first < count; first += 8) {
        if (std::all_of(flags + first, flags + std::min(first + 8, count), [](unsigned char flag) { return !flag; })) {
            return true;
        }
    }
    return false;
}

Cell* Shadow::cells() {
    if (cells_ == nullptr) {
        cells_ = std::make_unique<ZeroPages>((bytes_ + 3) / 4 * sizeof(Cell));
    }
    return static_cast<Cell*>(cells_->data());
}

Cell* Shadow::parts_of(std::size_t word, Split split) {
    if (parts_ == nullptr) {
        parts_ = std::make_unique<ZeroPages>((bytes_ + 3) / 4 * 4 * sizeof(Cell));
    }
    Cell* const parts = static_cast<Cell*>(parts_->data()) + 4 * word;
    Cell& cell = cells()[word];
    auto const before = static_cast<Split>(cell.write.split);
    if (split > before) {
        if (before == Split::word) {
            std::fill_n(parts, 4, cell);
        } else {
            parts[1] = parts[0];
            parts[3] = parts[2];
        }
        cell.write.split = static_cast<unsigned>(split) & 3u;
    }
    return parts;
}

}  // namespace lockstep::simt::hooks
