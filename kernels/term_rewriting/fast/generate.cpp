// Rules as steps of a lane. A defined symbol is a program counter, so is every place where a call's value is awaited. A
// step matches by the decision trees of the CPU's compiler, makes the nodes that the next calls need, writes the frame
// and names the next program counter.

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "harness/bench/error.hpp"
#include "kernels/term_rewriting/fast/plan.hpp"
#include "kernels/term_rewriting/fast/program.hpp"
#include "reference_cpu/term_rewriting/compiled/decision_tree.hpp"
#include "reference_cpu/term_rewriting/compiled/shared_object.hpp"
#include "reference_cpu/term_rewriting/compiled/state_text.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

using namespace compiled;
using Kind = PlanNode::Kind;

constexpr unsigned most_registers = 8;
constexpr unsigned most_stack_words = 8192;
constexpr std::size_t longest_chain = 256;

std::string number(std::size_t value) { return std::to_string(value) + "u"; }
std::string step_name(unsigned pc) { return "step_" + std::to_string(pc); }

// A right side, or the sides of a condition, with what is known of it.
struct Body {
    Plan plan;
    std::vector<unsigned> awaiting;  // program counter of each segment but the first
    std::optional<unsigned> counter;
    unsigned after = 0;  // of a condition: the program counter that has the comparison's value
};

class Generator {
public:
    Generator(System const& system, Options const& options) : system_(system), options_(options) {
        for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
            bool const defined = system.symbols[symbol].defined;
            matchers_.push_back(defined ? compile_matcher(system, symbol) : Matcher{});
            unsigned const arity = static_cast<unsigned>(system.arity(symbol));
            program_.symbols.push_back({arity, 0, arity > most_registers ? 1u : 0u, 0});
            if (defined && arity <= most_registers)
                program_.registers = std::max(program_.registers, arity);
            // Frames of the evaluation of an input.
            longest_frame_ = std::max(longest_frame_, arity + 3);
        }
        program_.registers = std::max(program_.registers, 2u);
        program_.constants_end = static_cast<unsigned>(system.symbols.size());
        for (unsigned pc = 0; pc < first_program_pc; ++pc)
            new_pc(0, pc == pc_idle ? 0 : 1);
        program_.pcs[pc_equal].registers = 2;
        program_.pcs[pc_equal_next].terms = 2;
    }

    Program run();

    System const& system() const { return system_; }
    Options const& options() const { return options_; }
    Matcher const& matcher(SymbolId symbol) const { return matchers_[symbol]; }
    bool boxed(SymbolId symbol) const { return program_.symbols[symbol].boxed != 0; }
    // Registers that hold the arguments.
    unsigned passed(SymbolId symbol) const { return boxed(symbol) ? 1 : program_.symbols[symbol].arity; }

    // Where a lane goes with the symbol's arguments: to a state of its matcher, there to the condition of that number.
    unsigned entry(SymbolId symbol, StateId state, std::size_t condition);
    unsigned entry_of(SymbolId symbol) { return entry(symbol, matchers_[symbol].start, 0); }
    unsigned new_pc(unsigned terms, unsigned registers) {
        program_.pcs.push_back({terms, registers, 0, 0, 0, 0, {0, 0}});
        return static_cast<unsigned>(program_.pcs.size() - 1);
    }
    Body const& right_side(RuleId rule);
    Body const& condition(SymbolId symbol, StateId id, std::size_t number);

    // Whether the step `from` does the entry's step too, in the same turn.
    bool joins(unsigned from, unsigned entry, SymbolId symbol) {
        if (options_.inline_calls == 0 || callers_[symbol] > 1)
            return false;
        if (reaches(entry, from))
            return false;
        joined_.insert({from, entry});
        return true;
    }
    bool reaches(unsigned from, unsigned to) const {
        if (from == to)
            return true;
        for (auto at = joined_.lower_bound({from, 0}); at != joined_.end() && at->first == from; ++at) {
            if (reaches(at->second, to))
                return true;
        }
        return false;
    }
    void count_callers();

    void add_step(unsigned pc, std::string const& comment, std::string const& text) {
        steps_ += "template <class Lane>\n__device__ __forceinline__ void " + step_name(pc) + "(Lane& lane) {  // " +
                  comment + "\n" + text + "}\n\n";
        cases_ += "            case " + number(pc) + ":\n                " + step_name(pc) +
                  "(lane);\n                break;\n";
    }

