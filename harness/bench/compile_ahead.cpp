#include "harness/bench/compile_ahead.hpp"

#include <exception>
#include <set>
#include <utility>

#include "harness/bench/interrupt.hpp"
#include "harness/bench/runner.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::bench {

std::vector<Compilation> compilations_of(std::vector<PlannedCase const*> const& cases) {
    std::vector<Compilation> distinct;
    std::set<std::string> texts;
    for (PlannedCase const* const planned : cases) {
        if (interrupt_requested())
            break;
        try {
            if (!planned->variant->compilations || why_not_run(*planned))
                continue;
            for (Compilation& compilation : planned->variant->compilations(planned->problem)) {
                if (texts.insert(compilation.text).second)
                    distinct.push_back(std::move(compilation));
            }
        } catch (std::exception const&) {  // the case has the same problem
        }
    }
    return distinct;
}

void compile_ahead(std::vector<Compilation> const& compilations, Shard const& shard) {
    std::size_t const count = compilations.size();
    // Shards that run at the same time begin with different texts, and later find in the cache what others compiled.
    std::size_t const first = count * shard.index / shard.count;
    threads::shared_pool().run(count, [&](std::size_t const part) {
        if (interrupt_requested())
            return;
        try {
            compilations[(first + part) % count].run();
        } catch (std::exception const&) {  // the case has the same problem
        }
    });
}

}  // namespace lockstep::bench
