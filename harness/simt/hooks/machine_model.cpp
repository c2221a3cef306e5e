#include "harness/simt/hooks/machine_model.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "harness/simt/hooks/block_order.hpp"
#include "harness/simt/hooks/machine_nodes.hpp"

namespace lockstep::simt::hooks {
namespace {

using Site = CallSites::Site;

constexpr unsigned max_exit_instructions = 4;  // instructions of a kernel's last block, which returns

class Graph {
public:
    Graph(Tallies const& tallies, CallSites& sites, CodeOfBlocks const& code) : sites_(sites), code_(code) {
        for (auto const& [site, tally] : tallies) {
            if (tally.kind == EventKind::block) {
                add(site, tally);
            }
        }
        for (auto const& [site, node] : nodes_) {
            for (Site const to : node.behind) {
                if (auto const found = nodes_.find(to); found != nodes_.end()) {
                    found->second.before.insert(site);
                }
            }
        }
        mark_exits();
        unroll_loops();
    }

    std::map<Site, Executed> solve() {
        for (bool changes = true; changes;) {
            changes = false;
            for (auto& [site, node] : nodes_) {
                while (!node.joined &&
                       (join_next(site, node) || predicate_sides(site, node) || join_conditions(site, node))) {
                    changes = true;
                }
            }
        }
        add_jumps();
        std::map<Site, Executed> all;
        for (auto& [site, node] : nodes_) {
            if (node.joined) {
                continue;
            }
            node.executed.row = site;
            for (Site const next : node.follows) {
                nodes_[next].executed.row = site;
            }
            for (Site const side : node.predicated) {
                Executed const& by = moves_behind_exit(nodes_[side], node) ? behind_exit(node) : node.executed;
                nodes_[side].executed.row = site;
                nodes_[side].executed.warps = std::max(by.warps, nodes_[side].executed.warps);
                nodes_[side].executed.lanes = std::max(by.lanes, nodes_[side].executed.lanes);
            }
        }
        for (auto const& [site, node] : nodes_) {
            all[site] = node.executed;
        }
        return all;
    }

private:
    // Where the block leads to is in its code, unless it calls a function that is traced, too.
    void add(Site site, Tally const& tally) {
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
            }
        }
        node.executed.branches = branches && !node.code.branches_in_a_header;
        unsigned const factor = unrolled_by(node, sites_.address(site));
        node.unrolled = factor == 1 ? nullptr : &tally.unrolled[factor / 4];
        if (node.executed.branches && node.behind.size() > 2) {
            std::vector<std::uint64_t> ways(node.behind.size());
            for (std::size_t i = 0; i < std::min(ways.size(), tally.successors.size()); ++i) {
                ways[i] = tally.successors[i].executions;
            }
            Branches const tree = branches_of_switch(ways, tally.warps, tally.divergent);
            node.executed.times = tree.all;
            node.executed.divergent = tree.divergent;
        }
    }

