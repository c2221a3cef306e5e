// The writing part of Body: steps as C++.

#include <algorithm>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "baselines/term_rewriting/compiled/body.hpp"

namespace lockstep::term_rewriting::compiled {

std::string function_name(SymbolId symbol) { return fmt::format("rewrite_{}", symbol); }
std::string task_name(std::size_t task) { return fmt::format("task_{}", task); }
std::string task_function_name(std::size_t task) { return fmt::format("evaluate_{}", task); }

std::string Body::slot(std::size_t index) const {
    return fmt::format("stack[{}]", static_cast<std::ptrdiff_t>(index) - static_cast<std::ptrdiff_t>(moved_));
}

std::string Body::stack_from(std::size_t index) const { return fmt::format("&{}", slot(index)); }

std::vector<std::uint32_t> Body::uses(Step const& step) const {
    switch (step.kind) {
        case Step::Kind::allocate:
        case Step::Kind::call:
            return shared_.nodes[step.node].arguments;
        case Step::Kind::spawn:
            return step.captured;
        case Step::Kind::finish:
            // A root without a value becomes a tail call.
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

void Body::write(jit::CodeWriter& code) {
    code_ = &code;
    add_checks();
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
        code_->line("{};", locals);
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
        move_stack(0);
    }
}

std::string Body::root_value(std::size_t root) const {
    std::uint32_t const node = shared_.roots[root];
    return constant_[node] ? Constants::text(*constant_[node]) : names_[node];
}

std::string Body::use(std::uint32_t node) {
    if (constant_[node])
        return Constants::text(*constant_[node]);
    if (stale_[node]) {
        code_->line("{} = (Word*){};", names_[node], slot(*slot_of_[node]));
        stale_[node] = false;
    }
    return names_[node];
}

std::vector<std::string> Body::use_arguments(SharedNode const& node) {
    std::vector<std::string> arguments;
    for (std::uint32_t const argument : node.arguments)
        arguments.push_back(use(argument));
    return arguments;
}

// Called after a call, which may have moved terms.
void Body::mark_stale() {
    for (std::uint32_t node = 0; node < shared_.nodes.size(); ++node)
        stale_[node] = stale_[node] || (available_[node] && slot_of_[node]);
}

unsigned Body::frame() const {
    unsigned used = static_cast<unsigned>(slots_.size());
    while (used > 0 && slots_[used - 1] == free_slot)
        --used;
    return base_ + used;
}

// Takes the lowest free slot, so that every slot below a live one is written, as the collector requires.
unsigned Body::take_slot(std::uint32_t node) {
    std::size_t at = 0;
    while (at < slots_.size() && slots_[at] != free_slot)
        ++at;
    if (at == slots_.size())
        slots_.push_back(node);
    slots_[at] = node;
    return base_ + static_cast<unsigned>(at);
}

// Called before step `step`, which may move terms. Saves terms with later uses on the stack and frees the slots of the
// others.
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
            code_->line("{} = (Word){};", slot(*slot_of_[node]), names_[node]);
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
    std::size_t const words = steps_[step].words;
    auto const block = code_->block("if (!has_room({}))", words);
    code_->line("{}make_room({}, {});{}", save, stack_from(top), words, load);
}

void Body::write_allocate(Step const& step) {
    SharedNode const& node = shared_.nodes[step.node];
    std::vector<std::string> const arguments = use_arguments(node);
    std::string const& name = names_[step.node];
    std::size_t const head_words = context_.model.head_words();
    available_[step.node] = true;
    if (arguments.empty()) {
        code_->line("{} = immediate({});", name, node.head);
        return;
    }
    code_->line("{} = heap;", name);
    code_->line("heap += {};", context_.model.words_of(node.head));
    code_->line("{}[0] = Terms::head({}, {});", name, node.head, arguments[0]);
    for (std::size_t i = 1 - head_words; i < arguments.size(); ++i)
        code_->line("{}[{}] = (Word){};", name, head_words + i, arguments[i]);
}

void Body::write_call(std::size_t index) {
    Step const& step = steps_[index];
    SharedNode const& node = shared_.nodes[step.node];
    std::vector<std::string> const arguments = use_arguments(node);
    keep_live(index);
    unsigned const top = frame();
    std::string const in_registers = passed(arguments, top);
    move_stack(top);
    code_->line("{} = {}({});", names_[step.node], function_name(node.head), in_registers);
    mark_stale();
    available_[step.node] = true;
}

void Body::write_spawn(Step const& step) {
    std::vector<std::string> captured;
    for (std::uint32_t const node : step.captured)
        captured.push_back(use(node));
    unsigned const first = frame();
    slots_.resize(first - base_);
    for (std::size_t i = 0; i < captured.size(); ++i) {
        code_->line("{} = (Word){};", slot(first + i), captured[i]);
        slots_.push_back(captured_slot);
    }
    blocks_.emplace_back(first - base_, static_cast<unsigned>(captured.size()));
    code_->line("spawn(worker, &{}, {});", task_name(step.task), stack_from(first));
}

void Body::write_join(std::size_t index) {
    Step const& step = steps_[index];
    keep_live(index);
    auto const [first, count] = blocks_.back();
    blocks_.pop_back();
    unsigned const top = frame();
    std::string const& name = names_[step.node];
    move_stack(top);
    {
        auto const own = code_->block("if (take_back(worker))");
        code_->line("Word* const captured = {};", stack_from(base_ + first));
        code_->line("{} = {}(captured);", name, task_function_name(step.task));
    }
    {
        auto const given = code_->block("else");
        code_->line("Result const result = worker->join(worker, heap, {});", stack_from(top));
        code_->line("{} = result.value;", name);
        code_->line("heap = result.heap;");
    }
    for (unsigned i = first; i < first + count; ++i)
        slots_[i] = free_slot;
    mark_stale();
    available_[step.node] = true;
}

void Body::write_finish(Step const& step) {
    if (valued(step.node)) {
        std::string const value = use(step.node);
        move_stack(0);
        code_->line("return {};", value);
        return;
    }
    SharedNode const& node = shared_.nodes[step.node];
    std::vector<std::string> const arguments = use_arguments(node);
    std::string const in_registers = passed(arguments, 0);
    move_stack(0);
    code_->line("return {}({});", function_name(node.head), in_registers);
}

// Writes the arguments that do not fit into registers to the stack from slot `top` on. Returns the others.
std::string Body::passed(std::vector<std::string> const& arguments, unsigned top) {
    std::string in_registers;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (i < register_arguments)
            in_registers += (i == 0 ? "" : ", ") + arguments[i];
        else
            code_->line("{} = (Word){};", slot(top + i - register_arguments), arguments[i]);
    }
    return in_registers;
}

// Makes slot `top` the first free one for the functions that are called next. It stays so until another slot is wanted:
// most sequences of calls keep the same number of terms.
void Body::move_stack(unsigned top) {
    if (top > moved_)
        code_->line("stack += {};", top - moved_);
    if (top < moved_)
        code_->line("stack -= {};", moved_ - top);
    moved_ = top;
}

}  // namespace lockstep::term_rewriting::compiled
