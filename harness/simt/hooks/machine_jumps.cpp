#include "harness/simt/hooks/machine_jumps.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "harness/simt/hooks/block_order.hpp"

namespace lockstep::simt::hooks {
namespace {

using Site = CallSites::Site;

// Where each block is in the order of block_order.hpp: the host's compiler places blocks by what it takes for likely.
class Order {
public:
    explicit Order(MachineGraph const& graph) : graph_(graph) {
        BlockGraph blocks;
        for (auto const& [site, node] : graph.nodes()) {
            std::uintptr_t const address = graph.sites().address(site);
            if (auto const found = graph.code().find(address); found != graph.code().end()) {
                blocks[address] = found->second.behind;
            }
        }
        for (std::uintptr_t const address : in_order(blocks)) {
            position_.emplace(address, position_.size());
        }
    }

    bool is_forward(Site from, Site to) const {
        std::uintptr_t const here = graph_.sites().address(from);
        std::uintptr_t const there = graph_.sites().address(to);
        auto const a = position_.find(here);
        auto const b = position_.find(there);
        return a == position_.end() || b == position_.end() ? there > here : b->second > a->second;
    }

private:
    MachineGraph const& graph_;
    std::map<std::uintptr_t, std::size_t> position_;
};

}  // namespace

void add_jumps(MachineGraph& graph) {
    Order const order(graph);
    std::map<Site, std::vector<Site>> to_join;
    for (auto const& [site, node] : graph.nodes()) {
        auto const has_code = [&](Site one) { return graph.at(one).executed.instructions != 0; };
        bool const is_empty = !has_code(site) && std::none_of(node.follows.begin(), node.follows.end(), has_code);
        if (!node.joined && !is_empty && node.behind.size() == 1 && graph.find(*node.behind.begin()) != nullptr &&
            order.is_forward(node.last, *node.behind.begin()) && !graph.returns(*node.behind.begin())) {
            to_join[*node.behind.begin()].push_back(site);
        }
    }
    for (auto& [join, from] : to_join) {
        auto const is_earlier = [&](Site a, Site b) { return order.is_forward(graph.at(a).last, graph.at(b).last); };
        Site const last = *std::max_element(from.begin(), from.end(), is_earlier);
        for (Site const site : from) {
            graph.at(site).executed.jumps = site != last && graph.at(site).depth == graph.at(join).depth;
        }
    }
}

}  // namespace lockstep::simt::hooks
