#include "harness/simt/hooks/loop_rounds.hpp"

#include <algorithm>

#include "harness/simt/hooks/addressing.hpp"

namespace lockstep::simt::hooks {
namespace {

// A loop's branch back: it parts lanes after each round that is the last for some, but not for all.
Branches back(std::vector<unsigned> const& rounds) {
    unsigned const most = *std::max_element(rounds.begin(), rounds.end());
    Branches branches{most, 0};
    for (unsigned round = 1; round < most; ++round) {
        branches.divergent += std::find(rounds.begin(), rounds.end(), round) != rounds.end() ? 1 : 0;
    }
    return branches;
}

// The branch around a loop for lanes that have no round.
Branches around(std::vector<unsigned> const& rounds) {
    auto const without = std::count(rounds.begin(), rounds.end(), 0u);
    bool const parts = without != 0 && without != static_cast<std::ptrdiff_t>(rounds.size());
    return {1, parts ? 1u : 0u};
}

}  // namespace

void Branches::add(Branches const& other) {
    all += other.all;
    divergent += other.divergent;
}

UnrolledBranches unrolled(std::vector<unsigned> const& rounds, unsigned factor) {
    std::vector<unsigned> remainders;
    std::vector<unsigned> groups;
    for (unsigned const number : rounds) {
        remainders.push_back(number % factor);
        groups.push_back(number / factor);
    }
    UnrolledBranches branches{around(remainders), around(groups)};
    branches.loops.add(back(remainders));
    branches.loops.add(back(groups));
    return branches;
}

bool counts_by_constant(std::vector<Instruction> const& block) {
    auto jump = std::find_if(block.rbegin(), block.rend(), [](Instruction const& instruction) {
        return instruction.name.starts_with('j') && instruction.name != "jmp";
    });
    auto const sets_flags = [](Instruction const& instruction) {
        return is_one_of(instruction.name, {"cmp", "cmpl", "cmpq", "test", "testl", "testq"}) || is_step(instruction);
    };
    auto const condition = std::find_if(jump, block.rend(), sets_flags);
    if (condition == block.rend()) {
        return false;
    }
    if (is_step(*condition)) {
        return true;
    }
    for (std::string location : locations_in(*condition)) {
        bool advances = false;
        for (auto before = std::next(condition); before != block.rend(); ++before) {
            Change const change = change_of(*before, location);
            if (change.kind == Change::Kind::other) {
                advances = false;
                break;
            }
            advances = advances || change.kind == Change::Kind::step;
            location = change.kind == Change::Kind::none ? location : change.from;
        }
        if (advances) {
            return true;
        }
    }
    return false;
}

}  // namespace lockstep::simt::hooks
