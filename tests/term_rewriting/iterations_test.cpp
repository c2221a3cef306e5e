// The counter of iterations equals a rewriter in passes that visits every term, the counts of the oracle, and the
// numbers that an independent evaluator computed for the paper's systems.

#include "reference_cpu/term_rewriting/iterations.hpp"

#include <algorithm>
#include <numeric>

#include "common/term_rewriting/language/term_maker.hpp"
#include "common/term_rewriting/paper_systems.hpp"
#include "kernels/term_rewriting/as_printed/engine.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/python_random.hpp"

namespace lockstep::term_rewriting {
namespace {

// Listing 4 on a term graph, pass by pass. A pass visits every term and reads the flags from before the pass.
class Passes {
public:
    Passes(System const& system, Terms const& terms, TermId input)
        : system_(system), rules_(system.rules_of_symbols()) {
        for (Rule const& rule : system.rules)
            right_sides_.push_back(share(system.terms, std::span(&rule.right, 1)));
        for (TermId term = 0; term <= input; ++term) {  // the input of a test contains all its terms
            auto const arguments = terms.arguments(term);
            nodes_.push_back({terms.symbol(term), {arguments.begin(), arguments.end()}, false});
        }
        root_ = input;
    }

    Schedule run(NormalForms normal_forms) {
        Schedule found;
        found.applications.assign(system_.rules.size(), 0);
        while (!nodes_[root_].normal) {
            if (normal_forms == NormalForms::known_at_once) {
                while (mark_normal() != 0) {
                }
                if (nodes_[root_].normal)
                    break;
            }
            std::uint64_t const redexes = pass(normal_forms, found.applications);
            ++found.iterations;
            found.redexes.push_back(redexes);
        }
        while (!found.redexes.empty() && found.redexes.back() == 0)
            found.redexes.pop_back();
        return found;
    }

private:
    struct Node {
        SymbolId symbol;
        std::vector<std::size_t> arguments;
        bool normal;
    };

    bool ready(std::size_t node, std::vector<bool> const& normal) const {
        return !normal[node] &&
               std::ranges::all_of(nodes_[node].arguments, [&](std::size_t argument) { return normal[argument]; });
    }

    std::vector<bool> flags() const {
        std::vector<bool> normal;
        for (Node const& node : nodes_)
            normal.push_back(node.normal);
        return normal;
    }

    std::size_t mark_normal() {
        std::vector<bool> const normal = flags();
        std::size_t marked = 0;
        for (std::size_t node = 0; node < normal.size(); ++node) {
            if (ready(node, normal) && !rule_for(node)) {
                nodes_[node].normal = true;
                ++marked;
            }
        }
        return marked;
    }

    std::uint64_t pass(NormalForms normal_forms, std::vector<std::uint64_t>& applications) {
        std::vector<bool> const normal = flags();
        std::uint64_t redexes = 0;
        for (std::size_t node = 0; node < normal.size(); ++node) {
            if (!ready(node, normal))
                continue;
            if (std::optional<RuleId> const rule = rule_for(node)) {
                ++redexes;
                ++applications[*rule];
                rewrite(node, right_sides_[*rule]);
            } else if (normal_forms == NormalForms::marked_in_passes) {
                nodes_[node].normal = true;
            }
        }
        return redexes;
    }

    std::optional<RuleId> rule_for(std::size_t node) {
        for (RuleId const rule : rules_[nodes_[node].symbol]) {
            if (matches(system_.rules[rule].left, node))
                return rule;
        }
        return std::nullopt;
    }

    bool matches(TermId pattern, std::size_t node) {
        if (system_.terms.is_variable(pattern)) {
            bound_[system_.terms.variable_of(pattern)] = node;
            return true;
        }
        auto const arguments = system_.terms.arguments(pattern);
        bool same = system_.terms.symbol(pattern) == nodes_[node].symbol;
        for (std::size_t i = 0; same && i < arguments.size(); ++i)
            same = matches(arguments[i], nodes_[node].arguments[i]);
        return same;
    }