private:
    struct Entry {
        SymbolId symbol;
        StateId state;
        std::size_t condition;
    };

    PlanTerms plan_terms(std::vector<TermId> const& roots);
    unsigned add(PlanTerms& terms, SharedNode const& node, std::vector<unsigned> const& names);
    void add_shared(PlanTerms& terms, SharedTerms const& shared, std::vector<unsigned> const* variables,
                    std::vector<unsigned>& names);
    PlanTerms inlined(PlanTerms terms, std::vector<RuleId>& rules);
    std::optional<RuleId> only_rule(SymbolId symbol) const;
    unsigned constant(SymbolId symbol, std::vector<unsigned> const& arguments);
    void add_segments(Body& body, std::string const& comment);
    void add_groups(Body const& body);

    System const& system_;
    Options options_;
    std::vector<Matcher> matchers_;
    Program program_;
    unsigned longest_frame_ = 0;
    std::string steps_;
    std::string cases_;
    std::map<std::tuple<SymbolId, StateId, std::size_t>, unsigned> entries_;
    std::vector<std::pair<unsigned, Entry>> unwritten_;
    std::map<std::pair<std::string, unsigned>, unsigned> shared_steps_;
    std::vector<unsigned> callers_;
    std::set<std::pair<unsigned, unsigned>> joined_;
    std::map<RuleId, Body> right_sides_;
    std::map<std::pair<RuleId, std::size_t>, Body> conditions_;
    std::map<std::pair<SymbolId, std::vector<unsigned>>, unsigned> constants_;
};

// Writes one segment of a body.
class SegmentText {
public:
    SegmentText(Generator& generator, Body const& body, unsigned segment, std::string indent, unsigned pc)
        : generator_(generator), plan_(body.plan), body_(body), segment_(segment), indent_(std::move(indent)), pc_(pc) {}

    // `variables`: expressions, in segment 0. `fixed`: those of the fixed slots.
    std::string run(std::vector<std::string> const& variables, std::vector<std::string> const& fixed) {
        names_.resize(size());
        check_room();
        if (segment_ == 0 && body_.counter)
            line("lane.count(" + number(*body_.counter) + ");");
        for (unsigned node = 0; node < size(); ++node)
            name(node, variables);
        for (unsigned const node : plan_.made(segment_))
            write_node(node);
        bool const last = segment_ + 1 == plan_.segments();
        if (last && body_.after == 0) {
            finish();
            return std::move(text_);
        }
        bool const group = !last && segment_ + 1 < plan_.group_end(segment_ + 1);
        write_frame(fixed, frame_top(last ? body_.after : body_.awaiting[segment_], plan_.words(), group));
        if (last) {
            pass({plan_.roots()[0], plan_.roots()[1]});
            line("lane.pc = pc_equal;");
        } else {
            call(plan_.issued(segment_));
        }
        return std::move(text_);
    }

private:
    unsigned size() const { return plan_.size(); }
    void line(std::string const& text) { text_ += indent_ + text + "\n"; }
    std::string slot(unsigned place) const { return "lane.frame(" + number(plan_.words() - place) + ")"; }

    void check_room() {
        std::size_t granules = 0;
        for (unsigned const node : plan_.made(segment_))
            granules += granules_of(plan_.node(node).arguments.size());
        if (granules != 0) {
            line("if (!lane.room(" + number(granules) + "))");
            line("    return;");
        }
        if (segment_ == 0 && plan_.has_frame()) {
            line("if (!lane.stack_room(" + number(plan_.words()) + "))");
            line("    return;");
        }
    }

