#include "harness/simt/hooks/machine_model.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace lockstep::simt::hooks {
namespace {

using Site = CallSites::Site;

constexpr unsigned max_predicated = 8;  // instructions of a side
constexpr unsigned most_of_an_end = 4;  // instructions of a kernel's last block, which returns

// A basic block, and what has been joined to it: blocks that always follow it, and predicated sides of its branch.
struct Node {
    Executed executed{};
    BlockCode code{};
    unsigned depth = 0;  // number of calls that it is in
    unsigned size = 0;   // instructions that would have to be predicated
    bool has_calls = false;
    bool joined = false;  // to another one
    Site last = 0;        // the block that ends it
    std::set<Site> before{};
    std::set<Site> behind{};
    std::vector<Site> follows{};     // blocks of a row, each executed as often as this one
    std::vector<Site> predicated{};  // sides
};

class Graph {
public:
    Graph(Tallies const& tallies, CallSites const& sites, CodeOfSites const& code) {
        for (auto const& [site, tally] : tallies) {
            if (tally.kind == EventKind::block) {
                add(site, tally, sites.depth(site), code);
            }
        }
        for (auto const& [site, node] : nodes_) {
            for (Site const to : node.behind) {
                if (auto const found = nodes_.find(to); found != nodes_.end()) {
                    found->second.before.insert(site);
                }
            }
        }
        mark_exits(tallies, sites);
    }

    std::map<Site, Executed> solve() {
        for (bool changes = true; changes;) {
            changes = false;
            for (auto& [site, node] : nodes_) {
                while (!node.joined && (join_next(site, node) || predicate_sides(site, node))) {
                    changes = true;
                }
            }
        }
        std::map<Site, Executed> all;
        for (auto& [site, node] : nodes_) {
            for (Site const side : node.joined ? std::vector<Site>{} : node.predicated) {
                nodes_[side].executed.warps = node.executed.warps;
                nodes_[side].executed.lanes = node.executed.lanes;
            }
        }
        for (auto const& [site, node] : nodes_) {
            all[site] = node.executed;
        }
        return all;
    }

private:
    void add(Site site, Tally const& tally, unsigned depth, CodeOfSites const& code) {
        Node& node = nodes_[site];
        if (auto const found = code.find(site); found != code.end()) {
            node.code = found->second;
        }
        bool const branches = tally.successors.size() > 1 && !node.code.branches_in_a_header;
        node.executed = {node.code.instructions, tally.warps, tally.lanes, branches};
        node.depth = depth;
        node.size = node.code.is_intrinsic ? 0 : node.code.instructions;
        node.has_calls = node.code.has_calls;
        node.last = site;
        node.behind.insert(tally.successors.begin(), tally.successors.end());
    }

    // A branch forward to where the kernel returns is no branch.
    void mark_exits(Tallies const& tallies, CallSites const& sites) {
        unsigned kernel = ~0u;  // its depth
        for (auto const& [site, node] : nodes_) {
            kernel = node.executed.branches ? std::min(kernel, node.depth) : kernel;
        }
        auto const returns = [&](Site site) {
            auto const found = nodes_.find(site);
            return found != nodes_.end() && found->second.depth == kernel && !found->second.code.has_accesses &&
                   found->second.code.instructions <= most_of_an_end &&
                   std::all_of(found->second.behind.begin(), found->second.behind.end(), [&](Site to) {
                       auto const next = nodes_.find(to);
                       return next == nodes_.end() || next->second.depth < kernel;
                   });
        };
        for (auto& [site, node] : nodes_) {
            auto const& successors = tallies.at(site).successors;
            std::uintptr_t const here = sites.address(site);
            auto const is_forward = [&](Site to) { return sites.address(to) > here; };
            if (std::all_of(successors.begin(), successors.end(), is_forward) &&
                std::any_of(successors.begin(), successors.end(), returns)) {
                node.executed.branches = false;
            }
        }
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
        node.last = next.last;
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

    // A block with one way in, from `from`, and one way out, that is short enough.
    bool is_side(Site site, Site from) const {
        auto const found = nodes_.find(site);
        if (found == nodes_.end()) {
            return false;
        }
        Node const& node = found->second;
        return !node.joined && node.before == std::set<Site>{from} && node.behind.size() == 1 &&
               node.size <= max_predicated && !node.has_calls && node.depth == nodes_.at(from).depth;
    }

    bool predicate_sides(Site site, Node& node) {
        if (node.behind.size() != 2) {
            return false;
        }
        Site const a = *node.behind.begin();
        Site const b = *node.behind.rbegin();
        auto const leads_to = [&](Site from, Site to) { return nodes_.at(from).behind == std::set<Site>{to}; };
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

    void predicate(Site site, Node& node, std::vector<Site> const& sides, Site join) {
        for (Site const name : sides) {
            Node& side = nodes_.at(name);
            side.joined = true;
            node.predicated.push_back(name);
            node.predicated.insert(node.predicated.end(), side.follows.begin(), side.follows.end());
            node.predicated.insert(node.predicated.end(), side.predicated.begin(), side.predicated.end());
            node.size += side.size;
            replace_before(join, name, site);
        }
        node.behind = {join};
        nodes_.at(node.last).executed.branches = false;
    }

    std::map<Site, Node> nodes_;
};

}  // namespace

std::map<Site, Executed> as_on_a_gpu(Tallies const& tallies, CallSites const& sites, CodeOfSites const& code) {
    return Graph(tallies, sites, code).solve();
}

}  // namespace lockstep::simt::hooks