    void rewrite(std::size_t redex, SharedTerms const& right) {
        std::vector<std::size_t> made;
        for (std::size_t i = 0; i < right.nodes.size(); ++i) {
            SharedNode const& term = right.nodes[i];
            bool const root = i == right.roots[0];
            if (term.is_variable) {
                made.push_back(bound_[term.head]);
                if (root)
                    nodes_[redex] = nodes_[bound_[term.head]];
                continue;
            }
            Node node{term.head, {}, false};
            for (std::uint32_t const argument : term.arguments)
                node.arguments.push_back(made[argument]);
            made.push_back(root ? redex : nodes_.size());
            if (root)
                nodes_[redex] = node;
            else
                nodes_.push_back(node);
        }
    }

    System const& system_;
    std::vector<std::vector<RuleId>> rules_;
    std::vector<SharedTerms> right_sides_;
    std::vector<Node> nodes_;
    std::size_t root_;
    std::map<std::uint32_t, std::size_t> bound_;
};

void expect_same(Schedule const& found, Schedule const& expected, std::string const& what) {
    EXPECT_EQ(found.iterations, expected.iterations) << what;
    EXPECT_EQ(found.redexes, expected.redexes) << what;
    EXPECT_EQ(found.applications, expected.applications) << what;
}

TEST(Iterations, EqualThoseOfARewriterInPasses) {
    for (Workload const& workload :
         {Workload{"merge_sort", 0, 12, 1}, Workload{"tree_merge_sort", 3, 4, 2},
          Workload{"transformation_tree", 4, 0, 1}, Workload{"count", 0, 33, 1}, Workload{"insertion_sort", 0, 9, 1},
          Workload{"tree_fold", 4, 0, 1}, Workload{"one_expand", 5, 0, 1}, Workload{"mapped_list_of_lists", 3, 3, 1},
          Workload{"list_of_lists", 3, 3, 1, true}, Workload{"queens", 0, 4, 1}, Workload{"binary_fibonacci", 7, 0, 1},
          Workload{"tree_merge_sort", 0, 0, 2}}) {
        System const system = system_of(workload);
        Terms terms;
        TermId const input = make_input(system, workload, terms);
        Iterations const found = count_iterations(workload);
        expect_same(found.known_at_once, Passes(system, terms, input).run(NormalForms::known_at_once),
                    workload.system + " at once");
        expect_same(found.marked_in_passes, Passes(system, terms, input).run(NormalForms::marked_in_passes),
                    workload.system + " in passes");
    }
}

// The paper's rewriter needs one more pass to detect that nothing is left to rewrite.
TEST(Iterations, EqualThePassesOfThePapersKernels) {
    for (Workload const& workload :
         {Workload{"merge_sort", 0, 8, 1}, Workload{"tree_merge_sort", 3, 4, 2},
          Workload{"transformation_tree", 4, 0, 1}, Workload{"tree_merge_sort", 2, 4, 2, true}}) {
        System const system = system_of(workload);
        Terms terms;
        TermId const input = make_input(system, workload, terms);
        as_printed::Options options;
        options.traces = true;
        as_printed::TopologyEngine engine(system, jit::device_of(simt::Machine::emulator), options);
        ASSERT_EQ(run_engine(engine, terms, input).outcome.end, End::finished) << workload.system;
        Schedule const expected = count_iterations(workload).marked_in_passes;
        std::vector<std::uint64_t> redexes;
        for (as_printed::Pass const& pass : engine.passes())
            redexes.push_back(pass.redexes);
        EXPECT_EQ(redexes.size(), expected.iterations + 1) << workload.system;
        while (!redexes.empty() && redexes.back() == 0)
            redexes.pop_back();
        EXPECT_EQ(redexes, expected.redexes) << workload.system;
    }
}

TEST(Iterations, OfEverySystemHaveTheRewritesOfTheOracle) {
    int counted = 0;
    for (auto const& entry : std::filesystem::directory_iterator(systems_folder)) {
        System const system = parse_system(entry.path().string(), bench::read_file);
        bool const conditions = std::ranges::any_of(system.rules, [](Rule const& rule) {
            return !rule.conditions.empty() || rule.operation != Operation::none;
        });
        if (conditions) {
            EXPECT_THROW(Scheduler(system, NormalForms::known_at_once), bench::Error);
            continue;
        }
        if (entry.path().stem().string().starts_with("endless"))
            continue;
        for (TermId const input : system.inputs) {
            Ran const ran = run_engine(*make_oracle(system), system.terms, input);
            Scheduler scheduler(system, NormalForms::marked_in_passes);
            scheduler.add(system.terms, input);
            Terms terms;
            TermId const normal_form = scheduler.normal_form(terms);
            EXPECT_TRUE(equal_terms(terms, normal_form, ran.terms, ran.normal_form)) << entry.path();
            EXPECT_EQ(scheduler.schedule().applications, ran.outcome.applications) << entry.path();
            ++counted;
        }
    }
    EXPECT_GT(counted, 20);
}

struct Known {
    std::uint64_t rewrites;
    std::uint64_t in_passes;
    std::uint64_t at_once;
    std::uint64_t most;
};

void expect_known(Schedule const& at_once, Schedule const& in_passes, Known const& known) {
    EXPECT_EQ(at_once.rewrites(), known.rewrites);
    EXPECT_EQ(in_passes.rewrites(), known.rewrites);
    EXPECT_EQ(in_passes.iterations, known.in_passes);
    EXPECT_EQ(at_once.iterations, known.at_once);
    EXPECT_EQ(at_once.max_redexes(), known.most);
    std::uint64_t const sum = std::accumulate(in_passes.redexes.begin(), in_passes.redexes.end(), std::uint64_t{0});
    EXPECT_EQ(sum, known.rewrites);
}

TEST(Iterations, OfTheTransformationTree) {
    for (auto const& [depth, known] :
         {std::pair{22u, Known{117440511, 95, 49, 4194304}}, std::pair{20u, Known{29360127, 89, 47, 1048576}}}) {
        Iterations const found = count_iterations({"transformation_tree", depth, 0, 1});
        expect_known(found.known_at_once, found.marked_in_passes, known);
        // "one single massively parallel rewrite step" per letter (Appendix A), and one for the last Expand.
        EXPECT_EQ(std::ranges::count(found.known_at_once.redexes, known.most), 27);
    }
}

// All permutations are those of Python's random.Random(1), for which the numbers are valid. The list of fifty is also a
// leaf.
TEST(Iterations, OfMergeSort) {
    System const system = paper_system("tree_merge_sort");
    for (auto const& [lists, elements, known] :
         {std::tuple{1u, 50u, Known{6806, 3233, 2705, 36}}, std::tuple{1u << 14, 5u, Known{2096243, 152, 78, 65536}}}) {
        tests::PythonRandom random;
        std::vector<Scheduler> schedulers;
        for (NormalForms const normal_forms : {NormalForms::known_at_once, NormalForms::marked_in_passes}) {
            schedulers.emplace_back(system, normal_forms);
        }
        for (unsigned list = 0; list < lists; ++list) {
            std::vector<unsigned> const values = random.permutation(elements);
            for (Scheduler& scheduler : schedulers) {
                Terms terms;
                TermMaker maker(system, terms);
                scheduler.add(terms, maker.make("Leaf", {maker.make("Sort", {maker.list(values)})}));
            }
        }
        Schedule const at_once = schedulers[0].schedule();
        Schedule in_passes = schedulers[1].schedule();
        if (lists > 1)
            in_passes.iterations += 14;  // nodes are marked level by level
        expect_known(at_once, in_passes, known);
    }
}

// Checks R14, R24 and R25, which need no GPU.
TEST(Iterations, OfOurSystemsShowTheirPurpose) {
    Iterations const shallow = count_iterations({"tree_merge_sort", 9, 5, 1});
    Iterations const deep = count_iterations({"tree_merge_sort", 13, 5, 1});
    EXPECT_EQ(deep.known_at_once.max_redexes(), 16 * shallow.known_at_once.max_redexes());
    EXPECT_EQ(deep.known_at_once.iterations, shallow.known_at_once.iterations);

    Iterations const collapsed = count_iterations({"one_expand", 22, 0, 1});
    EXPECT_EQ(collapsed.known_at_once.max_redexes(), 1u);
    EXPECT_EQ(collapsed.known_at_once.rewrites(), 22u + 1 + 26);

    Iterations const counted = count_iterations({"count", 0, 1000, 1});
    EXPECT_EQ(counted.known_at_once.rewrites(), counted.known_at_once.iterations);
}

}  // namespace
}  // namespace lockstep::term_rewriting