    // How the node is called in this segment, once it is known.
    void name(unsigned node, std::vector<std::string> const& variables) {
        PlanNode const& of = plan_.node(node);
        if (of.kind == Kind::constant) {
            names_[node] = number(of.head);
        } else if (plan_.born(node) > segment_) {
            names_[node].clear();
        } else if (plan_.born(node) == segment_ && segment_ == 0 && of.kind == Kind::variable) {
            names_[node] = variables[of.head];
        } else {
            names_[node] = "v" + std::to_string(node);
            if (plan_.born(node) == segment_) {
                if (of.kind != Kind::made)
                    line("unsigned const " + names_[node] + " = lane.a[0];");
            } else if (plan_.slot(node)) {
                line("unsigned const " + names_[node] + " = " + slot(*plan_.slot(node)) + ";");
            }
        }
    }

    void write_node(unsigned node) {
        PlanNode const& of = plan_.node(node);
        std::vector<std::string> words = {number(of.head)};
        for (unsigned const argument : of.arguments)
            words.push_back(names_[argument]);
        words.resize((words.size() + 3) / 4 * 4, "0");
        line("unsigned const " + names_[node] + " = lane.take(" + number(words.size() / 4) + ");");
        for (std::size_t i = 0; i < words.size(); i += 4) {
            line("lane.put(" + names_[node] + (i == 0 ? "" : " + " + number(i / 4)) + ", " + words[i] + ", " +
                 words[i + 1] + ", " + words[i + 2] + ", " + words[i + 3] + ");");
        }
    }

    // What this segment adds to the frame, and where the lane goes on once the next value is there.
    void write_frame(std::vector<std::string> const& fixed, unsigned top) {
        if (segment_ == 0) {
            line("lane.sp += " + number(plan_.words()) + ";");
            for (unsigned place = 0; place < fixed.size(); ++place)
                line(slot(place) + " = " + fixed[place] + ";");
        }
        for (unsigned node = 0; node < size(); ++node) {
            bool const written = segment_ == 0 && plan_.slot(node) && *plan_.slot(node) < fixed.size();
            if (plan_.node(node).kind != Kind::constant && plan_.born(node) == segment_ && plan_.slot(node) && !written)
                line(slot(*plan_.slot(node)) + " = " + names_[node] + ";");
        }
        line("lane.frame(1) = " + number(top) + ";");
    }

    void pass(std::vector<unsigned> const& nodes) {
        for (unsigned i = 0; i < nodes.size(); ++i)
            line("lane.a[" + std::to_string(i) + "] = " + names_[nodes[i]] + ";");
    }

    void call(unsigned node) {
        PlanNode const& of = plan_.node(node);
        // Names in registers that are being written: only the arguments of the step's own symbol, which are copies.
        pass(of.arguments);
        unsigned const entry = generator_.entry_of(of.head);
        line("lane.pc = " + number(entry) + ";");
        if (generator_.joins(pc_, entry, of.head))
            line(step_name(entry) + "(lane);");
    }

    void finish() {
        if (segment_ != 0)
            line("lane.sp -= " + number(plan_.words()) + ";");
        unsigned const root = plan_.roots()[0];
        if (plan_.tail_call())
            call(root);
        else
            line("lane.give(" + names_[root] + ");");
    }

    Generator& generator_;
    Plan const& plan_;
    Body const& body_;
    unsigned segment_;
    std::string indent_;
    unsigned pc_;
    std::vector<std::string> names_;
    std::string text_;
};

// Writes the step of an entry.
class EntryText : public TargetText {
public:
    EntryText(Generator& generator, SymbolId symbol, unsigned pc)
        : generator_(generator),
          pc_(pc),
          symbol_(symbol),
          arity_(generator.system().arity(symbol)),
          matcher_(generator.matcher(symbol)) {}

