#include "experiments/replications/weave_annotations.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <utility>
#include <vector>

#include "experiments/replications/weave_names.hpp"
#include "experiments/replications/weave_tokens.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::replications {

namespace {

using Kind = Annotation::Kind;

// Figures 3 and 4 with the corrections of warp_macros.hpp: warps are numbered block by block, and the grid's z
// dimension counts.
std::string const thread = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))";
std::string const block = "(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z))";
std::string const warps_in_block = "((blockDim.x * blockDim.y * blockDim.z + warpSize - 1) / warpSize)";
std::string const warp = block + " * " + warps_in_block + " + " + thread + " / warpSize";

// Of the first K lanes of each warp, of which a block's last warp may have fewer.
std::string active_lanes_in_block(std::string const& lanes) {
    std::string const threads = "(blockDim.x * blockDim.y * blockDim.z)";
    std::string const rest = threads + " % warpSize";
    return "(" + threads + " / warpSize * " + lanes + " + (" + rest + " < " + lanes + " ? " + rest + " : " + lanes +
           "u))";
}

constexpr std::string_view warp_name = "@warp";
constexpr std::pair<char const*, Kind> advice_names[] = {
    {"@before", Kind::before}, {"@after", Kind::after}, {"@count", Kind::count}, {"@time", Kind::time}};

[[noreturn]] void refuse(std::string_view text, std::string const& why) {
    throw NoAnnotation{"unknown annotation '" + std::string(trimmed(text.substr(0, text.find('\n')))) + "'", why};
}

// Splits "a=b(c, d), e" into "a=b(c, d)" and "e". `text` begins after the parenthesis, which is closed at the result's
// second member; npos if it is not.
std::pair<std::vector<std::string_view>, std::size_t> options_in(std::string_view text) {
    std::vector<std::string_view> options;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        char const c = text[at];
        if (c == '\n')
            break;
        bool const ends = depth == 0 && (c == ',' || c == ')');
        if (ends) {
            options.push_back(trimmed(text.substr(from, at - from)));
            from = at + 1;
            if (c == ')')
                return {options, at};
        }
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return {options, std::string_view::npos};
}

bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_name_character) &&
           std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

// True if the code ends nothing and opens nothing in the text around it: brackets and literals are closed, and there is
// no comment. Raw strings are not supported.
bool stands_alone(std::string_view code) {
    std::string open;
    for (std::size_t at = 0; at < code.size();) {
        if (std::string_view const word = word_at(code, at); !word.empty()) {
            at += word.size();
            if (is_raw_prefix(word) && code.substr(at, 1) == "\"")
                return false;
            continue;
        }
        char const c = code[at];
        if (c == '"' || c == '\'') {
            at = past_literal(code, at);
            if (at == code.npos)
                return false;
            continue;
        }
        if (code.substr(at, 2) == "//" || code.substr(at, 2) == "/*" || c == '\\')
            return false;
        if (c == '(' || c == '[' || c == '{')
            open += c == '(' ? ')' : c == '[' ? ']' : '}';
        if (c == ')' || c == ']' || c == '}') {
            if (open.empty() || open.back() != c)
                return false;
            open.pop_back();
        }
        ++at;
    }
    return open.empty();
}

constexpr char const* alone = "brackets and quotes must be closed, and comments and raw strings are not allowed";

void set_option(Annotation& annotation, std::string_view option, std::string_view comment) {
    std::size_t const equals = option.find('=');
    std::string_view const key = trimmed(option.substr(0, equals));
    std::string const value(equals == option.npos ? "" : trimmed(option.substr(equals + 1)));
    if (key == "cooperative" && equals == option.npos) {
        annotation.cooperative = true;
        return;
    }
    if (key == "lanes") {
        auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), annotation.lanes);
        if (error != std::errc() || end != value.data() + value.size() || annotation.lanes < 1 || annotation.lanes > 32)
            refuse(comment, "lanes is a number from 1 to 32");
        return;
    }
    std::pair<char const*, std::string*> const texts[] = {{"index", &annotation.index},
                                                          {"size", &annotation.size},
                                                          {"stream", &annotation.stream},
                                                          {"engine", &annotation.engine},
                                                          {"seed", &annotation.seed}};
    for (auto const& [name, text] : texts) {
        if (key != name)
            continue;
        bool const needs_name = key == "index" || key == "stream";
        if (value.empty() || (needs_name && !is_name(value)))
            refuse(comment, std::string(name) + (needs_name ? " is a name" : " needs a value"));
        if (!stands_alone(value))
            refuse(comment, alone);
        *text = value;
        return;
    }
    refuse(comment, "the options of @warp are lanes, cooperative, index, size, stream, engine and seed");
}

