// What an access may touch: the running block's shared memory, registered device memory, the kernel's parameters,
// the program's constants, and the lane's own stack.

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "harness/simt/emulator/shared_variables.hpp"
#include "harness/simt/hooks/binutils.hpp"
#include "harness/simt/hooks/checker.hpp"

namespace lockstep::simt::hooks {
namespace {

// What the checks need for a report.
constexpr std::size_t reserved_stack = 48 * 1024;

Strength strength_of(Kind kind) { return kind == Kind::is_volatile ? Strength::relaxed() : Strength::plain(); }

std::string verb(Access const& access) { return access.is_write ? "write" : "read"; }

bool is_mapped(Address at) {
    auto const page = static_cast<Address>(sysconf(_SC_PAGESIZE));
    unsigned char in_memory = 0;
    return mincore(reinterpret_cast<void*>(at / page * page), 1, &in_memory) == 0;
}

// Writable and constant data of the program and its libraries, and this thread's thread_local variables, which include
// threadIdx.
std::vector<std::pair<Address, Address>> find_program_data() {
    std::vector<std::pair<Address, Address>> found;
    auto const collect = [](dl_phdr_info* info, std::size_t, void* into) {
        auto& ranges = *static_cast<std::vector<std::pair<Address, Address>>*>(into);
        for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
            auto const& segment = info->dlpi_phdr[i];
            if (segment.p_type == PT_LOAD) {
                Address const begin = info->dlpi_addr + segment.p_vaddr;
                ranges.emplace_back(begin, begin + segment.p_memsz);
            } else if (segment.p_type == PT_TLS && info->dlpi_tls_data != nullptr) {
                auto const begin = reinterpret_cast<Address>(info->dlpi_tls_data);
                ranges.emplace_back(begin, begin + segment.p_memsz);
            }
        }
        return 0;
    };
    dl_iterate_phdr(collect, &found);
    // Those of the program itself, which come first, are needed most.
    return found;
}

}  // namespace

Address Checker::stack_of(emulator::Lane const& lane) {
    auto const here = reinterpret_cast<Address>(__builtin_frame_address(0));
    if (here - reinterpret_cast<Address>(stack_) >= emulator::Fiber::stack_bytes) {
        stack_ = lane.block().fiber_of(lane).stack();
    }
    return reinterpret_cast<Address>(stack_);
}

// A stack that is full in the middle of the checks would leave them broken, so a lane ends before that.
void Checker::enter(emulator::Lane& lane, std::uintptr_t return_address, std::uintptr_t here) {
    turns_->note_event();
    if (reinterpret_cast<Address>(__builtin_frame_address(0)) - stack_of(lane) < reserved_stack &&
        !launch_->stopped.load(std::memory_order_relaxed)) {
        fail(lane, Problem::stack_overflow,
             "stack overflow (a lane's calls need more than " +
                 std::to_string((emulator::Fiber::stack_bytes - reserved_stack) / 1024) +
                 " KiB; a GPU's default is 1 KiB)",
             return_address);
    }
    BlockState& block = state_of(lane.block());
    CallSites::Stack& stack = block.stacks[lane.number];
    stack = sites_.enter(stack, return_address);
    block.latest[lane.number] = here;
}

void Checker::access(emulator::Lane& lane, Access const& access) {
    if (access.at - stack_of(lane) < emulator::Fiber::stack_bytes || launch_->stopped.load(std::memory_order_relaxed)) {
        return;
    }
    turns_->note_event();
    BlockState& block = state_of(lane.block());
    block.latest[lane.number] = access.pc;
    if (access.is_write && access.kind != Kind::atomic) {
        lane.block().note_change();
    }
    emulator::SharedArena const& arena = lane.block().arena();
    if (access.at - reinterpret_cast<Address>(arena.data) < arena.bytes) {
        access_shared(lane, block, access);
    } else if (access.at - reinterpret_cast<Address>(arena.written) < arena.bytes) {
        // The emulator's flags (shared_memory.hpp).
    } else if (Allocation* const allocation = registry != nullptr ? registry->find(access.at, access.bytes) : nullptr) {
        access_global(lane, block, *allocation, access);
    } else {
        access_elsewhere(lane, access);
    }
}

