#include "common/replications/measures.hpp"

#include <cmath>
#include <cstdio>

namespace lockstep::replications {

namespace {

double sum_at(bench::UnitResult const& result, std::size_t word) {
    return static_cast<double>(std::uint64_t{result[word + 1]} << 32 | result[word]);
}

// 17 significant digits, so that reading the text returns the same double.
std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

}  // namespace

std::vector<std::string> measure_names(Model model) {
    if (model == Model::pi)
        return {"pi"};
    if (model == Model::mm1)
        return {"idle", "in_queue", "in_system"};
    if (model == Model::branches)
        return {"word"};
    return {"crossings"};
}

std::vector<double> measures_of(Model model, DesignPoint const& point, bench::UnitResult const& result) {
    if (model == Model::walk || model == Model::chunk_walk)
        return {static_cast<double>(result[2])};
    double const items = point.items == 0 ? 1 : static_cast<double>(point.items);
    if (model == Model::pi)
        return {4 * sum_at(result, 0) / items};
    if (model == Model::branches)
        return {std::ldexp(sum_at(result, 0) / items, -32)};
    double const unit = std::ldexp(1.0, -static_cast<int>(time_fraction_bits)) / items;
    return {sum_at(result, 0) * unit, sum_at(result, 2) * unit, sum_at(result, 4) * unit};
}

std::string csv_header(Model model) {
    std::string header = "point,replication,";
    if (model == Model::pi)
        return header + "draws,inside,pi\n";
    if (model == Model::mm1)
        return header + "clients,utilisation,idle,in_queue,in_system\n";
    return header + "steps,chunks,x,y,chunk,crossings\n";
}

std::string csv_line(Model model, DesignPoint const& point, std::uint64_t point_number, std::uint64_t replication,
                     bench::UnitResult const& result) {
    std::string line =
        std::to_string(point_number) + "," + std::to_string(replication) + "," + std::to_string(point.items) + ",";
    if (model == Model::walk) {
        return line + std::to_string(point.chunks) + "," + std::to_string(result[0] & 0xFFFFu) + "," +
               std::to_string(result[0] >> 16) + "," + std::to_string(result[1]) + "," + std::to_string(result[2]) +
               "\n";
    }
    if (model == Model::pi)
        line += std::to_string(std::uint64_t{result[1]} << 32 | result[0]);
    if (model == Model::mm1)
        line += number(point.utilisation);
    for (double const value : measures_of(model, point, result))
        line += "," + number(value);
    return line + "\n";
}

}  // namespace lockstep::replications
