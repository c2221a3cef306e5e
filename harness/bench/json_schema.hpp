#pragma once
// Checks a document by the part of JSON Schema that results/schema.json uses. plots/schema.py is the sibling: it
// accepts and rejects the same documents, with the same words. Internal to harness/bench, because it exposes JSON.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/json_text.hpp"

namespace lockstep::bench {

// A value that does not fit: where it is, and what it is not.
struct Misfit {
    std::string place;  // "cases[2].time.median", or empty for the document
    std::string why;    // "is not a number above 0"

    // "<place>: <why>"
    std::string text() const;
};

class JsonSchema {
public:
    // Throws std::logic_error if the schema has a keyword that is not supported.
    explicit JsonSchema(Json const& schema);
    ~JsonSchema();

    // Returns the first misfit. Recurses as deeply as the document is nested, which parse_json() limits.
    std::optional<Misfit> check(Json const& document) const;

    struct Node;

private:
    Node const* add(Json const& schema);
    Node const* named(std::string const& name);
    void fill(Node& node, Json const& schema);
    bool fill_value(Node& node, std::string const& key, Json const& value);
    bool fill_container(Node& node, std::string const& key, Json const& value);

    Json definitions_;
    std::map<std::string, Node const*> named_;
    std::vector<std::unique_ptr<Node>> nodes_;
    Node const* root_ = nullptr;
};

}  // namespace lockstep::bench
