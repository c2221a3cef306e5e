#include "harness/simt/hooks/block_order.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "harness/simt/hooks/binutils.hpp"
#include "harness/simt/hooks/control_flow.hpp"

namespace lockstep::simt::hooks {
namespace {

using Block = std::uintptr_t;
using Blocks = std::set<Block>;

// Tarjan's algorithm, without recursion over the blocks, because it runs on a lane's stack. The components come in
// reverse order: each after those that it leads to.
class Components {
public:
    Components(BlockGraph const& graph, Blocks const& among) : graph_(graph), among_(among) {
        for (auto block = among.rbegin(); block != among.rend(); ++block) {
            if (!states_.contains(*block)) {
                visit(*block);
            }
        }
    }
    std::vector<Blocks> found;

private:
    struct State {
        unsigned number = 0;
        unsigned lowest = 0;
        bool is_open = true;
        std::vector<Block> behind{};  // that are still to be visited, the lowest address first
    };

    void open(Block block) {
        State& state = states_[block];
        state.number = state.lowest = static_cast<unsigned>(states_.size());
        for (Block const to : graph_.at(block)) {
            if (among_.contains(to)) {
                state.behind.push_back(to);
            }
        }
        std::sort(state.behind.begin(), state.behind.end());
        way_.push_back(block);
        open_.push_back(block);
    }

    void visit(Block first) {
        for (open(first); !way_.empty();) {
            Block const block = way_.back();
            State& state = states_.at(block);
            if (!state.behind.empty()) {
                Block const to = state.behind.back();
                state.behind.pop_back();
                if (auto const known = states_.find(to); known == states_.end()) {
                    open(to);
                } else if (known->second.is_open) {
                    state.lowest = std::min(state.lowest, known->second.number);
                }
                continue;
            }
            way_.pop_back();
            if (!way_.empty()) {
                unsigned& lowest = states_.at(way_.back()).lowest;
                lowest = std::min(lowest, state.lowest);
            }
            if (state.lowest == state.number) {
                close(block);
            }
        }
    }

    void close(Block first) {
        Blocks component;
        for (Block last = 0; last != first;) {
            last = open_.back();
            open_.pop_back();
            states_.at(last).is_open = false;
            component.insert(last);
        }
        found.push_back(std::move(component));
    }

    BlockGraph const& graph_;
    Blocks const& among_;
    std::map<Block, State> states_;
    std::vector<Block> way_;   // to the block that is being visited
    std::vector<Block> open_;  // whose component is not known yet
};

// The block that others lead to from outside of the loop.
Block beginning_of(Blocks const& loop, BlockGraph const& graph) {
    for (auto const& [block, behind] : graph) {
        if (loop.contains(block)) {
            continue;
        }
        auto const enters = [&](Block to) { return loop.contains(to); };
        if (auto const to = std::find_if(behind.begin(), behind.end(), enters); to != behind.end()) {
            return *to;
        }
    }
    return *loop.begin();
}

void append(std::vector<Block>& order, Blocks const& among, BlockGraph const& graph) {
    Components const components(graph, among);
    for (auto component = components.found.rbegin(); component != components.found.rend(); ++component) {
        if (component->size() == 1) {
            order.push_back(*component->begin());
            continue;
        }
        BlockGraph loop;
        Block const first = beginning_of(*component, graph);
        order.push_back(first);
        Blocks rest = *component;
        rest.erase(first);
        for (Block const block : *component) {
            loop[block] = graph.at(block);
        }
        append(order, rest, loop);
    }
}

}  // namespace

std::vector<std::uintptr_t> in_order(BlockGraph const& graph) {
    Blocks all;
    for (auto const& [block, behind] : graph) {
        all.insert(block);
    }
    std::vector<Block> order;
    append(order, all, graph);
    return order;
}

bool BlockOrder::is_before(CallSites::Site a, CallSites::Site b, CallSites const& sites) {
    if (a == b) {
        return false;
    }
    Position const first = position(a, sites);
    Position const& second = position(b, sites);
    if (first.depth != second.depth) {
        return first.depth > second.depth;
    }
    return std::tie(first.block, first.behind) < std::tie(second.block, second.behind);
}

BlockOrder::Position const& BlockOrder::position(CallSites::Site site, CallSites const& sites) {
    if (site >= positions_.size()) {
        positions_.resize(site + 1);
    }
    Position& position = positions_[site];
    if (position.block == 0) {
        std::uintptr_t const address = sites.address(site);
        read_around(address);
        auto const behind = placed_.upper_bound(address);
        bool const is_known = behind != placed_.begin();
        position.depth = sites.depth(site);
        position.block = is_known ? std::prev(behind)->second : address;
        position.behind = is_known ? address - std::prev(behind)->first : 0;
    }
    return position;
}

void BlockOrder::read_around(std::uintptr_t address) {
    auto const has = [&](auto const& range) { return address >= range.first && address < range.second; };
    auto const module = module_of(address);
    if (!module || std::any_of(read_.begin(), read_.end(), has)) {
        return;
    }
    constexpr std::uintptr_t around = 1 << 16;
    std::uintptr_t const at = address - module->bias;
    std::uintptr_t const from = at - std::min(at, around);
    std::string listing;
    for (char const* tool : disassemblers) {
        listing = output_of({tool, "-d", "--no-show-raw-insn", "--start-address=" + hexadecimal(from),
                             "--stop-address=" + hexadecimal(at + around), module->path});
        if (!listing.empty()) {
            break;
        }
    }
    BlockGraph graph;
    for (auto const& [block, behind] : successors_in(listing)) {
        graph[block] = behind;
    }
    // Functions at the ends of the listing are cut off, so blocks there are left to a listing around them.
    std::pair const whole((from == 0 ? 0 : from + around / 2) + module->bias, at + around / 2 + module->bias);
    auto place = graph.begin();
    for (std::uintptr_t const block : in_order(graph)) {
        std::uintptr_t const placed = (place++)->first + module->bias;
        if (block + module->bias >= whole.first && block + module->bias < whole.second) {
            placed_.emplace(block + module->bias, placed);
        }
    }
    read_.push_back(whole);
}

}  // namespace lockstep::simt::hooks
