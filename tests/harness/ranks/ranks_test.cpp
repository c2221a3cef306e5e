// Parts, errors and results of ranks. Runs as one process and, under mpirun (ranks.sh), as several: every rank makes
// the same calls and checks its own results.

#include "harness/ranks/ranks.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "harness/bench/error.hpp"

namespace lockstep::ranks {
namespace {

class Ranks : public testing::Test {
protected:
    static void SetUpTestSuite() { session_ = new Session; }
    static void TearDownTestSuite() { delete session_; }

private:
    static inline Session* session_ = nullptr;
};

// The result of a unit of a job; its length depends on the unit.
bench::UnitResult result_of(std::uint64_t unit) {
    bench::UnitResult result(unit % 4);
    std::iota(result.begin(), result.end(), static_cast<std::uint32_t>(1000 * unit));
    return result;
}

std::vector<bench::UnitResult> results_of(Part const& part) {
    std::vector<bench::UnitResult> results;
    for (std::uint64_t i = 0; i < part.units; ++i)
        results.push_back(result_of(part.first + i));
    return results;
}

std::string what_is_thrown(std::function<void()> const& work) {
    try {
        together(work);
    } catch (bench::Error const& error) {
        return std::string("mistake: ") + error.what();
    } catch (std::runtime_error const& error) {
        return std::string("failure: ") + error.what();
    }
    return "nothing";
}

TEST_F(Ranks, PartsCoverEveryUnitOnceInOrder) {
    for (std::uint64_t const units : {0u, 1u, 3u, 31u, 32u, 33u, 1000u}) {
        std::uint64_t next = 7;
        for (unsigned rank = 0; rank < count(); ++rank) {
            Part const part = part_of(7, units, rank);
            EXPECT_EQ(part.first, next);
            EXPECT_LE(part.units, units / count() + 1);
            next += part.units;
        }
        EXPECT_EQ(next, 7 + units);
    }
}

TEST_F(Ranks, TheRootGathersEveryResultInOrder) {
    for (std::uint64_t const units : {0u, 1u, 2u, 33u}) {
        for (std::uint64_t const max_words : {1u, 5u, 1u << 20}) {
            std::vector<bench::UnitResult> const all = gathered(results_of(part_of(5, units)), max_words);
            EXPECT_EQ(all, is_root() ? results_of({5, units}) : std::vector<bench::UnitResult>());
        }
    }
}

TEST_F(Ranks, SumsWrapAndLargestIsOverAllRanks) {
    EXPECT_EQ(sum(~std::uint64_t{0}), std::uint64_t{0} - count());
    EXPECT_EQ(largest(static_cast<double>(rank()) - 0.5), count() - 1.5);
}

TEST_F(Ranks, IfOneFailsAllThrow) {
    for (unsigned bad = 0; bad < count(); ++bad) {
        std::string const where =
            bad == 0 ? "" : " (on rank " + std::to_string(bad) + " of " + std::to_string(count()) + ")";
        auto const mistaken = [&] {
            if (rank() == bad)
                throw bench::Error("problem", "why");
        };
        auto const failing = [&] {
            if (rank() == bad)
                throw std::logic_error("no memory");
        };
        EXPECT_EQ(what_is_thrown(mistaken), "mistake: problem (why)" + where);
        EXPECT_EQ(what_is_thrown(failing), "failure: no memory" + where);
        // Nested calls, as when a command calls together() inside the program's call. A rank may fail before the others
        // reach the inner call.
        EXPECT_EQ(what_is_thrown([&] { together(mistaken); }), "mistake: problem (why)" + where);
        EXPECT_EQ(what_is_thrown([&] {
                      mistaken();
                      together([] {});
                  }),
                  "mistake: problem (why)" + where);
        EXPECT_EQ(what_is_thrown([] {}), "nothing");
    }
}

}  // namespace
}  // namespace lockstep::ranks
