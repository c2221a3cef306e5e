#include "harness/bench/npy.hpp"

namespace lockstep::bench {

// As NumPy writes it: the values begin at a multiple of 64 bytes.
std::string npy_head(std::string const& type, std::vector<std::uint64_t> const& shape) {
    std::string sizes;
    for (std::uint64_t const size : shape)
        sizes += (sizes.empty() ? "" : " ") + std::to_string(size) + ",";
    if (shape.size() > 1)
        sizes.pop_back();
    std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
    text += std::string(63 - (10 + text.size()) % 64, ' ') + "\n";
    std::string head = "\x93NUMPY";
    head += {'\x01', '\x00', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
    return head + text;
}

}  // namespace lockstep::bench
