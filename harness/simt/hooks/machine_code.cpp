#include "harness/simt/hooks/machine_code.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "harness/simt/hooks/binutils.hpp"
#include "harness/simt/hooks/symbols.hpp"

namespace lockstep::simt::hooks {
namespace {

struct Instruction {
    std::uintptr_t address = 0;
    std::string_view name;
    std::string_view operands;
};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
    return std::find(all.begin(), all.end(), text) != all.end();
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// "    1139:\tcall   1040 <name@plt>"
std::optional<Instruction> parse_instruction(std::string_view line) {
    std::size_t const begin = line.find_first_not_of(' ');
    std::size_t const colon = line.find(":\t");
    if (begin == 0 || begin == std::string_view::npos || colon == std::string_view::npos) {
        return std::nullopt;
    }
    Instruction instruction;
    std::from_chars(line.data() + begin, line.data() + colon, instruction.address, 16);
    std::string_view const rest = line.substr(colon + 2);
    std::size_t const end = std::min(rest.find(' '), rest.size());
    instruction.name = rest.substr(0, end);
    std::size_t const operands = rest.find_first_not_of(' ', end);
    if (operands != std::string_view::npos) {
        instruction.operands = rest.substr(operands);
    }
    return instruction;
}

// The file of a line "path:12", with " (discriminator 3)" behind it at times.
std::optional<std::string_view> parse_file(std::string_view line) {
    std::size_t const colon = line.rfind(':');
    bool const has_number =
        colon != std::string_view::npos && colon + 1 < line.size() && line[colon + 1] >= '0' && line[colon + 1] <= '9';
    return has_number && line.front() != ' ' ? std::optional(line.substr(0, colon)) : std::nullopt;
}

// The name of the function that is called: "<name@plt>", "<name>" or "<name+0x12>".
std::string_view callee(Instruction const& call) {
    std::size_t const begin = call.operands.find('<');
    if (begin == std::string_view::npos) {
        return {};
    }
    std::string_view const name = call.operands.substr(begin + 1);
    return name.substr(0, name.find_first_of(">+@"));
}

bool is_call(std::string_view name) { return is_one_of(name, {"call", "callq", "bl", "blr"}); }

// A function of the C library that takes many instructions on a GPU.
bool is_mathematical(std::string_view name) {
    return is_one_of(name, {"exp",  "exp2",  "log",  "log2",  "log10",  "pow",  "sin",  "cos",  "tan",  "tanh",
                            "expf", "exp2f", "logf", "log2f", "log10f", "powf", "sinf", "cosf", "tanf", "tanhf"});
}

// Between registers, or to and from the stack, where a GPU has registers.
bool is_copy(Instruction const& instruction) {
    if (!instruction.name.starts_with("mov")) {
        return false;
    }
    bool const on_stack = contains(instruction.operands, "(%rsp)") || contains(instruction.operands, "(%rbp)");
    bool const converts = instruction.name.starts_with("movz") || instruction.name.starts_with("movs");
    return on_stack || (!converts && instruction.operands.starts_with('%') && !contains(instruction.operands, "("));
}

// Instructions of a GPU for one of the host. A division is a subroutine there.
unsigned weight_of(Instruction const& instruction) {
    std::string_view const name = instruction.name;
    if (is_one_of(name, {"push", "pop", "ret", "leave", "jmp", "cltq", "cqto", "cltd", "endbr64", "data16", "cs"}) ||
        name.starts_with("nop") || name.starts_with("xchg") || is_copy(instruction)) {
        return 0;
    }
    if (is_one_of(name, {"add", "sub"}) && instruction.operands.ends_with("%rsp")) {
        return 0;
    }
    if (is_one_of(name, {"divss", "sqrtss"})) {
        return 9;
    }
    if (name.starts_with("div") || name.starts_with("idiv") || name == "sqrtsd") {
        return 20;
    }
    return 1;
}

class Parser {
public:
    void read(std::string_view line) {
        if (line.ends_with(">:")) {  // a function begins
            block_ = nullptr;
            begins_ = in_header_ = in_library_ = counted_ = false;
        } else if (auto const instruction = parse_instruction(line)) {
            read(*instruction);
        } else if (auto const file = parse_file(line)) {
            in_library_ = (contains(*file, "simt/cuda_api/cub_") || contains(*file, "simt/cuda_api/thrust_")) &&
                          !contains(*file, "cub_warp");
            in_header_ = is_header_of_emulator(*file) && !in_library_;
        }
    }
    std::map<std::uintptr_t, BlockCode> take() { return std::move(blocks_); }

private:
    void read(Instruction const& instruction) {
        if (begins_) {
            block_ = &blocks_[instruction.address];
            *block_ = BlockCode{};
            block_->instructions = 0;
            block_->is_intrinsic = in_header_;
            begins_ = false;
        }
        if (is_call(instruction.name) && callee(instruction) == "__sanitizer_cov_trace_pc") {
            begins_ = true;
        } else if (block_ == nullptr) {
            return;
        } else if (is_call(instruction.name)) {
            read_call(callee(instruction));
        } else {
            if (instruction.name.starts_with('j') && instruction.name != "jmp") {
                block_->branches_in_a_header = in_header_;
            }
            count(weight_of(instruction));
        }
    }

