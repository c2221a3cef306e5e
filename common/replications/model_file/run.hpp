#pragma once
// One replication of a model file, step by step in one lane: what every scheme computes. `Model` is generated
// (experiments/replications/model_code.cpp): the parameters, the streams and the user's functions of one replication.

#include "common/replications/model_file/language.hpp"

namespace lockstep::replications::model_file::LOCKSTEP_MACHINE {

// Replication `index` of the job.
template <class Model>
__device__ inline Model model_of(Arguments const& a, u64 index) {
    u64 const point = a.replications == a.size ? 0 : index / a.replications;
    u64 const number = a.first_replication + (index - point * a.replications);
    u32 const lane = a.common != 0 ? 0u : static_cast<u32>(point) * max_streams;
    if (a.antithetic == 0)
        return Model(a, point, number, lane, 0);
    return Model(a, point, number / 2, lane, number % 2 == 0 ? 0u : ~0u);
}

template <class Model>
__device__ inline u64* outcome_of(Arguments const& a, u64 index) {
    return a.outcomes + index * (2 + Model::means + Model::results);
}

// Status, steps taken and means, which need a step after the warm-up.
template <class Model>
__device__ inline void write_means(Arguments const& a, u64 index, u64 taken, u64 status,
                                   Sums<Model::means> const& sums) {
    u64* const outcome = outcome_of<Model>(a, index);
    bool const has_steps = taken > a.warm_up;
    outcome[0] = status | sums.status | (Model::means > 0 && !has_steps ? no_steps : 0);
    outcome[1] = taken;
    f64 const count = has_steps ? static_cast<f64>(taken - a.warm_up) : 1.0;
    for (unsigned i = 0; i < Model::means; ++i)
        outcome[2 + i] = bits_of(sums.value(i) / count);
}
template <class Model>
__device__ inline void write_results(Arguments const& a, u64 index, Model& model, typename Model::State const& state) {
    f64 values[Model::results + 1];
    model.lockstep_results(state, values);
    for (unsigned i = 0; i < Model::results; ++i)
        outcome_of<Model>(a, index)[2 + Model::means + i] = bits_of(values[i]);
}

template <class Model>
__device__ inline void observe(Model& model, typename Model::State const& state, Sums<Model::means>& sums) {
    f64 values[Model::means + 1];
    model.lockstep_means(state, values);
    for (unsigned i = 0; i < Model::means; ++i)
        sums.add(i, values[i]);
}

// With `recording`, also stores the means' value after each step.
template <class Model, bool recording>
__device__ inline void run_replication(Arguments const& a, u64 index) {
    Model model = model_of<Model>(a, index);
    typename Model::State state{};
    model.lockstep_start(state);
    Sums<Model::means> sums;
    u64 const steps = model.steps;
    bool finished = false;
    u64 taken = 0;
    for (; taken < steps; ++taken) {
        model.step_number = taken;
        finished = model.lockstep_finished(state);
        if (finished)
            break;
        model.lockstep_step(state);
        if (taken >= a.warm_up)
            observe(model, state, sums);
        if constexpr (recording) {
            if (taken < a.series_steps)
                model.lockstep_means(state, a.series + (index * a.series_steps + taken) * Model::means);
        }
    }
    model.step_number = taken;
    bool const limited = Model::finishes && !finished && !model.lockstep_finished(state);
    write_results<Model>(a, index, model, state);
    write_means<Model>(a, index, taken, model.lockstep_misused() | (limited ? not_finished : 0), sums);
}

}  // namespace lockstep::replications::model_file::LOCKSTEP_MACHINE
