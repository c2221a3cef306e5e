#include "harness/simt/hooks/control_flow.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "harness/simt/hooks/listing.hpp"

namespace lockstep::simt::hooks {
namespace {

struct Step {
    enum class Kind { other, begins_block, branch, jump, end };
    Kind kind = Kind::other;
    std::uintptr_t target = 0;  // 0: unknown
};

std::uintptr_t target_of(Instruction const& jump) {
    std::uintptr_t target = 0;
    char const* const end = jump.operands.data() + jump.operands.size();
    std::from_chars(jump.operands.data(), end, target, 16);
    return target;
}

Step step_of(Instruction const& instruction) {
    using Kind = Step::Kind;
    std::string_view const name = instruction.name;
    if (begins_block(instruction)) {
        return {Kind::begins_block};
    }
    if (is_one_of(name, {"ret", "retq", "hlt", "ud2"})) {
        return {Kind::end};
    }
    if (is_one_of(name, {"jmp", "jmpq"})) {
        return {Kind::jump, target_of(instruction)};
    }
    return {name.starts_with('j') ? Kind::branch : Kind::other, name.starts_with('j') ? target_of(instruction) : 0};
}

using Steps = std::map<std::uintptr_t, Step>;

// Follows the instructions from one to the blocks that they lead to. The compiler splits blocks after it has placed the
// calls that begin them, so there may be instructions of no block in between.
class Walk {
public:
    explicit Walk(Steps const& steps) : steps_(steps) {}

    std::vector<std::uintptr_t> from(Steps::const_iterator at) {
        follow(at);
        return {found_.begin(), found_.end()};
    }

private:
    void follow(Steps::const_iterator at) {
        for (; at != steps_.end() && seen_.insert(at->first).second; ++at) {
            Step const& step = at->second;
            if (step.kind == Step::Kind::begins_block) {
                if (auto const next = std::next(at); next != steps_.end()) {
                    found_.insert(next->first);
                }
                return;
            }
            if (step.kind == Step::Kind::branch || step.kind == Step::Kind::jump) {
                follow(steps_.find(step.target));
            }
            if (step.kind == Step::Kind::jump || step.kind == Step::Kind::end) {
                return;
            }
        }
    }

    Steps const& steps_;
    std::set<std::uintptr_t> seen_;
    std::set<std::uintptr_t> found_;
};

}  // namespace

std::map<std::uintptr_t, std::vector<std::uintptr_t>> successors_in(std::string_view listing) {
    Steps steps;
    for_each_line(listing, [&](std::string_view line) {
        if (auto const instruction = parse_instruction(line)) {
            steps[instruction->address] = step_of(*instruction);
        }
    });
    std::map<std::uintptr_t, std::vector<std::uintptr_t>> all;
    for (auto at = steps.begin(); at != steps.end(); ++at) {
        if (auto const next = std::next(at); at->second.kind == Step::Kind::begins_block && next != steps.end()) {
            all[next->first] = Walk(steps).from(next);
        }
    }
    return all;
}

}  // namespace lockstep::simt::hooks
