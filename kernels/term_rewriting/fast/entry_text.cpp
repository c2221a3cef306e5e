#include <set>

#include "common/term_rewriting/compiler/state_text.hpp"
#include "kernels/term_rewriting/fast/step_text.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

using namespace compiled;

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
        for (PositionId position = 0; position < matcher_.positions.size(); ++position) {
            std::string const name = position_name(position);
            text += "    unsigned " + name + ";\n    uint4 " + node_name(position) + ";\n";
            if (position < arity_)
                text += "    " + name + " = " + argument(position) + ";\n";
        }
        State const& state = matcher_.states[start];
        if (condition == 0) {
            Matcher matcher = matcher_;
            matcher.start = start;
            std::string const states = state_text(matcher, arity_, *this);
            return text + looks() + states;
        }
        std::vector<bool> operand(matcher_.positions.size(), false);
        for (PositionId const position : state.variables)
            text += look_down_to(position, operand);
        return text + apply_from(start, condition, "    ");
    }

    std::string load(PositionId position, TermPosition const& from) const override {
        std::string const field[] = {".y", ".z", ".w"};
        return position_name(position) + " = " +
               (from.argument < 3
                    ? node_name(from.parent) + field[from.argument]
                    : "lane.argument(" + position_name(from.parent) + ", " + number(from.argument) + ")") +
               ";";
    }
    std::string symbol(PositionId position) const override {
        if (position < arity_) {
            looked_at_.insert(position);
            return node_name(position) + ".x";
        }
        return "(" + node_name(position) + " = lane.look(" + position_name(position) + ")).x";
    }
    std::string apply(StateId id, State const& state, std::string const& indent) override {
        std::string text;
        std::vector<bool> loaded(matcher_.positions.size(), false);
        for (PositionId const position : state.variables) {
            if (position >= arity_ && !loaded[position])
                text += indent + load(position, matcher_.positions[position]) + "\n";
            loaded[position] = true;
        }
        return indent + "{\n" + text + apply_from(id, 0, indent + "    ") + indent + "    return;\n" + indent + "}\n";
    }
    std::string stuck(std::string const& indent) override {
        if (arity_ == 0)
            return indent + "lane.give(" + number(symbol_) + ");\n" + indent + "return;\n";
        if (generator_.boxed(symbol_))
            return indent + "lane.give(lane.a[0]);\n" + indent + "return;\n";
        std::vector<std::string> words = {number(symbol_)};
        for (PositionId position = 0; position < arity_; ++position)
            words.push_back(position_name(position));
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
    static std::string node_name(PositionId position) { return "n" + std::to_string(position); }
    std::string argument(PositionId position) const {
        return generator_.boxed(symbol_) ? "lane.argument(lane.a[0], " + number(position) + ")"
                                         : "lane.a[" + std::to_string(position) + "]";
    }

    // Of the arguments: all at once, so that they are waited for once.
    std::string looks() const {
        std::string text;
        for (PositionId const position : looked_at_)
            text += "    " + node_name(position) + " = lane.look(" + position_name(position) + ");\n";
        return text;
    }

    // Loads every node above the position that the step itself has not loaded.
    std::string look_down_to(PositionId position, std::vector<bool>& operand) const {
        std::vector<PositionId> path;
        for (PositionId at = position; at >= arity_ && !operand[at]; at = matcher_.positions[at].parent) {
            path.push_back(at);
            operand[at] = true;
        }
        std::string text;
        for (; !path.empty(); path.pop_back()) {
            TermPosition const& from = matcher_.positions[path.back()];
            text += "    " + node_name(from.parent) + " = lane.look(" + position_name(from.parent) + ");\n    " +
                    load(path.back(), from) + "\n";
        }
        return text;
    }

    // The rule of the state once its conditions before `condition` hold.
    std::string apply_from(StateId id, std::size_t condition, std::string const& indent) {
        State const& state = matcher_.states[id];
        std::vector<std::string> variables;
        for (PositionId const position : state.variables)
            variables.push_back(position_name(position));
        std::vector<std::string> fixed;
        bool const tests = condition < generator_.system().rules[state.rule].conditions.size();
        for (PositionId position = 0; tests && position < generator_.passed(symbol_); ++position)
            fixed.push_back("lane.a[" + std::to_string(position) + "]");
        Body const& body = tests ? generator_.condition(symbol_, id, condition) : generator_.right_side(state.rule);
        return segment_text(generator_, body, 0, pc_, indent, variables, fixed);
    }

    Generator& generator_;
    unsigned pc_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher const& matcher_;
    mutable std::set<PositionId> looked_at_;
};

}  // namespace

std::string entry_text(Generator& generator, SymbolId symbol, StateId state, std::size_t condition, unsigned pc) {
    return EntryText(generator, symbol, pc).run(state, condition);
}

}  // namespace lockstep::term_rewriting::fast
