#include <algorithm>
#include <set>

#include "common/replications/model_file/arguments.hpp"
#include "common/replications/model_file/model_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/jit/declarations.hpp"

namespace lockstep::replications::model_file {

namespace {

// Names of the code's own, of columns of the CSV file, and of other declarations.
std::set<std::string> const members = {"s",        "draw",  "step_number", "State",       "Piece",      "step", "start",
                                       "finished", "piece", "compose",     "apply",       "min",        "max",  "sqrt",
                                       "floor",    "fabs",  "point",       "replication", "steps_taken"};

class Parser : private jit::DeclarationReader {
public:
    Parser(std::string const& text, std::string const& path) : DeclarationReader(text, path, "a model file", members) {
        file_.path = path;
        file_.code = text;
    }

    ModelFile parse() {
        while (skip_space(), at_ < plain_.size())
            statement();
        require_closed();
        check();
        return std::move(file_);
    }

private:
    std::string form_of(std::size_t statement) const override {
        for (char const* const form : {"parameter TYPE NAME = NUMBER;", "stream NAME;", "mean NAME = EXPRESSION;"}) {
            std::string const word = std::string(form).substr(0, std::string(form).find(' '));
            if (plain_.compare(statement, word.size(), word) == 0)
                return std::string("Write ") + form;
        }
        return "Write result NAME = EXPRESSION;";
    }

    // A declaration, a line for the preprocessor, or C++ up to its end.
    void statement() {
        std::size_t const start = at_;
        if (plain_[at_] == '#')
            return skip_directive();
        if (begins("parameter"))
            parameter(start);
        else if (begins("stream"))
            stream(start);
        else if (begins("mean"))
            measure(start, "mean", file_.means, max_means);
        else if (begins("result"))
            measure(start, "result", file_.results, max_results);
        else
            return code(start);
        blank(file_.code, start, at_);
    }

    void require_at_most(std::size_t start, std::size_t count, std::size_t max, std::string const& what) const {
        if (count > max)
            fail(start, "more than " + std::to_string(max) + " " + what, "");
    }

    void parameter(std::size_t start) {
        file_.parameters.push_back(take_parameter(start));
        require_at_most(start, file_.parameters.size(), max_parameters, "parameters");
        ParameterLine const& line = file_.parameters.back();
        if (line.name == "steps" && line.type != Type::u32 && line.type != Type::u64)
            fail(start, "steps is a number of steps", "Write parameter u64 steps = NUMBER;");
    }

    void stream(std::size_t start) {
        at_ += std::string_view("stream").size();
        file_.streams.push_back(take_name("stream", start));
        expect(';', start);
        require_at_most(start, file_.streams.size(), max_streams - 1, "streams");
    }

    void measure(std::size_t start, std::string const& what, std::vector<MeasureLine>& all, std::size_t max) {
        at_ += what.size();
        MeasureLine line;
        line.name = take_name(what, start);
        expect('=', start);
        skip_space();
        line.line = line_of(at_);
        line.expression = until(";", start);
        if (std::all_of(line.expression.begin(), line.expression.end(), jit::is_space))
            fail(start, "an expression is missing", form_of(start));
        ++at_;
        all.push_back(line);
        require_at_most(start, all.size(), max, what + "s");
    }

    // Notes which function or struct this statement defines.
    void code(std::size_t start) {
        skip_code();
        std::size_t const end = std::min(plain_.find_first_of("{;=", start), at_);
        std::string before;
        for (std::size_t at = start; at < end; ++at) {
            if (!jit::is_word(plain_[at]))
                continue;
            std::size_t word_end = at;
            while (word_end < end && jit::is_word(plain_[word_end]))
                ++word_end;
            std::string const word = plain_.substr(at, word_end - at);
            std::size_t next = word_end;
            while (next < end && jit::is_space(plain_[next]))
                ++next;
            if (before == "struct" && plain_[end] == '{')
                define("struct " + word, start);
            if (next < end && plain_[next] == '(') {
                define(word, start);
                return;
            }
            before = word;
            at = word_end;
        }
    }

    void define(std::string const& name, std::size_t start) { file_.lines.emplace(name, line_of(start)); }

    void require(bool const is, std::string const& problem, std::string const& why, std::string const& form) const {
        if (!is)
            throw bench::Error(problem + " in " + path_, why, "Write " + form);
    }
    bool has(char const* name) const { return file_.lines.contains(name); }

    void check() {
        file_.starts = has("start");
        file_.finishes = has("finished");
        file_.composes = has("piece");
        require(file_.steps_parameter() < file_.parameters.size(), "no steps", "a model has a number of steps",
                "parameter u64 steps = 1000;");
        require(has("struct State"), "no state", "a model has one", "struct State { f64 x = 0; };");
        require(!file_.means.empty() || !file_.results.empty(), "no mean and no result", "a model has one",
                "mean NAME = EXPRESSION; or result NAME = EXPRESSION;");
        require(has("step") || file_.composes, "no step", "a model has one", "void step(State& s) { ... }");
        if (!file_.composes)
            return;
        require(!has("step"), "both step and piece", "piece() and apply() take the place of step()",
                "one of them only.");
        require(!file_.finishes, "both finished and piece",
                "lanes that share a replication need to know its number of steps", "step() instead of piece().");
        require(has("struct Piece"), "no struct Piece", "piece() returns it", "struct Piece { ... };");
        require(has("compose"), "no compose", "pieces are composed",
                "static Piece compose(Piece const& first, Piece const& second) { ... }");
        require(has("apply"), "no apply", "a piece changes a state",
                "void apply(State& s, Piece const& piece) { ... }");
    }

    ModelFile file_;
};

}  // namespace

std::size_t ModelFile::steps_parameter() const {
    auto const is_steps = [](ParameterLine const& line) { return line.name == "steps"; };
    return static_cast<std::size_t>(std::find_if(parameters.begin(), parameters.end(), is_steps) - parameters.begin());
}

std::vector<std::string> ModelFile::measure_names() const {
    std::vector<std::string> names;
    for (std::vector<MeasureLine> const* const part : {&means, &results}) {
        for (MeasureLine const& line : *part)
            names.push_back(line.name);
    }
    return names;
}

ModelFile parse_model_file(std::string const& text, std::string const& path) { return Parser(text, path).parse(); }

ModelFile read_model_file(std::string const& path) {
    std::string const text = bench::read_input(path, bench::Input::model);
    return parse_model_file(text, path == bench::standard_input ? "standard input" : path);
}

}  // namespace lockstep::replications::model_file
