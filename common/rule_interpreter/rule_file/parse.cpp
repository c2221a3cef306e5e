#include <algorithm>
#include <set>

#include "common/rule_interpreter/rule_file/arguments.hpp"
#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/jit/declarations.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

std::set<std::string> const members = {"number",     "seed",    "commit", "deferring", "digest",
                                       "initialise", "written", "s",      "i",         "State"};

class Parser : private jit::DeclarationReader {
public:
    Parser(std::string const& text, std::string const& path) : DeclarationReader(text, path, "a rule file", members) {
        file_.path = path;
        file_.code = text;
    }

    RuleFile parse() {
        while (skip_space(), at_ < plain_.size())
            statement();
        require_closed();
        if (file_.rules.empty())
            throw bench::Error("no rules in " + file_.path, "a rule file has at least one",
                               "Write rule NAME over COLUMN { condition, evaluate };");
        resolve_columns();
        return std::move(file_);
    }

private:
    std::string form_of(std::size_t statement) const override {
        if (plain_.compare(statement, 4, "rule") == 0)
            return "Write rule NAME over COLUMN { ... };";
        return plain_.compare(statement, 9, "parameter") == 0 ? "Write parameter TYPE NAME = NUMBER;"
                                                              : "Write column TYPE NAME[SIZE] = EXPRESSION;";
    }

    // A declaration of a rule file, a line for the preprocessor, or C++ up to its end.
    void statement() {
        std::size_t const start = at_;
        if (plain_[at_] == '#')
            skip_directive();
        else if (begins("parameter"))
            parameter(start);
        else if (begins("column"))
            column(start, false);
        else if (begins("deferred"))
            column(start, true);
        else if (begins("rule"))
            rule(start);
        else
            skip_code();
    }

    void parameter(std::size_t start) {
        file_.parameters.push_back(take_parameter(start));
        if (file_.parameters.size() > max_parameters)
            fail(start, "more than " + std::to_string(max_parameters) + " parameters", "Use a constant.");
        blank(file_.code, start, at_);
    }

    void column(std::size_t start, bool deferred) {
        ColumnLine line;
        line.line = line_of(start);
        line.deferred = deferred;
        at_ += peek_word().size();
        if (deferred && take_word("column", start) != "column")
            fail(start, "expected column after deferred", "Write deferred column TYPE NAME[SIZE];");
        line.type = take_type(start);
        line.name = take_name("column", start);
        expect('[', start);
        line.size = size(start);
        if (take('=')) {
            line.value_line = line_of(at_);
            std::size_t const from = at_;
            line.value = until(";,", start);
            if (plain_[at_] == ',')
                fail(at_, "the initial value of column " + line.name + " has a comma outside of brackets",
                     "Declare one column at a time, and put a value with such a comma in parentheses.");
            line.reads = reads_in(from, at_);
        }
        expect(';', start);
        if (file_.columns.size() == max_columns)
            fail(start, "more than " + std::to_string(max_columns) + " columns", "Join columns of one type.");
        file_.columns.push_back(line);
        blank(file_.code, start, at_);
    }

    // A size without its spaces and comments, past the bracket that closes it.
    std::string size(std::size_t start) {
        std::size_t const from = at_;
        std::string text = plain_until("]", start);
        for (std::size_t i = 1; i < text.size(); ++i) {
            std::size_t const word = text.find_first_not_of(" \t\r\n\v\f", i);
            if (word != text.npos && word != i && jit::is_word(text[i - 1]) && jit::is_word(text[word]))
                fail(from + word, "the size has two numbers or names side by side", "Write + - * or / between them.");
        }
        text.erase(std::remove_if(text.begin(), text.end(), jit::is_space), text.end());
        ++at_;
        return text;
    }

    std::vector<ReadLine> reads_in(std::size_t from, std::size_t end) {
        std::vector<ReadLine> reads;
        for (at_ = from; at_ < end;) {
            std::size_t const word = at_;
            bool const is_state =
                peek_word() == "s" && (word == 0 || (plain_[word - 1] != '.' && plain_[word - 1] != '>'));
            at_ += std::max<std::size_t>(peek_word().size(), 1);
            if (!is_state || !take('.'))
                continue;
            skip_space();
            std::string const name = peek_word();
            at_ += name.size();
            std::size_t const behind = at_;
            if (!take('.') || (skip_space(), peek_word() != "size"))
                reads.push_back({name, line_of(word)});
            at_ = behind;
        }
        at_ = end;
        return reads;
    }

