// Texts of options that every command shares: shards and values of axes.

#include "harness/bench/axes.hpp"
#include "harness/bench/plan.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void options(std::string const& text) {
    bench::Shard shard;
    if (accepts([&] { shard = bench::parse_shard(text); })) {
        require(shard.index < shard.count, "a shard is one of its parts");
        constexpr std::uint64_t many = ~std::uint64_t{0};
        bench::Range const part = bench::units_of(shard, many);
        require(part.first <= many && part.units <= many - part.first, "a shard's units are among all units");
    }
    bench::Axes axes;
    axes.set("axis", text);
    for (auto const kind : {bench::Axis::Kind::integer, bench::Axis::Kind::real, bench::Axis::Kind::text}) {
        bench::Axis const axis = {"axis", kind, "1", "any value", -1e6, 1e6, {}};
        if (!accepts([&] { bench::check_axis_value(axis, text); }) || kind == bench::Axis::Kind::text)
            continue;
        double const value = axes.real("axis");
        require(value >= axis.minimum && value <= axis.maximum, "a value is in its range");
        require(kind == bench::Axis::Kind::real || static_cast<double>(axes.integer("axis")) == value,
                "an integer is the same number");
    }
    bench::Axis const style = {"style", bench::Axis::Kind::text, "plain", "a look", 0, 0, {"plain", "fancy"}};
    accepts([&] { bench::check_axis_value(style, text); });
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(options)
