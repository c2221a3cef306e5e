#pragma once
// A case whose results are 32-bit words in the memory of its machine, in the layout that digest.hpp describes. It
// poisons them before each run, and reads and digests them in place. A variant implements only run() and work().

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/bench/stored_output.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {

class StoredCase : public Case {
public:
    void reset() override { output_.poison(); }
    std::vector<UnitResult> results(std::span<std::uint64_t const> units) override {
        complete();
        return output_.results(units);
    }
    std::uint64_t digest() override {
        complete();
        return output_.digest();
    }

protected:
    // `words` per unit; `interleave` as in WordLayout.
    StoredCase(Problem const& problem, unsigned words, unsigned interleave = 1)
        : Case(problem), output_(problem, words, interleave) {}

    StoredOutput& output() { return output_; }
    StoredOutput const& output() const { return output_; }

#if !defined(__CUDACC__) && !defined(LOCKSTEP_EMULATOR)
    // The result of the unit first_unit + index, where units are not interleaved.
    void store(std::uint64_t index, std::span<std::uint32_t const> result) {
        std::copy(result.begin(), result.end(), output_.data() + index * output_.layout().words);
    }
#endif

    // Called before results are read, for cases that keep them in another form until then. The stream is idle.
    virtual void complete() {}

private:
    StoredOutput output_;
};

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