    std::string run(StateId start, std::size_t condition) {
        std::string text;
        for (PlaceId place = 0; place < matcher_.places.size(); ++place) {
            std::string const name = place_name(place);
            text += "    unsigned " + name + ";\n    uint4 " + node_name(place) + ";\n";
            if (place < arity_)
                text += "    " + name + " = " + argument(place) + ";\n";
        }
        State const& state = matcher_.states[start];
        if (condition == 0) {
            Matcher matcher = matcher_;
            matcher.start = start;
            std::string const states = state_text(matcher, arity_, *this);
            return text + looks() + states;
        }
        std::vector<bool> looked(matcher_.places.size(), false);
        for (PlaceId const place : state.variables)
            text += look_down_to(place, looked);
        return text + apply_from(start, condition, "    ");
    }

    std::string load(PlaceId place, TermPlace const& from) const override {
        std::string const field[] = {".y", ".z", ".w"};
        return place_name(place) + " = " +
               (from.argument < 3 ? node_name(from.parent) + field[from.argument]
                                  : "lane.argument(" + place_name(from.parent) + ", " + number(from.argument) + ")") +
               ";";
    }
    std::string symbol(PlaceId place) const override {
        if (generator_.options().look_first && place < arity_) {
            looked_at_.insert(place);
            return node_name(place) + ".x";
        }
        return "(" + node_name(place) + " = lane.look(" + place_name(place) + ")).x";
    }
    std::string apply(StateId id, State const& state, std::string const& indent) override {
        std::string text;
        std::vector<bool> loaded(matcher_.places.size(), false);
        for (PlaceId const place : state.variables) {
            if (place >= arity_ && !loaded[place])
                text += indent + load(place, matcher_.places[place]) + "\n";
            loaded[place] = true;
        }
        return indent + "{\n" + text + apply_from(id, 0, indent + "    ") + indent + "    return;\n" + indent + "}\n";
    }
    std::string stuck(std::string const& indent) override {
        if (arity_ == 0)
            return indent + "lane.give(" + number(symbol_) + ");\n" + indent + "return;\n";
        if (generator_.boxed(symbol_))
            return indent + "lane.give(lane.a[0]);\n" + indent + "return;\n";
        std::vector<std::string> words = {number(symbol_)};
        for (PlaceId place = 0; place < arity_; ++place)
            words.push_back(place_name(place));
        words.resize((words.size() + 3) / 4 * 4, "0");
        std::string text = indent + "if (!lane.room(" + number(words.size() / 4) + "))\n" + indent + "    return;\n" +
                           indent + "{\n" + indent + "    unsigned const made = lane.take(" + number(words.size() / 4) +
                           ");\n";
        for (std::size_t i = 0; i < words.size(); i += 4) {
            text += indent + "    lane.put(made" + (i == 0 ? "" : " + " + number(i / 4)) + ", " + words[i] + ", " +
                    words[i + 1] + ", " + words[i + 2] + ", " + words[i + 3] + ");\n";
        }
        return text + indent + "    lane.give(made);\n" + indent + "    return;\n" + indent + "}\n";
    }

private:
    static std::string node_name(PlaceId place) { return "n" + std::to_string(place); }
    std::string argument(PlaceId place) const {
        return generator_.boxed(symbol_) ? "lane.argument(lane.a[0], " + number(place) + ")"
                                         : "lane.a[" + std::to_string(place) + "]";
    }

    // Of the arguments: all at once, so that they are waited for once.
    std::string looks() const {
        std::string text;
        for (PlaceId const place : looked_at_)
            text += "    " + node_name(place) + " = lane.look(" + place_name(place) + ");\n";
        return text;
    }

    // Looks at every node above the place, which the step has not done itself.
    std::string look_down_to(PlaceId place, std::vector<bool>& looked) const {
        std::vector<PlaceId> path;
        for (PlaceId at = place; at >= arity_ && !looked[at]; at = matcher_.places[at].parent) {
            path.push_back(at);
            looked[at] = true;
        }
        std::string text;
        for (; !path.empty(); path.pop_back()) {
            TermPlace const& from = matcher_.places[path.back()];
            text += "    " + node_name(from.parent) + " = lane.look(" + place_name(from.parent) + ");\n    " +
                    load(path.back(), from) + "\n";
        }
        return text;
    }

