// Kernel launches: `kernel<T><<<grid, block, bytes, stream>>>(arguments)` becomes a call of launch_kernel.

#include <algorithm>
#include <cctype>

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

// The first token of the template argument list that ends with the `>` at `last`.
std::size_t template_arguments(std::vector<Token> const& tokens, std::size_t last) {
    int depth = 0;
    for (std::size_t i = last + 1; i-- > 0;) {
        std::string_view const text = tokens[i].text;
        if (text == ")" || text == "]" || text == "}") {
            i = opening(tokens, i);
            if (i == tokens.size()) {
                break;
            }
        } else if (text == ">") {
            ++depth;
        } else if (text == "<" && --depth == 0) {
            return i;
        }
    }
    return tokens.size();
}

// The first token of the expression that ends before `end`: names, `::`, `.`, `->`, brackets, template arguments.
std::size_t kernel_expression(std::vector<Token> const& tokens, std::size_t end) {
    std::size_t first = end;
    while (first > 0) {
        std::size_t last = first - 1;
        if (tokens[last].text == ">") {
            last = template_arguments(tokens, last);
            if (last == tokens.size() || last == 0) {
                break;
            }
            --last;
        }
        if (tokens[last].text == ")" || tokens[last].text == "]") {
            last = opening(tokens, last);
            if (last == tokens.size()) {
                break;
            }
            bool const is_call = last > 0 && tokens[last - 1].kind == TokenKind::identifier;
            first = is_call ? last - 1 : last;
        } else if (tokens[last].kind == TokenKind::identifier) {
            first = last;
        } else {
            break;
        }
        if (first == 0) {
            break;
        }
        std::string_view const link = tokens[first - 1].text;
        if (link == "##") {
            --first;
            continue;
        }
        if (link != "::" && link != "." && link != "->") {
            break;
        }
        --first;
        bool const names_more = first > 0 && (tokens[first - 1].kind == TokenKind::identifier ||
                                              tokens[first - 1].text == ">" || tokens[first - 1].text == ")");
        if (!names_more) {
            break;  // a leading ::
        }
    }
    return first;
}

struct Launch {
    std::size_t first;        // tokens: of the kernel,
    std::size_t open;         // the first `<` of `<<<`,
    std::size_t close;        // the first `>` of `>>>`,
    std::size_t parenthesis;  // of the arguments
    std::size_t last;
};

bool find_end(Source const& source, std::vector<Token> const& tokens, Launch& launch) {
    std::size_t i = launch.open + 3;
    while (i < tokens.size() && !is_triple(tokens, i, '>')) {
        bool const opens = tokens[i].text == "(" || tokens[i].text == "[" || tokens[i].text == "{";
        i = (opens ? closing(tokens, i) : i) + 1;
    }
    launch.close = i;
    launch.parenthesis = i + 3;
    if (launch.parenthesis >= tokens.size() || tokens[launch.parenthesis].text != "(") {
        return false;
    }
    launch.last = closing(tokens, launch.parenthesis);
    static_cast<void>(source);
    return launch.last < tokens.size();
}

// The positions of the commas of a list that are not in brackets or in template arguments.
std::size_t commas(std::vector<Token> const& tokens, std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    int angles = 0;
    for (std::size_t i = begin; i < end; ++i) {
        std::string_view const text = tokens[i].text;
        if (text == "(" || text == "[" || text == "{") {
            i = closing(tokens, i);
        } else if (text == "<") {
            ++angles;
        } else if (text == ">" && angles > 0) {
            --angles;
        } else if (text == "," && angles == 0) {
            ++count;
        }
    }
    return count;
}

// A macro by the usual convention. It may stand for the name of a template.
bool looks_like_macro(std::string_view name) {
    return std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

// True if the kernel of a launch is computed (a call, an element, a member, a pointer's target) and not named.
bool is_computed(std::vector<Token> const& tokens, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        std::string_view const text = tokens[i].text;
        if (text == "<") {
            return false;  // template arguments end the name
        }
        if (text == "(" && i > begin && tokens[i - 1].kind == TokenKind::identifier &&
            looks_like_macro(tokens[i - 1].text)) {
            return false;
        }
        if (text == "(" || text == "[" || text == "." || text == "->") {
            return true;
        }
    }
    return false;
}

// The text of a list, in which NULL is a null pointer of every type.
std::string argument_text(Source const& source, std::vector<Token> const& tokens, std::size_t begin, std::size_t end,
                          std::size_t text_begin, std::size_t text_end) {
    std::string result;
    std::size_t at = text_begin;
    for (std::size_t i = begin; i < end; ++i) {
        if (tokens[i].text == "NULL") {
            result += source.between(at, tokens[i].begin);
            result += "nullptr";
            at = tokens[i].end;
        }
    }
    return result += source.between(at, text_end);
}

void rewrite(Source& source, std::vector<Token> const& tokens, Launch const& launch, bool on_device) {
    std::size_t const begin = tokens[launch.first].begin;
    std::size_t const end = tokens[launch.last].end;
    if (on_device) {
        source.replace(begin, end, "lockstep_refused_dynamic_parallelism()" + newlines_of(source.between(begin, end)));
        return;
    }
    std::string kernel(source.between(begin, tokens[launch.open - 1].end));
    std::string const dropped = newlines_of(source.between(begin, tokens[launch.open].begin));
    for (char& c : kernel) {
        c = c == '\n' || c == '\\' || c == '\r' ? ' ' : c;
    }
    std::string configuration = argument_text(source, tokens, launch.open + 3, launch.close,
                                              tokens[launch.open + 2].end, tokens[launch.close].begin);
    std::size_t const given = 1 + commas(tokens, launch.open + 3, launch.close);
    for (std::size_t i = given; i < 4; ++i) {
        configuration += ", 0";
    }
    std::string const arguments = argument_text(source, tokens, launch.parenthesis + 1, launch.last,
                                                tokens[launch.close + 2].end, tokens[launch.last].begin);
    std::string const list = arguments.substr(arguments.find('(') + 1);
    bool const has_arguments = launch.last > launch.parenthesis + 1;
    // In a directive a line ends with a backslash, so the newlines that were dropped cannot be added.
    bool const in_directive = tokens[launch.first].directive != 0;
    // The host computes the kernel once, before the launch. A name stays in the lambda: it may be that of a template or
    // of overloaded functions, which only the call chooses among.
    bool const computed = is_computed(tokens, launch.first, launch.open);
    std::string const captured = computed ? "=, lockstep_kernel = (" + kernel + ")" : "=";
    std::string const called = computed ? "lockstep_kernel" : kernel;
    source.replace(begin, end,
                   (in_directive ? "" : dropped) + "::lockstep::simt::cuda::launch_kernel(" + configuration +
                       ", LOCKSTEP_TEXT_OF(" + kernel + "), __LINE__, [" + captured +
                       "](auto... lockstep_arguments) { " + called + "(lockstep_arguments...); }" +
                       (has_arguments ? ", " : "") + list + ")");
}

}  // namespace

void rewrite_launches(Source& source, std::vector<Token> const& tokens, Scopes const* scopes) {
    for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
        if (!is_triple(tokens, i, '<')) {
            continue;
        }
        Launch launch{kernel_expression(tokens, i), i, 0, 0, 0};
        if (launch.first == i || !find_end(source, tokens, launch)) {
            continue;
        }
        Function const* const function = scopes == nullptr ? nullptr : scopes->function_of(i);
        rewrite(source, tokens, launch, function != nullptr && function->runs_on_device_only());
        i = launch.last;
    }
}

}  // namespace lockstep::simt::emulate
