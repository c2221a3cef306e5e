#pragma once
// A GoogleTest fixture that runs a test in many orders of the lanes, because one order hides missing synchronisation.
//
//   class Reverse : public lockstep::simt::KernelTest {};
//
//   TEST_F(Reverse, ReversesEachBlock) {
//       in_every_order([&] { EXPECT_EQ(reversed(values), expected); });
//   }
//
// A failure names the order and its seed, and how to repeat the test in this order alone. The environment variables
// LOCKSTEP_ORDER (`descending`, `unfair:7`) and LOCKSTEP_SEEDS choose one order and the number of seeds.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/simt/emulator/options.hpp"
#include "harness/simt/emulator/races_reported.hpp"

#if defined(LOCKSTEP_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(LOCKSTEP_SIMT_HOOKS)
#include "harness/simt/hooks/checks.hpp"
#endif

namespace lockstep::simt {

struct Schedule {
    emulator::LaneOrder order = emulator::LaneOrder::ascending;
    std::uint64_t seed = 0;

    bool is_random() const { return order == emulator::LaneOrder::random || order == emulator::LaneOrder::unfair; }
    // `ascending`, `unfair:7`
    std::string name() const {
        static constexpr char const* names[] = {"ascending", "descending", "random", "unfair"};
        std::string const text = names[static_cast<int>(order)];
        return is_random() ? text + ":" + std::to_string(seed) : text;
    }
};

// Ascending, descending, and random and unfair order with each seed from 1 on.
inline std::vector<Schedule> schedules(unsigned seeds) {
    std::vector<Schedule> list{{emulator::LaneOrder::ascending}, {emulator::LaneOrder::descending}};
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        list.push_back({emulator::LaneOrder::random, seed});
        list.push_back({emulator::LaneOrder::unfair, seed});
    }
    return list;
}

// Reads what Schedule::name() writes; nothing if `text` is no such name.
inline std::optional<Schedule> schedule_from(std::string const& text) {
    auto const colon = text.find(':');
    char* end = nullptr;
    std::uint64_t const seed = colon == std::string::npos ? 0 : std::strtoull(text.c_str() + colon + 1, &end, 10);
    for (int order = 0; order < 4; ++order) {
        Schedule const schedule{static_cast<emulator::LaneOrder>(order), seed};
        if (schedule.name() == text) {
            return schedule;
        }
    }
    return std::nullopt;
}

// For a report that ends the program: the order of the lanes.
inline std::string const* place_of_launch = nullptr;

inline void print_place_of_launch() {
    if (place_of_launch != nullptr) {
        std::fprintf(stderr, "%s\n", place_of_launch->c_str());
    }
}

class KernelTest : public ::testing::Test {
protected:
    unsigned seeds = 8;  // of each random order
    // Of all launches, except order and seed. On one CPU thread a seed repeats the order exactly.
    emulator::Options options{.threads = 1};

    // Calls `body` in each order, up to the first in which an expectation fails, the emulator refuses the kernel, or
    // the checks of accesses (lockstep::simt_checked) or ThreadSanitizer report something.
    template <class Body>
    void in_every_order(Body const& body) {
        run(chosen_schedules(), body);
    }

    // Expects that `body` returns the same value in each order, for results of which no other reference exists.
    // Returns the value in ascending order.
    template <class Body>
    auto same_in_every_order(Body const& body) {
        std::optional<decltype(body())> first;
        std::vector<Schedule> list = chosen_schedules();
        list.insert(list.begin(), Schedule{});
        run(list, [&] {
            auto result = body();
            if (first) {
                EXPECT_EQ(result, *first) << "the result depends on the order of the lanes";
            } else {
                first = std::move(result);
            }
        });
        return first.value_or(decltype(body()){});
    }

private:
    std::vector<Schedule> chosen_schedules() const {
        if (char const* const name = std::getenv("LOCKSTEP_ORDER")) {
            if (auto const schedule = schedule_from(name)) {
                return {*schedule};
            }
            ADD_FAILURE() << "unknown LOCKSTEP_ORDER=" << name
                          << " (it is none of ascending, descending, random:SEED and unfair:SEED)";
            return {};
        }
        char const* const count = std::getenv("LOCKSTEP_SEEDS");
        return schedules(count != nullptr ? static_cast<unsigned>(std::strtoul(count, nullptr, 10)) : seeds);
    }

    static std::string place_of(Schedule const& schedule) {
        auto const& test = *::testing::UnitTest::GetInstance()->current_test_info();
        return "lanes in the order " + schedule.name() + " (to repeat it, run LOCKSTEP_ORDER=" + schedule.name() +
               " PROGRAM --gtest_filter=" + test.test_suite_name() + "." + test.name() + ")";
    }

    template <class Body>
    void run(std::vector<Schedule> const& list, Body const& body) {
        for (Schedule const& schedule : list) {
            std::string const place = place_of(schedule);
            SCOPED_TRACE(place);
            run_in(schedule, place, body);
            if (HasFailure() || IsSkipped()) {
                return;
            }
        }
    }

    template <class Body>
    void run_in(Schedule const& schedule, std::string const& place, Body const& body) {
        emulator::Options wanted = options;
        wanted.order = schedule.order;
        wanted.seed = schedule.seed;
        emulator::ScopedOptions const scope(wanted);
        int const races = emulator::races_reported();
        place_of_launch = &place;
#if defined(LOCKSTEP_ADDRESS_SANITIZER)
        __sanitizer_set_death_callback(print_place_of_launch);
#endif
#if defined(LOCKSTEP_SIMT_HOOKS)
        hooks::Checks const checks;
#endif
        try {
            body();
        } catch (std::exception const& error) {
            ADD_FAILURE() << error.what();
        }
#if defined(LOCKSTEP_SIMT_HOOKS)
        for (hooks::Report const& report : checks.reports()) {
            ADD_FAILURE() << report.text();
        }
#endif
        place_of_launch = nullptr;
        if (emulator::races_reported() != races) {
            ADD_FAILURE() << "ThreadSanitizer reported a race (its report is above)";
        }
    }
};

}  // namespace lockstep::simt
