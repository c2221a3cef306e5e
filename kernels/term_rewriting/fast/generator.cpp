#include <algorithm>
#include <bit>

#include "harness/bench/error.hpp"
#include "harness/jit/text_digest.hpp"
#include "kernels/term_rewriting/fast/step_text.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

using namespace compiled;
using Kind = PlanNode::Kind;

constexpr unsigned max_stack_words = 8192;
// A step that is part of other steps makes the text longer. These constants limit the steps in a row, and the copies of
// one step.
constexpr unsigned max_joined = 3;
constexpr std::size_t max_copies = 2;

void write_case(jit::CodeWriter& code, std::string const& pc, std::string const& call) {
    code.line("case {}:", pc);
    code.line("    {};", call);
    code.line("    break;");
}

}  // namespace

Generator::Generator(System const& system, Options const& options)
    : system_(system),
      options_(options),
      matchers_(matchers_of(system)),
      terms_(system, matchers_, program_.symbols, options.chains) {
    program_.symbols = symbols_of(system);
    program_.registers = registers_of(system, options.walks);
    // Frames for the evaluation of an input.
    for (SymbolInfo const& symbol : program_.symbols)
        longest_frame_ = std::max({longest_frame_, symbol.arity + 3, fill_words});
    for (unsigned pc = 0; pc < first_program_pc; ++pc)
        new_pc(0, pc == pc_idle ? 0 : 1);
    program_.pcs[pc_equal].registers = 2;
    program_.pcs[pc_equal_next].terms = 2;
    program_.pcs[pc_fill].terms = 2;
}

unsigned Generator::new_pc(unsigned terms, unsigned registers) {
    program_.pcs.push_back({terms, registers, 0, 0, 0, 0, 0, 0});
    return static_cast<unsigned>(program_.pcs.size() - 1);
}

void Generator::add_step(unsigned pc, std::string const& comment, std::string const& text) {
    steps_.line("template <class Lane>");
    steps_.line("__device__ __forceinline__ void {}(Lane& lane) {{  // {}", step_name(pc), jit::comment_text(comment));
    steps_.append(text);
    steps_.line("}}");
    steps_.line();
    write_case(cases_, number(pc), step_name(pc) + "(lane)");
}

bool Generator::has_two_recursions(SymbolId symbol, PlanTerms const& terms) {
    return 2 <= std::count_if(terms.nodes.begin(), terms.nodes.end(), [&](PlanNode const& node) {
               return node.kind == Kind::call && calls_.leads_to(node.head, symbol);
           });
}

bool Generator::joins(unsigned from, unsigned entry, SymbolId symbol) {
    if (!options_.joins || (!is_part(symbol) && calls_.calls_of(symbol) > 1) ||
        joined_by_[entry].size() == max_copies || reaches(entry, from) ||
        longest(joined_by_, from) + 1 + longest(joined_, entry) > max_joined)
        return false;
    joined_[from].push_back(entry);
    joined_by_[entry].push_back(from);
    return true;
}

bool Generator::joins_return(unsigned from, unsigned awaiting) {
    if (!options_.returns || joined_by_[awaiting].size() == max_copies || reaches(awaiting, from) ||
        longest(joined_by_, from) + 1 + longest(joined_, awaiting) > max_joined)
        return false;
    joined_[from].push_back(awaiting);
    joined_by_[awaiting].push_back(from);
    return true;
}

// Undoes joins() for a step that is not written, because it equals an earlier one.
void Generator::forget_joins(unsigned from) {
    for (unsigned const entry : joined_[from])
        std::erase(joined_by_[entry], from);
    joined_.erase(from);
}

bool Generator::reaches(unsigned from, unsigned to) const {
    if (from == to)
        return true;
    auto const found = joined_.find(from);
    return found != joined_.end() &&
           std::any_of(found->second.begin(), found->second.end(), [&](unsigned next) { return reaches(next, to); });
}

unsigned Generator::longest(Joined const& joined, unsigned from) const {
    unsigned longest_path = 0;
    if (auto const found = joined.find(from); found != joined.end()) {
        for (unsigned const next : found->second)
            longest_path = std::max(longest_path, 1 + longest(joined, next));
    }
    return longest_path;
}

