#include "experiments/replications/weave.hpp"

#include <cctype>
#include <optional>
#include <string_view>

#include "harness/bench/error.hpp"

namespace lockstep::replications {

namespace {

// Figures 3 and 4 with the corrections of warp_macros.hpp: warps are numbered block by block, and the grid's z
// dimension counts.
constexpr std::string_view opening =
    "if ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32 == 0) { "
    "unsigned const warpIdx = (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * "
    "((blockDim.x * blockDim.y * blockDim.z + 31) / 32) + "
    "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32; static_cast<void>(warpIdx);";

enum class Annotation { kernel, begin, end };

bool names(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.remove_suffix(1);
    return text;
}

class Weaver {
public:
    Weaver(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    std::string woven() {
        out_ = "#line 1 \"" + escaped(file_) + "\"\n";
        while (at_ < text_.size())
            step();
        if (kernel_line_ != 0)
            fail(kernel_line_, "@warp does not precede a kernel", "the file ends");
        if (part_line_ != 0)
            fail(part_line_, "@warp: begin has no @warp: end", "the file ends");
        if (body_line_ != 0)
            fail(body_line_, "the kernel of @warp has no end", "its braces do not match");
        return out_;
    }

private:
    [[noreturn]] void fail(unsigned line, std::string const& problem, std::string const& why,
                           std::string const& suggestion = {}) const {
        throw bench::Error(file_ + ":" + std::to_string(line) + ": " + problem, why, suggestion);
    }

    // The inside of a string literal. Whatever the file's name is, the literal neither ends early nor contains a
    // trigraph, and its bytes mean the same to every compiler.
    static std::string escaped(std::string const& text) {
        constexpr std::string_view octal = "01234567";
        std::string result;
        for (char const c : text) {
            unsigned const code = static_cast<unsigned char>(c);
            if (code < ' ' || code > '~') {
                result += {'\\', octal[code >> 6], octal[code >> 3 & 7], octal[code & 7]};
                continue;
            }
            if (c == '\\' || c == '"' || c == '?')
                result += '\\';
            result += c;
        }
        return result;
    }

    bool follows(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

    // Copies `count` characters unchanged.
    void copy(std::size_t count) {
        for (char const c : text_.substr(at_, count)) {
            out_ += c;
            if (c == '\n')
                ++line_;
        }
        at_ += std::min(count, text_.size() - at_);
    }

    // Copies up to and including the next `what`, or to the end of the text.
    void copy_past(std::string_view what, std::size_t from) {
        std::size_t const found = text_.find(what, at_ + from);
        copy(found == std::string_view::npos ? text_.size() - at_ : found + what.size() - at_);
    }

    void step() {
        char const c = text_[at_];
        if (follows("//"))
            return line_comment();
        if (follows("/*"))
            return copy_past("*/", 2);
        if (c == '"')
            return quoted('"');
        if (c == '\'')
            return quoted('\'');
        if (names(c))
            return word();
        if (c == '(')
            ++parentheses_;
        if (c == ')')
            --parentheses_;
        if (c == '{')
            return open_brace();
        if (c == '}')
            return close_brace();
        if (c == ';' && parentheses_ == 0 && kernel_line_ != 0) {
            fail(kernel_line_, "@warp does not precede a kernel", "the next statement has no body");
        }
        copy(1);
    }

    // Copies a name, or a number with its digit separators. A prefix R before a quote opens a raw string.
    void word() {
        std::size_t length = 0;
        bool const number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
        while (at_ + length < text_.size() && (names(text_[at_ + length]) || (number && text_[at_ + length] == '\''))) {
            ++length;
        }
        std::string_view const name = text_.substr(at_, length);
        if (name == "__global__")
            global_ = true;
        copy(length);
        bool const raw = name == "R" || name == "u8R" || name == "uR" || name == "UR" || name == "LR";
        if (raw && follows("\"")) {
            // At most 16 characters are between the quote and the parenthesis. To look further would take quadratic
            // time for a text of many quotes.
            std::size_t const delimiter = text_.substr(at_ + 1, 17).find('(');
            if (delimiter == std::string_view::npos)
                return;
            std::size_t const parenthesis = at_ + 1 + delimiter;
            std::string const closing = ")" + std::string(text_.substr(at_ + 1, parenthesis - at_ - 1)) + "\"";
            copy_past(closing, parenthesis - at_);
        }
    }

    void quoted(char quote) {
        std::size_t length = 1;
        while (at_ + length < text_.size() && text_[at_ + length] != quote && text_[at_ + length] != '\n') {
            length += text_[at_ + length] == '\\' ? 2 : 1;
        }
        copy(length + 1);
    }

    void line_comment() {
        std::size_t const end = end_of_line_comment();
        std::optional<Annotation> const found = annotation(text_.substr(at_, end - at_));
        if (!found)
            return copy(end - at_);
        at_ = end;
        if (*found == Annotation::kernel)
            annotate_kernel();
        if (*found == Annotation::begin)
            begin_part();
        if (*found == Annotation::end)
            end_part();
    }

    // A backslash before the end of a line continues the comment.
    std::size_t end_of_line_comment() const {
        std::size_t end = std::min(text_.find('\n', at_), text_.size());
        while (end < text_.size() && continues(text_.substr(at_, end - at_)))
            end = std::min(text_.find('\n', end + 1), text_.size());
        return end;
    }

    static bool continues(std::string_view line) {
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        return line.ends_with('\\');
    }

    std::optional<Annotation> annotation(std::string_view comment) const {
        while (!comment.empty() && comment.front() == '/')
            comment.remove_prefix(1);
        comment = trimmed(comment);
        if (comment.substr(0, 5) != "@warp" || (comment.size() > 5 && names(comment[5])))
            return std::nullopt;
        std::string_view rest = trimmed(comment.substr(5));
        if (rest.empty())
            return Annotation::kernel;
        if (rest.front() == ':') {
            rest = trimmed(rest.substr(1));
            if (rest == "begin")
                return Annotation::begin;
            if (rest == "end")
                return Annotation::end;
        }
        fail(line_, "unknown annotation '" + std::string(trimmed(comment.substr(0, comment.find('\n')))) + "'",
             "the annotations are @warp, @warp: begin and @warp: end");
    }

    void annotate_kernel() {
        if (kernel_line_ != 0)
            fail(line_, "@warp appears twice before a kernel", "first in line " + std::to_string(kernel_line_));
        refuse_inside("@warp");
        kernel_line_ = line_;
        global_ = false;
    }

    void begin_part() {
        if (kernel_line_ != 0)
            fail(line_, "@warp: begin is misplaced", "a kernel is expected after @warp");
        refuse_inside("@warp: begin");
        if (depth_ == 0)
            fail(line_, "@warp: begin is misplaced", "it is not in a body");
        part_line_ = line_;
        part_depth_ = depth_;
        out_ += opening;
    }

    void end_part() {
        if (part_line_ == 0)
            fail(line_, "@warp: end has no @warp: begin", "");
        if (depth_ != part_depth_) {
            fail(line_, "@warp: end is misplaced",
                 "its @warp: begin in line " + std::to_string(part_line_) + " is in another pair of braces");
        }
        part_line_ = 0;
        out_ += "}";
    }

    void refuse_inside(std::string const& what) const {
        if (part_line_ != 0)
            fail(line_, what + " is nested", "in the part that begins in line " + std::to_string(part_line_));
        if (body_line_ != 0)
            fail(line_, what + " is nested", "in the kernel annotated in line " + std::to_string(body_line_));
    }

    void open_brace() {
        copy(1);
        ++depth_;
        if (kernel_line_ == 0 || parentheses_ != 0)
            return;
        if (!global_)
            fail(kernel_line_, "@warp does not precede a kernel", "the next function is not __global__");
        body_line_ = kernel_line_;
        body_depth_ = depth_;
        kernel_line_ = 0;
        out_ += opening;
    }

    void close_brace() {
        if (kernel_line_ != 0 && parentheses_ == 0)
            fail(kernel_line_, "@warp does not precede a kernel", "a brace closes after it");
        if (part_line_ != 0 && depth_ == part_depth_) {
            fail(part_line_, "@warp: begin has no @warp: end", "its body ends in line " + std::to_string(line_));
        }
        if (body_line_ != 0 && depth_ == body_depth_) {
            body_line_ = 0;
            out_ += "}";
        }
        --depth_;
        copy(1);
    }

    std::string_view text_;
    std::string file_;
    std::string out_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
    int depth_ = 0;
    int parentheses_ = 0;
    unsigned kernel_line_ = 0;  // line of an @warp whose kernel has not begun; 0: none
    bool global_ = false;       // true if __global__ has occurred since that line
    unsigned body_line_ = 0;    // line of the @warp whose kernel's body is open; 0: none
    int body_depth_ = 0;
    unsigned part_line_ = 0;  // line of the open @warp: begin; 0: none
    int part_depth_ = 0;
};

}  // namespace

std::string weave(std::string const& text, std::string const& file) { return Weaver(text, file).woven(); }

}  // namespace lockstep::replications
