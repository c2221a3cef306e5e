#include "tests/harness/bench/toy.hpp"

#include <chrono>
#include <csignal>
#include <new>
#include <thread>

#include "harness/bench/make_variant.hpp"
#include "harness/bench/stored_case.hpp"
#include "harness/simt/error.hpp"
#include "tests/harness/bench/toy_word.hpp"

namespace lockstep::toy {

namespace {

using bench::Axis;
using bench::Experiment;
using bench::Problem;
using bench::Role;
using bench::UnitResult;
using bench::Variant;

constexpr unsigned words = 3;

// The faults of the variants.
struct Fault {
    bool wrong_unit = false;  // the second unit, always
    bool wrong_once = false;  // in run number controls().wrong_run
    bool writes = true;
    bool wrong_digest = false;
    bool slow_digest = false;  // too slow to compare after each repetition
    int throws_in_run = 0;
    bool repeatable = true;
    bool interrupts = false;
    bool host_memory = false;    // no memory of the host
    bool device_memory = false;  // no memory of the device
    bool loses_device = false;   // and all later cases fail, as those of a lost GPU do
};

class ToyCase : public bench::cpu::StoredCase {
public:
    ToyCase(Problem const& problem, Fault const fault) : StoredCase(problem, words), fault_(fault) {}

    void run(simt::Stream) override {
        ++runs_;
        if (fault_.host_memory)
            throw std::bad_alloc();
        if (fault_.device_memory)
            throw simt::Error("cudaMalloc failed: cudaErrorMemoryAllocation (out of memory) at toy.cpp:1");
        if (fault_.loses_device)
            controls().device_is_lost = true;
        if (controls().device_is_lost)
            throw simt::Error(
                "cudaLaunchKernel failed: cudaErrorLaunchFailure (unspecified launch failure) at toy.cpp:2");
        if (fault_.throws_in_run != 0 && runs_ >= fault_.throws_in_run)
            throw simt::Error("launch of toy failed: planted");
        if (fault_.interrupts && controls().interrupt)
            std::raise(SIGINT);
        if (!fault_.writes)
            return;
        auto const factor = static_cast<std::uint32_t>(problem().axes.integer("factor"));
        for (std::uint64_t unit = 0; unit < problem().units; ++unit) {
            for (unsigned word = 0; word < words; ++word) {
                output().data()[unit * words + word] =
                    toy_word(problem().seed, problem().first_unit + unit, factor, word);
            }
        }
        bool const spoil = fault_.wrong_unit || (fault_.wrong_once && runs_ == controls().wrong_run);
        if (spoil && problem().units > 1)
            output().data()[words + 2] ^= 1u;
    }

