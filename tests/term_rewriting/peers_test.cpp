// Other rewriters on the same systems: Maude computes the same normal forms with the same number of rewrites, OCaml the
// same normal forms. The tests are skipped if Maude or OCaml is not installed.

#include <unistd.h>

#include <cstdlib>

#include "baselines/term_rewriting/emit.hpp"
#include "tests/term_rewriting/hostile_names.hpp"

namespace lockstep::term_rewriting {
namespace {

bool installed(std::string const& tool) {
    return std::system(("command -v " + tool + " >/dev/null 2>&1").c_str()) == 0;
}

// Systems for which Maude counts or chooses differently: it has no order of rules, counts =/= as a rewrite, and shares
// terms of a condition with the right side. It has no integers of 64 bits.
bool comparable_with_maude(std::string const& name) {
    for (char const* const other :
         {"priority", "quick_sort", "gcd", "inherited", "condition_order", "endless", "integers", "repeated"}) {
        if (name.rfind(other, 0) == 0)
            return false;
    }
    return true;
}

class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / ("lockstep_peers_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string file(std::string const& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

void write_file(std::string const& path, System const& system, void (*emit)(System const&, Write const&)) {
    std::ofstream file(path);
    emit(system, [&](std::string_view text) { file << text; });
}

struct Printed {
    std::uint64_t rewrites = 0;
    std::string forms;  // one per line
};

Printed read_maude(std::string const& path) {
    Printed printed;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("rewrites: ", 0) == 0)
            printed.rewrites += std::stoull(line.substr(10));
        if (line.rfind("result ", 0) == 0) {
            for (char const c : line.substr(line.find(": ") + 2)) {
                if (c != ' ')
                    printed.forms += c;
            }
            printed.forms += "\n";
        }
    }
    return printed;
}

// With the original names, or with the names for Maude.
Printed by_oracle(System const& system, bool maude_names) {
    Printed printed;
    PrintStyle style = plain_style(system);
    if (maude_names)
        style.symbol = [&](SymbolId symbol) { return maude_name(system.symbols[symbol].name); };
    std::unique_ptr<Engine> const engine = make_oracle(system);
    for (TermId const input : system.inputs) {
        Ran const ran = run_engine(*engine, system.terms, input);
        printed.rewrites += ran.outcome.rewrites();
        print_term(ran.terms, ran.normal_form, style, [&](std::string_view text) { printed.forms += text; });
        printed.forms += "\n";
    }
    return printed;
}

TEST(Maude, GivesTheSameFormsAfterTheSameRewrites) {
    if (!installed("maude"))
        GTEST_SKIP() << "Maude is not installed (apt-get install maude)";
    Folder const folder;
    std::size_t compared = 0;
    for (auto const& entry : std::filesystem::directory_iterator(systems_folder)) {
        std::string const name = entry.path().stem();
        if (!comparable_with_maude(name))
            continue;
        System const system = parse_system(entry.path(), bench::read_file);
        write_file(folder.file(name + ".maude"), system, emit_maude);
        std::string const command = "ulimit -s unlimited 2>/dev/null; maude -no-banner -no-wrap -batch " +
                                    folder.file(name + ".maude") + " </dev/null >" + folder.file(name + ".txt") +
                                    " 2>&1";
        ASSERT_EQ(std::system(command.c_str()), 0) << name;
        Printed const maude = read_maude(folder.file(name + ".txt"));
        Printed const ours = by_oracle(system, true);
        EXPECT_EQ(maude.rewrites, ours.rewrites) << name;
        EXPECT_EQ(maude.forms, ours.forms) << name;
        ++compared;
    }
    EXPECT_GE(compared, 22u);
}

TEST(Ocaml, GivesTheSameForms) {
    if (!installed("ocamlopt"))
        GTEST_SKIP() << "OCaml is not installed (apt-get install ocaml-nox)";
    Folder const folder;
    for (std::string const name : {"tree_merge_sort.trs", "condition_order.rec", "stuck.rec", "combinators.trs"}) {
        System const system = parse_system(systems_folder + name, bench::read_file);
        std::string const stem = folder.file(std::filesystem::path(name).stem());
        write_file(stem + ".ml", system, emit_ocaml);
        std::string const command = "ocamlopt -w -a -o " + stem + ".exe " + stem + ".ml >/dev/null 2>&1 && " + stem +
                                    ".exe >" + stem + ".txt 2>/dev/null";
        ASSERT_EQ(std::system(command.c_str()), 0) << name;
        EXPECT_EQ(bench::read_file(stem + ".txt"), by_oracle(system, false).forms) << name;
    }
}

TEST(Ocaml, GivesTheSameFormsForRepeatedVariables) {
    if (!installed("ocamlopt"))
        GTEST_SKIP() << "OCaml is not installed (apt-get install ocaml-nox)";
    Folder const folder;
    System const system = parse_text(
        "sort T = a() | b() | p(T, T) | f(T, T) | g(T);\nvar X, Y : T;\n"
        "eqn f(X, X) = X; f(X, Y) = g(Y); g(a()) = b();\n"
        "input f(p(a, b), p(a, b)); f(p(b, a), p(a, a)); f(g(b), g(b)); f(a, g(a));\n");
    std::string const stem = folder.file("repeated");
    write_file(stem + ".ml", system, emit_ocaml);
    std::string const command = "ocamlopt -w -a -o " + stem + ".exe " + stem + ".ml >/dev/null 2>&1 && " + stem +
                                ".exe >" + stem + ".txt 2>/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(bench::read_file(stem + ".txt"), by_oracle(system, false).forms);
}

// Whatever its names are, a system is the same program.
TEST(Maude, NamesAreData) {
    if (!installed("maude"))
        GTEST_SKIP() << "Maude is not installed (apt-get install maude)";
    Folder const folder;
    for (System const& system : hostile_systems(10000)) {
        write_file(folder.file("names.maude"), system, emit_maude);
        std::string const command = "maude -no-banner -no-wrap -batch " + folder.file("names.maude") + " </dev/null >" +
                                    folder.file("names.txt") + " 2>&1";
        ASSERT_EQ(std::system(command.c_str()), 0);
        EXPECT_EQ(read_maude(folder.file("names.txt")).forms, by_oracle(system, true).forms)
            << bench::read_file(folder.file("names.txt")).substr(0, 500);
    }
}

TEST(Ocaml, NamesAreData) {
    if (!installed("ocamlopt"))
        GTEST_SKIP() << "OCaml is not installed (apt-get install ocaml-nox)";
    Folder const folder;
    std::string const stem = folder.file("names");
    for (System const& system : hostile_systems()) {
        write_file(stem + ".ml", system, emit_ocaml);
        std::string const command = "ocamlopt -w -a -o " + stem + ".exe " + stem + ".ml >/dev/null 2>&1 && " + stem +
                                    ".exe >" + stem + ".txt 2>/dev/null";
        ASSERT_EQ(std::system(command.c_str()), 0) << bench::read_file(stem + ".ml").substr(0, 3000);
        EXPECT_EQ(bench::read_file(stem + ".txt"), by_oracle(system, false).forms);
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
