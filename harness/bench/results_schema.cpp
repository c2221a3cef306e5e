#include "harness/bench/results_schema.hpp"

#include <span>
#include <string>

#include "harness/simt/embedded_text.hpp"

namespace lockstep::bench {

std::span<simt::EmbeddedText const> results_schema_text();  // generated from results/schema.json

namespace {

JsonSchema const& results_schema_of_this_program() {
    static JsonSchema const made(Json::parse(results_schema_text().front().text));
    return made;
}

// What a schema cannot say: two values of a row that must go together.
std::optional<Misfit> contradiction(Json const& row, std::string const& place) {
    if (row.contains("shard") && row.at("shard").is_string()) {
        std::string const shard = row.at("shard").get<std::string>();
        std::size_t const slash = shard.find('/');
        if (std::stoul(shard.substr(0, slash)) >= std::stoul(shard.substr(slash + 1)))
            return Misfit{place + ".shard", "has an index that is not below the number of shards"};
    }
    if (row.at("machine") == "any" && row.at("role") != "peer")
        return Misfit{place + ".machine", "is any, which only a peer that was not run may have"};
    return std::nullopt;
}

}  // namespace

std::optional<Misfit> misfit_of_results(Json const& document) {
    if (auto misfit = results_schema_of_this_program().check(document))
        return misfit;
    Json const& cases = document.at("cases");
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (auto misfit = contradiction(cases[i], "cases[" + std::to_string(i) + "]"))
            return misfit;
    }
    return std::nullopt;
}

}  // namespace lockstep::bench