    void unroll_loops() {
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

    // What follows the block in its code, and what follows that, as far as no lane executes it.
    void add_behind(Site site, Node& node) {
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

    // Where each block is in the order of block_order.hpp: the host's compiler places blocks by what it takes for
    // likely.
    std::map<std::uintptr_t, std::size_t> positions() const {
        BlockGraph graph;
        for (auto const& [site, node] : nodes_) {
            if (auto const found = code_.find(sites_.address(site)); found != code_.end()) {
                graph[found->first] = found->second.behind;
            }
        }
        std::map<std::uintptr_t, std::size_t> all;
        for (std::uintptr_t const address : in_order(graph)) {
            all.emplace(address, all.size());
        }
        return all;
    }

    // Of the sides of branches that lead to the same place, and there forward, the last falls through. The others jump,
    // which counts as a branch.
    void add_jumps() {
        position_ = positions();
        std::map<Site, std::vector<Site>> to_join;
        for (auto const& [site, node] : nodes_) {
            if (!node.joined && node.executed.instructions != 0 && node.behind.size() == 1 &&
                nodes_.contains(*node.behind.begin()) && is_forward(node.last, *node.behind.begin()) &&
                !returns(*node.behind.begin())) {
                to_join[*node.behind.begin()].push_back(site);
            }
        }
        for (auto& [join, from] : to_join) {
            auto const is_earlier = [&](Site a, Site b) { return is_forward(nodes_.at(a).last, nodes_.at(b).last); };
            Site const last = *std::max_element(from.begin(), from.end(), is_earlier);
            for (Site const site : from) {
                nodes_.at(site).executed.jumps = site != last && nodes_.at(site).depth == nodes_.at(join).depth;
            }
        }
    }

    bool is_forward(Site from, Site to) const {
        std::uintptr_t const here = sites_.address(from);
        std::uintptr_t const there = sites_.address(to);
        auto const a = position_.find(here);
        auto const b = position_.find(there);
        return a == position_.end() || b == position_.end() ? there > here : b->second > a->second;
    }

    // A branch forward to where the kernel returns is no branch.
    void mark_exits() {
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

    // What only loads directly before an early return moves behind it, because lanes that exit do not need it. So does
    // all of a side with the same condition.
    bool moves_behind_exit(Node const& side, Node const& row) const {
        Node const& last = nodes_.at(row.last);
        if (has_condition_of_exit(side, row)) {
            return true;
        }
        return last.exits && side.behind_side == row.last && !side.code.has_stores && !side.executed.is_one_load &&
               last.code.accesses == 0 && !last.has_calls;
    }

    // Whether the lanes that execute the side are those that do not exit at the end of the row, and nothing but the
    // condition is between.
    bool has_condition_of_exit(Node const& side, Node const& row) const {
        auto const meet = std::find(row.follows.begin(), row.follows.end(), side.behind_side);
        Executed const& stay = behind_exit(row);
        if (!nodes_.at(row.last).exits || meet == row.follows.end() || side.tally == nullptr ||
            side.executed.is_one_load || &stay == &row.executed) {
            return false;
        }
        bool const is_empty = std::all_of(meet, row.follows.end(), [&](Site site) {
            BlockCode const& code = nodes_.at(site).code;
            return code.accesses == 0 && !code.has_calls;
        });
        return is_empty && side.executed.warps == stay.warps && side.executed.lanes == stay.lanes &&
               stay.warps != row.executed.warps;
    }

    // Of the row's lanes, those that do not exit at its end.
    Executed const& behind_exit(Node const& row) const {
        for (Site const to : nodes_.at(row.last).behind) {
            if (auto const found = nodes_.find(to); found != nodes_.end() && !returns(to)) {
                return found->second.executed;
            }
        }
        return row.executed;
    }

    // Whether the kernel ends with the block.
    bool returns(Site site) const {
        auto const found = nodes_.find(site);
        return found != nodes_.end() && found->second.depth == kernel_ && found->second.code.accesses == 0 &&
               found->second.code.instructions <= max_exit_instructions &&
               std::all_of(found->second.behind.begin(), found->second.behind.end(), [&](Site to) {
                   auto const next = nodes_.find(to);
                   return next == nodes_.end() || next->second.depth < kernel_;
               });
    }

    // Joins the block behind if no other leads there, and nowhere else.
    bool join_next(Site site, Node& node) {
        if (node.behind.size() != 1) {
            return false;
        }
        Site const to = *node.behind.begin();
        auto const found = nodes_.find(to);
        if (to == site || found == nodes_.end() || found->second.joined) {
            return false;
        }
        Node& next = found->second;
        if (next.before != std::set<Site>{site} || next.depth != node.depth ||
            next.executed.warps != node.executed.warps || next.executed.lanes != node.executed.lanes) {
            return false;
        }
        next.joined = true;
        node.follows.push_back(to);
        node.follows.insert(node.follows.end(), next.follows.begin(), next.follows.end());
        node.predicated.insert(node.predicated.end(), next.predicated.begin(), next.predicated.end());
        node.size += next.size;
        node.has_calls = node.has_calls || next.has_calls;
        node.has_accesses = node.has_accesses || next.has_accesses;
        node.code.has_stores = node.code.has_stores || next.code.has_stores;
        node.has_predicated_accesses = node.has_predicated_accesses || next.has_predicated_accesses;
        node.last = next.last;
        node.tally = next.tally;
        node.behind = next.behind;
        for (Site const behind : node.behind) {
            replace_before(behind, to, site);
        }
        return true;
    }

    void replace_before(Site block, Site old, Site site) {
        if (auto const found = nodes_.find(block); found != nodes_.end()) {
            found->second.before.erase(old);
            found->second.before.insert(site);
        }
    }

    // A block with one way in, from `from`, and one way out, that is short enough. Predicated accesses within it have a
    // condition of their own, and ptxas does not join two.
    bool is_side(Site site, Site from) const {
        auto const found = nodes_.find(site);
        if (found == nodes_.end()) {
            return false;
        }
        Node const& node = found->second;
        Node const& before = nodes_.at(from);
        bool const is_short = node.size <= max_predicated || nodes_.at(before.last).code.branches_in_a_header;
        return !node.joined && node.before == std::set<Site>{from} && node.behind.size() == 1 && is_short &&
               !node.has_calls && !node.has_predicated_accesses && node.depth == before.depth;
    }

    bool predicate_sides(Site site, Node& node) {
        if (node.behind.size() != 2 || nodes_.at(node.last).exits) {
            return false;
        }
        Site const a = *node.behind.begin();
        Site const b = *node.behind.rbegin();
        if (is_side(a, site) && leads_to(a, b) && b != site) {
            predicate(site, node, {a}, b);
        } else if (is_side(b, site) && leads_to(b, a) && a != site) {
            predicate(site, node, {b}, a);
        } else if (is_side(a, site) && is_side(b, site) && nodes_.at(a).behind == nodes_.at(b).behind &&
                   !leads_to(a, site)) {
            predicate(site, node, {a, b}, *nodes_.at(a).behind.begin());
        } else {
            return false;
        }
        return true;
    }

    // The second condition of `a && b` or `a || b`, which is all that its block computes: one of its ways leads where
    // the first condition leads, too. It may be one of several, as in `a || (b && c)`, if there is one side and it
    // accesses no memory.
    bool join_conditions(Site site, Node& node) {
        if (node.behind.size() != 2 || !nodes_.at(node.last).executed.branches) {
            return false;
        }
        for (Site const second : node.behind) {
            Site const common = second == *node.behind.begin() ? *node.behind.rbegin() : *node.behind.begin();
            auto const found = nodes_.find(second);
            if (found == nodes_.end() || !is_condition(found->second, site, common)) {
                continue;
            }
            Node& next = found->second;
            Site const other = *next.behind.begin() == common ? *next.behind.rbegin() : *next.behind.begin();
            if (!next.predicated.empty() && !is_plain_side(common, other) && !is_plain_side(other, common)) {
                continue;
            }
            nodes_.at(node.last).executed.divergent = apart(next, other);
            node.size += next.size;
            nodes_.at(next.last).executed.branches = false;
            next.joined = true;
            node.predicated.push_back(second);
            node.predicated.insert(node.predicated.end(), next.predicated.begin(), next.predicated.end());
            node.tally = nullptr;
            node.behind = {common, other};
            replace_before(common, second, site);
            replace_before(other, second, site);
            return true;
        }
        return false;
    }

    bool leads_to(Site from, Site to) const {
        auto const found = nodes_.find(from);
        return found != nodes_.end() && found->second.behind == std::set<Site>{to};
    }

    // A side of an `if` without an `else`, and without accesses.
    bool is_plain_side(Site site, Site join) const { return leads_to(site, join) && !nodes_.at(site).has_accesses; }

    bool is_condition(Node const& node, Site from, Site common) const {
        return !node.joined && node.follows.empty() && node.before == std::set<Site>{from} && node.behind.size() == 2 &&
               node.behind.contains(common) && node.behind != std::set<Site>{from, common} && !node.has_accesses &&
               !node.has_calls && node.size <= max_predicated && node.depth == nodes_.at(from).depth;
    }

    // Executions in which some, but not all, lanes of the first condition go where only the second leads.
    std::uint64_t apart(Node const& second, Site other) const {
        if (second.tally == nullptr) {  // of several
            return nodes_.at(second.last).executed.divergent;
        }
        for (Successor const& successor : second.tally->successors) {
            if (successor.site == other) {
                return successor.executions - successor.of_all;
            }
        }
        return 0;
    }

    void predicate(Site site, Node& node, std::vector<Site> const& sides, Site join) {
        for (Site const name : sides) {
            Node& side = nodes_.at(name);
            side.joined = true;
            side.behind_side = join;
            node.predicated.push_back(name);
            node.predicated.insert(node.predicated.end(), side.follows.begin(), side.follows.end());
            node.predicated.insert(node.predicated.end(), side.predicated.begin(), side.predicated.end());
            node.size += side.size;
            node.has_accesses = node.has_accesses || side.has_accesses;
            node.has_predicated_accesses = node.has_predicated_accesses || side.has_accesses;
            replace_before(join, name, site);
        }
        node.behind = {join};
        nodes_.at(node.last).executed.branches = false;
    }

    CallSites& sites_;
    CodeOfBlocks const& code_;
    std::map<Site, Node> nodes_;
    std::map<std::uintptr_t, std::size_t> position_;  // of positions()
    unsigned kernel_ = ~0u;                           // its depth
};

}  // namespace

std::map<Site, Executed> as_on_a_gpu(Tallies const& tallies, CallSites& sites, CodeOfBlocks const& code) {
    return Graph(tallies, sites, code).solve();
}

}  // namespace lockstep::simt::hooks