unsigned Generator::entry(SymbolId symbol, StateId state, std::size_t condition) {
    auto const [found, added] = entries_.try_emplace({symbol, state, condition}, 0);
    if (added) {
        found->second = new_pc(0, passed(symbol));
        unwritten_.push_back({found->second, {symbol, state, condition}});
    }
    return found->second;
}

Body const& Generator::right_side(RuleId rule) {
    if (auto const found = right_sides_.find(rule); found != right_sides_.end())
        return found->second;
    std::vector<RuleId> rules = {rule};
    PlanTerms terms = terms_.nodes({system_.rules[rule].right}, rules);
    program_.rules_of_counters.push_back(std::move(rules));
    // A node that waits saves the frames of a walk along a list. A tree needs a frame anyway, for the other branch.
    SymbolId const symbol = system_.terms.symbol(system_.rules[rule].left);
    bool const fills = options_.fills && !has_two_recursions(symbol, terms);
    std::string const comment = fmt::format("rule {}", rule);
    std::optional<unsigned> first;
    if (options_.independent_parts) {
        terms = with_independent_parts(
            std::move(terms), program_.registers, [&](unsigned head) { return calls_.leads_to(head, symbol); },
            [&](Part part) { return add_part(std::move(part), comment); });
        first = fills ? std::nullopt : find_rest(terms, symbol, calls_);
    }
    Body body = {Plan(
                     std::move(terms), true, fills, {}, [](unsigned) { return std::optional<unsigned>(); }, first),
                 {},
                 {},
                 0};
    body.counter = static_cast<unsigned>(program_.rules_of_counters.size() - 1);
    if (first && options_.walks)
        body.walk = find_walk(body.plan.terms(), *first, program_.registers);
    if (body.walk)
        add_walk(*body.walk, symbol, comment);
    else
        add_segments(body, comment);
    return right_sides_.emplace(rule, std::move(body)).first->second;
}

// Adds the step of a part, which starts with the inputs in the registers, and returns its symbol.
SymbolId Generator::add_part(Part part, std::string const& comment) {
    unsigned const pc = new_pc(0, static_cast<unsigned>(part.inputs.size()));
    Body body = {
        Plan(std::move(part.terms), true, false, {}, [](unsigned) { return std::optional<unsigned>(); }), {}, {}, 0};
    add_segments(body, comment + ", part");
    jit::CodeWriter code(1);
    std::vector<std::string> inputs;
    for (unsigned i = 0; i < part.inputs.size(); ++i) {
        inputs.push_back(fmt::format("x{}", i));
        code.line("unsigned const x{} = lane.a[{}];", i, i);
    }
    write_segment(code, *this, body, 0, pc, inputs, {});
    add_step(pc, comment + ", part", code.text());
    parts_.push_back(pc);
    return static_cast<SymbolId>(matchers_.size() + parts_.size() - 1);
}

Body const& Generator::condition(SymbolId symbol, StateId id, std::size_t index) {
    State const& state = matchers_[symbol].states[id];
    if (auto const found = conditions_.find({state.rule, index}); found != conditions_.end())
        return found->second;
    Condition const& of = system_.rules[state.rule].conditions[index];
    std::vector<RuleId> rules;
    PlanTerms terms = terms_.nodes({of.left, of.right}, rules);
    unsigned const fixed = passed(symbol);
    Body body = {Plan(std::move(terms), false, false, fixed,
                      [&](unsigned variable) {
                          PositionId const position = state.variables[variable];
                          bool const argument = !boxed(symbol) && position < system_.arity(symbol);
                          return argument ? std::optional<unsigned>(position) : std::nullopt;
                      }),
                 {},
                 {},
                 0};
    if (!rules.empty()) {
        program_.rules_of_counters.push_back(std::move(rules));
        body.counter = static_cast<unsigned>(program_.rules_of_counters.size() - 1);
    }
    body.after = new_pc(body.plan.slots(), 1);
    unsigned const holds = entry(symbol, id, index + 1);
    unsigned const fails = entry(symbol, state.otherwise, 0);
    std::string const comment = fmt::format("a condition of rule {}", state.rule);
    jit::CodeWriter code(1);
    code.line("bool const equal = lane.a[0] != 0;");
    for (unsigned i = 0; i < fixed; ++i)
        code.line("lane.a[{}] = lane.frame({}u);", i, body.plan.words() - i);
    code.line("lane.sp -= {}u;", body.plan.words());
    code.line("lane.pc = equal ? {}u : {}u;", of.equal ? holds : fails, of.equal ? fails : holds);
    add_step(body.after, comment, code.text());
    add_segments(body, comment);
    return conditions_.emplace(std::pair(state.rule, index), std::move(body)).first->second;
}

