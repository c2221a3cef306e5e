#include "harness/bench/compile_ahead.hpp"

#include <exception>
#include <set>
#include <utility>

#include "harness/bench/interrupt.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::bench {

std::vector<Compilation> compilations_of(std::vector<PlannedCase const*> const& cases) {
    std::vector<Compilation> distinct;
    std::set<std::string> texts;
    for (PlannedCase const* const planned : cases) {
        Variant const& variant = *planned->variant;
        if (!variant.compilations || !variant.unsupported_reason(planned->problem.axes).empty())
            continue;
        try {
            for (Compilation& compilation : variant.compilations(planned->problem)) {
                if (texts.insert(compilation.text).second)
                    distinct.push_back(std::move(compilation));
            }
        } catch (std::exception const&) {  // the case has the same problem
        }
    }
    return distinct;
}

void compile_ahead(std::vector<Compilation> const& compilations) {
    threads::shared_pool().run(compilations.size(), [&](std::size_t const which) {
        if (interrupt_requested())
            return;
        try {
            compilations[which].run();
        } catch (std::exception const&) {  // the case has the same problem
        }
    });
}

}  // namespace lockstep::bench
