#pragma once
// The network of a problem in device memory. Include it in `.cu` files.

#include "common/object_layout/network.hpp"
#include "common/object_layout/street_graph.hpp"
#include "harness/simt/buffer.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

class StreetBuffers {
public:
    explicit StreetBuffers(Network const& network)
        : offset_(network.offset.size()), degree_(network.degree.size()), contents_(network.contents.size()) {
        offset_.upload(network.offset);
        degree_.upload(network.degree);
        contents_.upload(network.contents);
    }
    StreetGraph graph() const { return {offset_.data(), degree_.data(), contents_.data()}; }

private:
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> offset_, degree_, contents_;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
