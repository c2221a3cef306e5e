#include "harness/simt/hooks/machine_graph.hpp"

#include <algorithm>

namespace lockstep::simt::hooks {
namespace {

constexpr unsigned max_exit_instructions = 4;  // instructions of a kernel's last block, which returns

}  // namespace

MachineGraph::MachineGraph(Tallies const& tallies, CallSites& sites, CodeOfBlocks const& code)
    : sites_(sites), code_(code) {
    for (auto const& [site, tally] : tallies) {
        if (tally.kind == EventKind::block) {
            add(site, tally);
        }
    }
    for (auto const& [site, node] : nodes_) {
        for (Site const to : node.behind) {
            if (Node* const next = find(to); next != nullptr) {
                next->before.insert(site);
            }
        }
    }
    mark_exits();
    unroll_loops();
}

Node* MachineGraph::find(Site site) {
    auto const found = nodes_.find(site);
    return found == nodes_.end() ? nullptr : &found->second;
}

Node const* MachineGraph::find(Site site) const {
    auto const found = nodes_.find(site);
    return found == nodes_.end() ? nullptr : &found->second;
}

bool MachineGraph::returns(Site site) const {
    auto const found = nodes_.find(site);
    return found != nodes_.end() && found->second.depth == kernel_ && found->second.code.accesses == 0 &&
           found->second.code.instructions <= max_exit_instructions &&
           std::all_of(found->second.behind.begin(), found->second.behind.end(), [&](Site to) {
               auto const next = nodes_.find(to);
               return next == nodes_.end() || next->second.depth < kernel_;
           });
}

bool MachineGraph::leads_to(Site from, Site to) const {
    auto const found = nodes_.find(from);
    return found != nodes_.end() && found->second.behind == std::set<Site>{to};
}

void MachineGraph::replace_before(Site block, Site old, Site site) {
    if (auto const found = nodes_.find(block); found != nodes_.end()) {
        found->second.before.erase(old);
        found->second.before.insert(site);
    }
}

void MachineGraph::add(Site site, Tally const& tally) {
    Node& node = nodes_[site];
    node.executed = {1, tally.warps, tally.lanes, false, tally.warps, tally.divergent};
    node.tally = &tally;
    node.last = site;
    node.depth = sites_.depth(site);
    for (Successor const& successor : tally.successors) {
        node.behind.insert(successor.site);
    }
    bool branches = tally.successors.size() > 1;
    if (auto const found = code_.find(sites_.address(site)); found != code_.end()) {
        node.set_code(found->second);
        auto const stays = [&](Successor const& to) { return sites_.depth(to.site) == node.depth; };
        branches = found->second.behind.size() > 1;  // and not the end of a function that has several callers
        if (std::all_of(tally.successors.begin(), tally.successors.end(), stays)) {
            add_behind(site, node);
            branches = node.behind.size() > 1;  // the listing does not show where a jump table leads
        }
    }
    node.executed.branches = branches && !node.code.branches_in_a_header;
    unsigned const factor = unrolled_by(node, sites_.address(site));
    node.unrolled = factor == 1 ? nullptr : &tally.unrolled[factor / 4];
    if (node.executed.branches && node.behind.size() > 2) {
        Branches const tree = branches_of_switch(executions_of_cases(node), tally.warps, tally.divergent);
        node.executed.times = tree.all;
        node.executed.divergent = tree.divergent;
    }
}

std::vector<std::uint64_t> MachineGraph::executions_of_cases(Node const& node) const {
    std::map<std::uintptr_t, std::uint64_t> by_address;
    for (Site const to : node.behind) {
        by_address[sites_.address(to)] = 0;
    }
    for (Successor const& successor : node.tally->successors) {
        by_address[sites_.address(successor.site)] += successor.executions;
    }
    std::vector<std::uint64_t> executions;
    for (auto const& [address, count] : by_address) {
        executions.push_back(count);
    }
    return executions;
}

void MachineGraph::add_behind(Site site, Node& node) {
    for (std::uintptr_t const address : node.code.behind) {
        Site const to = sites_.beside(site, address);
        node.behind.insert(to);
        auto const found = code_.find(address);
        if (found != code_.end() && !nodes_.contains(to)) {
            Node& next = nodes_[to];
            next.last = to;
            next.depth = node.depth;
            next.set_code(found->second);
            add_behind(to, next);
        }
    }
}

void MachineGraph::mark_exits() {
    sites_.locate_all();  // with the blocks that no lane executes, in one process
    for (auto const& [site, node] : nodes_) {
        Place const& place = sites_.place(site);
        if (node.executed.branches && (place.line == 0 || is_in_kernel(place))) {
            kernel_ = std::min(kernel_, node.depth);
        }
    }
    for (auto& [site, node] : nodes_) {
        std::uintptr_t const here = sites_.address(site);
        auto const is_forward = [&](Site to) { return sites_.address(to) > here; };
        if (std::all_of(node.behind.begin(), node.behind.end(), is_forward) &&
            std::any_of(node.behind.begin(), node.behind.end(), [&](Site to) { return returns(to); })) {
            node.executed.branches = false;
            node.exits = true;
        }
    }
}

void MachineGraph::unroll_loops() {
    for (auto& [site, node] : nodes_) {
        if (node.unrolled == nullptr) {
            continue;
        }
        Branches branches = node.unrolled->loops;
        if (!std::any_of(node.behind.begin(), node.behind.end(), [&](Site to) { return returns(to); })) {
            branches.add(node.unrolled->to_groups);
        }
        node.executed.times = branches.all;
        node.executed.divergent = branches.divergent;
    }
}

}  // namespace lockstep::simt::hooks