void Checker::misaligned(emulator::Lane& lane, Access const& access, std::string const& what, std::size_t multiple) {
    emulator::SharedArena const& arena = lane.block().arena();
    bool const shared = access.at - reinterpret_cast<Address>(arena.data) < arena.bytes;
    bool const global = registry != nullptr && registry->find(access.at, 1) != nullptr;
    if ((shared || global) && settings_.memory && !launch_->stopped.load(std::memory_order_relaxed)) {
        fail(lane, Problem::bad_address,
             "misaligned " + verb(access) + " (the address of " + what + " is not a multiple of " +
                 std::to_string(multiple) + ")",
             access.pc);
    }
}

void Checker::access_range(emulator::Lane& lane, Access const& access) {
    emulator::SharedArena const& arena = lane.block().arena();
    bool const shared = access.at - reinterpret_cast<Address>(arena.data) < arena.bytes;
    if (access.bytes != 0 && (shared || (registry != nullptr && registry->find(access.at, 1) != nullptr))) {
        Access latest = access;
        latest.is_latest = true;
        this->access(lane, latest);
    }
}

void Checker::access_shared(emulator::Lane& lane, BlockState& block, Access const& access) {
    std::size_t const offset = access.at - reinterpret_cast<Address>(lane.block().arena().data);
    if (settings_.memory && offset + access.bytes > block.shared->bytes()) {
        report(lane, Problem::out_of_bounds,
               verb(access) + " outside the block's shared memory (byte " + std::to_string(offset) + " of " +
                   std::to_string(block.shared->bytes()) + " bytes)",
               access.pc);
        return;
    }
    if (settings_.memory && !block.variables.empty()) {
        auto const holds = [&](SharedVariable const& variable) {
            return offset >= variable.offset && offset + access.bytes <= variable.offset + variable.bytes;
        };
        if (std::none_of(block.variables.begin(), block.variables.end(), holds)) {
            auto const distance = [&](SharedVariable const& variable) {
                return offset < variable.offset ? variable.offset - offset
                                                : offset - std::min(offset, variable.offset + variable.bytes);
            };
            auto const nearest = std::min_element(
                block.variables.begin(), block.variables.end(),
                [&](SharedVariable const& a, SharedVariable const& b) { return distance(a) < distance(b); });
            report(lane, Problem::out_of_bounds,
                   verb(access) + " outside a shared variable (" + std::to_string(distance(*nearest)) +
                       (offset < nearest->offset ? " bytes before '" : " bytes behind '") + nearest->name + "' of " +
                       std::to_string(nearest->bytes) + " bytes)",
                   access.pc);
            return;
        }
    }
    check_set(lane, *block.shared, offset, access, nullptr);
    if (settings_.races) {
        check_races(lane, block, *block.shared, offset, true, access, nullptr);
    }
    if (settings_.counters) {
        trace(lane, block, access, true, offset);
    }
    if (weak_ != nullptr && access.kind != Kind::atomic) {
        access_weakly(lane, block, block.weak->shared, access, strength_of(access.kind));
    }
}

void Checker::access_global(emulator::Lane& lane, BlockState& block, Allocation& allocation, Access const& access) {
    std::size_t const offset = access.at - allocation.begin;
    if (settings_.memory && access.is_write && allocation.kind == Memory::constant) {
        report(lane, Problem::constant_written, "write to constant memory (" + allocation.describe(access.at) + ")",
               access.pc);
    }
    check_set(lane, allocation.shadow, offset, access, &allocation);
    if (settings_.races) {
        check_races(lane, block, allocation.shadow, offset, false, access, &allocation);
    }
    if (settings_.counters && allocation.kind != Memory::constant) {
        trace(lane, block, access, false, access.at);
    }
    if (weak_ != nullptr && access.kind != Kind::atomic) {
        access_weakly(lane, block, weak_->global(), access, strength_of(access.kind));
    }
}

void Checker::check_set(emulator::Lane& lane, Shadow& shadow, std::size_t offset, Access const& access,
                        Allocation const* allocation) {
    if (settings_.memory && (!access.is_write || access.is_update) && shadow.is_unset(offset, access.bytes)) {
        std::string const where = allocation != nullptr ? allocation->describe(access.at)
                                                        : "byte " + std::to_string(offset) + " of shared memory";
        report(lane, Problem::unset_memory,
               "use of unset " + std::string(allocation != nullptr ? "global" : "shared") +
                   " memory (nothing has been written to " + where + ")",
               access.pc);
    }
    if (access.is_write) {
        shadow.mark_set(offset, access.bytes);
    }
}