    std::uint64_t digest() override {
        if (fault_.slow_digest)
            std::this_thread::sleep_for(std::chrono::milliseconds(25));
        return StoredCase::digest() + (fault_.wrong_digest ? 1 : 0);
    }
    bench::Work work() const override {
        return {static_cast<double>(problem().units), 12.0 * static_cast<double>(problem().units), 0};
    }
    bool repeatable() const override { return fault_.repeatable; }
    bench::Metrics metrics() const override { return {{"words", 3.0}, {"runs", bench::Metric::varying(runs_)}}; }

private:
    Fault fault_;
    int runs_ = 0;
};

Variant variant(std::string name, Fault const fault, std::string description) {
    return bench::cpu::make_variant(
        std::move(name), Role::baseline, "scalar", std::move(description),
        [fault](Problem const& problem) { return std::make_unique<ToyCase>(problem, fault); });
}

void add_faulty(Experiment& experiment) {
    experiment.variants.push_back(variant("wrong", {.wrong_unit = true}, "one word of one unit is wrong"));
    experiment.variants.push_back(variant("wrong_once", {.wrong_once = true, .repeatable = false}, "wrong in one run"));
    experiment.variants.push_back(variant("wrong_once_slow_digest",
                                          {.wrong_once = true, .slow_digest = true, .repeatable = false},
                                          "wrong in one run, with a slow digest"));
    experiment.variants.push_back(variant("wrong_once_bounded", {.wrong_once = true, .repeatable = false},
                                          "wrong in one run, with its own comparison"));
    experiment.variants.back().compare = [](UnitResult const& expected, UnitResult const& actual) {
        return expected == actual ? std::string() : std::string("out of bounds");
    };
    experiment.variants.push_back(variant("unwritten", {.writes = false}, "writes nothing"));
    experiment.variants.push_back(
        variant("false_digest", {.wrong_digest = true}, "its digest does not match its results"));
    experiment.variants.push_back(variant("throws", {.throws_in_run = 1}, "its launch fails"));
    experiment.variants.push_back(variant("throws_late", {.throws_in_run = 5}, "its fifth launch fails"));
    experiment.variants.push_back(variant("out_of_memory", {.host_memory = true}, "an allocation fails"));
    experiment.variants.push_back(
        variant("out_of_device_memory", {.device_memory = true}, "an allocation on the device fails"));
    experiment.variants.push_back(
        variant("loses_device", {.loses_device = true}, "its launch fails, and so do all that follow"));
    experiment.variants.push_back(variant("unverified", {}, "names no reference"));
    experiment.variants.back().reference.clear();
    experiment.variants.push_back(variant("unverifiable", {}, "its reference is too slow"));
    experiment.variants.back().reference = "slow";
    experiment.variants.push_back(variant("interrupts", {.interrupts = true}, "raises SIGINT if the test requests it"));
    experiment.variants.push_back(variant("picky", {}, "supports only style plain"));
    experiment.variants.back().unsupported_reason = [](bench::Axes const& axes) {
        return axes.text("style") == "plain" ? std::string() : "style " + axes.text("style") + " is not supported";
    };
}

}  // namespace

Controls& controls() {
    static Controls instance;
    return instance;
}

std::uint32_t toy_word(std::uint64_t const seed, std::uint64_t const unit, std::uint32_t const factor,
                       std::uint32_t const word) {
    return cpu::word_of(seed, unit, factor, word);
}

Experiment make_toy() {
    Experiment experiment;
    experiment.name = "toy";
    experiment.title = "Three words per unit";
    experiment.paper = "no paper";
    experiment.unit = "three words";
    experiment.item = "units";
    experiment.axes = {
        {"count", Axis::Kind::integer, "33", "units", 0, 1e12, {}},
        {"factor", Axis::Kind::integer, "3", "multiplier", 1, 100, {}},
        {"style", Axis::Kind::text, "plain", "has no effect", 0, 0, {"plain", "fancy"}},
    };
    experiment.units = [](bench::Axes const& axes) { return static_cast<std::uint64_t>(axes.integer("count")); };
    auto const unit_result = [](Problem const& problem, std::uint64_t const unit) {
        ++controls().references;
        auto const factor = static_cast<std::uint32_t>(problem.axes.integer("factor"));
        UnitResult result;
        for (std::uint32_t word = 0; word < words; ++word) {
            result.push_back(toy_word(problem.seed, unit, factor, word));
        }
        return result;
    };
    experiment.references = {
        {"scalar", unit_result, [](Problem const&) { return std::string(); }},
        {"slow", unit_result, [](Problem const&) { return std::string("a unit takes an hour"); }},
    };
    experiment.variants.push_back(variant("scalar", {}, "the specification"));
    experiment.variants.back().role = Role::reference;
    experiment.variants.push_back(variant("right", {}, "the specification again"));
    experiment.variants.back().role = Role::ours;
    emulator::add_kernel(experiment);
#if defined(LOCKSTEP_WITH_CUDA)
    cuda::add_kernel(experiment);
#endif
    add_faulty(experiment);
    return experiment;
}

}  // namespace lockstep::toy
