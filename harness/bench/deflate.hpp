#pragma once
// Compression of pictures for PNG files (RFC 1950 and 1951) with fixed codes. Matches are looked for at two distances
// only, one pixel and one row back, so that it needs no library and no search.

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::bench {

// Returns a zlib stream of rows of `row` bytes, with pixels of `pixel` bytes.
std::string compressed_rows(std::string_view bytes, std::size_t pixel, std::size_t row);

}  // namespace lockstep::bench