    // The rule of the state once its conditions before `condition` hold.
    std::string apply_from(StateId id, std::size_t condition, std::string const& indent) {
        State const& state = matcher_.states[id];
        std::vector<std::string> variables;
        for (PlaceId const place : state.variables)
            variables.push_back(place_name(place));
        std::vector<std::string> fixed;
        bool const tests = condition < generator_.system().rules[state.rule].conditions.size();
        for (PlaceId place = 0; tests && place < generator_.passed(symbol_); ++place)
            fixed.push_back("lane.a[" + std::to_string(place) + "]");
        Body const& body = tests ? generator_.condition(symbol_, id, condition) : generator_.right_side(state.rule);
        return SegmentText(generator_, body, 0, indent, pc_).run(variables, fixed);
    }

    Generator& generator_;
    unsigned pc_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher const& matcher_;
    mutable std::set<PlaceId> looked_at_;
};

unsigned Generator::entry(SymbolId symbol, StateId state, std::size_t condition) {
    auto const [found, added] = entries_.try_emplace({symbol, state, condition}, 0);
    if (added) {
        found->second = new_pc(0, passed(symbol));
        unwritten_.push_back({found->second, {symbol, state, condition}});
    }
    return found->second;
}

unsigned Generator::constant(SymbolId symbol, std::vector<unsigned> const& arguments) {
    if (arguments.empty())
        return symbol;
    auto const [found, added] = constants_.try_emplace({symbol, arguments}, program_.constants_end);
    if (added) {
        program_.constants.push_back({symbol, arguments});
        program_.constants_end += granules_of(arguments.size());
    }
    return found->second;
}

unsigned Generator::add(PlanTerms& terms, SharedNode const& of, std::vector<unsigned> const& names) {
    PlanNode node;
    node.kind = system_.symbols[of.head].defined ? Kind::call : Kind::made;
    node.head = of.head;
    bool closed = node.kind == Kind::made;
    std::vector<unsigned> values;
    for (std::uint32_t const argument : of.arguments) {
        node.arguments.push_back(names[argument]);
        closed = closed && terms.nodes[names[argument]].kind == Kind::constant;
        values.push_back(terms.nodes[names[argument]].head);
    }
    if (closed)
        node = {Kind::constant, constant(of.head, values), {}};
    if (node.kind == Kind::call && boxed(of.head)) {
        terms.nodes.push_back({Kind::made, node.head, std::move(node.arguments)});
        node.arguments = {static_cast<unsigned>(terms.nodes.size() - 1)};
    }
    terms.nodes.push_back(std::move(node));
    return static_cast<unsigned>(terms.nodes.size() - 1);
}

// `variables`: the node that each variable stands for; without it variables are nodes.
void Generator::add_shared(PlanTerms& terms, SharedTerms const& shared, std::vector<unsigned> const* variables,
                           std::vector<unsigned>& names) {
    for (SharedNode const& node : shared.nodes) {
        if (!node.is_variable) {
            names.push_back(add(terms, node, names));
        } else if (variables != nullptr) {
            names.push_back((*variables)[node.head]);
        } else {
            terms.nodes.push_back({Kind::variable, node.head, {}});
            names.push_back(static_cast<unsigned>(terms.nodes.size() - 1));
        }
    }
}

PlanTerms Generator::plan_terms(std::vector<TermId> const& roots) {
    SharedTerms const shared = share(system_.terms, roots);
    PlanTerms terms;
    std::vector<unsigned> names;
    add_shared(terms, shared, nullptr, names);
    for (std::uint32_t const root : shared.roots)
        terms.roots.push_back(names[root]);
    return terms;
}

