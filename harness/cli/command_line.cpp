#include "harness/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/whole_number.hpp"
#include "harness/ranks/ranks.hpp"

namespace lockstep::cli {

struct CommandLine::Parser {
    CLI::App app;
};

namespace {

std::vector<std::string> long_options(CLI::App const& app) {
    std::vector<std::string> names;
    for (CLI::Option const* const option : app.get_options()) {
        for (std::string const& name : option->get_lnames())
            names.push_back("--" + name);
    }
    return names;
}

template <class Number>
std::string too_large(std::string const& text) {
    return text + " is too large, the most is " + std::to_string(std::numeric_limits<Number>::max());
}

// An option with one value that has several. Empty if there is none.
std::string option_given_twice(CLI::App const& app) {
    for (CLI::Option const* const option : app.get_options()) {
        if (option->get_items_expected_max() == 1 && option->count() > 1)
            return option->get_name();
    }
    return "";
}

// CLI11 reads a negative number modulo 2^64 into an unsigned variable, and a number above 2^64 - 1 as 2^64 - 1, so both
// must be rejected first. `text` starts with the number and is digits without an exponent, or hexadecimal. Sets `end`
// behind them.
template <class Number>
std::string in_range(std::string const& text, char*& end) {
    if (text.starts_with('-'))
        return text + " is negative";
    if (text.find_first_of("0123456789+") != 0)
        return text + " is not a whole number";
    errno = 0;
    unsigned long long const value = std::strtoull(text.c_str(), &end, 0);
    return errno == ERANGE || value > std::numeric_limits<Number>::max() ? too_large<Number>(text) : "";
}

// True for a number whose exponent is too large to be written as digits, such as 1e401.
bool is_beyond_digits(std::string const& text) {
    std::size_t const mark = text.find_first_of("eE");
    if (mark == std::string::npos || bench::whole_number(text) != text)
        return false;
    std::size_t const digits = mark + (text[mark + 1] == '+' ? 2 : 1);
    bool const is_power = digits < text.size() && text.find_first_not_of("0123456789", digits) == std::string::npos;
    std::string const smaller = text.substr(0, mark) + "e" + std::to_string(bench::max_exponent);
    return is_power && std::strtoull(text.c_str() + digits, nullptr, 10) > bench::max_exponent &&
           bench::whole_number(smaller) != smaller;
}

// Replaces a number with an exponent by its digits.
template <class Number>
std::string as_number(std::string& text) {
    if (is_beyond_digits(text))
        return too_large<Number>(text);
    text = bench::whole_number(text);
    char* end = text.data();
    std::string const error = in_range<Number>(text, end);
    bool const is_number = end == text.data() + text.size() && !text.empty();
    return error.empty() && !is_number ? text + " is not a whole number" : error;
}

// The bytes of a unit that CLI11 knows: K, KB, Ki and KiB are 1024, in any case; 0 for another text.
std::uint64_t bytes_of_unit(std::string unit) {
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (unit.empty() || unit == "b")
        return 1;
    std::size_t const power = std::string_view("kmgtpe").find(unit.front());
    bool const ends = unit.size() == 1 || unit.substr(1) == "b" || unit.substr(1) == "i" || unit.substr(1) == "ib";
    return power == std::string_view::npos || !ends ? 0 : std::uint64_t{1} << (10 * (power + 1));
}

// CLI11 then multiplies. Its own messages list all units, and do not know which number is the most.
std::string as_bytes(std::string& text) {
    std::string const given = text;
    if (is_beyond_digits(text))
        return too_large<std::uint64_t>(text);
    text = bench::whole_number(text);
    char* end = nullptr;
    std::string const error = in_range<std::uint64_t>(text, end);
    if (text.find_first_of("0123456789") != 0 && !text.starts_with('-'))
        return given + " is not a number of bytes, such as 1000000, 1e6 or 2GB";
    if (!error.empty())
        return error;
    std::string const unit(std::find_if(end, text.data() + text.size(), [](char c) { return c != ' '; }));
    std::uint64_t const factor = bytes_of_unit(unit);
    if (factor == 0)
        return given + " is not a number of bytes, such as 1000000, 1e6 or 2GB";
    bool const fits = std::strtoull(text.c_str(), nullptr, 0) <= std::numeric_limits<std::uint64_t>::max() / factor;
    return fits ? "" : too_large<std::uint64_t>(given);
}

// CLI11 accepts `nan`, which is neither below nor above any bound that a command checks. No command takes a negative
// one.
std::string finite_not_negative(std::string const& text) {
    char* end = nullptr;
    double const value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size() || text.empty())
        return text + " is not a number";
    return !std::isfinite(value) ? text + " is not a finite number" : value < 0 ? text + " is negative" : "";
}

template <class Number>
void add_number(CLI::App& app, std::string const& names, Number& value, std::string const& help) {
    CLI::Option* const option = app.add_option(names, value, help)->transform(CLI::Validator(as_number<Number>, ""));
    if (value != 0 && value != std::numeric_limits<Number>::max())
        option->capture_default_str();
}

}  // namespace

CommandLine::CommandLine(std::string command, std::string const& description)
    : command_(std::move(command)), parser_(std::make_unique<Parser>()) {
    parser_->app.description(description);
    parser_->app.name("lockstep " + command_);
    // CLI11 collects unknown options, so that the error message can suggest the nearest known option.
    parser_->app.allow_extras();
}