void Generator::add_segments(Body& body, std::string const& comment) {
    Plan const& plan = body.plan;
    longest_frame_ = std::max(longest_frame_, plan.has_frame() ? plan.words() : 0);
    body.awaiting.resize(plan.segments() - 1);
    // The last segment comes first, because a step depends on those that follow it.
    for (unsigned segment = plan.segments() - (plan.goes_on() ? 1 : 2); segment > 0; --segment) {
        unsigned const terms = plan.slots_after(segment - 1);
        unsigned const pc = new_pc(terms, 1);
        body.awaiting[segment - 1] = pc;
        jit::CodeWriter code(1);
        write_segment(code, *this, body, segment, pc, {}, {});
        std::string const& text = code.text();
        // Merges equal steps, so that lanes meet there, if other lanes can take the same calls in the meantime.
        Group group = group_after(body, segment);
        auto const [found, added] = shared_steps_.try_emplace({text, terms, group}, pc);
        body.awaiting[segment - 1] = found->second;
        if (!added) {
            forget_joins(pc);
            if (pc + 1 == program_.pcs.size())
                program_.pcs.pop_back();
            continue;
        }
        PcInfo& info = program_.pcs[pc];
        info.join = group.join;
        info.slot = group.slot;
        std::size_t const length = call_words + program_.registers;
        info.first = static_cast<unsigned>(program_.calls.size() / length);
        info.count = static_cast<unsigned>(group.calls.size() / length);
        program_.calls.insert(program_.calls.end(), group.calls.begin(), group.calls.end());
        add_step(pc, fmt::format("{}, after call {}", comment, segment), text);
    }
}

void Generator::add_walk(Walk& walk, SymbolId symbol, std::string const& comment) {
    unsigned const terms = walk.words() - 1;
    longest_frame_ = std::max(longest_frame_, walk.words() + walk_end_words);
    walk.entry = entry_of(symbol);
    walk.waits = new_pc(terms, 1);
    walk.begins = new_pc(terms, 1);
    walk.stores = new_pc(terms, 1);
    walk.starts = new_pc(0, terms);
    walk.ends = new_pc(walk_end_words - 1, 1);
    program_.pcs[walk.begins].starts = walk.starts;
    write_walk_steps(*this, walk,
                     [&](unsigned pc, std::string const& text) { add_step(pc, comment + ", walk", text); });
}

// Returns the calls that other lanes can take while the call before `segment` is being evaluated.
Group Generator::group_after(Body const& body, unsigned segment) {
    Plan const& plan = body.plan;
    unsigned const end = plan.group_end(segment);
    if (segment == end)
        return {};
    Group group = {frame_top(body.awaiting[end - 1], plan.words(), false), *plan.slot(plan.awaited(segment)), {}};
    for (unsigned later = segment; later < end; ++later) {
        unsigned const node = plan.issued(later);
        std::vector<unsigned> const& arguments = plan.node(node).arguments;
        group.calls.push_back(entry_of(plan.node(node).head));
        group.calls.push_back(later + 1 == end ? value_slot : *plan.slot(node));
        for (unsigned i = 0; i < program_.registers; ++i) {
            bool const is_constant = i >= arguments.size() || plan.node(arguments[i]).kind == Kind::constant;
            unsigned const value = i >= arguments.size() ? 0 : plan.node(arguments[i]).head;
            group.calls.push_back(is_constant ? constant_source | value : *plan.slot(arguments[i]));
        }
    }
    return group;
}

