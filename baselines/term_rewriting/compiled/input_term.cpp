// Runtime: the evaluation of the input term.

#include "baselines/term_rewriting/compiled/runtime.hpp"

namespace lockstep::term_rewriting::compiled {

// Evaluates terms on the native stack, which is as large as the memory limit. ThreadSanitizer's own call stack is
// smaller, so this function is not instrumented.
__attribute__((no_sanitize("thread"))) Result Runtime::evaluate(Worker* worker, Word* heap, Word* stack, Word* term) {
    if (!is_pending(term))
        return {term, heap};
    WorkerState& me = *static_cast<WorkerState*>(worker->runtime);
    TermLayout const& layout = me.layout();
    std::size_t const count = layout.arguments(term);
    unsigned const symbol = layout.symbol(term);
    bool const parallel = me.runtime.workers_.capacity() > 1;
    Word* const frame = stack + count;
    std::size_t first = count;
    for (std::size_t i = count; i-- > 0;) {
        stack[i] = reinterpret_cast<Word>(layout.argument(term, i));
        if (!is_pending(reinterpret_cast<Word*>(stack[i])))
            continue;
        if (parallel && first != count)
            spawn(worker, &evaluate_argument, stack + first);
        first = i;
    }
    // Now `first` is the leftmost pending argument. The others come off the top of the tasks from left to right.
    for (std::size_t i = first; i < count; ++i) {
        Word* const argument = layout.argument(term, i);
        if (!is_pending(argument))
            continue;
        bool const own = !parallel || i == first || take_back(worker);
        Result const result = own ? evaluate(worker, heap, frame, argument) : join(worker, heap, frame);
        stack[i] = reinterpret_cast<Word>(result.value);
        heap = result.heap;
    }
    if (me.runtime.defined_[symbol])
        return me.runtime.program_.call(worker, heap, stack, symbol, stack);
    std::size_t const words = layout.words(symbol);
    if (!has_room(worker, heap, words))
        heap = attend(worker, heap, frame, words);
    Word* const made = heap;
    made[0] = layout.head(symbol);
    for (std::size_t i = 0; i < count; ++i)
        layout.set_argument(made, i, reinterpret_cast<Word*>(stack[i]));
    return {made, heap + words};
}

Task const Runtime::evaluate_argument = {evaluate_captured, 1};

Result Runtime::evaluate_captured(Worker* worker, Word* heap, Word* stack, Word* captured) {
    return evaluate(worker, heap, stack, reinterpret_cast<Word*>(captured[0]));
}

}  // namespace lockstep::term_rewriting::compiled