bool has_name(std::string_view code, std::string_view name) {
    for (std::size_t at = 0; at < code.size();) {
        std::string_view const word = word_at(code, at);
        if (word == name && !word.empty() && !precedes_member(code.substr(0, before_spaces(code, at))))
            return true;
        at += std::max<std::size_t>(word.size(), 1);
    }
    return false;
}

// The names that @warp declares are new ones.
void check_names(Annotation const& annotation, std::string_view comment) {
    constexpr std::string_view known[] = {"warpIdx",  "laneIdx", "threadIdx", "blockIdx",
                                          "blockDim", "gridDim", "warpSize"};
    for (auto const& [option, name] : {std::pair("index", annotation.index), std::pair("stream", annotation.stream)}) {
        if (std::find(std::begin(known), std::end(known), name) != std::end(known))
            refuse(comment, std::string(option) + " would hide " + name);
    }
    if (!annotation.index.empty() && annotation.index == annotation.stream)
        refuse(comment, "index and stream have one name");
    if (has_name(annotation.size, annotation.index))
        refuse(comment, "size is the same for all values of the index");
}

void check_options(Annotation const& annotation, std::string_view comment) {
    if (annotation.index.empty() != annotation.size.empty())
        refuse(comment, "index and size go together");
    bool const streams = !annotation.stream.empty();
    if (streams != !annotation.engine.empty() || streams != !annotation.seed.empty())
        refuse(comment, "stream, engine and seed go together");
    if (streams && !annotation.loops())
        refuse(comment, "a stream is that of an index");
    if (annotation.cooperative && annotation.lanes != 1)
        refuse(comment, "with cooperative all lanes are active");
    check_names(annotation, comment);
}

Annotation warp_of(std::string_view comment, std::string_view rest, unsigned line) {
    Annotation annotation;
    annotation.line = line;
    if (rest.starts_with('(')) {
        auto const [options, end] = options_in(rest.substr(1));
        if (end == std::string_view::npos)
            refuse(comment, "a parenthesis is not closed");
        for (std::string_view const option : options)
            set_option(annotation, option, comment);
        check_options(annotation, comment);
        rest = trimmed(rest.substr(end + 2));
    }
    if (rest.empty())
        return annotation;
    std::string_view const what = rest.front() == ':' ? trimmed(rest.substr(1)) : rest;
    if (rest.front() != ':' || (what != "begin" && what != "end"))
        refuse(comment, "the annotations are @warp, @warp: begin and @warp: end");
    annotation.kind = what == "begin" ? Kind::begin : Kind::end;
    return annotation;
}

// Runs `code` wherever the block is left.
std::string guard(std::string const& code, std::string const& number) {
    return " auto const lockstep_after_" + number + " = [&]() { " + code + " }; struct LockstepAfter_" + number +
           " { decltype(lockstep_after_" + number + ") const& call; __device__ ~LockstepAfter_" + number +
           "() { call(); } } const lockstep_guard_" + number + "{lockstep_after_" + number + "};";
}