// What the scheduler knows of the program when it is compiled. Code for options that are off is left out.
std::string Generator::constants_text(std::size_t counters) const {
    bool const walks =
        std::any_of(program_.pcs.begin(), program_.pcs.end(), [](PcInfo const& pc) { return pc.starts != 0; });
    jit::CodeWriter code(1);
    code.line("static constexpr unsigned registers = {}u;", program_.registers);
    code.line("static constexpr unsigned stack_words = {}u;", program_.stack_words);
    code.line("static constexpr unsigned symbols = {}u;", system_.symbols.size());
    code.line("static constexpr unsigned counters = {}u;", counters);
    code.line("static constexpr bool counts_in_shared = {};", counters <= max_shared_counters);
    code.line("static constexpr bool walks = {};", walks);
    code.line("static constexpr bool votes = {};", options_.votes);
    code.line("static constexpr bool warps_first = {};", options_.warps_first);
    code.line("static constexpr unsigned repeats = {}u;", options_.repeats);
    code.line("static constexpr unsigned ends_after = {}u;", options_.ends_after);
    code.line("static constexpr bool ramps = {};", program_.ramps);
    return code.take();
}

std::string Generator::program_text(std::string const& constants) const {
    std::string const here = "namespace lockstep::term_rewriting::" + program_.name + "::LOCKSTEP_MACHINE";
    jit::CodeWriter code;
    if (program_.ramps)
        code.line("#include \"kernels/term_rewriting/fast/ramp.hpp\"");
    code.line("#include \"kernels/term_rewriting/fast/schedule.hpp\"");
    code.line();
    code.line("{} {{", here);
    code.line();
    code.line("using namespace lockstep::term_rewriting::fast;");
    code.line();
    code.append(steps_.text());
    {
        code.line("struct Program {{");
        auto const members = code.indented("};");
        code.append(constants);
        code.line("template <class Lane>");
        auto const function = code.block("__device__ __forceinline__ static void step(Lane& lane)");
        auto const cases = code.block("switch (lane.pc)");
        for (std::string const step : {"deliver", "evaluate", "evaluated", "equal", "fill", "equal_next"})
            write_case(code, "pc_" + step, "lane." + step + "()");
        code.append(cases_.text());
        code.line("default:");
        code.line("    break;");
    }
    code.line();
    code.line("}}  // {}", here);
    code.line();
    return code.take();
}

Program Generator::run() {
    calls_ = CallGraph(system_, terms_);
    for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol) {
        if (system_.symbols[symbol].defined)
            program_.symbols[symbol].entry = entry_of(symbol);
    }
    while (!unwritten_.empty()) {
        auto const [pc, of] = unwritten_.back();
        unwritten_.pop_back();
        jit::CodeWriter code(1);
        write_entry(code, *this, of.symbol, of.state, of.condition, pc);
        add_step(pc, system_.symbols[of.symbol].name, code.text());
    }
    unsigned const words = std::max(options_.stack_words, 2 * longest_frame_ + 16);
    if (words > max_stack_words || program_.pcs.size() > pc_mask) {
        throw bench::Error("cannot compile the system for this engine",
                           fmt::format("a frame of {} words or {} steps exceed what a lane can hold", longest_frame_,
                                       program_.pcs.size()),
                           "Use --machine cpu.");
    }
    program_.stack_words = std::bit_ceil(words);
    program_.ramps = options_.ramp_steps != 0;
    program_.constants = terms_.constants();
    program_.constants_end = terms_.constants_end();
    // One program may hold kernels for several systems, so each name contains a digest of the text.
    std::string const constants = constants_text(std::max<std::size_t>(program_.rules_of_counters.size(), 1));
    program_.name = fmt::format("fast_{:016x}", jit::text_digest(constants + steps_.text() + cases_.text()));
    program_.text = program_text(constants);
    return std::move(program_);
}

Program make_program(System const& system, Options const& options) { return Generator(system, options).run(); }

}  // namespace lockstep::term_rewriting::fast
