// The writing half of Body: steps as C++.

#include <algorithm>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "baselines/term_rewriting/compiled/body.hpp"

namespace lockstep::term_rewriting::compiled {

std::string function_name(SymbolId symbol) { return "rewrite_" + std::to_string(symbol); }
std::string task_name(std::size_t task) { return "task_" + std::to_string(task); }

namespace {

std::string slot(std::size_t index) { return "stack[" + std::to_string(index) + "]"; }
std::string stack_from(unsigned index) { return index == 0 ? "stack" : "stack + " + std::to_string(index); }

}  // namespace

std::vector<std::uint32_t> Body::uses(Step const& step) const {
    switch (step.kind) {
        case Step::Kind::allocate:
        case Step::Kind::call:
            return shared_.nodes[step.node].arguments;
        case Step::Kind::spawn:
            return step.captured;
        case Step::Kind::finish:
            // A root without a value is a tail call.
            return valued(step.node) ? std::vector<std::uint32_t>{step.node} : shared_.nodes[step.node].arguments;
        default:
            return {};
    }
}

void Body::find_last_uses() {
    last_use_.assign(shared_.nodes.size(), 0);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        for (std::uint32_t const node : uses(steps_[i]))
            last_use_[node] = i + 1;
    }
    if (!returns_) {
        for (std::uint32_t const root : shared_.roots)
            last_use_[root] = steps_.size() + 1;
    }
}

std::string Body::text(bool covered, std::string const& indent) {
    indent_ = indent;
    add_checks(covered);
    find_last_uses();
    std::size_t const nodes = shared_.nodes.size();
    slot_of_.assign(nodes, {});
    stale_.assign(nodes, false);
    available_.assign(nodes, false);
    std::string locals;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        available_[node] = !names_[node].empty();
        if (names_[node].empty()) {
            names_[node] = "v" + std::to_string(node);
            bool const made = std::any_of(steps_.begin(), steps_.end(), [&](Step const& step) {
                return step.node == node && (step.kind == Step::Kind::allocate || step.kind == Step::Kind::call ||
                                             step.kind == Step::Kind::join);
            });
            if (made)
                locals += std::string(locals.empty() ? "Word " : ", ") + "*" + names_[node];
        }
    }
    if (!locals.empty())
        line(locals + ";");
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        Step const& step = steps_[i];
        switch (step.kind) {
            case Step::Kind::check:
                write_check(i);
                break;
            case Step::Kind::allocate:
                write_allocate(step);
                break;
            case Step::Kind::call:
                write_call(i);
                break;
            case Step::Kind::spawn:
                write_spawn(step);
                break;
            case Step::Kind::join:
                write_join(i);
                break;
            case Step::Kind::finish:
                write_finish(step);
                break;
        }
    }
    if (!returns_) {
        for (std::uint32_t const root : shared_.roots)
            use(root);
    }
    return std::move(text_);
}

std::string Body::root_value(std::size_t root) const {
    std::uint32_t const node = shared_.roots[root];
    return constant_[node] ? "(constants + " + std::to_string(*constant_[node]) + ")" : names_[node];
}

std::string Body::use(std::uint32_t node) {
    if (constant_[node])
        return "(constants + " + std::to_string(*constant_[node]) + ")";
    if (stale_[node]) {
        line(names_[node] + " = (Word*)" + slot(*slot_of_[node]) + ";");
        stale_[node] = false;
    }
    return names_[node];
}

unsigned Body::frame() const {
    unsigned used = static_cast<unsigned>(slots_.size());
    while (used > 0 && slots_[used - 1] == free_slot)
        --used;
    return base_ + used;
}

// The lowest free slot: every slot below a live one has then been written, which the collector relies on.
unsigned Body::take_slot(std::uint32_t node) {
    std::size_t at = 0;
    while (at < slots_.size() && slots_[at] != free_slot)
        ++at;
    if (at == slots_.size())
        slots_.push_back(node);
    slots_[at] = node;
    return base_ + static_cast<unsigned>(at);
}

// Before step `step`, which may move terms: what is used later goes to the stack; what is not gives its slot back.
void Body::keep_live(std::size_t step) {
    for (std::uint32_t& owner : slots_) {
        if (owner != free_slot && owner != captured_slot && last_use_[owner] <= step + 1)
            slot_of_[owner].reset(), owner = free_slot;
    }
    for (std::uint32_t node = 0; node < shared_.nodes.size(); ++node) {
        if (!available_[node] || constant_[node] || last_use_[node] <= step + 1)
            continue;
        if (!slot_of_[node]) {
            slot_of_[node] = take_slot(node);
            line(slot(*slot_of_[node]) + " = (Word)" + names_[node] + ";");
        }
    }
}