// The rule that is applied to any arguments of the symbol, where its right side makes no call but its last.
std::optional<RuleId> Generator::only_rule(SymbolId symbol) const {
    if (boxed(symbol))
        return {};
    State const& state = matchers_[symbol].states[matchers_[symbol].start];
    if (state.kind != State::Kind::apply || !system_.rules[state.rule].conditions.empty())
        return {};
    SharedTerms const shared = share(system_.terms, std::span(&system_.rules[state.rule].right, 1));
    for (std::uint32_t node = 0; node < shared.nodes.size(); ++node) {
        bool const call = !shared.nodes[node].is_variable && system_.symbols[shared.nodes[node].head].defined;
        if (call && (node != shared.roots[0] || boxed(shared.nodes[node].head)))
            return {};
    }
    return state.rule;
}

// Calls of symbols with such a rule give way to its right side, again and again; `rules` are those applied so.
PlanTerms Generator::inlined(PlanTerms terms, std::vector<RuleId>& rules) {
    PlanTerms result;
    std::vector<unsigned> names;
    for (PlanNode const& node : terms.nodes) {
        PlanNode now = node;
        for (unsigned& argument : now.arguments)
            argument = names[argument];
        std::vector<SymbolId> seen;
        unsigned at = 0;
        for (bool placed = false; !placed;) {
            std::optional<RuleId> const rule = now.kind == Kind::call ? only_rule(now.head) : std::nullopt;
            bool const again = std::find(seen.begin(), seen.end(), now.head) != seen.end();
            if (!rule || again || seen.size() == longest_chain) {
                // A made node over constants alone may have become closed.
                bool closed = now.kind == Kind::made;
                std::vector<unsigned> values;
                for (unsigned const argument : now.arguments) {
                    closed = closed && result.nodes[argument].kind == Kind::constant;
                    values.push_back(result.nodes[argument].head);
                }
                bool const box =
                    system_.symbols.size() > now.head && now.kind == Kind::made && system_.symbols[now.head].defined;
                if (closed && !box)
                    now = {Kind::constant, constant(now.head, values), {}};
                result.nodes.push_back(now);
                at = static_cast<unsigned>(result.nodes.size() - 1);
                placed = true;
                continue;
            }
            seen.push_back(now.head);
            rules.push_back(*rule);
            // All places of such a rule's variables are arguments.
            State const& state = matchers_[now.head].states[matchers_[now.head].start];
            std::vector<unsigned> variables;
            for (PlaceId const place : state.variables)
                variables.push_back(now.arguments[place]);
            SharedTerms below = share(system_.terms, std::span(&system_.rules[*rule].right, 1));
            std::vector<unsigned> inner;
            SharedNode const root = below.nodes[below.roots[0]];
            if (root.is_variable) {
                at = variables[root.head];
                placed = true;
                continue;
            }
            below.nodes.pop_back();  // the root comes last
            add_shared(result, below, &variables, inner);
            now = {system_.symbols[root.head].defined ? Kind::call : Kind::made, root.head, {}};
            for (std::uint32_t const argument : root.arguments)
                now.arguments.push_back(inner[argument]);
        }
        names.push_back(at);
    }
    for (unsigned const root : terms.roots)
        result.roots.push_back(names[root]);
    return result;
}

Body const& Generator::right_side(RuleId rule) {
    if (auto const found = right_sides_.find(rule); found != right_sides_.end())
        return found->second;
    std::vector<RuleId> rules = {rule};
    PlanTerms terms = plan_terms({system_.rules[rule].right});
    if (options_.chains)
        terms = inlined(std::move(terms), rules);
    program_.rules_of_counters.push_back(std::move(rules));
    Body body = {Plan(std::move(terms), true, {}, [](unsigned) { return std::optional<unsigned>(); }), {}, {}, 0};
    body.counter = static_cast<unsigned>(program_.rules_of_counters.size() - 1);
    add_segments(body, "rule " + std::to_string(rule));
    return right_sides_.emplace(rule, std::move(body)).first->second;
}