    void read_call(std::string_view name) {
        if (name.starts_with("__tsan_")) {
            bool const atomic = contains(name, "atomic");
            block_->has_accesses = block_->has_accesses || atomic || contains(name, "read") || contains(name, "write");
            block_->has_calls = block_->has_calls || atomic;
            block_->instructions += atomic ? 1 : 0;
        } else if (!name.starts_with("__tls_get_addr") && !name.starts_with("__stack_chk")) {
            // Of headers, those that lanes meet in: barriers and collectives.
            block_->has_calls = block_->has_calls || !in_header_ || contains(name, "lockstep4simt8emulator");
            count(is_mathematical(name) ? 16 : 1);
        }
    }

    void count(unsigned instructions) {
        if (in_header_) {
            block_->instructions += instructions != 0 && !counted_ ? 1 : 0;
            counted_ = counted_ || instructions != 0;
        } else if (instructions != 0) {
            block_->instructions += in_library_ ? 1 : instructions;
            counted_ = false;
        }
    }

    std::map<std::uintptr_t, BlockCode> blocks_;
    BlockCode* block_ = nullptr;  // of the latest instruction
    bool begins_ = false;         // the next instruction begins a block
    bool in_header_ = false;      // of the emulator, but for its libraries, or of the system
    bool in_library_ = false;     // CUB or Thrust
    bool counted_ = false;        // the instructions of the header in a row have been counted
};

}  // namespace

std::map<std::uintptr_t, BlockCode> blocks_of(std::string_view listing) {
    Parser parser;
    while (!listing.empty()) {
        std::size_t const end = listing.find('\n');
        parser.read(listing.substr(0, end));
        listing.remove_prefix(end == std::string_view::npos ? listing.size() : end + 1);
    }
    return parser.take();
}

std::map<std::uintptr_t, BlockCode> look_up_code(std::vector<std::uintptr_t> const& return_addresses) {
    std::map<std::string, std::vector<std::uintptr_t>> modules;
    std::map<std::string, std::uintptr_t> biases;
    for (std::uintptr_t const address : return_addresses) {
        if (auto const module = module_of(address)) {
            modules[module->path].push_back(address - module->bias);
            biases[module->path] = module->bias;
        }
    }
    std::map<std::uintptr_t, BlockCode> found;
    for (auto const& [path, addresses] : modules) {
        constexpr std::uintptr_t around = 4096;  // from where a function begins to where the last block ends
        auto const [first, last] = std::minmax_element(addresses.begin(), addresses.end());
        std::string const from = "--start-address=" + hexadecimal(*first - std::min(*first, around));
        std::string const to = "--stop-address=" + hexadecimal(*last + around);
        std::map<std::uintptr_t, BlockCode> blocks;
        for (char const* tool : {"objdump", "llvm-objdump", "llvm-objdump-14"}) {
            blocks = blocks_of(output_of({tool, "-d", "-l", "--no-show-raw-insn", from, to, path}));
            if (!blocks.empty()) {
                break;
            }
        }
        for (std::uintptr_t const address : addresses) {
            if (auto const block = blocks.find(address); block != blocks.end()) {
                found[address + biases[path]] = block->second;
            }
        }
    }
    return found;
}

}  // namespace lockstep::simt::hooks
