#include "harness/jit/faults.hpp"

#include <dlfcn.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <mutex>

#include "harness/jit/cache.hpp"
#include "harness/jit/compiler.hpp"
#include "harness/jit/own_folder.hpp"
#include "harness/simt/emulator/faults.hpp"
#include "harness/simt/emulator/instruction.hpp"

namespace lockstep::jit {

namespace {

constexpr std::array signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

std::array<struct sigaction, signals.size()> before;
std::mutex mutex;
unsigned users = 0;  // threads can run code at the same time

void restore() {
    for (std::size_t i = 0; i < signals.size(); ++i)
        ::sigaction(signals[i], &before[i], nullptr);
}

void leave(int signal, siginfo_t* info, void* context) {
    bool const sent = info->si_code <= 0;
    if (!sent) {
        simt::emulator::end_faulted_lane(signal, simt::emulator::instruction_of(context));
        if (fault_exit != nullptr) {
            fault_exit->instruction = simt::emulator::instruction_of(context);
            siglongjmp(fault_exit->place, signal);
        }
    }
    restore();
    if (sent)
        ::raise(signal);  // otherwise the instruction is repeated
}

// What a program of binutils or LLVM prints about an instruction: a line per inlined function, the innermost first.
std::string places_of(std::string const& object, std::uintptr_t offset, std::string const& cache_name) {
    std::array<char, 24> address{};
    std::snprintf(address.data(), address.size(), "0x%zx", static_cast<std::size_t>(offset));
    std::unique_ptr<ScratchFolder const> const scratch = cache_scratch(own_cache_folder(cache_name));
    std::string const log = scratch->path() + "/log";
    for (char const* const tool : {"addr2line", "llvm-addr2line"}) {
        own_cache_text(log, "");
        if (run_compiler({tool, "-i", "-e", object, address.data()}, scratch->path(), log) == 0)
            return read_own_file(log).value_or("");
    }
    return "";
}

std::size_t line_of(UserFile const& file, std::uintptr_t instruction) {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<void*>(instruction), &info) == 0 || info.dli_fname == nullptr)
        return 0;
    try {
        // Only the objects of the cache have lines of users.
        std::filesystem::path const object = info.dli_fname;
        if (object.parent_path() != own_cache_folder(file.cache_name))
            return 0;
        return first_line_of(
            file, places_of(object, instruction - reinterpret_cast<std::uintptr_t>(info.dli_fbase), file.cache_name));
    } catch (bench::Error const&) {  // the message goes without a line
        return 0;
    }
}

}  // namespace

FaultHandlers::FaultHandlers() {
    std::lock_guard const lock(mutex);
    if (users++ != 0)
        return;
    struct sigaction action {};
    action.sa_sigaction = leave;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // leave() may jump, so no signal must stay blocked
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i)
        ::sigaction(signals[i], &action, &before[i]);
}

FaultHandlers::~FaultHandlers() {
    std::lock_guard const lock(mutex);
    if (--users == 0)
        restore();
}

bench::Error fault_error_of(UserFile const& file, Fault const& fault, std::string const& remedy) {
    std::size_t const line = line_of(file, fault.instruction);
    std::string const problem = "cannot run " + file.path + (line == 0 ? "" : " line " + std::to_string(line));
    if (fault.signal == SIGFPE)
        return {problem, file.actor + " divides by zero, or the lowest integer by -1", "Test the divisor."};
    // Of bounds_options(); GCC also compiles a division by a constant 0 so. SIGTRAP: on Arm.
    if (fault.signal == SIGILL || fault.signal == SIGTRAP)
        return {problem, file.actor + " uses an index outside of an array, or divides by zero",
                "Test the index, or the divisor."};
    return {problem, file.actor + " reads or writes outside of " + file.memory + ", or calls itself too deeply",
            remedy.empty() ? "Correct " + file.kind + "." : remedy};
}

}  // namespace lockstep::jit
