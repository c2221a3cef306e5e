#include "common/object_layout/osm.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>
#include <utility>

#include "common/object_layout/xml_tags.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::object_layout {

namespace {

constexpr double earth_radius = 6371008.8;  // mean, in metres
constexpr double kilometres_per_mile = 1.609344;
constexpr float max_street = 1e6f;  // as in a list of streets

using NodeId = std::int64_t;

struct MapNode {
    double latitude = 0;
    double longitude = 0;
    unsigned uses = 0;  // by roads; above 1 and at the ends of roads there is a junction
    unsigned junction = ~0u;
};

struct MapWay {
    std::vector<NodeId> nodes;
    float velocity = 0;
    bool forward = true;
    bool backward = true;
};

// Values of `highway` and the speed limit in km/h without maxspeed.
struct RoadClass {
    std::string_view highway;
    float limit;
};
constexpr RoadClass road_classes[] = {
    {"motorway", 110},    {"motorway_link", 60}, {"trunk", 90},          {"trunk_link", 50}, {"primary", 50},
    {"primary_link", 50}, {"secondary", 50},     {"secondary_link", 50}, {"tertiary", 50},   {"tertiary_link", 50},
    {"unclassified", 50}, {"residential", 30},   {"living_street", 10},  {"service", 20},    {"road", 50},
};

RoadClass const* road_class_of(std::string_view highway) {
    for (RoadClass const& known : road_classes) {
        if (known.highway == highway)
            return &known;
    }
    return nullptr;
}

template <class Number>
bool reads(std::string_view text, Number& number) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

// `50`, or `30 mph`; other values ("none", "walk") leave the limit of the class. Returns miles per hour.
float velocity_of(std::string_view maxspeed, float class_limit) {
    constexpr std::string_view miles = " mph";
    bool const in_miles = maxspeed.size() > miles.size() && maxspeed.substr(maxspeed.size() - miles.size()) == miles;
    double value = 0;
    bool const known = reads(in_miles ? maxspeed.substr(0, maxspeed.size() - miles.size()) : maxspeed, value);
    if (known && value >= 1 && value <= 500)
        return static_cast<float>(in_miles ? value : value / kilometres_per_mile);
    return static_cast<float>(static_cast<double>(class_limit) / kilometres_per_mile);
}

class OsmReader {
public:
    OsmReader(std::string const& text, std::string const& file) : tags_(text, file), file_(file) {}

    Network read() {
        read_tags();
        Network network;
        use_nodes();
        double const mean = mean_latitude();
        for (MapWay const& road : roads_)
            add_streets(network, road, mean);
        if (network.streets() == 0) {
            throw bench::Error("network " + file_ + " has no streets",
                               "no <way> has a highway for motor vehicles and two known nodes");
        }
        connect_streets(network, file_);
        return network;
    }

private:
    void read_tags() {
        while (true) {
            XmlTag const& tag = tags_.next();
            if (tag.kind == XmlTag::Kind::end_of_text)
                return;
            if (tag.kind == XmlTag::Kind::closes)
                continue;
            if (tags_.depth() == (tag.kind == XmlTag::Kind::opens ? 1u : 0u) && tag.name != "osm")
                tags_.refuse("the outermost element is not <osm>");
            if (tag.name == "node")
                add_node(tag);
            else if (tag.name == "way" && tag.kind == XmlTag::Kind::opens)
                add_way();
        }
    }

    template <class Number>
    Number number(XmlTag const& tag, char const* attribute) const {
        Number found = 0;
        if (!reads(tag.value(attribute), found)) {
            tags_.refuse("<" + std::string(tag.name) + "> has no number '" + attribute + "'");
        }
        return found;
    }

    void add_node(XmlTag const& tag) {
        MapNode node;
        auto const id = number<NodeId>(tag, "id");
        node.latitude = number<double>(tag, "lat");
        node.longitude = number<double>(tag, "lon");
        if (!(std::abs(node.latitude) <= 90 && std::abs(node.longitude) <= 180))
            tags_.refuse("a latitude above 90 or a longitude above 180 degrees");
        if (!nodes_.emplace(id, node).second)
            tags_.refuse("node " + std::to_string(id) + " is there twice");
    }

    // Reads up to the end of the way.
    void add_way() {
        std::size_t const depth = tags_.depth();
        MapWay road;
        std::string_view highway, oneway, junction, maxspeed;
        while (tags_.depth() >= depth) {
            XmlTag const& tag = tags_.next();
            if (tag.kind == XmlTag::Kind::closes)
                continue;
            if (tag.name == "nd") {
                auto const id = number<NodeId>(tag, "ref");
                if (road.nodes.empty() || road.nodes.back() != id)
                    road.nodes.push_back(id);
            } else if (tag.name == "tag") {
                for (auto const& [key, value] : {std::pair{"highway", &highway},
                                                 {"oneway", &oneway},
                                                 {"junction", &junction},
                                                 {"maxspeed", &maxspeed}}) {
                    if (tag.value("k") == key)
                        *value = tag.value("v");
                }
            }
        }
        RoadClass const* const known = road_class_of(highway);
        if (known == nullptr)
            return;
        bool const one_way = oneway == "yes" || oneway == "true" || oneway == "1" ||
                             (oneway != "no" && (highway == "motorway" || junction == "roundabout"));
        bool const against = oneway == "-1" || oneway == "reverse";
        road.velocity = velocity_of(maxspeed, known->limit);
        road.forward = !against;
        road.backward = !one_way || against;
        roads_.push_back(std::move(road));
    }