CommandLine::~CommandLine() = default;

void CommandLine::add_argument(std::string const& name, std::string& value, std::string const& help) {
    parser_->app.add_option(name, value, help)->required();
}

void CommandLine::add_optional_argument(std::string const& name, std::string& value, std::string const& help) {
    parser_->app.add_option(name, value, help);
}

void CommandLine::add_arguments(std::string const& name, std::vector<std::string>& values, std::string const& help) {
    parser_->app.add_option(name, values, help);
}

void CommandLine::add_option(std::string const& names, std::string& value, std::string const& help) {
    CLI::Option* const option = parser_->app.add_option(names, value, help);
    if (!group_.empty())
        option->group(group_);
    if (!value.empty())
        option->capture_default_str();
}

void CommandLine::add_option(std::string const& names, std::uint64_t& value, std::string const& help) {
    add_number(parser_->app, names, value, help);
}

void CommandLine::add_option(std::string const& names, unsigned& value, std::string const& help) {
    add_number(parser_->app, names, value, help);
}

void CommandLine::add_option(std::string const& names, double& value, std::string const& help) {
    CLI::Option* const option = parser_->app.add_option(names, value, help)->check(finite_not_negative, "");
    if (value != 0 && value != std::numeric_limits<double>::max())
        option->capture_default_str();
}

void CommandLine::add_option(std::string const& names, std::vector<std::string>& values, std::string const& help) {
    CLI::Option* const option = parser_->app.add_option(names, values, help)->allow_extra_args(false);
    if (!group_.empty())
        option->group(group_);
}

void CommandLine::add_flag(std::string const& names, bool& value, std::string const& help) {
    parser_->app.add_flag(names, value, help);
}

void CommandLine::add_size(std::string const& names, std::uint64_t& value, std::string const& help) {
    // The last one that is added comes first.
    parser_->app.add_option(names, value, help)
        ->transform(CLI::AsSizeValue(false))
        ->transform(CLI::Validator(as_bytes, ""));
}

void CommandLine::add_timeout(double& seconds) {
    add_option("--timeout", seconds, "Stop after this many seconds (exit code 3); 0: no limit");
}

void CommandLine::add_json(bool& value, std::string const& help) {
    add_flag("--json", value, help + "; after an error {\"error\": \"...\"}");
}

void CommandLine::begin_group(std::string title) { group_ = std::move(title); }

void CommandLine::add_footer(std::string const& text) { parser_->app.footer(text); }

void CommandLine::add_max_input() {
    add_size("--max-input", max_input_, "Read input files up to this many bytes, such as 1000000 or 1G");
}

void CommandLine::require(std::string const& name) { parser_->app.get_option(name)->required(); }

void CommandLine::exclude(std::string const& name, std::string const& other) {
    parser_->app.get_option(name)->excludes(parser_->app.get_option(other));
}

bool CommandLine::given(std::string const& name) const { return parser_->app.count(name) > 0; }

void CommandLine::parse(int const argc, char const* const* const argv) {
    CLI::App& app = parser_->app;
    std::string const advice = "see lockstep " + command_ + " --help";
    try {
        app.parse(argc, argv);
    } catch (CLI::CallForHelp const&) {
        throw HelpRequested{app.help()};
    } catch (CLI::ArgumentMismatch const& error) {
        std::string const repeated = option_given_twice(app);
        if (repeated.empty())
            throw bench::Error("invalid command line", error.what(), advice);
        throw bench::Error(repeated + " is given several times", "it has one value", "Give it once.");
    } catch (CLI::ParseError const& error) {
        std::string reason = error.what();
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        throw bench::Error("invalid command line", reason, advice);
    }
    std::vector<std::string> const extras = app.remaining();
    if (extras.empty()) {
        require_values();
        begin_inputs();
        return;
    }
    std::string const name = extras.front().substr(0, extras.front().find('='));
    std::string const near = bench::nearest(name, long_options(app));
    bool const is_option = name.rfind('-', 0) == 0;
    throw bench::Error("unknown " + std::string(is_option ? "option " : "argument ") + name,
                       is_option ? command_ + " has no such option or axis" : command_ + " takes no such argument",
                       near.empty() ? advice : "did you mean " + near + "?");
}

// An empty text means "not given" where options are used, so a value that is empty, as from an unset shell variable,
// must not get that far.
void CommandLine::require_values() const {
    for (CLI::Option const* const option : parser_->app.get_options()) {
        std::vector<std::string> const& values = option->results();
        if (option->get_items_expected_max() > 0 && std::find(values.begin(), values.end(), "") != values.end()) {
            throw bench::Error("invalid empty " + option->get_name(), "it needs a value",
                               "see lockstep " + command_ + " --help");
        }
    }
}

void CommandLine::begin_inputs() const {
    CLI::Option const* const option = parser_->app.get_option_no_throw("--max-input");
    if (option != nullptr && option->count() > 0 && max_input_ == 0)
        throw bench::Error("invalid --max-input 0", "nothing could be read", "see lockstep " + command_ + " --help");
    bench::begin_inputs(max_input_);
}

void check_standard_input(std::string const& path) {
    if (path == bench::standard_input && ranks::count() > 1) {
        throw bench::Error("cannot read standard input in " + std::to_string(ranks::count()) + " processes",
                           "mpirun gives it to one of them", "name a file");
    }
}

}  // namespace lockstep::cli
