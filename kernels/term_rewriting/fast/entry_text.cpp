#include <set>

#include "common/term_rewriting/compiler/state_text.hpp"
#include "harness/simt/ceil_div.hpp"
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
        std::vector<bool> operand(matcher_.places.size(), false);
        for (PlaceId const place : state.variables)
            text += look_down_to(place, operand);
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
        if (place < arity_) {
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
        words.resize(simt::round_up(words.size(), 4u), "0");
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
    std::string look_down_to(PlaceId place, std::vector<bool>& operand) const {
        std::vector<PlaceId> path;
        for (PlaceId at = place; at >= arity_ && !operand[at]; at = matcher_.places[at].parent) {
            path.push_back(at);
            operand[at] = true;
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
        return segment_text(generator_, body, 0, pc_, indent, variables, fixed);
    }

    Generator& generator_;
    unsigned pc_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher const& matcher_;
    mutable std::set<PlaceId> looked_at_;
};

}  // namespace

std::string entry_text(Generator& generator, SymbolId symbol, StateId state, std::size_t condition, unsigned pc) {
    return EntryText(generator, symbol, pc).run(state, condition);
}

}  // namespace lockstep::term_rewriting::fast
