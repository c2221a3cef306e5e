// Names of a user's system never become code: the generated texts are the same for all names, apart from comments.

#include <algorithm>

#include "baselines/term_rewriting/compiled/generate_cpp.hpp"
#include "baselines/term_rewriting/cpu_as_printed/generate.hpp"
#include "harness/bench/error.hpp"
#include "kernels/term_rewriting/as_printed/engine.hpp"
#include "kernels/term_rewriting/as_printed/program.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "kernels/term_rewriting/fast/program.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"
#include "tests/term_rewriting/hostile_names.hpp"

namespace lockstep::term_rewriting {
namespace {

// All texts that compilers get.
std::vector<std::string> texts_of(System const& system) {
    return {compiled::generate_cpp(system, false),
            compiled::generate_cpp(system, true),
            compiled::generate_cpp(system, true, false),
            cpu_as_printed::generate(system),
            generate_cuda(system, {}),
            generate_cuda(system, {.in_order = true}),
            as_printed::program_text(system, {}).text,
            fast::make_program(system, {}).text};
}

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

// Names of kernels contain a digest of the text with its comments.
std::string without_digests(std::string const& text) {
    std::string result;
    std::size_t digits = 0;
    for (char const c : text) {
        result += c;
        digits = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ? digits + 1 : 0;
        if (digits == 16)
            result.replace(result.size() - 16, 16, "D");
    }
    return result;
}

struct Line {
    std::string code;
    std::string comment;
};

Line split(std::string const& line) {
    std::size_t const at = line.find("//");
    return {line.substr(0, at), at == line.npos ? "" : line.substr(at)};
}

// Returns the first line in which `text` differs from `plain` in more than a harmless comment, or nothing.
std::string first_difference(std::string const& text, std::string const& plain) {
    std::vector<std::string> const lines = lines_of(without_digests(text));
    std::vector<std::string> const plain_lines = lines_of(without_digests(plain));
    for (std::size_t i = 0; i < std::max(lines.size(), plain_lines.size()); ++i) {
        if (i >= lines.size() || i >= plain_lines.size())
            return "another number of lines";
        if (lines[i] == plain_lines[i])
            continue;
        auto const [code, comment] = split(lines[i]);
        bool const harmless =
            comment.size() <= 100 && comment.find_first_not_of(
                                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                         "_(),->. /") == comment.npos;
        if (code != split(plain_lines[i]).code || !harmless)
            return lines[i].substr(0, 200);
    }
    return {};
}

TEST(Names, NeverBecomeCode) {
    std::vector<std::string> const plain = texts_of(system_with(plain_names));
    for (System const& system : hostile_systems()) {
        std::vector<std::string> const texts = texts_of(system);
        ASSERT_EQ(texts.size(), plain.size());
        for (std::size_t i = 0; i < texts.size(); ++i)
            EXPECT_EQ(first_difference(texts[i], plain[i]), "") << "text " << i << " of " << system.symbols[0].name[0];
    }
}

// The test above finds code.
TEST(Names, ThatBecomeCodeAreFound) {
    std::string const plain = "// suc\nint f();  // suc\n";
    EXPECT_EQ(first_difference("// add_1\nint f();  // add_1\n", plain), "");
    EXPECT_EQ(first_difference("// suc\nint g();  // suc\n", plain), "int g();  // suc");
    EXPECT_EQ(first_difference("// suc\\\nint f();  // suc\n", plain), "// suc\\");
    EXPECT_EQ(first_difference("// a\nb\nint f();  // suc\n", plain), "b");
    EXPECT_EQ(first_difference("// a\"\nint f();  // suc\n", plain), "// a\"");
    EXPECT_EQ(first_difference("// " + std::string(200, 'z') + "\n", plain), "// " + std::string(197, 'z'));
}

void expect_three(Engine& engine, System const& system, std::string const& what) {
    Ran const ran = run_engine(engine, system.terms, system.inputs.at(0));
    ASSERT_EQ(ran.outcome.end, End::finished) << what;
    std::string const suc = system.symbols[1].name;
    std::string const three = suc + "(" + suc + "(" + suc + "(" + system.symbols[0].name + ")))";
    EXPECT_EQ(to_string(system, ran.terms, ran.normal_form), three) << what;
}

// The compilers accept the texts, and the programs compute what they should.
TEST(Names, DoNotChangeTheAnswer) {
    for (System const& system : hostile_systems()) {
        for (NamedEngine const& engine : all_engines(system))
            expect_three(*engine.engine, system, engine.name);
        if (sanitized)
            return;  // one system: the others have the same code
    }
    System const system = renamed(rejected_names());
    expect_three(*as_printed::make_engine(system, simt::Machine::emulator), system, "as_printed in the emulator");
    expect_three(*fast::make_engine(system, simt::Machine::emulator), system, "fast in the emulator");
}

TEST(Names, HaveFewCharacters) {
    for (std::string const name : {"a\\", "a*/", "a;system", "a?", "a#b", "a\x01", "\xc3\xa9", "a\xff", "a b", "1a"}) {
        Names names = plain_names;
        names[2] = name;
        EXPECT_THROW(system_with(names), bench::Error) << name;
    }
    Names names = plain_names;
    names[2] = std::string("a\0b", 3);
    EXPECT_THROW(system_with(names), bench::Error);
}

}  // namespace
}  // namespace lockstep::term_rewriting
