// Streets from extracts of OpenStreetMap: lengths, junctions, directions, and messages with lines.

#include "common/object_layout/osm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "experiments/object_layout/command.hpp"
#include "harness/bench/error.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::object_layout::tests {
namespace {

constexpr double degree = 6371008.8 * std::numbers::pi / 180;  // of latitude, in metres

// A road 1 - 2 - 3 of two directions, and a road 4 -> 2 of one, on the equator.
constexpr char const* crossing = R"(<?xml version='1.0'?>
<osm>
  <bounds minlat="0"/>
  <node id="1" lat="0" lon="0"/> <node id="2" lat="0" lon="0.001"> <tag k="highway" v="crossing"/> </node>
  <node id="3" lat="0" lon='0.003'/> <node id="4" lat="0" lon="0.001"/>
  <!-- <way> -->
  <way id="7"> <nd ref="1"/> <nd ref="2"/> <nd ref="3"/> <tag k="highway" v="residential"/> </way>
  <way id="8"> <nd ref="4"/> <nd ref="2"/> <tag k="oneway" v="yes"/> <tag k="highway" v="primary"/>
    <tag k="maxspeed" v="30 mph"/> </way>
  <way id="9"> <nd ref="1"/> <nd ref="4"/> <tag k="highway" v="steps"/> </way>
  <relation id="1"><member type="way" ref="7"/></relation>
</osm>
)";

class Osm : public lockstep::tests::ToolTest {
protected:
    Osm() : ToolTest("traffic", traffic_command) {}
};

TEST_F(Osm, ReadsACrossing) {
    Network const network = parse_osm(crossing, "crossing.osm");
    EXPECT_EQ(network.junctions, (std::vector<std::string>{"1", "2", "3", "4"}));
    EXPECT_EQ(network.from, (std::vector<unsigned>{0, 1, 1, 2, 3}));
    EXPECT_EQ(network.to, (std::vector<unsigned>{1, 0, 2, 1, 1}));
    EXPECT_NEAR(network.length[0], 0.001 * degree, 0.001);
    EXPECT_NEAR(network.length[2], 0.002 * degree, 0.001);
    EXPECT_EQ(network.length[4], 1) << "nodes at one place";
    EXPECT_NEAR(network.max_velocity[0], 30 / 1.609344, 1e-5) << "residential";
    EXPECT_EQ(network.max_velocity[4], 30) << "in miles";
    EXPECT_EQ(network.degree, (std::vector<unsigned>{2, 1, 1, 2, 2})) << "streets that leave the end";
}

TEST_F(Osm, CutsRoadsAtMissingNodesAndReadsDirections) {
    auto const streets = [](std::string const& tags) {
        return parse_osm(
            "<osm><node id='1' lat='1' lon='0'/><node id='2' lat='1' lon='1'/><way><nd ref='1'/>"
            "<nd ref='2'/><nd ref='5'/><nd ref='1'/>" +
                tags + "</way></osm>",
            "road.osm");
    };
    Network const both = streets("<tag k='highway' v='road'/>");
    EXPECT_EQ(both.from, (std::vector<unsigned>{0, 1})) << "not from 2 to 1 by the missing node 5";
    EXPECT_EQ(streets("<tag k='highway' v='motorway'/>").from, (std::vector<unsigned>{0}));
    Network const against = streets("<tag k='highway' v='road'/><tag k='oneway' v='-1'/>");
    EXPECT_EQ(against.junctions, (std::vector<std::string>{"2", "1"}));
    EXPECT_EQ(against.streets(), 1u);
    EXPECT_EQ(streets("<tag k='highway' v='motorway'/><tag k='oneway' v='no'/>").streets(), 2u);
    EXPECT_EQ(streets("<tag k='highway' v='road'/><tag k='junction' v='roundabout'/>").streets(), 1u);
}

TEST_F(Osm, MeasuresAtTheMeanLatitude) {
    Network const network = parse_osm(
        "<osm><node id='1' lat='60' lon='10'/><node id='2' lat='60' lon='10.001'/><way><nd ref='1'/><nd ref='2'/>"
        "<tag k='highway' v='road'/></way></osm>",
        "north.osm");
    EXPECT_NEAR(network.length[0], 0.001 * degree / 2, 0.001) << "the cosine of 60 degrees is 1/2";
    for (double angle = -std::numbers::pi / 2; angle <= std::numbers::pi / 2; angle += 0.001)
        EXPECT_NEAR(cosine(angle), std::cos(angle), 1e-15);
}

TEST_F(Osm, NamesLines) {
    auto const refusal = [&](std::string const& text) { return error_of({"--network", file("bad.osm", text)}); };
    EXPECT_NE(refusal("<osm>\n<node id='1' lat='x' lon='0'/></osm>").find("line 2: <node> has no number 'lat'"),
              std::string::npos);
    EXPECT_NE(refusal("<osm>\n\n<node id='1' lat='91' lon='0'/></osm>").find("line 3: a latitude above 90"),
              std::string::npos);
    EXPECT_NE(refusal("<osm><node id='1' lat='1' lon='0'/>\n<node id='1' lat='1' lon='0'/></osm>")
                  .find("line 2: node 1 is there twice"),
              std::string::npos);
    EXPECT_NE(refusal("<osm>\n<way>\n</osm>").find("line 3: a tag closes an element that is not open"),
              std::string::npos);
    EXPECT_NE(refusal("<osm>\n<way>").find("ends within an element"), std::string::npos);
    EXPECT_NE(refusal("<!DOCTYPE osm>\n<osm/>").find("line 1: document types"), std::string::npos);
    EXPECT_NE(refusal("<html></html>").find("the outermost element is not <osm>"), std::string::npos);
    EXPECT_NE(refusal("<osm></osm>").find("has no streets"), std::string::npos);
    EXPECT_NE(refusal("<osm><node id='1'").find("a tag has no end"), std::string::npos);
}

TEST_F(Osm, SimulatesOnAMap) {
    std::string const map = file("crossing.osm", crossing);
    std::vector<std::string> const common = {"--network", map,       "--cars", "9",     "--pedestrians",
                                             "20",        "--ticks", "50",     "--png", file("map.png")};
    auto const on = [&](char const* machine) {
        std::vector<std::string> words = common;
        words.insert(words.end(), {"--machine", machine});
        return csv_of(words);
    };
    EXPECT_EQ(on("emulator"), on("cpu"));
}

}  // namespace
}  // namespace lockstep::object_layout::tests
