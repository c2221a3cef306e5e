#pragma once
// The basic blocks that the warps of a kernel executed, with the edges between them: what machine_model.hpp starts
// with.

#include <map>
#include <vector>

#include "harness/simt/hooks/machine_nodes.hpp"

namespace lockstep::simt::hooks {

class MachineGraph {
public:
    using Site = CallSites::Site;

    MachineGraph(Tallies const& tallies, CallSites& sites, CodeOfBlocks const& code);

    CallSites& sites() const { return sites_; }
    CodeOfBlocks const& code() const { return code_; }
    std::map<Site, Node>& nodes() { return nodes_; }
    std::map<Site, Node> const& nodes() const { return nodes_; }
    Node& at(Site site) { return nodes_.at(site); }
    Node const& at(Site site) const { return nodes_.at(site); }
    Node* find(Site site);
    Node const* find(Site site) const;

    // Whether the kernel ends with the block.
    bool returns(Site site) const;
    // Whether the block leads there and nowhere else.
    bool leads_to(Site from, Site to) const;
    // `block` follows `site` instead of `old`.
    void replace_before(Site block, Site old, Site site);

private:
    // Where the block leads to is in its code, unless it calls a function that is traced, too.
    void add(Site site, Tally const& tally);
    // How often some lanes took each case of a switch, in the order of the cases' addresses.
    std::vector<std::uint64_t> executions_of_cases(Node const& node) const;
    // What follows the block in its code, and what follows that, as far as no lane executes it.
    void add_behind(Site site, Node& node);
    // A branch forward to where the kernel returns is no branch.
    void mark_exits();
    void unroll_loops();

    CallSites& sites_;
    CodeOfBlocks const& code_;
    std::map<Site, Node> nodes_;
    unsigned kernel_ = ~0u;  // its depth
};

}  // namespace lockstep::simt::hooks
