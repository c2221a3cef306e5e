#include <set>

#include "common/term_rewriting/compiler/operation_text.hpp"
#include "common/term_rewriting/compiler/state_text.hpp"
#include "harness/simt/ceil_div.hpp"
#include "kernels/term_rewriting/fast/step_text.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

using namespace compiled;
using jit::CodeWriter;

// Writes the step of an entry.
class EntryText : public TargetText {
public:
    EntryText(Generator& generator, SymbolId symbol, unsigned pc)
        : generator_(generator),
          pc_(pc),
          symbol_(symbol),
          arity_(generator.system().arity(symbol)),
          matcher_(generator.matcher(symbol)) {}

    void run(CodeWriter& code, StateId start, std::size_t condition) {
        for (PositionId position = 0; position < matcher_.positions.size(); ++position) {
            code.line("unsigned {};", position_name(position));
            code.line("uint4 {};", node_name(position));
        }
        State const& state = matcher_.states[start];
        if (condition == 0) {
            Matcher matcher = matcher_;
            matcher.start = start;
            if (generator_.options().loops > 1 && start == matcher_.start)
                loop_ = {pc_, tested_arguments()};
            CodeWriter states(code.depth());
            write_states(states, matcher, arity_, *this);
            if (contains(states, "--repeats"))
                code.line("unsigned repeats = {}u;", generator_.options().loops);
            if (contains(states, "goto again;"))
                code.label("again");
            read_arguments(code);
            std::set<PositionId> const tested =
                loop_ ? std::set<PositionId>(loop_->loaded.begin(), loop_->loaded.end()) : std::set<PositionId>();
            load_arguments(code, [&](PositionId position) { return tested.count(position) != 0; });
            if (contains(states, "goto next;"))
                code.label("next");
            load_arguments(code, [&](PositionId position) { return tested.count(position) == 0; });
            code.append(states.text());
            return;
        }
        read_arguments(code);
        std::vector<bool> loaded(matcher_.positions.size(), false);
        for (PositionId const position : state.variables)
            load_down_to(code, position, loaded);
        apply_from(code, start, condition);
    }

    std::string load(PositionId position, TermPosition const& from) const override {
        if (from.argument >= 3)
            return fmt::format("{} = lane.argument({}, {}u);", position_name(position), position_name(from.parent),
                               from.argument);
        return fmt::format("{} = {}.{};", position_name(position), node_name(from.parent), "yzw"[from.argument]);
    }
    std::string symbol(PositionId position) const override {
        if (position < arity_) {
            loaded_arguments_.insert(position);
            return node_name(position) + ".x";
        }
        return fmt::format("({} = lane.look({})).x", node_name(position), position_name(position));
    }
    bool apply(CodeWriter& code, StateId id, State const& state) override {
        auto const block = code.block();
        std::vector<bool> loaded(matcher_.positions.size(), false);
        for (PositionId const position : state.variables) {
            if (position >= arity_ && !loaded[position])
                code.line("{}", load(position, matcher_.positions[position]));
            loaded[position] = true;
        }
        bool const operates = generator_.system().rules[state.rule].operation != Operation::none;
        if (operates)
            operation(code, state);
        apply_from(code, id, 0);
        code.line("return;");
        return operates;
    }
    void stuck(CodeWriter& code) override {
        if (arity_ == 0 || generator_.boxed(symbol_)) {
            code.line("lane.give({});", arity_ == 0 ? number(symbol_) : "lane.a[0]");
            code.line("return;");
            return;
        }
        std::vector<std::string> words = {number(symbol_)};
        for (PositionId position = 0; position < arity_; ++position)
            words.push_back(position_name(position));
        words.resize(simt::round_up(words.size(), 4u), "0");
        code.line("if (!lane.room({}u))", words.size() / 4);
        code.line("    return;");
        auto const block = code.block();
        code.line("unsigned const made = lane.take({}u);", words.size() / 4);
        write_words(code, "made", words);
        code.line("lane.give(made);");
        code.line("return;");
    }

private:
    static std::string node_name(PositionId position) { return fmt::format("n{}", position); }
    std::string argument(PositionId position) const {
        return generator_.boxed(symbol_) ? fmt::format("lane.argument(lane.a[0], {}u)", position)
                                         : fmt::format("lane.a[{}]", position);
    }