bool Checker::is_program_data(Address at) {
    auto const contains = [&](auto const& range) { return at >= range.first && at < range.second; };
    if (std::any_of(program_data_.begin(), program_data_.end(), contains)) {
        return true;
    }
    program_data_ = find_program_data();  // a library may have been loaded since
    return std::any_of(program_data_.begin(), program_data_.end(), contains);
}

// Reads in the middle of nowhere that cannot fault are reported and go on; what could fault or destroy the host's data
// ends the launch.
void Checker::access_elsewhere(emulator::Lane& lane, Access const& access) {
    Address const argument = reinterpret_cast<Address>(launch_->argument);
    bool const emulators_own = access.at - reinterpret_cast<Address>(&lane.block()) < sizeof(emulator::Block);
    if (access.at - argument < launch_->argument_bytes || emulators_own || !settings_.memory) {
        return;
    }
    if (registry != nullptr && registry->is_near_host_variables(access.at)) {
        std::string const variable = registry->describe_host_variable(access.at);
        if (!variable.empty()) {
            refuse_host_memory(lane, access, variable);
            return;
        }
    }
    emulator::SharedArena const& arena = lane.block().arena();
    bool const is_empty = arena.data == nullptr;
    std::byte const* const shared = is_empty ? emulator::empty_shared_memory() : arena.data;
    Address const behind = access.at - reinterpret_cast<Address>(shared) - arena.bytes;
    if (behind < (is_empty ? emulator::empty_shared_bytes : redzone)) {
        std::string const what = verb(access) + " outside the block's shared memory (" + std::to_string(behind) +
                                 " bytes behind its " + std::to_string(arena.bytes) + " bytes)";
        if (is_empty) {  // nothing is mapped there
            fail(lane, Problem::out_of_bounds, what, access.pc);
        }
        report(lane, Problem::out_of_bounds, what, access.pc);
        return;
    }
    Address const ahead = reinterpret_cast<Address>(shared) - access.at;
    if (!is_empty && ahead <= redzone) {
        std::string const what =
            verb(access) + " outside the block's shared memory (" + std::to_string(ahead) + " bytes before its start)";
        if (access.is_write) {  // of the host
            fail(lane, Problem::out_of_bounds, what, access.pc);
        }
        report(lane, Problem::out_of_bounds, what, access.pc);
        return;
    }
    if (Allocation const* const guarded = registry != nullptr ? registry->guarded_by(access.at) : nullptr) {
        report(lane, Problem::out_of_bounds,
               verb(access) + " outside a device variable (" + guarded->describe(access.at) + ")", access.pc);
        return;
    }
    if (is_program_data(access.at)) {
        return;
    }
    if (access.at < 4096) {
        fail(lane, Problem::null_pointer,
             verb(access) + " through a null pointer (address " + hexadecimal(access.at) + ")", access.pc);
    }
    Allocation const* const near = registry != nullptr ? registry->nearest(access.at, redzone) : nullptr;
    if (near != nullptr) {
        if (near->freed && near->contains(access.at, 1)) {
            fail(lane, Problem::freed_memory,
                 verb(access) + " of freed memory (" + near->describe(access.at) + " that the host has freed)",
                 access.pc);
        }
        report(lane, Problem::out_of_bounds, verb(access) + " outside a buffer (" + near->describe(access.at) + ")",
               access.pc);
        return;
    }
    if (!is_mapped(access.at)) {
        fail(lane, Problem::bad_address,
             verb(access) + " at an address that is not mapped (" + hexadecimal(access.at) + ")", access.pc);
    }
    refuse_host_memory(lane, access,
                       hexadecimal(access.at) + " is a host pointer, or the address of another lane's variable");
}

void Checker::refuse_host_memory(emulator::Lane& lane, Access const& access, std::string const& why) {
    std::string const what = verb(access) + " outside device memory (" + why + ")";
    if (access.is_write) {
        fail(lane, Problem::not_device_memory, what, access.pc);
    }
    report(lane, Problem::not_device_memory, what, access.pc);
}

}  // namespace lockstep::simt::hooks