std::string opening_of_warp(Annotation const& a) {
    std::string const lane = thread + " % warpSize";
    std::string const lanes = std::to_string(a.lanes);
    std::string text = a.cooperative  ? "{"
                       : a.lanes == 1 ? "if (" + lane + " == 0) {"
                                      : "if (" + lane + " < " + lanes + ") {";
    text += " unsigned const warpIdx = ";
    text += a.lanes == 1 ? warp + ";"
                         : block + " * " + active_lanes_in_block(lanes) + " + " + thread + " / warpSize * " + lanes +
                               " + " + lane + ";";
    text += " static_cast<void>(warpIdx);";
    if (a.cooperative)
        text += " unsigned const laneIdx = " + lane + "; static_cast<void>(laneIdx);";
    if (!a.loops())
        return text;
    std::string const step = "static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z * " +
                             (a.lanes == 1 ? warps_in_block + " * 1" : active_lanes_in_block(lanes));
    text += " for (unsigned long long " + a.index + " = warpIdx; " + a.index + " < (" + a.size + "); " + a.index +
            " += " + step + ") {";
    if (!a.stream.empty())
        text += " " + a.engine + " " + a.stream + " = " + a.engine + "::stream(" + a.seed + ", " + a.index + ", 0);";
    // The inner loop of one pass: a break ends one replication, as a continue does, not the others of the lane.
    return text + " do {";
}

// Refuses a misspelled annotation. It stands alone or is followed by a parenthesis or a colon: other words are prose.
void refuse_misspelled(std::string_view comment) {
    if (!comment.starts_with('@'))
        return;
    auto const end = std::find_if_not(comment.begin() + 1, comment.end(), is_name_character);
    std::string_view const word = comment.substr(0, static_cast<std::size_t>(end - comment.begin()));
    std::string_view const rest = trimmed(comment.substr(word.size()));
    if (!rest.empty() && rest.front() != '(' && rest.front() != ':')
        return;
    auto const refuse_if_near = [&](std::string_view const name) {
        if (bench::edit_distance(word, name) == 1)
            refuse(comment, "did you mean " + std::string(name) + "?");
    };
    refuse_if_near(warp_name);
    for (auto const& [name, kind] : advice_names)
        refuse_if_near(name);
}

}  // namespace

std::optional<Annotation> annotation_of(std::string_view comment, unsigned line) {
    comment = trimmed(comment);
    auto const begins = [&](std::string_view name) {
        return comment.starts_with(name) && (comment.size() == name.size() || !is_name_character(comment[name.size()]));
    };
    if (begins(warp_name))
        return warp_of(comment, trimmed(comment.substr(warp_name.size())), line);
    for (auto const& [name, kind] : advice_names) {
        if (!begins(name))
            continue;
        std::string_view const rest = trimmed(comment.substr(std::string_view(name).size()));
        if (!rest.empty() && !rest.starts_with(':'))
            return std::nullopt;  // prose
        std::string_view const code = rest.empty() ? rest : trimmed(rest.substr(1));
        if (code.empty() || code.find('\n') != code.npos)
            refuse(comment, "code is expected after a colon on the same line");
        if (!stands_alone(code))
            refuse(comment, alone);
        Annotation annotation;
        annotation.kind = kind;
        annotation.line = line;
        annotation.code = code;
        return annotation;
    }
    refuse_misspelled(comment);
    return std::nullopt;
}

std::string mark_of(Annotation const& annotation) {
    for (auto const& [name, kind] : advice_names) {
        if (kind == annotation.kind)
            return name;
    }
    return std::string(warp_name);
}

std::string opening_of(Annotation const& annotation, unsigned unique) {
    std::string const number = std::to_string(unique);
    switch (annotation.kind) {
        case Kind::before:
            return " " + annotation.code + ";";
        case Kind::after:
            return guard(annotation.code + ";", number);
        case Kind::count:
            return " atomicAdd(&(" + annotation.code + "), 1ull);";
        case Kind::time:
            return " long long const lockstep_began_" + number + " = clock64();" +
                   guard("atomicAdd(&(" + annotation.code + "), static_cast<unsigned long long>(clock64() - " +
                             "lockstep_began_" + number + "));",
                         number);
        default:
            return opening_of_warp(annotation);
    }
}

std::string closing_of(Annotation const& annotation) {
    if (!annotation.is_warp())
        return "";
    return annotation.loops() ? "} while (false); }}" : "}";
}

std::string code_of(Annotation const& annotation) {
    return annotation.is_warp() ? annotation.size + "; " + annotation.seed : annotation.code;
}

}  // namespace lockstep::replications
