#include <set>

#include "common/term_rewriting/compiler/state_text.hpp"
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
        for (PlaceId place = 0; place < matcher_.places.size(); ++place) {
            std::string const name = place_name(place);
            code.line("unsigned {};", name);
            code.line("uint4 {};", node_name(place));
            if (place < arity_)
                code.line("{} = {};", name, argument(place));
        }
        State const& state = matcher_.states[start];
        if (condition == 0) {
            Matcher matcher = matcher_;
            matcher.start = start;
            CodeWriter states(code.depth());
            write_states(states, matcher, arity_, *this);
            load_arguments(code);
            code.append(states.text());
            return;
        }
        std::vector<bool> loaded(matcher_.places.size(), false);
        for (PlaceId const place : state.variables)
            load_down_to(code, place, loaded);
        apply_from(code, start, condition);
    }

    std::string load(PlaceId place, TermPlace const& from) const override {
        if (from.argument >= 3)
            return fmt::format("{} = lane.argument({}, {}u);", place_name(place), place_name(from.parent),
                               from.argument);
        return fmt::format("{} = {}.{};", place_name(place), node_name(from.parent), "yzw"[from.argument]);
    }
    std::string symbol(PlaceId place) const override {
        if (place < arity_) {
            loaded_arguments_.insert(place);
            return node_name(place) + ".x";
        }
        return fmt::format("({} = lane.look({})).x", node_name(place), place_name(place));
    }
    bool apply(CodeWriter& code, StateId id, State const& state) override {
        auto const block = code.block();
        std::vector<bool> loaded(matcher_.places.size(), false);
        for (PlaceId const place : state.variables) {
            if (place >= arity_ && !loaded[place])
                code.line("{}", load(place, matcher_.places[place]));
            loaded[place] = true;
        }
        apply_from(code, id, 0);
        code.line("return;");
        return false;
    }
    void stuck(CodeWriter& code) override {
        if (arity_ == 0 || generator_.boxed(symbol_)) {
            code.line("lane.give({});", arity_ == 0 ? number(symbol_) : "lane.a[0]");
            code.line("return;");
            return;
        }
        std::vector<std::string> words = {number(symbol_)};
        for (PlaceId place = 0; place < arity_; ++place)
            words.push_back(place_name(place));
        words.resize((words.size() + 3) / 4 * 4, "0");
        code.line("if (!lane.room({}u))", words.size() / 4);
        code.line("    return;");
        auto const block = code.block();
        code.line("unsigned const made = lane.take({}u);", words.size() / 4);
        write_words(code, "made", words);
        code.line("lane.give(made);");
        code.line("return;");
    }

private:
    static std::string node_name(PlaceId place) { return fmt::format("n{}", place); }
    std::string argument(PlaceId place) const {
        return generator_.boxed(symbol_) ? fmt::format("lane.argument(lane.a[0], {}u)", place)
                                         : fmt::format("lane.a[{}]", place);
    }

    // Loads the nodes of the arguments together, so that the lane waits once.
    void load_arguments(CodeWriter& code) const {
        for (PlaceId const place : loaded_arguments_)
            code.line("{} = lane.look({});", node_name(place), place_name(place));
    }

    // Loads every node above the place that is not loaded yet.
    void load_down_to(CodeWriter& code, PlaceId place, std::vector<bool>& loaded) const {
        std::vector<PlaceId> path;
        for (PlaceId at = place; at >= arity_ && !loaded[at]; at = matcher_.places[at].parent) {
            path.push_back(at);
            loaded[at] = true;
        }
        for (; !path.empty(); path.pop_back()) {
            TermPlace const& from = matcher_.places[path.back()];
            code.line("{} = lane.look({});", node_name(from.parent), place_name(from.parent));
            code.line("{}", load(path.back(), from));
        }
    }

    // The rule of the state once its conditions before `condition` hold.
    void apply_from(CodeWriter& code, StateId id, std::size_t condition) {
        State const& state = matcher_.states[id];
        std::vector<std::string> variables;
        for (PlaceId const place : state.variables)
            variables.push_back(place_name(place));
        std::vector<std::string> fixed;
        bool const tests = condition < generator_.system().rules[state.rule].conditions.size();
        for (PlaceId place = 0; tests && place < generator_.passed(symbol_); ++place)
            fixed.push_back(fmt::format("lane.a[{}]", place));
        Body const& body = tests ? generator_.condition(symbol_, id, condition) : generator_.right_side(state.rule);
        write_segment(code, generator_, body, 0, pc_, variables, fixed);
    }

    Generator& generator_;
    unsigned pc_;
    SymbolId symbol_;
    std::size_t arity_;
    Matcher const& matcher_;
    mutable std::set<PlaceId> loaded_arguments_;  // whose symbols the states ask for
};

}  // namespace

void write_entry(jit::CodeWriter& code, Generator& generator, SymbolId symbol, StateId state, std::size_t condition,
                 unsigned pc) {
    EntryText(generator, symbol, pc).run(code, state, condition);
}

}  // namespace lockstep::term_rewriting::fast
