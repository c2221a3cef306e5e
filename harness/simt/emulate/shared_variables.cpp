// `__shared__` declarations. `__shared__ float tile[4][5], sum;` becomes
//
//   typedef float lockstep_type_1_tile[4][5], lockstep_type_1_sum; struct lockstep_tag_1_tile {}; auto& tile = ...
//
// because a typedef takes the same declarators, whatever the type is. The local struct tells the variable from all
// others: in a template, each instantiation has its own. A declaration outside of functions is repeated at the start of
// each function of the file that uses the name, because the variable is another one in each block.

#include <algorithm>
#include <map>
#include <set>

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

bool begins_statement(std::string_view before) {
    return before == ";" || before == "{" || before == "}" || before == ":" || before == ")" || before == ">" ||
           before == "else" || before == "do";
}

std::size_t statement_begin(std::vector<Token> const& tokens, std::size_t at) {
    while (at > 0 && !begins_statement(tokens[at - 1].text) && tokens[at - 1].text != "(" &&
           tokens[at - 1].text != ",") {
        --at;
    }
    return at;
}

std::size_t statement_end(std::vector<Token> const& tokens, std::size_t at) {
    while (at < tokens.size() && tokens[at].text != ";") {
        bool const opens = tokens[at].text == "(" || tokens[at].text == "[" || tokens[at].text == "{";
        at = (opens ? closing(tokens, at) : at) + 1;
    }
    return std::min(at, tokens.size());
}

bool is_dropped(std::string_view word) {
    return word == "__shared__" || word == "extern" || word == "static" || word == "__device__" ||
           word == "__restrict__" || word == "inline";
}

class Rewriter {
public:
    Rewriter(Source& source, std::vector<Token> const& tokens, Scopes const* scopes)
        : source_(source), tokens_(tokens), scopes_(scopes) {}

    void run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (tokens_[i].text == "__shared__") {
                i = rewrite(i);
            }
        }
        if (scopes_ != nullptr && !at_file_scope_.empty()) {
            repeat_in_functions();
        }
    }

private:
    // Returns the last token that it has dealt with.
    std::size_t rewrite(std::size_t keyword) {
        bool const in_define = tokens_[keyword].directive != 0;
        std::size_t begin = statement_begin(tokens_, keyword);
        if (in_define && begin == 0) {
            begin = keyword;  // `#define TILE __shared__ float tile[32]`
        }
        std::size_t const end = statement_end(tokens_, keyword);
        Declaration const declaration = declaration_of(tokens_, begin, end);
        bool const is_parameter = begin > 0 && (tokens_[begin - 1].text == "(" || tokens_[begin - 1].text == ",");
        if (is_parameter || declaration.names.empty()) {
            source_.replace(tokens_[keyword].begin, tokens_[keyword].end, "");
            return keyword;
        }
        std::string const text = declared(begin, end, declaration);
        std::size_t const text_end = end < tokens_.size() ? tokens_[end].begin : tokens_[end - 1].end;
        std::size_t const text_begin = tokens_[begin].begin;
        if (scopes_ != nullptr && scopes_->at_namespace[keyword]) {
            for (Declaration::Name const& name : declaration.names) {
                at_file_scope_[std::string(tokens_[name.token].text)] = text + "; ";
            }
            source_.replace(text_begin, text_end, newlines_of(source_.between(text_begin, text_end)));
        } else {
            source_.replace(text_begin, text_end, text);
            if (Function const* const function = scopes_ == nullptr ? nullptr : scopes_->function_of(keyword)) {
                for (Declaration::Name const& name : declaration.names) {
                    hidden_[function->open].insert(std::string(tokens_[name.token].text));
                }
            }
        }
        return end;
    }

    std::string declared(std::size_t begin, std::size_t end, Declaration const& declaration) {
        std::string const number = std::to_string(++count_) + "_" + std::to_string(tokens_[begin].begin) + "_";
        std::string types = "typedef ";
        std::string references;
        bool is_extern = false;
        std::size_t at = tokens_[begin].begin;
        std::size_t next = 0;
        for (std::size_t i = begin; i < end; ++i) {
            is_extern |= tokens_[i].text == "extern";
            if (next < declaration.names.size() && i == declaration.names[next].token) {
                Declaration::Name const& name = declaration.names[next++];
                types += std::string(source_.between(at, tokens_[i].begin)) + "lockstep_type_" + number;
                at = tokens_[i].begin;
                references += reference(std::string(tokens_[i].text), number, is_extern);
                i = name.initializer - 1;
                types += source_.between(at, tokens_[i].end);
                std::size_t const declarator_end = tokens_[name.end - 1].end;
                types += newlines_of(source_.between(tokens_[i].end, declarator_end));
                at = declarator_end;
                i = name.end - 1;
            } else if (is_dropped(tokens_[i].text)) {
                types += source_.between(at, tokens_[i].begin);
                at = tokens_[i].end;
            } else if (tokens_[i].text == "alignas") {  // which no typedef may have
                types += std::string(source_.between(at, tokens_[i].begin)) + "__align__";
                at = tokens_[i].end;
            }
        }
        return types + references;
    }

    static std::string reference(std::string const& name, std::string const& number, bool is_extern) {
        std::string const type = "lockstep_type_" + number + name;
        std::string const tag = "lockstep_tag_" + number + name;
        std::string const emulator = "::lockstep::simt::emulator::";
        if (is_extern) {
            return "; auto& " + name + " = " + emulator + "dynamic_shared<" + type + ">(\"" + name + "\")";
        }
        return "; struct " + tag + " {}; auto& " + name + " = " + emulator + "static_shared<" + type + ", " + tag +
               ", alignof(" + type + ")>(\"" + name + "\")";
    }

    void repeat_in_functions() {
        for (Function const& function : scopes_->functions) {
            std::string declarations;
            std::map<std::string, std::string> left = at_file_scope_;
            for (std::size_t i = function.header; i < function.open; ++i) {
                left.erase(std::string(tokens_[i].text));  // a parameter hides the variable
            }
            for (std::string const& name : hidden_[function.open]) {
                left.erase(name);
            }
            for (std::size_t i = function.open + 1; i < function.close && i < tokens_.size(); ++i) {
                bool const is_member = tokens_[i - 1].text == "." || tokens_[i - 1].text == "->";
                auto const used = is_member ? left.end() : left.find(std::string(tokens_[i].text));
                if (used != left.end()) {
                    declarations += declarations.find(used->second) == std::string::npos ? used->second : "";
                    left.erase(used);
                }
            }
            if (!declarations.empty()) {
                std::string line;
                for (char const c : declarations) {
                    line += c == '\n' ? ' ' : c;
                }
                source_.replace(tokens_[function.open].end, tokens_[function.open].end, " " + line);
            }
        }
    }

    Source& source_;
    std::vector<Token> const& tokens_;
    Scopes const* scopes_;
    std::map<std::string, std::string> at_file_scope_;     // declaration by name
    std::map<std::size_t, std::set<std::string>> hidden_;  // names that a function declares, by its opening brace
    unsigned count_ = 0;
};

}  // namespace

void rewrite_shared_variables(Source& source, std::vector<Token> const& tokens, Scopes const* scopes) {
    Rewriter(source, tokens, scopes).run();
}

}  // namespace lockstep::simt::emulate
