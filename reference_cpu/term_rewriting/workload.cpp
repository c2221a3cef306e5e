#include "reference_cpu/term_rewriting/workload.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "harness/bench/error.hpp"
#include "harness/random/bounded.hpp"
#include "harness/random/philox.hpp"
#include "reference_cpu/term_rewriting/oracle.hpp"
#include "reference_cpu/term_rewriting/paper_systems.hpp"

namespace lockstep::term_rewriting {

namespace {

SymbolId symbol_named(System const& system, std::string const& name) {
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (system.symbols[symbol].name == name)
            return symbol;
    }
    throw bench::Error("no symbol " + name, "the system has none of that name");
}

// Makes terms of a system by the names of its symbols.
class Maker {
public:
    Maker(System const& system, Terms& terms) : system_(system), terms_(terms) {
        successor_ = system.arity(symbol_named(system, "S")) == 1 ? "S" : "Suc";  // where S is one of the letters
    }

    TermId make(std::string const& name, std::vector<TermId> const& arguments = {}) {
        auto const found = symbols_.find(name);
        SymbolId const symbol = found != symbols_.end() ? found->second : symbol_named(system_, name);
        symbols_[name] = symbol;
        return terms_.application(symbol, arguments);
    }

    TermId number(unsigned value) {
        TermId term = make("Zero");
        for (unsigned i = 0; i < value; ++i)
            term = make(successor_, {term});
        return term;
    }

    TermId list(std::vector<unsigned> const& values) {
        TermId term = make("Nil");
        for (std::size_t i = values.size(); i-- > 0;)
            term = make("Cons", {number(values[i]), term});
        return term;
    }