    void rule(std::size_t start) {
        at_ += std::string_view("rule").size();
        RuleLine line;
        line.line = line_of(start);
        line.name = take_name("rule", start);
        skip_space();
        if (std::size_t const over = at_; peek_word() == "over") {
            at_ += std::string_view("over").size();
            over_.push_back({take_word("the name of a column", start), over});
            blank(file_.code, over, at_);
        } else {
            over_.push_back({"", at_});
        }
        skip_space();
        if (at_ >= plain_.size() || plain_[at_] != '{')
            fail(std::min(at_, plain_.size()), "expected {", form_of(start));
        if (file_.rules.size() == max_rules)
            fail(start, "more than " + std::to_string(max_rules) + " rules", "Join rules.");
        file_.rules.push_back(line);
        // "struct" is longer than "rule", so later positions in the code shift: edit_rules() replaces it at the end.
        renamed_.push_back(start);
        skip_code();
        std::size_t const brace = at_;
        skip_space();
        if (at_ >= plain_.size() || plain_[at_] != ';')
            missing_semicolons_.push_back(brace);
    }

    // Columns can be declared after the rules that name them.
    void resolve_columns() {
        for (std::size_t rule = 0; rule < file_.rules.size(); ++rule) {
            auto const& [name, at] = over_[rule];
            if (name.empty())
                continue;
            std::vector<std::string> known;
            for (ColumnLine const& column : file_.columns)
                known.push_back(column.name);
            auto const found = std::find(known.begin(), known.end(), name);
            if (found == known.end())
                fail(at, "unknown column " + name, known.empty() ? "" : bench::suggestion(name, known));
            file_.rules[rule].over = static_cast<std::size_t>(found - known.begin());
        }
        if (file_.columns.empty())
            throw bench::Error("no columns in " + file_.path, "rules work on columns", "Write column TYPE NAME[SIZE];");
        edit_rules();
    }

    // "rule" becomes "struct", and a struct ends with a semicolon. From the end, so that positions stay valid.
    void edit_rules() {
        std::vector<std::pair<std::size_t, bool>> edits;
        for (std::size_t const at : renamed_)
            edits.emplace_back(at, true);
        for (std::size_t const at : missing_semicolons_)
            edits.emplace_back(at, false);
        std::sort(edits.rbegin(), edits.rend());
        for (auto const& [at, renames] : edits) {
            if (renames)
                file_.code.replace(at, std::string_view("rule").size(), "struct");
            else
                file_.code.insert(at, ";");
        }
    }

    RuleFile file_;
    std::vector<std::pair<std::string, std::size_t>> over_;  // of each rule
    std::vector<std::size_t> renamed_;
    std::vector<std::size_t> missing_semicolons_;
};

}  // namespace

void check_initial_values(RuleFile const& file, std::vector<bool> const& from_file) {
    for (std::size_t column = 0; column < file.columns.size(); ++column) {
        if (from_file[column])
            continue;
        for (ReadLine const& read : file.columns[column].reads) {
            for (std::size_t other = column; other < file.columns.size(); ++other) {
                std::string const& name = file.columns[other].name;
                if (name == read.name && !from_file[other])
                    throw bench::Error("invalid " + file.path + " line " + std::to_string(read.line),
                                       "the initial value of " + file.columns[column].name + " reads column " + name +
                                           (other == column ? " itself" : ", which is declared later"),
                                       other == column ? "Compute it from s and i."
                                                       : "Declare " + name + " before it, or read it from a file.");
            }
        }
    }
}

RuleFile parse_rule_file(std::string const& text, std::string const& path) { return Parser(text, path).parse(); }

RuleFile read_rule_file(std::string const& path) {
    std::string const text = bench::read_input(path, bench::Input::rules);
    return parse_rule_file(text, path == bench::standard_input ? "standard input" : path);
}

}  // namespace lockstep::rule_interpreter::rule_file
