// The steps generated for the GPU equal the oracle: same normal forms, same applications per rule, conditions by helper
// symbols. One thread calls them with the simplest store.

#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/step_store.hpp"

namespace lockstep::term_rewriting {

bool normalise_tree_merge_sort(StepStore& store, unsigned term);
bool normalise_quick_sort(StepStore& store, unsigned term);
bool normalise_condition_order(StepStore& store, unsigned term);
bool normalise_stuck(StepStore& store, unsigned term);

namespace {

unsigned copy_in(StepStore& store, Terms const& terms, TermId term) {
    std::vector<unsigned> arguments;
    for (TermId const argument : terms.arguments(term))
        arguments.push_back(copy_in(store, terms, argument));
    return store.add(terms.symbol(term), std::move(arguments));
}

TermId copy_out(StepStore const& store, unsigned term, Terms& terms) {
    std::vector<TermId> arguments;
    for (unsigned i = 0; i < store.arity(term); ++i)
        arguments.push_back(copy_out(store, store.argument(term, i), terms));
    return terms.application(store.symbol(term), arguments);
}

void expect_agreement(std::string const& file, Normalise normalise) {
    System const system = parse_system(systems_folder + file, bench::read_file);
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    for (TermId const input : system.inputs) {
        Ran const expected = run_engine(*oracle, system.terms, input);
        StepStore store(system.rules.size());
        unsigned const term = copy_in(store, system.terms, input);
        ASSERT_TRUE(normalise(store, term)) << file << ": " << to_string(system, input);
        EXPECT_EQ(store.applications, expected.outcome.applications) << file << ": " << to_string(system, input);
        Terms terms;
        TermId const normal_form = copy_out(store, term, terms);
        EXPECT_TRUE(equal_terms(terms, normal_form, expected.terms, expected.normal_form))
            << to_string(system, terms, normal_form);
        EXPECT_TRUE(store.adds_up()) << file << ": " << to_string(system, input);
    }
}

TEST(GeneratedSteps, AgreeWithTheOracle) {
    expect_agreement("tree_merge_sort.trs", normalise_tree_merge_sort);
    expect_agreement("quick_sort.rec", normalise_quick_sort);
    expect_agreement("condition_order.rec", normalise_condition_order);
    expect_agreement("stuck.rec", normalise_stuck);
}

}  // namespace
}  // namespace lockstep::term_rewriting
