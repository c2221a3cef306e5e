#pragma once
// A case that is one launch of one kernel, which gets its parameters and then the results' memory. For `.cu` files.

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/bench/stored_case.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {

template <class... Parameters>
struct KernelLaunch {
    std::string name;
    void (*kernel)(Parameters..., unsigned*) = nullptr;
    simt::LaunchShape shape;
    std::tuple<Parameters...> parameters;
    std::shared_ptr<void const> memory;  // what the parameters point to
};

template <class... Parameters>
class KernelCase : public StoredCase {
public:
    void run(simt::Stream stream) override {
        if (problem().units == 0)
            return;
        std::apply(
            [&](Parameters const&... parameters) {
                simt::LOCKSTEP_MACHINE::launch(launch_.name.c_str(), launch_.kernel, launch_.shape, stream,
                                               parameters..., output().data());
            },
            launch_.parameters);
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        return {simt::LOCKSTEP_MACHINE::attributes(launch_.name.c_str(), launch_.kernel, launch_.shape)};
    }

protected:
    // `words` and `interleave` as in StoredCase.
    KernelCase(Problem const& problem, unsigned words, unsigned interleave, KernelLaunch<Parameters...> launch)
        : StoredCase(problem, words, interleave), launch_(std::move(launch)) {}

private:
    KernelLaunch<Parameters...> launch_;
};

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