Body const& Generator::condition(SymbolId symbol, StateId id, std::size_t index) {
    State const& state = matchers_[symbol].states[id];
    if (auto const found = conditions_.find({state.rule, index}); found != conditions_.end())
        return found->second;
    Condition const& of = system_.rules[state.rule].conditions[index];
    std::vector<RuleId> rules;
    PlanTerms terms = plan_terms({of.left, of.right});
    if (options_.chains)
        terms = inlined(std::move(terms), rules);
    unsigned const fixed = passed(symbol);
    Body body = {Plan(std::move(terms), false, fixed,
                      [&](unsigned variable) {
                          PlaceId const place = state.variables[variable];
                          bool const argument = !boxed(symbol) && place < system_.arity(symbol);
                          return argument ? std::optional<unsigned>(place) : std::nullopt;
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
    std::string text = "    bool const equal = lane.a[0] != 0;\n";
    for (unsigned i = 0; i < fixed; ++i) {
        text +=
            "    lane.a[" + std::to_string(i) + "] = lane.frame(" + number(body.plan.words() - i) + ");\n";
    }
    text += "    lane.sp -= " + number(body.plan.words()) + ";\n    lane.pc = equal ? " +
            number(of.equal ? holds : fails) + " : " + number(of.equal ? fails : holds) + ";\n";
    add_step(body.after, "a condition of rule " + std::to_string(state.rule), text);
    add_segments(body, "a condition of rule " + std::to_string(state.rule));
    return conditions_.emplace(std::pair(state.rule, index), std::move(body)).first->second;
}

void Generator::add_segments(Body& body, std::string const& comment) {
    Plan const& plan = body.plan;
    longest_frame_ = std::max(longest_frame_, plan.has_frame() ? plan.words() : 0);
    body.awaiting.resize(plan.segments() - 1);
    // The last first: what a step does depends on what follows.
    for (unsigned segment = plan.segments() - 1; segment > 0; --segment) {
        unsigned const terms = plan.slots_after(segment - 1);
        unsigned const pc = new_pc(terms, 1);
        body.awaiting[segment - 1] = pc;
        std::string const text = SegmentText(*this, body, segment, "    ", pc).run({}, {});
        // Steps that do the same are one, so that lanes meet there. Not where others can take a group's calls.
        if (options_.share_steps && segment == plan.group_end(segment)) {
            auto const [found, added] = shared_steps_.try_emplace({text, terms}, pc);
            body.awaiting[segment - 1] = found->second;
            if (!added) {
                if (pc + 1 == program_.pcs.size())
                    program_.pcs.pop_back();
                continue;
            }
        }
        add_step(pc, comment + ", after call " + std::to_string(segment), text);
    }
    add_groups(body);
}

// What others can take of a group while one of its calls is under way.
void Generator::add_groups(Body const& body) {
    Plan const& plan = body.plan;
    for (unsigned segment = 1; segment < plan.segments(); ++segment) {
        unsigned const end = plan.group_end(segment);
        if (segment == end)
            continue;
        PcInfo& info = program_.pcs[body.awaiting[segment - 1]];
        info.join = frame_top(body.awaiting[end - 1], plan.words(), false);
        info.slot = *plan.slot(plan.awaited(segment));
        info.first = static_cast<unsigned>(program_.calls.size() / (call_words + program_.registers));
        info.count = end - segment;
        for (unsigned later = segment; later < end; ++later) {
            unsigned const node = plan.issued(later);
            std::vector<unsigned> const& arguments = plan.node(node).arguments;
            program_.calls.push_back(entry_of(plan.node(node).head));
            program_.calls.push_back(later + 1 == end ? value_slot : *plan.slot(node));
            for (unsigned i = 0; i < program_.registers; ++i) {
                bool const is_constant = i >= arguments.size() || plan.node(arguments[i]).kind == Kind::constant;
                unsigned const value = i >= arguments.size() ? 0 : plan.node(arguments[i]).head;
                program_.calls.push_back(is_constant ? constant_source | value : *plan.slot(arguments[i]));
            }
        }
    }
}

void Generator::count_callers() {
    callers_.assign(system_.symbols.size(), 0);
    if (options_.inline_calls == 3)
        return;
    for (Rule const& rule : system_.rules) {
        SymbolId const caller = system_.terms.symbol(rule.left);
        std::vector<std::vector<TermId>> roots = {{rule.right}};
        for (Condition const& condition : rule.conditions)
            roots.push_back({condition.left, condition.right});
        for (auto const& each : roots) {
            std::vector<RuleId> rules;
            PlanTerms terms = plan_terms(each);
            if (options_.chains)
                terms = inlined(std::move(terms), rules);
            for (PlanNode const& node : terms.nodes)
                if (node.kind == Kind::call && (options_.inline_calls == 1 || node.head != caller))
                    ++callers_[node.head];
        }
    }
}

Program Generator::run() {
    count_callers();
    for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol) {
        if (system_.symbols[symbol].defined)
            program_.symbols[symbol].entry = entry_of(symbol);
    }
    while (!unwritten_.empty()) {
        auto const [pc, of] = unwritten_.back();
        unwritten_.pop_back();
        add_step(pc, system_.symbols[of.symbol].name, EntryText(*this, of.symbol, pc).run(of.state, of.condition));
    }
    unsigned const words = std::max(options_.stack_words, 2 * longest_frame_ + 16);
    if (words > most_stack_words || program_.pcs.size() > pc_mask) {
        throw bench::Error("cannot compile the system for this engine",
                           "a frame of " + std::to_string(longest_frame_) + " words or " +
                               std::to_string(program_.pcs.size()) + " steps is too much for a lane",
                           "Use --machine cpu.");
    }
    program_.stack_words = std::bit_ceil(words);
    if (options_.resident != 0)
        program_.bounds = "__launch_bounds__(" + number(options_.block) + ", " + number(options_.resident) + ")";
    program_.longest_frame = std::max(longest_frame_, 4u);
    // Half of the window is more than a frame, or the stack is not in shared memory.
    program_.window = 2 * (program_.longest_frame + 1) <= options_.window ? options_.window : 0;
    std::size_t const counters = std::max<std::size_t>(program_.rules_of_counters.size(), 1);
    // Programs of several systems stand side by side, so each has a name by its content.
    char name[40];
    std::snprintf(name, sizeof name, "fast_%016llx", text_digest(steps_ + cases_));
    program_.name = name;
    std::string const here = "lockstep::term_rewriting::" + program_.name + "::LOCKSTEP_MACHINE";
    program_.text = std::string(options_.old_fences ? "#define LOCKSTEP_OLD_FENCES\n" : "") +
        "#include \"kernels/term_rewriting/fast/schedule.hpp\"\n\nnamespace " + here +
        " {\n\nusing namespace lockstep::term_rewriting::fast;\n\n" + steps_ +
        "struct Program {\n    static constexpr unsigned registers = " + number(program_.registers) +
        ";\n    static constexpr unsigned stack_words = " + number(program_.stack_words) +
        ";\n    static constexpr unsigned window = " + number(program_.window) +
        ";\n    static constexpr unsigned longest_frame = " + number(program_.longest_frame) +
        ";\n    static constexpr unsigned symbols = " + number(system_.symbols.size()) +
        ";\n    static constexpr unsigned counters = " + number(counters) +
        ";\n    static constexpr bool counts_in_shared = " + (counters <= most_shared_counters ? "true" : "false") +
        ";\n    template <class Lane>\n    __device__ __forceinline__ static void step(Lane& lane) {\n"
        "        switch (lane.pc) {\n"
        "            case pc_deliver:\n                lane.deliver();\n                break;\n"
        "            case pc_evaluate:\n                lane.evaluate();\n                break;\n"
        "            case pc_evaluated:\n                lane.evaluated();\n                break;\n"
        "            case pc_equal:\n                lane.equal();\n                break;\n"
        "            case pc_equal_next:\n                lane.equal_next();\n                break;\n" +
        cases_ + "            default:\n                break;\n        }\n    }\n};\n\n}  // namespace " + here +
        "\n\n";
    return std::move(program_);
}

}  // namespace

Program make_program(System const& system, Options const& options) { return Generator(system, options).run(); }

}  // namespace lockstep::term_rewriting::fast
