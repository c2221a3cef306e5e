#pragma once
// Streets from an extract of OpenStreetMap (https://wiki.openstreetmap.org/wiki/OSM_XML), of which a subset is read:
// <node id lat lon>, and <way> with <nd ref> and <tag k v> for the keys highway, oneway, junction and maxspeed. All
// else is skipped.
//
// A way is a road if its highway is one for motor vehicles (osm.cpp has the list and the speed limits that hold without
// maxspeed). Roads are cut where they meet and at nodes that the extract lacks; a street is a part between two cuts,
// and a two-way road has one in each direction. Its length in metres is the sum over its nodes, at least 1, in an
// equirectangular projection around the mean latitude: x = R cos(mean) lon, y = -R lat, R = 6 371 008.8 m. At extents
// of a city, its error is below that of the data. Limits are in miles per hour, as in the paper; so a tick, in which a
// vehicle passes (miles per hour) / 60 metres, is 0.0373 s.

#include <string>

#include "common/object_layout/network.hpp"

namespace lockstep::object_layout {

// Whether a text is XML: whether it begins with `<`, after spaces and a byte order mark.
bool is_osm(std::string const& text);

// Junctions are named by the numbers of their nodes, and have places. Errors are bench::Error with file and line.
Network parse_osm(std::string const& text, std::string const& file);

// The cosine of an angle of at most a right one, in radians, by its series: the same bits on every machine.
double cosine(double angle);

}  // namespace lockstep::object_layout
