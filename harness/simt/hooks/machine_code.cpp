#include "harness/simt/hooks/machine_code.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "harness/simt/hooks/addressing.hpp"
#include "harness/simt/hooks/binutils.hpp"
#include "harness/simt/hooks/control_flow.hpp"
#include "harness/simt/hooks/listing.hpp"
#include "harness/simt/hooks/logic_chains.hpp"
#include "harness/simt/hooks/loop_rounds.hpp"
#include "harness/simt/hooks/machine_costs.hpp"
#include "harness/simt/hooks/symbols.hpp"

namespace lockstep::simt::hooks {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// To or from memory, but for the stack.
bool is_move(Instruction const& instruction) {
    return instruction.name.starts_with("mov") && contains(instruction.operands, "(") &&
           cost_of(instruction).instructions != 0;
}

// The file of a line "path:12", with " (discriminator 3)" behind it at times.
std::optional<std::string_view> parse_file(std::string_view line) {
    std::size_t const colon = line.rfind(':');
    bool const has_number =
        colon != std::string_view::npos && colon + 1 < line.size() && line[colon + 1] >= '0' && line[colon + 1] <= '9';
    return has_number && line.front() != ' ' ? std::optional(line.substr(0, colon)) : std::nullopt;
}

class Parser {
public:
    void read(std::string_view line) {
        if (line.ends_with(">:")) {  // a function begins
            end_block();
            block_ = nullptr;
            begins_ = in_header_ = in_library_ = is_the_same_on_a_gpu_ = counted_ = false;
            built_in_.end_function();
        } else if (auto const instruction = parse_instruction(line)) {
            read(*instruction);
        } else if (auto const file = parse_file(line)) {
            in_library_ = (contains(*file, "simt/cuda_api/cub_") || contains(*file, "simt/cuda_api/thrust_")) &&
                          !contains(*file, "cub_warp");
            in_header_ = is_header_of_emulator(*file) && !in_library_;
            is_the_same_on_a_gpu_ = in_header_ && contains(*file, "simt/indices.hpp");
        }
    }
    std::map<std::uintptr_t, BlockCode> take() {
        end_block();
        return std::move(blocks_);
    }

private:
    void read(Instruction const& instruction) {
        if (begins_) {
            block_ = &blocks_[instruction.address];
            *block_ = BlockCode{};
            block_->instructions = 0;
            block_->is_intrinsic = in_header_;
            begins_ = false;
        }
        if (begins_block(instruction)) {
            end_block();
            begins_ = true;
            return;
        }
        if (block_ == nullptr) {
            return;
        }
        code_.push_back(instruction);
        if (is_call(instruction.name)) {
            read_call(callee(instruction));
            built_in_.follow(instruction);
            logic_.interrupt(instruction);
        } else {
            built_in_.follow(instruction);
            if (instruction.name.starts_with('j') && instruction.name != "jmp") {
                block_->branches_in_a_header = in_header_;
            }
            if (in_header_ || in_library_) {
                logic_.interrupt(instruction);
                count(cost_of(instruction));
            } else if (!logic_.joins(instruction)) {
                count(cost_of(instruction));
            }
            block_->moves += is_move(instruction) ? 1 : 0;
        }
    }

    void end_block() {
        if (block_ != nullptr) {
            block_->addressing = addressing_of(code_);
            block_->counts_by_constant = hooks::counts_by_constant(code_);
        }
        code_.clear();
        logic_.end_block();
    }

    void read_call(std::string_view name) {
        if (name.starts_with("__tsan_")) {
            bool const atomic = contains(name, "atomic");
            bool const is_access = atomic || contains(name, "read") || contains(name, "write");
            block_->accesses += is_access && !built_in_.are_read() ? 1 : 0;
            block_->has_stores = block_->has_stores || contains(name, "write");
            block_->has_calls = block_->has_calls || atomic;
            block_->instructions += atomic ? 1 : 0;
        } else if (!name.starts_with("__tls_get_addr") && !name.starts_with("__stack_chk")) {
            // Of headers, those that lanes meet in: barriers and collectives.
            block_->has_calls = block_->has_calls || !in_header_ || contains(name, "lockstep4simt8emulator");
            count(cost_of_function(name));
        }
    }

    void count(Cost const& cost) {
        if (in_header_ && !is_the_same_on_a_gpu_) {
            block_->instructions += cost.instructions != 0 && !counted_ ? 1 : 0;
            counted_ = counted_ || cost.instructions != 0;
        } else if (cost.instructions != 0) {
            block_->instructions += in_library_ ? 1 : cost.instructions;
            block_->slow_paths += cost.branches;
            block_->table_loads += cost.table_loads;
            counted_ = false;
        }
    }

    std::map<std::uintptr_t, BlockCode> blocks_;
    BlockCode* block_ = nullptr;  // of the latest instruction
    std::vector<Instruction> code_;
    BuiltInVariables built_in_;
    LogicChains logic_;
    bool begins_ = false;                // the next instruction begins a block
    bool in_header_ = false;             // of the emulator, but for its libraries, or of the system
    bool in_library_ = false;            // CUB or Thrust
    bool is_the_same_on_a_gpu_ = false;  // in a header whose code nvcc compiles, too
    bool counted_ = false;               // the instructions of the header in a row have been counted
};

}  // namespace

std::map<std::uintptr_t, BlockCode> blocks_of(std::string_view listing) {
    Parser parser;
    for_each_line(listing, [&](std::string_view line) { parser.read(line); });
    std::map<std::uintptr_t, BlockCode> blocks = parser.take();
    for (auto& [address, behind] : successors_in(listing)) {
        if (auto const block = blocks.find(address); block != blocks.end()) {
            block->second.behind = std::move(behind);
        }
    }
    return blocks;
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
        for (char const* tool : disassemblers) {
            blocks = blocks_of(output_of({tool, "-d", "-l", "--no-show-raw-insn", from, to, path}));
            if (!blocks.empty()) {
                break;
            }
        }
        for (auto& [address, block] : blocks) {
            for (std::uintptr_t& behind : block.behind) {
                behind += biases[path];
            }
            found[address + biases[path]] = std::move(block);
        }
    }
    return found;
}

}  // namespace lockstep::simt::hooks
