// REC, the language of the Rewrite Engines Competition, in its three dialects: `%` or `#` comments, conditions `-><-`
// and `->/<-` or `=` and `<>`, #include "file" (inserts its text) or REC-SPEC name : base (adds the declarations and
// rules of base.rec in the same folder, without its EVAL terms), EVAL or lines `get normal form for: TERM` anywhere,
// also after END-SPEC and in META { ... }, of which the rest is skipped.

#include <algorithm>
#include <array>
#include <unordered_set>

#include "common/term_rewriting/language/builder.hpp"
#include "common/term_rewriting/language/parse.hpp"

namespace lockstep::term_rewriting {

namespace {

constexpr std::array<std::string_view, 9> section_words = {"REC-SPEC", "SORTS", "CONS", "OPNS",    "OPS",
                                                           "VARS",     "RULES", "EVAL", "END-SPEC"};

bool is_section(Token const& token) {
    return token.kind == Token::Kind::identifier &&
           std::find(section_words.begin(), section_words.end(), token.text) != section_words.end();
}

// Loads all tokens of a file; the tokens of an included file replace the include.
class Loader {
public:
    Loader(Sources& sources, ReadFile const& read) : sources_(sources), read_(read) {}

    std::vector<Token> load(std::uint32_t file) {
        add(file);
        Location const end = tokens_.empty() ? Location{file, 1, 1} : tokens_.back().location;
        tokens_.push_back({Token::Kind::end_line, "", end});
        tokens_.push_back({Token::Kind::end, "", end});
        return std::move(tokens_);
    }

private:
    void add(std::uint32_t file) {
        std::vector<Token> const own = tokenize(sources_, file, Language::rec);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (own[i].kind == Token::Kind::include) {
                add_file(own[i], std::string(own[i].text), file);
            } else if (own[i].kind != Token::Kind::end) {
                if (own[i].is_word("REC-SPEC") && i + 3 < own.size() && own[i + 2].is(":") &&
                    own[i + 3].kind == Token::Kind::identifier)
                    add_base(own[i + 3], file);
                tokens_.push_back(own[i]);
                if (i > 0 && own[i - 1].is_word("REC-SPEC") && own[i].kind == Token::Kind::identifier)
                    specified_.insert(own[i].text);
            }
        }
    }

    void add_file(Token const& where, std::string const& name, std::uint32_t from) {
        std::string const& includer = sources_.names()[from];
        std::string const path = includer.substr(0, includer.find_last_of('/') + 1) + name;
        check_include(where, path, from);
        std::string text;
        try {
            text = read_(path);
        } catch (bench::Error const& error) {
            throw sources_.error(where.location, "cannot include " + path, error.what());
        }
        open_.push_back(from);
        add(sources_.add(path, std::move(text)));
        open_.pop_back();
    }

    // The bounds are beyond any realistic system. Depth alone would not bound the work: 32 files, each of which
    // includes the next one twice, are read 2^32 times.
    void check_include(Token const& where, std::string const& path, std::uint32_t from) {
        constexpr std::size_t max_depth = 32;
        constexpr std::size_t max_includes = 1000;
        auto const is_path = [&](std::uint32_t file) { return sources_.names()[file] == path; };
        if (is_path(from) || std::any_of(open_.begin(), open_.end(), is_path)) {
            throw sources_.error(where.location, "cannot include " + path, "it includes itself",
                                 "Remove one of the includes.");
        }
        if (open_.size() == max_depth) {
            throw sources_.error(where.location, "includes go too deep", "more than 32 levels",
                                 "Do files include one another?");
        }
        if (++includes_ > max_includes) {
            throw sources_.error(where.location, "too many includes", "more than 1000", "Include each file once.");
        }
    }

    void add_base(Token const& base, std::uint32_t from) {
        if (specified_.contains(base.text))
            return;  // the same text already contains it
        std::size_t const first = tokens_.size();
        add_file(base, std::string(base.text) + ".rec", from);
        bool evaluates = false;
        bool asks = false;  // get normal form for: TERM
        std::vector<Token> const added(tokens_.begin() + static_cast<std::ptrdiff_t>(first), tokens_.end());
        tokens_.resize(first);
        for (Token const& token : added) {
            if (is_section(token) || token.kind == Token::Kind::end_line)
                asks = false;
            if (is_section(token))
                evaluates = token.is_word("EVAL");
            asks = asks || token.is_word(eval_words);
            if (!evaluates && !asks)
                tokens_.push_back(token);
        }
    }

    Sources& sources_;
    ReadFile const& read_;
    std::vector<std::uint32_t> open_;  // the files that are being included, without the innermost
    std::size_t includes_ = 0;
    std::vector<Token> tokens_;
    std::unordered_set<std::string_view> specified_;  // the names after REC-SPEC among the tokens
};

class RecParser {
public:
    RecParser(Sources& sources, std::uint32_t file, ReadFile const& read)
        : sources_(sources), builder_(sources), tokens_(Loader(sources, read).load(file)) {}

    System run() {
        collect();
        for (Line const& line : lines_of("SORTS"))
            sorts(line);
        for (std::string_view const section : {"CONS", "OPNS", "OPS"}) {
            for (Line const& line : lines_of(section))
                symbol(line);
        }
        for (Line const& line : lines_of("VARS"))
            variables(line);
        builder_.end_declarations();
        for (Line const& line : lines_of("RULES"))
            rule(line);
        for (Line const& line : lines_of("EVAL")) {
            TokenReader reader(sources_, tokens_, line.first);
            builder_.add_input(builder_.closed_term(reader));
            reader.skip(";");
            end_line(reader);
        }
        builder_.system().language = Language::rec;
        return builder_.finish();
    }

private:
    struct Line {
        std::string_view section;
        std::size_t first;  // its first token
    };

