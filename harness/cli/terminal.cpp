#include "harness/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "harness/bench/utf8.hpp"

namespace lockstep::cli {

namespace {

// Below this, columns cannot be told apart; beyond it, lines are hard to follow.
constexpr std::size_t min_width = 60;
constexpr std::size_t max_width = 200;

char const* sequence_of(Colour const colour) {
    switch (colour) {
        case Colour::bold:
            return "\033[1m";
        case Colour::faint:
            return "\033[2m";
        case Colour::red:
            return "\033[31m";
        case Colour::green:
            return "\033[32m";
        case Colour::yellow:
            return "\033[33m";
        case Colour::none:
            break;
    }
    return "";
}

bool is_set(char const* const name) {
    char const* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

}  // namespace

std::string Terminal::coloured(std::string const& text, Colour const wanted) const {
    if (!colour || wanted == Colour::none || text.empty())
        return text;
    return sequence_of(wanted) + text + "\033[0m";
}

Terminal terminal_of(int const descriptor) {
    Terminal terminal;
    if (::isatty(descriptor) != 1)
        return terminal;
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.width = std::clamp<std::size_t>(size.ws_col, min_width, max_width);
    char const* const kind = std::getenv("TERM");
    terminal.colour = !is_set("NO_COLOR") && kind != nullptr && std::string_view(kind) != "dumb";
    return terminal;
}

std::vector<std::string> wrapped(std::string_view const text, std::size_t const width) {
    std::vector<std::string> lines(1);
    std::size_t length = 0;  // of the last line
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const begin = std::min(text.find_first_not_of(' ', at), text.size());
        std::size_t const end = std::min(text.find(' ', begin), text.size());
        std::string_view const word = text.substr(begin, end - begin);
        std::size_t const added = bench::length_of(word);
        if (length > 0 && length + 1 + added > width) {
            lines.emplace_back();
            length = 0;
        }
        if (length > 0 && added > 0)
            lines.back() += ' ', ++length;
        lines.back() += word;
        length += added;
        at = end;
    }
    return lines;
}

std::string wrapped_after(std::size_t const first, std::size_t const indent, std::string_view const text,
                          std::size_t const width) {
    // A narrow column of a word per line is worse than a line that is too long.
    constexpr std::size_t min_column = 24;
    std::string result;
    std::size_t const column = std::max(min_column, width - std::min(width, std::max(first, indent)));
    for (std::string const& line : wrapped(text, column)) {
        if (!result.empty())
            result += "\n" + std::string(indent, ' ');
        result += line;
    }
    return result;
}

std::string wrapped_lines(std::string_view const text, std::size_t const width) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = std::min(text.find('\n', at), text.size());
        std::string_view const line = text.substr(at, end - at);
        at = end + 1;
        std::size_t const lead = std::min(line.find_first_not_of(' '), line.size());
        std::size_t const gap = line.find("  ", lead);
        // Where a column begins in the first half of the line, what follows goes below it.
        std::size_t const column = gap == std::string_view::npos ? lead : line.find_first_not_of(' ', gap);
        std::size_t const indent = column == std::string_view::npos || column > width / 2 ? lead + 2 : column;
        if (bench::length_of(line) <= width || indent >= line.size())
            result += line;
        else
            result += std::string(line.substr(0, indent)) + wrapped_after(indent, indent, line.substr(indent), width);
        if (end < text.size())
            result += '\n';
    }
    return result;
}

std::string cut(std::string_view const text, std::size_t const width) {
    if (bench::length_of(text) <= width)
        return std::string(text);
    if (width <= 3)
        return std::string(bench::first_of(text, width));
    return std::string(bench::first_of(text, width - 3)) + "...";
}

std::string padded(std::string_view const text, std::size_t const width, bool const right) {
    std::size_t const length = bench::length_of(text);
    std::string const blanks(width > length ? width - length : 0, ' ');
    return right ? blanks + std::string(text) : std::string(text) + blanks;
}

}  // namespace lockstep::cli