void Body::write_check(std::size_t step) {
    std::string save;
    std::string load;
    unsigned top = frame();
    for (std::uint32_t node = 0; node < shared_.nodes.size(); ++node) {
        if (!available_[node] || constant_[node] || last_use_[node] <= step || stale_[node])
            continue;
        std::size_t const at = slot_of_[node] ? *slot_of_[node] : top;
        if (!slot_of_[node]) {
            ++top;
            save += slot(at) + " = (Word)" + names_[node] + "; ";
        }
        load += " " + names_[node] + " = (Word*)" + slot(at) + ";";
    }
    std::string const words = std::to_string(steps_[step].words);
    line("if (__builtin_expect(heap + " + words + " > limit_of(worker), 0)) {");
    line("    " + save + "heap = worker->attend(worker, heap, " + stack_from(top) + ", " + words + ");" + load);
    line("}");
}

void Body::write_allocate(Step const& step) {
    SharedNode const& node = shared_.nodes[step.node];
    std::vector<std::string> arguments;
    for (std::uint32_t const argument : node.arguments)
        arguments.push_back(use(argument));
    std::string const& name = names_[step.node];
    std::size_t const head_words = context_.model.head_words();
    std::string const head = name + "[0] = Terms::head(" + std::to_string(node.head) + ")";
    line(name + " = heap;");
    line("heap += " + std::to_string(context_.model.words_of(node.head)) + ";");
    bool const together = head_words == 0 && !arguments.empty();
    line(head + (together ? " | (Word)" + arguments[0] : "") + ";");
    for (std::size_t i = together ? 1 : 0; i < arguments.size(); ++i)
        line(name + "[" + std::to_string(head_words + i) + "] = (Word)" + arguments[i] + ";");
    available_[step.node] = true;
}

void Body::write_call(std::size_t index) {
    Step const& step = steps_[index];
    SharedNode const& node = shared_.nodes[step.node];
    std::vector<std::string> arguments;
    for (std::uint32_t const argument : node.arguments)
        arguments.push_back(use(argument));
    keep_live(index);
    unsigned const top = frame();
    std::string call = function_name(node.head) + "(worker, heap, " + stack_from(top);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (i < register_arguments)
            call += ", " + arguments[i];
        else
            line(slot(top + i - register_arguments) + " = (Word)" + arguments[i] + ";");
    }
    line("{ Result const result = " + call + "); " + names_[step.node] + " = result.value; heap = result.heap; }");
    for (std::uint32_t other = 0; other < shared_.nodes.size(); ++other)
        stale_[other] = stale_[other] || (available_[other] && slot_of_[other]);
    available_[step.node] = true;
}

void Body::write_spawn(Step const& step) {
    std::vector<std::string> captured;
    for (std::uint32_t const node : step.captured)
        captured.push_back(use(node));
    unsigned const first = frame();
    slots_.resize(first - base_);
    for (std::size_t i = 0; i < captured.size(); ++i) {
        line(slot(first + i) + " = (Word)" + captured[i] + ";");
        slots_.push_back(captured_slot);
    }
    blocks_.emplace_back(first - base_, static_cast<unsigned>(captured.size()));
    line("spawn(worker, &" + task_name(step.task) + ", " + stack_from(first) + ");");
}

void Body::write_join(std::size_t index) {
    Step const& step = steps_[index];
    keep_live(index);
    auto const [first, count] = blocks_.back();
    blocks_.pop_back();
    std::string const top = stack_from(frame());
    line("{ Result const result = take_back(worker) ? run_" + task_name(step.task) + "(worker, heap, " + top + ", " +
         stack_from(base_ + first) + ") : worker->join(worker, heap, " + top + "); " + names_[step.node] +
         " = result.value; heap = result.heap; }");
    for (unsigned i = first; i < first + count; ++i)
        slots_[i] = free_slot;
    for (std::uint32_t other = 0; other < shared_.nodes.size(); ++other)
        stale_[other] = stale_[other] || (available_[other] && slot_of_[other]);
    available_[step.node] = true;
}

void Body::write_finish(Step const& step) {
    if (valued(step.node)) {
        line("return Result{" + use(step.node) + ", heap};");
        return;
    }
    SharedNode const& node = shared_.nodes[step.node];
    std::vector<std::string> arguments;
    for (std::uint32_t const argument : node.arguments)
        arguments.push_back(use(argument));
    std::string call = "return " + function_name(node.head) + "(worker, heap, stack";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (i < register_arguments)
            call += ", " + arguments[i];
        else
            line(slot(i - register_arguments) + " = (Word)" + arguments[i] + ";");
    }
    line(call + ");");
}

}  // namespace lockstep::term_rewriting::compiled