    MapNode* find(NodeId id) {
        auto const found = nodes_.find(id);
        return found == nodes_.end() ? nullptr : &found->second;
    }

    // Counts the roads through each node; an end of a road counts twice, so that it is a junction.
    void use_nodes() {
        for (MapWay const& road : roads_) {
            for (std::size_t i = 0; i < road.nodes.size(); ++i) {
                MapNode* const node = find(road.nodes[i]);
                if (node == nullptr)
                    continue;
                bool const ends = i == 0 || i + 1 == road.nodes.size() || find(road.nodes[i - 1]) == nullptr ||
                                  find(road.nodes[i + 1]) == nullptr;
                node->uses = std::min(node->uses + (ends ? 2u : 1u), 2u);
            }
        }
    }

    // Of the nodes of roads, in the order of the text, so that its bits do not depend on a hash.
    double mean_latitude() {
        double sum = 0;
        double count = 0;
        for (MapWay const& road : roads_) {
            for (NodeId const id : road.nodes) {
                if (MapNode const* const node = find(id)) {
                    sum += node->latitude;
                    ++count;
                }
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    void add_streets(Network& network, MapWay const& road, double mean) {
        MapNode* begin = nullptr;
        MapNode* last = nullptr;
        NodeId begin_id = 0;
        double length = 0;
        for (NodeId const id : road.nodes) {
            MapNode* const node = find(id);
            if (node != nullptr && last != nullptr)
                length += distance(*last, *node, mean);
            last = node;
            if (node == nullptr) {
                begin = nullptr;
            } else if (node->uses > 1) {
                if (begin != nullptr)
                    add_street(network, road, {begin, begin_id}, {node, id}, length, mean);
                begin = node;
                begin_id = id;
                length = 0;
            }
        }
    }

    static double x_of(MapNode const& node, double mean) {
        return earth_radius * cosine(radians(mean)) * radians(node.longitude);
    }
    static double y_of(MapNode const& node) { return -earth_radius * radians(node.latitude); }
    static double radians(double degrees) { return degrees * (std::numbers::pi / 180); }
    static double distance(MapNode const& a, MapNode const& b, double mean) {
        double const x = x_of(a, mean) - x_of(b, mean);
        double const y = y_of(a) - y_of(b);
        return std::sqrt(x * x + y * y);
    }

    using End = std::pair<MapNode*, NodeId>;

    static unsigned junction_of(Network& network, End const& end, double mean) {
        MapNode& node = *end.first;
        if (node.junction == ~0u) {
            node.junction = static_cast<unsigned>(network.junctions.size());
            network.junctions.push_back(std::to_string(end.second));
            network.x.push_back(static_cast<float>(x_of(node, mean)));
            network.y.push_back(static_cast<float>(y_of(node)));
        }
        return node.junction;
    }

    void add_street(Network& network, MapWay const& road, End const& begin, End const& end, double length,
                    double mean) {
        float const metres = static_cast<float>(std::max(length, 1.0));
        if (metres > max_street) {
            throw bench::Error("network " + file_ + " has a street of more than 1000 km",
                               "it ends in node " + std::to_string(end.second));
        }
        auto const add = [&](End const& from, End const& to) {
            unsigned const first = junction_of(network, from, mean);
            network.from.push_back(first);
            network.to.push_back(junction_of(network, to, mean));
            network.length.push_back(metres);
            network.max_velocity.push_back(road.velocity);
        };
        if (road.forward)
            add(begin, end);
        if (road.backward)
            add(end, begin);
    }

    XmlTags tags_;
    std::string file_;
    std::unordered_map<NodeId, MapNode> nodes_;
    std::vector<MapWay> roads_;
};

}  // namespace

bool is_osm(std::string const& text) {
    std::size_t const mark = text.rfind("\xef\xbb\xbf", 0) == 0 ? 3 : 0;
    std::size_t const first = text.find_first_not_of(" \t\r\n", mark);
    return first != std::string::npos && text[first] == '<';
}

Network parse_osm(std::string const& text, std::string const& file) { return OsmReader(text, file).read(); }

double cosine(double angle) {
    double const square = angle * angle;
    double sum = 1;
    for (unsigned k = 11; k > 0; --k)
        sum = 1 - square / static_cast<double>((2 * k - 1) * (2 * k)) * sum;
    return sum;
}

}  // namespace lockstep::object_layout
