#include <algorithm>
#include <set>

#include "common/rule_interpreter/rule_file/arguments.hpp"
#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "common/rule_interpreter/rule_file/scanner.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

std::vector<std::string> const type_names = {"u32", "i32", "f32", "u64", "i64", "f64"};

class Parser : private Scanner {
public:
    Parser(std::string const& text, std::string const& path) : Scanner(text, path) {
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
    // A declaration of a rule file, a line for the preprocessor, or C++ up to its end.
    void statement() {
        std::size_t const start = at_;
        std::string const word = peek_word();
        if (plain_[at_] == '#')
            directive();
        else if (word == "parameter" && next_is_word(word.size()))
            parameter(start);
        else if (word == "column" && next_is_word(word.size()))
            column(start, false);
        else if (word == "deferred" && next_is_word(word.size()))
            column(start, true);
        else if (word == "rule" && next_is_word(word.size()))
            rule(start);
        else
            skip_code();
    }
    // "column = 3" and "column::x" are C++.
    bool next_is_word(std::size_t skipped) const {
        std::size_t at = at_ + skipped;
        while (at < plain_.size() && is_space(plain_[at]))
            ++at;
        return at < plain_.size() && is_word(plain_[at]);
    }

    void directive() {
        std::size_t const start = at_++;
        skip_space();
        if (peek_word() == "include")
            fail(start, "a rule file cannot include a header",
                 "The types and functions that it can use are declared already.");
        do
            at_ = std::min(plain_.find('\n', at_), plain_.size() - 1) + 1;
        while (at_ >= 2 && at_ < plain_.size() && plain_[at_ - 2] == '\\');
    }

    Type take_type(std::size_t statement) {
        std::string const name = take_word("a type", statement);
        auto const found = std::find(type_names.begin(), type_names.end(), name);
        if (found == type_names.end())
            fail(at_ - 1, "unknown type " + name, bench::suggestion(name, type_names));
        return static_cast<Type>(found - type_names.begin());
    }

    std::string take_name(std::string const& what, std::size_t statement) {
        std::string name = take_word("the name of the " + what, statement);
        static std::set<std::string> const members = {"number",     "seed",    "commit", "deferring", "digest",
                                                      "initialise", "written", "s",      "i",         "State"};
        static std::set<std::string> const keywords = {
            "auto",     "bool",     "break",   "case",     "char",     "class",    "const",   "continue", "default",
            "delete",   "do",       "double",  "else",     "enum",     "explicit", "extern",  "false",    "float",
            "for",      "friend",   "goto",    "if",       "inline",   "int",      "long",    "mutable",  "namespace",
            "new",      "operator", "private", "public",   "register", "return",   "short",   "signed",   "sizeof",
            "static",   "struct",   "switch",  "template", "this",     "true",     "typedef", "typename", "union",
            "unsigned", "using",    "virtual", "void",     "volatile", "while"};
        bool const is_type = std::find(type_names.begin(), type_names.end(), name) != type_names.end();
        if (members.contains(name) || keywords.contains(name) || is_type || name.find("__") != name.npos)
            fail(at_ - 1, "the name " + name + " has a meaning already", "Choose another name.");
        if (!names_.insert(name).second)
            fail(at_ - 1, "the name " + name + " is declared twice", "Choose another name.");
        return name;
    }

    void blank_code(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            file_.code[i] = file_.code[i] == '\n' ? '\n' : ' ';
    }

    void parameter(std::size_t start) {
        at_ += std::string_view("parameter").size();
        ParameterLine line;
        line.line = line_of(start);
        line.type = take_type(start);
        line.name = take_name("parameter", start);
        expect('=', start);
        line.value = until(";", start);
        ++at_;
        if (file_.parameters.size() == max_parameters)
            fail(start, "more than " + std::to_string(max_parameters) + " parameters", "Use a constant.");
        file_.parameters.push_back(line);
        blank_code(start, at_);
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
        line.size = until("]", start);
        line.size.erase(std::remove_if(line.size.begin(), line.size.end(), is_space), line.size.end());
        ++at_;
        if (take('=')) {
            line.value_line = line_of(at_);
            line.value = until(";", start);
        }
        expect(';', start);
        if (file_.columns.size() == max_columns)
            fail(start, "more than " + std::to_string(max_columns) + " columns", "Join columns of one type.");
        file_.columns.push_back(line);
        blank_code(start, at_);
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
            blank_code(over, at_);
        } else {
            over_.push_back({"", at_});
        }
        skip_space();
        if (at_ >= plain_.size() || plain_[at_] != '{')
            fail(std::min(at_, plain_.size()), "expected {", form_of(start));
        if (file_.rules.size() == max_rules)
            fail(start, "more than " + std::to_string(max_rules) + " rules", "Join rules.");
        file_.rules.push_back(line);
        // A struct in as many characters, at least: the positions after it in the code move.
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
    std::set<std::string> names_;
    std::vector<std::pair<std::string, std::size_t>> over_;  // of each rule
    std::vector<std::size_t> renamed_;
    std::vector<std::size_t> missing_semicolons_;
};

}  // namespace

std::string_view to_string(Type type) { return type_names[static_cast<std::size_t>(type)]; }

RuleFile parse_rule_file(std::string const& text, std::string const& path) {
    if (text.find('\0') != text.npos)
        throw bench::Error("invalid " + path, "it has a NUL byte", "A rule file is text.");
    return Parser(text, path).parse();
}

RuleFile read_rule_file(std::string const& path) {
    std::string const text = bench::read_input(path, bench::Input::rules);
    return parse_rule_file(text, path == bench::standard_input ? "standard input" : path);
}

}  // namespace lockstep::rule_interpreter::rule_file
