// Counts the clusters in random maps of open and closed sites and the passes that their labels need.

#include <algorithm>
#include <cstdio>

#include "clusters.hpp"
#include "harness/random/streams.hpp"
#include "harness/simt/devices.hpp"

namespace {

// The maps depend only on the seed and not on the machine.
std::vector<unsigned> random_maps(unsigned maps, double open) {
    std::vector<unsigned> labels;
    for (unsigned map = 0; map < maps; ++map) {
        for (unsigned site = 0; site < clusters::sites; ++site) {
            unsigned const word = lockstep::random::cpu::named_word(1, map, site);
            labels.push_back(word < open * 4294967296.0 ? site + 1 : 0);
        }
    }
    return labels;
}

// Reference: a flood fill from each unlabelled site, in order, to all sites that it reaches.
std::vector<unsigned> flood(std::vector<unsigned> labels) {
    using clusters::side, clusters::sites;
    for (std::size_t map = 0; map < labels.size(); map += sites) {
        std::vector<bool> seen(sites);
        for (unsigned start = 0; start < sites; ++start) {
            std::vector<unsigned> waiting = {start};
            while (!waiting.empty()) {
                unsigned const site = waiting.back();
                waiting.pop_back();
                if (labels[map + site] == 0 || seen[site])
                    continue;
                seen[site] = true;
                labels[map + site] = start + 1;
                unsigned const row = site / side * side;
                unsigned const column = site % side;
                waiting.insert(waiting.end(), {(site + side) % sites, (site + sites - side) % sites,
                                               row + (column + 1) % side, row + (column + side - 1) % side});
            }
        }
    }
    return labels;
}

clusters::Labelled label(std::vector<unsigned> const& maps) {
#if defined(LOCKSTEP_WITH_CUDA)
    if (!lockstep::simt::cuda_devices().devices.empty())
        return clusters::cuda::label(maps);
#endif
    return clusters::emulator::label(maps);
}

}  // namespace

int main() {
    constexpr unsigned maps = 16;
    std::printf("open  clusters per map  max passes  flood fill\n");
    for (double const open : {0.3, 0.5, 0.6, 0.9}) {
        std::vector<unsigned> const start = random_maps(maps, open);
        clusters::Labelled const found = label(start);
        // Each cluster has exactly one site whose number equals its label.
        unsigned count = 0;
        for (std::size_t i = 0; i < found.labels.size(); ++i)
            count += found.labels[i] == i % clusters::sites + 1 ? 1 : 0;
        std::printf("%.1f   %16.2f  %10u  %s\n", open, static_cast<double>(count) / maps,
                    *std::max_element(found.passes.begin(), found.passes.end()),
                    found.labels == flood(start) ? "agrees" : "differs");
    }
}
