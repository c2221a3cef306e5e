#pragma once
// Host side of kernels that need more than GridParameters: their own type of parameters, and tables in device memory
// that live as long as the case. For `.cu` files, after their kernels.

#include <span>
#include <utility>
#include <vector>

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// A launch: the kernel and its arguments. `Tables` owns the memory that the parameters point to.
template <class Parameters, class Tables>
struct TableLaunch {
    void (*kernel)(Parameters, unsigned*) = nullptr;
    Parameters parameters;
    Tables tables;
    Mapping mapping;
    unsigned interleave = 1;  // of the results, as in bench::WordLayout
};

template <class T>
simt::LOCKSTEP_MACHINE::Buffer<T> upload_table(std::vector<T> const& values) {
    simt::LOCKSTEP_MACHINE::Buffer<T> buffer(values.size());
    buffer.upload(std::span<T const>(values));
    return buffer;
}

template <class Parameters, class Tables>
class TableCase : public bench::Case {
public:
    TableCase(std::string name, TableLaunch<Parameters, Tables> launch, Workload workload,
              bench::Problem const& problem)
        : Case(problem),
          name_(std::move(name)),
          launch_(std::move(launch)),
          workload_(std::move(workload)),
          streams_(problem.units),
          output_(problem, workload_.words_per_unit(launch_.mapping.lanes), launch_.interleave) {
        std::uint64_t const threads = streams_ * launch_.mapping.threads_per_stream;
        unsigned const block = block_size(launch_.mapping);
        shape_.block.x = block;
        shape_.grid.x = static_cast<unsigned>((threads + block - 1) / block);
        shape_.shared_bytes = launch_.mapping.shared_bytes;
    }

    void reset() override { output_.poison(); }

    void run(simt::Stream stream) override {
        if (streams_ == 0)
            return;
        simt::LOCKSTEP_MACHINE::launch(name_.c_str(), launch_.kernel, shape_, stream, launch_.parameters,
                                       output_.data());
    }

    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return output_.results(units);
    }
    std::uint64_t digest() override { return output_.digest(); }
    bench::Work work() const override {
        return work_of(workload_, streams_, launch_.mapping.lanes, launch_.mapping.method);
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        return {simt::LOCKSTEP_MACHINE::attributes(name_.c_str(), launch_.kernel, shape_)};
    }

private:
    std::string name_;
    TableLaunch<Parameters, Tables> launch_;
    Workload workload_;
    std::uint64_t streams_;
    bench::LOCKSTEP_MACHINE::StoredOutput output_;
    simt::LaunchShape shape_;
};

// Returns a variant of role `ours`; prepare(problem, workload) returns its launch.
template <class Prepare>
bench::Variant table_variant(std::string const& name, std::string const& reference, std::string const& description,
                             Prepare prepare, std::function<std::string(Workload const&)> unsupported_reason) {
    bench::Variant variant;
    variant.name = name;
    variant.role = bench::Role::ours;
    variant.machine = simt::LOCKSTEP_MACHINE::machine;
    variant.reference = reference;
    variant.description = description;
    variant.make = [name, prepare](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
        Workload const workload = read_workload(problem.axes);
        auto launch = prepare(problem, workload);
        return std::make_unique<TableCase<decltype(launch.parameters), decltype(launch.tables)>>(
            name, std::move(launch), workload, problem);
    };
    variant.unsupported_reason = [unsupported_reason = std::move(unsupported_reason)](bench::Axes const& axes) {
        return unsupported_reason(read_workload(axes));
    };
    return variant;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