    // Assigns lines to sections. A section's keyword is on a separate line or before its first entry.
    void collect() {
        TokenReader reader(sources_, tokens_);
        std::size_t open = 0;
        std::string_view section;
        while (reader.peek().kind != Token::Kind::end) {
            if (reader.peek().kind == Token::Kind::end_line) {
                reader.take();
            } else if (reader.peek().is_word(eval_words)) {
                reader.take();
                add_line("EVAL", reader);
            } else if (is_section(reader.peek())) {
                bool const outside = open == 0 && !reader.peek().is_word("REC-SPEC");
                if (outside && !reader.peek().is_word("END-SPEC"))
                    reader.fail_expected("REC-SPEC");
                section = reader.take().text;
                if (section == "REC-SPEC")
                    begin(reader, open);
                if (section == "END-SPEC" && open-- == 0)
                    throw sources_.error(tokens_[reader.position() - 1].location, "END-SPEC without REC-SPEC",
                                         "expected REC-SPEC before it");
            } else {
                if (section.empty() || section == "REC-SPEC" || section == "END-SPEC")
                    reader.fail_expected(section == "REC-SPEC" ? "SORTS, CONS, OPNS, VARS, RULES, EVAL or END-SPEC"
                                                               : "REC-SPEC");
                add_line(section, reader);
            }
        }
        if (open != 0)
            reader.fail_expected("END-SPEC");
    }

    void add_line(std::string_view section, TokenReader& reader) {
        lines_.push_back({section, reader.position()});
        while (!ended(reader))
            reader.take();
    }

    // name [: base]; the tokens of the base come earlier.
    void begin(TokenReader& reader, std::size_t& open) {
        ++open;
        builder_.system().name = std::string(reader.expect_identifier("a name").text);
        if (reader.skip(":"))
            reader.expect_identifier("a base");
        end_line(reader);
    }

    std::vector<Line> lines_of(std::string_view section) const {
        std::vector<Line> of;
        std::copy_if(lines_.begin(), lines_.end(), std::back_inserter(of),
                     [&](Line const& line) { return line.section == section; });
        return of;
    }

    static bool ended(TokenReader& reader) { return reader.peek().kind == Token::Kind::end_line; }

    static void end_line(TokenReader& reader) {
        if (!ended(reader))
            reader.fail_expected("the end of the line");
    }

    void sorts(Line const& line) {
        TokenReader reader(sources_, tokens_, line.first);
        while (!ended(reader)) {
            builder_.declare_sort(reader.expect_identifier("a sort"));
            reader.skip(",");
        }
    }

    std::vector<Token const*> names_before_colon(TokenReader& reader, std::string const& what) {
        std::vector<Token const*> names;
        do {
            names.push_back(&reader.expect_identifier(what));
            reader.skip(",");
        } while (!reader.peek().is(":") && !ended(reader));
        reader.expect(":");
        return names;
    }

    // c : S1 S2 -> S
    void symbol(Line const& line) {
        TokenReader reader(sources_, tokens_, line.first);
        std::vector<Token const*> const names = names_before_colon(reader, "a symbol");
        std::vector<SortId> arguments;
        while (!reader.peek().is("->")) {
            arguments.push_back(builder_.sort(reader.expect_identifier("a sort or ->")));
            reader.skip(",");
        }
        reader.take();
        SortId const result = builder_.sort(reader.expect_identifier("a sort"));
        end_line(reader);
        for (Token const* const name : names)
            builder_.declare_symbol(*name, arguments, result);
    }

    // x y : S
    void variables(Line const& line) {
        TokenReader reader(sources_, tokens_, line.first);
        std::vector<Token const*> const names = names_before_colon(reader, "a variable");
        SortId const sort = builder_.sort(reader.expect_identifier("a sort"));
        end_line(reader);
        for (Token const* const name : names)
            builder_.declare_variable(*name, sort);
    }

    static bool reads_equal(TokenReader& reader) {
        if (reader.skip("-><-") || reader.skip("="))
            return true;
        if (!reader.skip("->/<-") && !reader.skip("<>"))
            reader.fail_expected("-><- or ->/<- (= or <>)");
        return false;
    }

    // l -> r [if c {and-if c}]
    void rule(Line const& line) {
        TokenReader reader(sources_, tokens_, line.first);
        builder_.begin_rule(reader);
        reader.expect("->");
        TermId const right = builder_.bound_term(reader);
        std::vector<Condition> conditions;
        if (reader.peek().is_word("if")) {
            do {
                reader.take();
                conditions.push_back(builder_.condition_sides(reader, reads_equal));
            } while (reader.peek().is_word("and-if") || reader.peek().is_word("and") || reader.peek().is(","));
        }
        reader.skip(";");
        if (!ended(reader))
            reader.fail_expected(conditions.empty() ? "if or the end of the line" : "and-if or the end of the line");
        builder_.end_rule(right, std::move(conditions));
    }

    Sources& sources_;
    Builder builder_;
    std::vector<Token> tokens_;
    std::vector<Line> lines_;
};

}  // namespace

System parse_rec(Sources& sources, std::uint32_t file, ReadFile const& read) {
    return RecParser(sources, file, read).run();
}

}  // namespace lockstep::term_rewriting
