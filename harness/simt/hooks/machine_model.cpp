#include "harness/simt/hooks/machine_model.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "harness/simt/hooks/machine_exits.hpp"
#include "harness/simt/hooks/machine_graph.hpp"
#include "harness/simt/hooks/machine_jumps.hpp"

namespace lockstep::simt::hooks {
namespace {

using Site = CallSites::Site;

// Makes the blocks of a GPU of those of the graph, one joined or predicated block after the other.
class Reduction {
public:
    Reduction(Tallies const& tallies, CallSites& sites, CodeOfBlocks const& code) : graph_(tallies, sites, code) {}

    std::map<Site, Executed> solve() {
        for (bool changes = true; changes;) {
            changes = false;
            for (auto& [site, node] : graph_.nodes()) {
                while (!node.joined &&
                       (join_next(site, node) || predicate_sides(site, node) || join_conditions(site, node))) {
                    changes = true;
                }
            }
        }
        add_jumps(graph_);
        std::map<Site, Executed> all;
        for (auto& [site, node] : graph_.nodes()) {
            if (node.joined) {
                continue;
            }
            node.executed.row = site;
            for (Site const next : node.follows) {
                graph_.at(next).executed.row = site;
            }
            for (Site const side : node.predicated) {
                Executed const& by =
                    moves_behind_exit(graph_, graph_.at(side), node) ? behind_exit(graph_, node) : node.executed;
                graph_.at(side).executed.row = site;
                graph_.at(side).executed.warps = std::max(by.warps, graph_.at(side).executed.warps);
                graph_.at(side).executed.lanes = std::max(by.lanes, graph_.at(side).executed.lanes);
            }
        }
        for (auto const& [site, node] : graph_.nodes()) {
            all[site] = node.executed;
        }
        return all;
    }

private:
    // Joins the block behind if no other leads there, and nowhere else.
    bool join_next(Site site, Node& node) {
        if (node.behind.size() != 1) {
            return false;
        }
        Site const to = *node.behind.begin();
        Node* const found = graph_.find(to);
        if (to == site || found == nullptr || found->joined) {
            return false;
        }
        Node& next = *found;
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
            graph_.replace_before(behind, to, site);
        }
        return true;
    }

    // A block with one way in, from `from`, and one way out, that is short enough. Predicated accesses within it have a
    // condition of their own, and ptxas does not join two.
    bool is_side(Site site, Site from) const {
        Node const* const found = graph_.find(site);
        if (found == nullptr) {
            return false;
        }
        Node const& node = *found;
        Node const& before = graph_.at(from);
        bool const is_short = node.size <= max_predicated || graph_.at(before.last).code.branches_in_a_header;
        return !node.joined && node.before == std::set<Site>{from} && node.behind.size() == 1 && is_short &&
               !node.has_calls && !node.has_predicated_accesses && node.depth == before.depth;
    }

    bool predicate_sides(Site site, Node& node) {
        if (node.behind.size() != 2 || graph_.at(node.last).exits) {
            return false;
        }
        Site const a = *node.behind.begin();
        Site const b = *node.behind.rbegin();
        if (is_side(a, site) && graph_.leads_to(a, b) && b != site) {
            predicate(site, node, {a}, b);
        } else if (is_side(b, site) && graph_.leads_to(b, a) && a != site) {
            predicate(site, node, {b}, a);
        } else if (is_side(a, site) && is_side(b, site) && graph_.at(a).behind == graph_.at(b).behind &&
                   !graph_.leads_to(a, site)) {
            predicate(site, node, {a, b}, *graph_.at(a).behind.begin());
        } else {
            return false;
        }
        return true;
    }

    // The second condition of `a && b` or `a || b`, which is all that its block computes: one of its ways leads where
    // the first condition leads, too. It may be one of several, as in `a || (b && c)`, if there is one side and it
    // accesses no memory.
    bool join_conditions(Site site, Node& node) {
        if (node.behind.size() != 2 || !graph_.at(node.last).executed.branches) {
            return false;
        }
        for (Site const second : node.behind) {
            Site const common = second == *node.behind.begin() ? *node.behind.rbegin() : *node.behind.begin();
            Node* const found = graph_.find(second);
            if (found == nullptr || !is_condition(*found, site, common)) {
                continue;
            }
            Node& next = *found;
            Site const other = *next.behind.begin() == common ? *next.behind.rbegin() : *next.behind.begin();
            if (!next.predicated.empty() && !is_plain_side(common, other) && !is_plain_side(other, common)) {
                continue;
            }
            graph_.at(node.last).executed.divergent = apart(next, other);
            node.size += next.size;
            graph_.at(next.last).executed.branches = false;
            next.joined = true;
            node.predicated.push_back(second);
            node.predicated.insert(node.predicated.end(), next.predicated.begin(), next.predicated.end());
            node.tally = nullptr;
            node.behind = {common, other};
            graph_.replace_before(common, second, site);
            graph_.replace_before(other, second, site);
            return true;
        }
        return false;
    }

    // A side of an `if` without an `else`, and without accesses.
    bool is_plain_side(Site site, Site join) const {
        return graph_.leads_to(site, join) && !graph_.at(site).has_accesses;
    }

    bool is_condition(Node const& node, Site from, Site common) const {
        return !node.joined && node.follows.empty() && node.before == std::set<Site>{from} && node.behind.size() == 2 &&
               node.behind.contains(common) && node.behind != std::set<Site>{from, common} && !node.has_accesses &&
               !node.has_calls && node.size <= max_predicated && node.depth == graph_.at(from).depth;
    }

    // Executions in which some, but not all, lanes of the first condition go where only the second leads.
    std::uint64_t apart(Node const& second, Site other) const {
        if (second.tally == nullptr) {  // of several
            return graph_.at(second.last).executed.divergent;
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
            Node& side = graph_.at(name);
            side.joined = true;
            side.behind_side = join;
            node.predicated.push_back(name);
            node.predicated.insert(node.predicated.end(), side.follows.begin(), side.follows.end());
            node.predicated.insert(node.predicated.end(), side.predicated.begin(), side.predicated.end());
            node.size += side.size;
            node.has_accesses = node.has_accesses || side.has_accesses;
            node.has_predicated_accesses = node.has_predicated_accesses || side.has_accesses;
            graph_.replace_before(join, name, site);
        }
        node.behind = {join};
        graph_.at(node.last).executed.branches = false;
    }

    MachineGraph graph_;
};

}  // namespace

std::map<Site, Executed> as_on_a_gpu(Tallies const& tallies, CallSites& sites, CodeOfBlocks const& code) {
    return Reduction(tallies, sites, code).solve();
}

}  // namespace lockstep::simt::hooks
