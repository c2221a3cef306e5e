#include "harness/simt/emulator/shared_variables.hpp"

#include <algorithm>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/emulator/block.hpp"
#include "harness/simt/hooks/memory.hpp"

namespace lockstep::simt::emulator {
namespace {

constexpr std::size_t dynamic_alignment = 256;

struct Registered {
    unsigned variables = 0;
    std::size_t bytes = 0;
};
constinit Registered registered;
// Alignment may leave gaps between the variables that no compiler for a GPU leaves.
constexpr std::size_t max_variable_bytes = max_static_shared_bytes + 1024;
// nvcc aligns variables so that it can access neighbouring words at once.
constexpr std::size_t widest_access = 16;

std::size_t alignment_of(std::size_t bytes, std::size_t alignment) {
    return bytes >= widest_access ? std::max(alignment, widest_access) : alignment;
}

}  // namespace

unsigned add_shared_variable(std::size_t bytes, std::size_t alignment) {
    registered.bytes += bytes + alignment_of(bytes, alignment);
    return registered.variables++;
}

std::size_t shared_bytes_with_variables(std::size_t dynamic) {
    std::size_t const variables = std::min(registered.bytes, max_variable_bytes);
    return variables == 0 ? dynamic : round_up(dynamic, dynamic_alignment) + round_up(variables, dynamic_alignment);
}

void* shared_variable(unsigned number, std::size_t bytes, std::size_t alignment, char const* name,
                      std::source_location site) {
    Block& block = running_lane().block();
    SharedArena const& arena = block.arena();
    std::vector<std::size_t>& offsets = block.variable_offsets;
    if (offsets.size() <= number) {
        offsets.resize(registered.variables, 0);
    }
    if (offsets[number] == 0) {
        std::size_t const end = arena.bytes - block.variable_bytes;
        std::size_t const available = std::min(arena.bytes, max_variable_bytes) - block.variable_bytes;
        alignment = alignment_of(bytes, alignment);
        if (bytes + alignment > available) {
            refuse("the kernel's shared variables do not fit (at most 49152 bytes, use extern __shared__ for more)",
                   site);
        }
        std::size_t const start = (end - bytes) / alignment * alignment;
        block.variable_bytes = arena.bytes - start;
        offsets[number] = start + 1;
        hooks::note_shared_variable(arena.data + start, bytes, name);
    }
    return arena.data + (offsets[number] - 1);
}

void* dynamic_shared_variable(char const* name) {
    SharedArena const& arena = running_lane().block().arena();
    std::size_t const variables = shared_bytes_with_variables(0);
    hooks::note_shared_variable(arena.data, arena.bytes - std::min(arena.bytes, variables), name);
    return arena.data;
}

}  // namespace lockstep::simt::emulator
