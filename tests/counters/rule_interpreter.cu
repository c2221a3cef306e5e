// Kernels of rule_interpreter on synthetic states, each of whose values is enabled or not.

#include "baselines/rule_interpreter/algorithm1.hpp"
#include "common/rule_interpreter/initial_values.hpp"
#include "common/rule_interpreter/synthetic_rules.hpp"
#include "kernels/rule_interpreter/algorithm3.hpp"
#include "kernels/rule_interpreter/queue_kernels.hpp"
#include "tests/counters/cases.hpp"

namespace lockstep::rule_interpreter::cuda {
namespace {

using counters::Outcome;
using Several = Program<false, Chained<0>, Chained<1>, Chained<2>>;

// States in layout A or C, whose columns are as long, because the ranges are multiples of 32.
struct States {
    Buffer<unsigned> values, results, last_change;
    Parameters parameters;

    States(unsigned states, unsigned range) : last_change(counters::zeros<unsigned>(states)) {
        std::vector<unsigned> drawn;
        for (unsigned i = 0; i < states * range; ++i)
            drawn.push_back(initial_value(ValueDraw{1, 4, -1}, i / range, i % range));
        values = counters::filled(drawn);
        results = counters::zeros<unsigned>(drawn.size());
        parameters.states = states;
        parameters.columns[value_column] = values.data();
        parameters.columns[result_column] = results.data();
        parameters.range[value_column] = parameters.range[result_column] = range;
        parameters.load = 20;
        parameters.last_change = last_change.data();
    }
};

void a_block_per_state(Outcome& outcome) {
    States states(8, 512);
    algorithm1<LayoutA, Product<2>, false><<<8, 256>>>(states.parameters);
    outcome.launched();
    outcome.add(states.results);
}

// Layout B: neighbouring lanes access words that are `states` words apart.
void transposed(Outcome& outcome) {
    States states(8, 512);
    states.parameters.accesses = 4;
    algorithm1<LayoutB, Accesses, false><<<8, 256>>>(states.parameters);
    outcome.launched();
    outcome.add(states.results);
}

void compacted(Outcome& outcome) {
    States states(64, 256);
    algorithm3<LayoutC, Program<false, Product<2>>><<<2, 1024, sizeof(Algorithm3Memory)>>>(states.parameters);
    outcome.launched();
    outcome.add(states.results);
}

void compacted_in_three_rules(Outcome& outcome) {
    States states(16, 256);
    states.parameters.states_per_group = 8;
    algorithm3<LayoutA, Several><<<2, 256, sizeof(Algorithm3Memory)>>>(states.parameters);
    outcome.launched();
    outcome.add(states.results);
}

void queued(Outcome& outcome) {
    States states(16, 1024);
    queue<LayoutA, Program<false, Product<2>>><<<4, 128, sizeof(WarpQueues)>>>(states.parameters);
    outcome.launched();
    outcome.add(states.results);
}

}  // namespace
}  // namespace lockstep::rule_interpreter::cuda

int main(int argc, char** argv) {
    using namespace lockstep::rule_interpreter::cuda;
    constexpr lockstep::counters::Case cases[] = {
        {"algorithm1", a_block_per_state},
        {"algorithm1-transposed", transposed},
        {"algorithm3", compacted},
        {"algorithm3-several", compacted_in_three_rules},
        {"queue", queued},
    };
    return lockstep::counters::run_cases(cases, argc, argv);
}
