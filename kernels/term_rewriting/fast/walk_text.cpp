// Writes the steps of a walk along a list (walk.hpp).

#include <algorithm>

#include "harness/simt/ceil_div.hpp"
#include "kernels/term_rewriting/fast/step_text.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

using Kind = PlanNode::Kind;

std::string top(unsigned pc, Walk const& walk, bool group) { return number(frame_top(pc, walk.words(), group)); }

// Writes the element's call. `name`: the expression for an input of the frame.
template <class Name>
void call_element(jit::CodeWriter& code, Generator& generator, Walk const& walk, unsigned pc, Name const& name) {
    PlanNode const& call = walk.terms.nodes[walk.element];
    std::vector<std::string> values;
    for (unsigned const argument : call.arguments) {
        PlanNode const& of = walk.terms.nodes[argument];
        auto const input = std::find(walk.inputs.begin(), walk.inputs.end(), argument) - walk.inputs.begin();
        values.push_back(of.kind == Kind::constant ? number(of.head) : name(static_cast<unsigned>(input)));
    }
    code.line("lane.frame(1) = {};", top(walk.stores, walk, false));
    for (std::size_t i = 0; i < values.size(); ++i)
        code.line("lane.a[{}] = {};", i, values[i]);
    unsigned const entry = generator.entry_of(call.head);
    code.line("lane.pc = {}u;", entry);
    if (generator.joins(pc, entry, call.head))
        code.line("{}(lane);", step_name(entry));
}

}  // namespace

void write_walk(jit::CodeWriter& code, Body const& body, std::vector<std::string> const& variables, Loop const* loop) {
    Walk const& walk = *body.walk;
    PlanTerms const& terms = walk.terms;
    std::size_t granules = 0;
    for (PlanNode const& node : terms.nodes)
        granules += node.kind == Kind::made ? granules_of(node.arguments.size()) : 0;
    code.line("if (!lane.room({}u))", granules);
    code.line("    return;");
    code.line("if (!lane.stack_room({}u))", walk.words() + walk_end_words);
    code.line("    return;");
    code.line("lane.count({}u);", body.counter.value_or(0));
    std::vector<std::string> names;
    for (unsigned node = 0; node < terms.nodes.size(); ++node) {
        PlanNode const& of = terms.nodes[node];
        names.push_back(of.kind == Kind::variable   ? variables[of.head]
                        : of.kind == Kind::constant ? number(of.head)
                        : of.kind == Kind::made     ? fmt::format("v{}", node)
                                                    : "0u");
    }
    std::vector<unsigned> const& rest = terms.nodes[walk.rest].arguments;
    auto const made = [&](unsigned node) { return terms.nodes[node].kind == Kind::made; };
    // The next element's node is read before this element's stores.
    bool const ahead = loop != nullptr && std::none_of(rest.begin(), rest.end(), made);
    for (std::size_t i = 0; ahead && i < loop->loaded.size(); ++i)
        code.line("uint4 const ahead{} = lane.look({});", loop->loaded[i], names[rest[loop->loaded[i]]]);
    for (unsigned node = 0; node < terms.nodes.size(); ++node) {
        if (!made(node))
            continue;
        std::vector<std::string> words = {number(terms.nodes[node].head)};
        for (unsigned const argument : terms.nodes[node].arguments)
            words.push_back(names[argument]);
        words.resize(simt::round_up(words.size(), 4u), "0");
        code.line("unsigned const {} = lane.take({}u);", names[node], words.size() / 4);
        write_words(code, names[node], words);
    }
    code.line("lane.walk({}, {}u, {}u, {}, {}, {}u);", names[walk.root()], walk.words(),
              terms.nodes[walk.root()].arguments.size(), top(walk.waits, walk, false), top(walk.begins, walk, true),
              frame_top(walk.ends, walk_end_words, false));
    for (std::size_t i = 0; i < walk.inputs.size(); ++i)
        code.line("lane.frame({}u) = {};", walk.words() - 1 - i, names[walk.inputs[i]]);
    for (std::size_t i = 0; i < rest.size(); ++i)
        code.line("lane.a[{}] = {};", i, names[rest[i]]);
    code.line("lane.pc = {}u;", walk.entry);
    if (loop == nullptr)
        return;
    if (!ahead) {
        code.line("if (!lane.offers && --repeats != 0)");
        code.line("    goto again;");
        return;
    }
    auto const again = code.block("if (!lane.offers && --repeats != 0)");
    for (std::size_t i = 0; i < rest.size(); ++i)
        code.line("p{} = lane.a[{}];", i, i);
    for (unsigned const position : loop->loaded)
        code.line("n{} = ahead{};", position, position);
    code.line("goto next;");
}

void write_walk_steps(Generator& generator, Walk const& walk,
                      std::function<void(unsigned, std::string const&)> const& add) {
    unsigned const words = walk.words();
    auto const word_of_frame = [&](unsigned input) { return fmt::format("lane.frame({}u)", words - 1 - input); };
    std::size_t const arity = walk.terms.nodes[walk.root()].arguments.size();
    {
        jit::CodeWriter code(1);
        code.line("lane.store(lane.frame({}u), {}u, lane.a[0]);", words, arity);
        call_element(code, generator, walk, walk.waits, word_of_frame);
        add(walk.waits, code.text());
    }
    {
        jit::CodeWriter code(1);
        call_element(code, generator, walk, walk.begins, word_of_frame);
        add(walk.begins, code.text());
    }
    {
        jit::CodeWriter code(1);
        code.line("if (!lane.stack_room({}u))", words);
        code.line("    return;");
        code.line("lane.sp += {}u;", words);
        for (unsigned i = 0; i + 1 < words; ++i)
            code.line("lane.frame({}u) = lane.a[{}];", words - i, i);
        call_element(code, generator, walk, walk.starts, word_of_frame);
        add(walk.starts, code.text());
    }
    {
        jit::CodeWriter code(1);
        code.line("lane.store(lane.frame({}u), {}u, lane.a[0]);", words, walk.argument + 1);
        code.line("lane.sp -= {}u;", words);
        code.line("lane.give(lane.a[0]);");
        add(walk.stores, code.text());
    }
    jit::CodeWriter code(1);
    code.line("unsigned const list = lane.frame(2u);");
    code.line("lane.sp -= {}u;", walk_end_words);
    code.line("lane.give(list);");
    add(walk.ends, code.text());
}

}  // namespace lockstep::term_rewriting::fast
