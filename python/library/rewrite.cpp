// Term rewriting: texts in, texts out.

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/term_rewriting/rewrite.hpp"
#include "harness/simt/devices.hpp"
#include "python/library/c_abi.hpp"
#include "python/library/stop.hpp"

namespace {

struct Made : lockstep_rewritten {
    std::string text;
    std::string name;
};

std::unique_ptr<Made> rewritten_of(lockstep_rewrite_request const& request) {
    std::vector<std::string> const terms(request.terms, request.terms + request.term_count);
    lockstep::RewriteOptions options;
    options.engine = request.engine;
    options.machine = request.machine;
    if (request.max_rewrites != 0)
        options.limits.rewrites = request.max_rewrites;
    if (request.memory != 0)
        options.limits.memory = request.memory;
    if (request.seconds > 0)
        options.limits.seconds = request.seconds;
    std::optional<lockstep::simt::ScopedDevice> device;
    if (request.stop != nullptr) {
        options.limits.stop = request.stop->source.get_token();
        if (request.stop->device != 0)
            device.emplace(request.stop->device);
    }
    lockstep::Rewritten const rewritten = lockstep::rewrite(request.system, terms, options);
    auto made = std::make_unique<Made>();
    for (std::string const& form : rewritten.normal_forms)
        made->text += (&form == &rewritten.normal_forms.front() ? "" : "\n") + form;
    made->name = rewritten.engine;
    made->normal_forms = made->text.c_str();
    made->engine = made->name.c_str();
    made->rewrites = rewritten.rewrites;
    made->comparisons = rewritten.comparisons;
    made->operations = rewritten.operations;
    made->seconds = rewritten.seconds;
    return made;
}

}  // namespace

int lockstep_rewrite(lockstep_rewrite_request const* const request, lockstep_rewritten** const made) {
    return lockstep::python::guarded([&] { *made = rewritten_of(*request).release(); });
}

void lockstep_rewritten_delete(lockstep_rewritten* const rewritten) { delete static_cast<Made*>(rewritten); }
