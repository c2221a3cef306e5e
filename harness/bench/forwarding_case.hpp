#pragma once
// A case that leaves everything to another one. Derived cases add what the other one does not know.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

class ForwardingCase : public Case {
public:
    void reset() override { to_->reset(); }
    void run(simt::Stream const stream) override { to_->run(stream); }
    std::vector<UnitResult> results(std::span<std::uint64_t const> const units) override { return to_->results(units); }
    std::uint64_t digest() override { return to_->digest(); }
    Work work() const override { return to_->work(); }
    std::vector<simt::KernelAttributes> kernels() const override { return to_->kernels(); }
    bool repeatable() const override { return to_->repeatable(); }
    bool is_host_driven() const override { return to_->is_host_driven(); }
    Metrics metrics() const override { return to_->metrics(); }
    Variant const* chosen_variant() const override { return to_->chosen_variant(); }

protected:
    // The other case has the problem, and it makes the digest.
    explicit ForwardingCase(std::unique_ptr<Case> to) : Case(Problem{}), to_(std::move(to)) {}

private:
    std::unique_ptr<Case> to_;
};

}  // namespace lockstep::bench