    static bool contains(CodeWriter const& code, char const* words) {
        return code.text().find(words) != std::string::npos;
    }

    void read_arguments(CodeWriter& code) const {
        for (PositionId position = 0; position < arity_; ++position)
            code.line("{} = {};", position_name(position), argument(position));
    }

    // Loads the nodes of the arguments together, so that the lane waits once.
    template <class Wanted>
    void load_arguments(CodeWriter& code, Wanted const& wanted) const {
        for (PositionId const position : loaded_arguments_) {
            if (wanted(position))
                code.line("{} = lane.look({});", node_name(position), position_name(position));
        }
    }

    // The arguments whose symbols the matcher tests, if they are in registers.
    std::vector<unsigned> tested_arguments() const {
        std::set<unsigned> tested;
        for (State const& state : matcher_.states) {
            if (state.kind == State::Kind::branch && state.position < arity_ && !generator_.boxed(symbol_))
                tested.insert(state.position);
        }
        return {tested.begin(), tested.end()};
    }

    // Loads the nodes above the position that are not loaded yet.
    void load_down_to(CodeWriter& code, PositionId position, std::vector<bool>& loaded) const {
        std::vector<PositionId> path;
        for (PositionId at = position; at >= arity_ && !loaded[at]; at = matcher_.positions[at].parent) {
            path.push_back(at);
            loaded[at] = true;
        }
        for (; !path.empty(); path.pop_back()) {
            TermPosition const& from = matcher_.positions[path.back()];
            code.line("{} = lane.look({});", node_name(from.parent), position_name(from.parent));
            code.line("{}", load(path.back(), from));
        }
    }

    void operation(CodeWriter& code, State const& state) const {
        std::vector<std::string> bytes;
        for (std::uint32_t i = 0; i < operand_bytes; ++i)
            bytes.push_back(symbol(state.variables[i]));
        write_operation(code, generator_.system().rules[state.rule].operation, bytes,
                        generator_.system().integers->first_byte, "goto " + label(state.otherwise) + ";");
    }

    // Writes what the state's rule does after its conditions before `condition` hold: the next condition or the right
    // side.
    void apply_from(CodeWriter& code, StateId id, std::size_t condition) {
        State const& state = matcher_.states[id];
        std::vector<std::string> variables;
        Rule const& rule = generator_.system().rules[state.rule];
        for (std::uint32_t i = 0; i < state.variables.size(); ++i) {
            // A constant is the number of its symbol.
            variables.push_back(
                is_result(rule, i) ? fmt::format("({}u + {})", generator_.system().integers->first_byte, result_byte(i))
                                   : position_name(state.variables[i]));
        }
        std::vector<std::string> fixed;
        bool const tests = condition < rule.conditions.size();
        for (PositionId position = 0; tests && position < generator_.passed(symbol_); ++position)
            fixed.push_back(fmt::format("lane.a[{}]", position));
        Body const& body = tests ? generator_.condition(symbol_, id, condition) : generator_.right_side(state.rule);
        write_segment(code, generator_, body, 0, pc_, variables, fixed, loop_ ? &*loop_ : nullptr);
    }

    Generator& generator_;
    unsigned pc_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher const& matcher_;
    std::optional<Loop> loop_;
    mutable std::set<PositionId> loaded_arguments_;  // whose symbols the states read
};

}  // namespace

void write_entry(jit::CodeWriter& code, Generator& generator, SymbolId symbol, StateId state, std::size_t condition,
                 unsigned pc) {
    EntryText(generator, symbol, pc).run(code, state, condition);
}

}  // namespace lockstep::term_rewriting::fast