    // A full tree over leaves 0 .. 2^depth - 1.
    template <class Leaf>
    TermId tree(unsigned depth, Leaf const& leaf) {
        std::vector<TermId> open;  // subtrees of descending size, as the bits of the number of leaves so far
        for (std::uint64_t place = 0; place < std::uint64_t{1} << depth; ++place) {
            TermId term = leaf(place);
            for (std::uint64_t carry = place; (carry & 1) != 0; carry >>= 1) {
                term = make("Node", {open.back(), term});
                open.pop_back();
            }
            open.push_back(term);
        }
        return open.back();
    }

private:
    System const& system_;
    Terms& terms_;
    std::string successor_;
    std::map<std::string, SymbolId> symbols_;
};

struct Found {
    Terms terms;
    TermId normal_form = 0;
    std::vector<std::uint64_t> applications;
};

Found ask_oracle(System const& system, Terms const& terms, TermId input) {
    Found found;
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    oracle->load(terms, input);
    Limits limits;
    limits.memory = std::uint64_t{1} << 33;
    Outcome const outcome = oracle->run(limits);
    if (outcome.end != End::finished)
        throw bench::Error("the oracle did not finish", "a limit ended it", "Try a smaller term.");
    found.applications = outcome.applications;
    found.normal_form = oracle->normal_form(found.terms);
    return found;
}

void add_to(std::vector<std::uint64_t>& sums, std::vector<std::uint64_t> const& counts, std::uint64_t factor) {
    sums.resize(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        sums[i] += factor * counts[i];
}

bench::UnitResult expected_sorts(System const& system, Workload const& workload) {
    std::uint64_t const lists = workload.system == "merge_sort" ? 1 : std::uint64_t{1} << workload.depth;
    std::map<std::vector<unsigned>, std::vector<std::uint64_t>> known;
    std::vector<std::uint64_t> applications;
    std::vector<unsigned> sorted(workload.elements);
    std::iota(sorted.begin(), sorted.end(), 0u);
    Terms expected;
    Maker maker(system, expected);
    TermId const list = maker.list(sorted);
    for (std::uint64_t place = 0; place < lists; ++place) {
        std::vector<unsigned> const values = list_of(workload, place);
        auto const [entry, is_new] = known.try_emplace(values);
        if (is_new) {
            Terms input;
            Maker of_input(system, input);
            Found const found = ask_oracle(system, input, of_input.make("Sort", {of_input.list(values)}));
            if (!equal_terms(found.terms, found.normal_form, expected, list))
                throw bench::Error("the oracle does not sort", "its list is not ascending");
            entry->second = found.applications;
        }
        add_to(applications, entry->second, 1);
    }
    if (workload.system == "merge_sort")
        return unit_result(digest_of(expected, list), applications);
    TermId tree = maker.make("Leaf", {list});
    for (unsigned level = 0; level < workload.depth; ++level)
        tree = maker.make("Node", {tree, tree});
    return unit_result(digest_of(expected, tree), applications);
}

// Expand and Expand2 have the same rules. Leaf counts double a level, and each rule is applied either once a leaf, or
// once an inner node of one of the two kinds: what depth 3 adds to depth 2, depth 4 adds to depth 3 twice, and so on.
bench::UnitResult expected_transformation(System const& system, Workload const& workload) {
    auto const at_depth = [&](unsigned depth) {
        Terms input;
        Maker maker(system, input);
        return ask_oracle(system, input, maker.make("Expand", {maker.number(depth)}));
    };
    unsigned const small = std::min(workload.depth, 3u);
    Found const found = at_depth(small);
    std::vector<std::uint64_t> applications = found.applications;
    if (workload.depth > small) {
        std::vector<std::uint64_t> const before = at_depth(small - 1).applications;
        for (std::size_t rule = 0; rule < applications.size(); ++rule) {
            std::uint64_t added = applications[rule] - before[rule];
            for (unsigned depth = small; depth < workload.depth; ++depth)
                applications[rule] += added *= 2;
        }
    }
    Terms expected;
    Maker maker(system, expected);
    TermId tree = maker.make("End");
    for (unsigned level = 0; level < workload.depth; ++level)
        tree = maker.make("Node", {tree, tree});
    return unit_result(digest_of(expected, tree), applications);
}

}  // namespace

std::vector<bench::Axis> workload_axes() {
    using Kind = bench::Axis::Kind;
    return {
        {"system",
         Kind::text,
         "tree_merge_sort",
         "which of the paper's systems",
         0,
         0,
         {"merge_sort", "tree_merge_sort", "transformation_tree"}},
        {"depth", Kind::integer, "10", "levels of the tree (merge_sort has none)", 0, 26, {}},
        {"elements", Kind::integer, "5", "numbers a list (transformation_tree has none)", 0, 100000, {}},
    };
}

Workload read_workload(bench::Problem const& problem) {
    return {problem.axes.text("system"), static_cast<unsigned>(problem.axes.integer("depth")),
            static_cast<unsigned>(problem.axes.integer("elements")), problem.seed};
}

std::vector<unsigned> list_of(Workload const& workload, std::uint64_t place) {
    std::vector<unsigned> values(workload.elements);
    std::iota(values.begin(), values.end(), 0u);
    auto engine = random::cpu::Philox4x32<10>::stream(workload.seed, place, 0);
    for (unsigned i = workload.elements; i > 1; --i)
        std::swap(values[i - 1], values[random::cpu::bounded(engine, i)]);
    return values;
}

TermId make_input(System const& system, Workload const& workload, Terms& terms) {
    Maker maker(system, terms);
    if (workload.system == "transformation_tree")
        return maker.make("Expand", {maker.number(workload.depth)});
    if (workload.system == "merge_sort")
        return maker.make("Sort", {maker.list(list_of(workload, 0))});
    return maker.tree(workload.depth, [&](std::uint64_t place) {
        return maker.make("Leaf", {maker.make("Sort", {maker.list(list_of(workload, place))})});
    });
}

bench::UnitResult unit_result(std::uint64_t digest, std::vector<std::uint64_t> const& applications) {
    std::vector<std::uint64_t> words = {digest, std::accumulate(applications.begin(), applications.end(), 0ull)};
    words.insert(words.end(), applications.begin(), applications.end());
    bench::UnitResult result;
    for (std::uint64_t const word : words) {
        result.push_back(static_cast<std::uint32_t>(word));
        result.push_back(static_cast<std::uint32_t>(word >> 32));
    }
    return result;
}

bench::UnitResult expected_result(Workload const& workload) {
    bool const tree = workload.system == "transformation_tree";
    System const system = paper_system(tree ? "transformation_tree" : "tree_merge_sort");
    return tree ? expected_transformation(system, workload) : expected_sorts(system, workload);
}

}  // namespace lockstep::term_rewriting
