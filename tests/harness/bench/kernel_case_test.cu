// A case of one launch, in the emulator, and on the GPU where this is compiled by nvcc.

#include <gtest/gtest.h>

#include <numeric>

#include "harness/bench/kernel_case.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {

struct TableParameters {
    unsigned const* table;
    unsigned units;
};

__global__ void add_to_table(TableParameters const p, unsigned const addend, unsigned* const results) {
    unsigned const unit = blockIdx.x * blockDim.x + threadIdx.x;
    if (unit < p.units)
        results[unit] = p.table[unit] + addend;
}

namespace {

#if defined(__CUDACC__)
#define LOCKSTEP_SUITE BenchKernelCaseCuda
#else
#define LOCKSTEP_SUITE BenchKernelCaseEmulator
#endif

using Table = simt::LOCKSTEP_MACHINE::Buffer<unsigned>;

// The case keeps the table alive: nothing else owns it.
class TableCase : public KernelCase<TableParameters, unsigned> {
public:
    TableCase(Problem const& problem, unsigned addend, std::weak_ptr<Table>& table)
        : KernelCase(problem, 1, 1, launch_of(problem, addend, table)) {}
    Work work() const override { return {static_cast<double>(problem().units), 0, 0}; }

private:
    static KernelLaunch<TableParameters, unsigned> launch_of(Problem const& problem, unsigned addend,
                                                             std::weak_ptr<Table>& watched) {
        std::vector<unsigned> squares(problem.units);
        for (unsigned i = 0; i < squares.size(); ++i)
            squares[i] = i * i;
        auto const table = std::make_shared<Table>(squares.size());
        table->upload(squares);
        watched = table;
        unsigned const units = static_cast<unsigned>(problem.units);
        simt::LaunchShape const shape = {.grid = {(units + 31) / 32}, .block = {32}};
        return {"add_to_table", add_to_table, shape, {TableParameters{table->data(), units}, addend}, table};
    }
};

Problem problem_of(std::uint64_t units) {
    Problem problem;
    problem.first_unit = 5;
    problem.units = units;
    return problem;
}

class LOCKSTEP_SUITE : public testing::Test {
protected:
    void SetUp() override {
        simt::DeviceList const list = simt::cuda_devices();
        if (simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda && list.devices.empty())
            GTEST_SKIP() << "no GPU: " << list.reason;
    }
};

TEST_F(LOCKSTEP_SUITE, LaunchesItsKernelWithItsParameters) {
    std::weak_ptr<Table> table;
    auto made = std::make_unique<TableCase>(problem_of(70), 1000u, table);
    made->reset();
    made->run({});
    std::vector<std::uint64_t> units(70);
    std::iota(units.begin(), units.end(), 5u);
    std::vector<UnitResult> const found = made->results(units);
    std::uint64_t digest = 0;
    for (unsigned i = 0; i < 70; ++i) {
        EXPECT_EQ(found[i], UnitResult{i * i + 1000}) << i;
        digest += unit_digest(units[i], UnitResult{i * i + 1000});
    }
    EXPECT_EQ(made->digest(), digest);
    EXPECT_FALSE(table.expired());
    made.reset();
    EXPECT_TRUE(table.expired());
}

TEST_F(LOCKSTEP_SUITE, NamesItsKernelAndShape) {
    std::weak_ptr<Table> table;
    TableCase const made(problem_of(70), 0, table);
    std::vector<simt::KernelAttributes> const kernels = made.kernels();
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].name, "add_to_table");
    EXPECT_EQ(kernels[0].grid, simt::Dim3{3});
    EXPECT_EQ(kernels[0].block, simt::Dim3{32});
}

// A launch of no blocks is an error on every machine.
TEST_F(LOCKSTEP_SUITE, LaunchesNothingForNoUnits) {
    std::weak_ptr<Table> table;
    TableCase made(problem_of(0), 0, table);
    made.reset();
    EXPECT_NO_THROW(made.run({}));
    EXPECT_EQ(made.digest(), 0u);
}

TEST_F(LOCKSTEP_SUITE, ItsVariantsAreOfItsMachine) {
    Variant const variant = make_variant("table", Role::ours, "", "", nullptr);
    EXPECT_EQ(variant.machine, simt::LOCKSTEP_MACHINE::machine);
}

}  // namespace
}  // namespace lockstep::bench::LOCKSTEP_MACHINE
