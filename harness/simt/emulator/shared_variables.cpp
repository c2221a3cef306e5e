#include "harness/simt/emulator/shared_variables.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/emulator/block.hpp"
#include "harness/simt/hooks/memory.hpp"

namespace lockstep::simt::emulator {
namespace {

constexpr std::size_t dynamic_alignment = 256;
// Before each variable, so that an index beyond the end of what precedes it is in no variable.
constinit std::size_t variable_gap = 0;
constinit std::atomic<TellStaticBytes> static_bytes_told = nullptr;

struct Registered {
    unsigned variables = 0;
    std::size_t bytes = 0;
};
constinit Registered registered;
// Alignment may leave gaps between the variables that no compiler for a GPU leaves.
constexpr std::size_t max_variable_bytes = max_static_shared_bytes + 1024;
}  // namespace

void keep_shared_variables_apart(bool apart) { variable_gap = apart ? 128 : 0; }

void tell_static_bytes(TellStaticBytes tell) { static_bytes_told = tell; }

unsigned add_shared_variable(std::size_t bytes, std::size_t alignment) {
    registered.bytes += bytes + alignment;
    return registered.variables++;
}

std::size_t shared_bytes_with_variables(std::size_t dynamic) {
    std::size_t const variables = std::min(registered.bytes, max_variable_bytes) + variable_gap * registered.variables;
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
        std::size_t const begin = arena.bytes - std::min(arena.bytes, shared_bytes_with_variables(0));
        std::size_t const start = round_up(begin + block.variable_bytes + variable_gap, alignment);
        auto const placed = static_cast<std::size_t>(
            std::count_if(offsets.begin(), offsets.end(), [](std::size_t const offset) { return offset != 0; }));
        if (start + bytes - begin - variable_gap * (placed + 1) > max_variable_bytes) {
            refuse("the kernel's shared variables do not fit (at most 49152 bytes, use extern __shared__ for more)",
                   site);
        }
        block.variable_bytes = start + bytes - begin;
        offsets[number] = start + 1;
        hooks::note_shared_variable(arena.data + start, bytes, name);
        block.static_bytes += bytes;
        if (TellStaticBytes const tell = static_bytes_told.load(); tell != nullptr) {
            tell(block.static_bytes);
        }
    }
    return arena.data + (offsets[number] - 1);
}

void* dynamic_shared_variable(char const* name) {
    SharedArena const& arena = running_lane().block().arena();
    std::size_t const variables = shared_bytes_with_variables(0);
    hooks::note_shared_variable(arena.data, arena.bytes - std::min(arena.bytes, variables), name);
    return arena.data != nullptr ? arena.data : empty_shared_memory();
}

std::byte* empty_shared_memory() {
    static void* const place =
        mmap(nullptr, empty_shared_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return place == MAP_FAILED ? nullptr : static_cast<std::byte*>(place);
}

}  // namespace lockstep::simt::emulator
