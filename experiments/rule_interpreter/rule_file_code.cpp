#include "experiments/rule_interpreter/rule_file_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "harness/jit/code_writer.hpp"
#include "harness/jit/text_digest.hpp"

namespace lockstep::rule_interpreter::rule_file {

// Headers that the texts include, embedded (experiments/rule_interpreter/CMakeLists.txt lists them).
std::span<simt::EmbeddedText const> rule_file_headers();

namespace {

// The names that #line gives to the user's text and to the rest, so that equal texts of two files are compiled once.
constexpr char const* user_text = "rules";
constexpr char const* own_text = "generated";
constexpr char const* cache_name = "interpret";

char const* column_type(ColumnLine const& column, bool all_deferred) {
    return column.deferred || all_deferred ? "DeferredColumn" : "Column";
}

void write_state(jit::CodeWriter& code, RuleFile const& file, bool all_deferred) {
    {
        auto const state = code.indented();
        // Constants, because a rule that sets one would change its own copy only.
        code.line("u64 const number;");
        code.line("u64 const seed;");
        for (ParameterLine const& parameter : file.parameters)
            code.line("{} const {};", to_string(parameter.type), parameter.name);
        for (ColumnLine const& column : file.columns)
            code.line("{}<{}> {};", column_type(column, all_deferred), to_string(column.type), column.name);
        code.line("__device__ State(Arguments const& lockstep_a, u64 lockstep_state)");
        code.line("    : number(lockstep_a.first_state + lockstep_state), seed(lockstep_a.seed)");
        for (std::size_t i = 0; i < file.parameters.size(); ++i)
            code.line("    , {}(parameter_of<{}>(lockstep_a, {}))", file.parameters[i].name,
                      to_string(file.parameters[i].type), i);
        for (std::size_t i = 0; i < file.columns.size(); ++i)
            code.line("    , {}(lockstep_a, {}, lockstep_state)", file.columns[i].name, i);
        code.line("{{}}");
        code.line("__device__ bool written() const {{");
        code.line("    bool is = false;");
        for (ColumnLine const& column : file.columns)
            code.line("    is |= {}.written();", column.name);
        code.line("    return is;");
        code.line("}}");
    }
}

// The initial value of a column, in which parameters have their own names, too.
void write_initial_value(jit::CodeWriter& code, RuleFile const& file, std::size_t number) {
    ColumnLine const& column = file.columns[number];
    auto const body = code.block(
        "__device__ inline {} lockstep_initial_{}([[maybe_unused]] State const& s, "
        "[[maybe_unused]] u32 i)",
        to_string(column.type), number);
    if (column.value.empty()) {
        code.line("return 0;");
        return;
    }
    for (ParameterLine const& parameter : file.parameters)
        code.line("[[maybe_unused]] {} const {} = s.{};", to_string(parameter.type), parameter.name, parameter.name);
    code.line("return static_cast<{}>(", to_string(column.type));
    code.append(
        fmt::format("#line {} \"{}\"\n{}\n);\n#line 1 \"{}\"\n", column.value_line, user_text, column.value, own_text));
}

void write_requirement(jit::CodeWriter& code, RuleLine const& rule, char const* concept_name, char const* member) {
    code.append(fmt::format("#line {} \"{}\"\n", rule.line, user_text));
    code.line("static_assert({}<user::{}, user::State>, \"rule {} needs {}\");", concept_name, rule.name, rule.name,
              member);
}

// range() of a rule with `over` would never be called.
void write_refusal_of_range(jit::CodeWriter& code, RuleLine const& rule, std::string const& column) {
    code.append(fmt::format("#line {} \"{}\"\n", rule.line, user_text));
    code.line("static_assert(!HasRange<user::{}, user::State>, \"rule {} has over {} and range(); leave one out\");",
              rule.name, rule.name, column);
}

void write_rule(jit::CodeWriter& code, RuleFile const& file, std::size_t number) {
    RuleLine const& rule = file.rules[number];
    write_requirement(code, rule, "HasCondition", "bool condition(State const& s, u32 i)");
    write_requirement(code, rule, "HasEvaluate", "bool evaluate(State& s, u32 i)");
    if (rule.over)
        write_refusal_of_range(code, rule, file.columns[*rule.over].name);
    else
        write_requirement(code, rule, "HasRange", "over COLUMN, or u32 range(State const& s)");
    code.append(fmt::format("#line 1 \"{}\"\n", own_text));
    {
        auto const head = code.block("struct Rule{}", number);
        if (rule.over)
            code.line("__device__ static u32 range(user::State const& s) {{ return s.{}.size(); }}",
                      file.columns[*rule.over].name);
        else
            code.line("__device__ static u32 range(user::State const& s) {{ return user::{}().range(s); }}", rule.name);
        code.line(
            "__device__ static bool condition(user::State const& s, u32 i) {{ return user::{}().condition(s, i); }}",
            rule.name);
        code.line("__device__ static bool evaluate(user::State& s, u32 i) {{ return user::{}().evaluate(s, i); }}",
                  rule.name);
    }
    code.line(";");
}

// What the programs need to know of all columns.
void write_table(jit::CodeWriter& code, RuleFile const& file, bool all_deferred) {
    bool const deferring = all_deferred || std::any_of(file.columns.begin(), file.columns.end(),
                                                       [](ColumnLine const& column) { return column.deferred; });
    {
        auto const head = code.block("struct Table : user::State");
        code.line("static constexpr bool deferring = {};", deferring);
        code.line("__device__ Table(Arguments const& a, u64 state) : user::State(a, state) {{}}");
        {
            auto const commit = code.block(
                "__device__ static void commit([[maybe_unused]] Arguments const& a, [[maybe_unused]] u64 state, "
                "[[maybe_unused]] u64 first, [[maybe_unused]] u64 end, [[maybe_unused]] u64 step)");
            for (std::size_t i = 0; i < file.columns.size(); ++i) {
                if (file.columns[i].deferred || all_deferred)
                    code.line("commit_column<{}>(a, {}, state, first, end, step);", to_string(file.columns[i].type), i);
            }
        }
        {
            auto const initialise =
                code.block("__device__ static void initialise(Arguments const& a, unsigned column, u64 state, u32 i)");
            code.line("user::State const s(a, state);");
            for (std::size_t i = 0; i < file.columns.size(); ++i) {
                std::string_view const type = to_string(file.columns[i].type);
                code.line("if (column == {})", i);
                code.line(
                    "    state_of_column<{}>(a.initialised, a.sizes[{}], state)[i] = user::lockstep_initial_{}(s, i);",
                    type, i, i);
            }
        }
        auto const digest =
            code.block("__device__ static u64 digest(Arguments const& a, u64 state, u64 first, u64 step)");
        code.line("u64 sum = 0;");
        for (std::size_t i = 0; i < file.columns.size(); ++i)
            code.line("sum += digest_of_column<{}>(a, {}, state, first, step);", to_string(file.columns[i].type), i);
        code.line("return sum;");
    }
    code.line(";");
}

jit::KernelText kernels_of(RuleFile const& file, char const* header, char const* program,
                           std::vector<char const*> const& entries) {
    jit::KernelText text;
    text.text = fmt::format("#include \"kernels/rule_interpreter/{}\"\n\n", header) + common_text(file, program, false);
    text.prefix = fmt::format("rules_{:016x}", jit::text_digest(text.text));
    std::string const space = "lockstep::rule_interpreter::rule_file::";
    for (char const* const entry : entries)
        text.add_entry(entry, space + "LOCKSTEP_MACHINE::Program::" + entry, space + "Arguments");
    return text;
}

}  // namespace

std::string common_text(RuleFile const& file, char const* program, bool all_deferred) {
    jit::CodeWriter code;
    code.line("namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE {{");
    code.line("namespace user {{");
    code.line("struct State {{");
    write_state(code, file, all_deferred);
    code.line("}};");
    code.append(fmt::format("#line 1 \"{}\"\n{}\n#line 1 \"{}\"\n", user_text, file.code, own_text));
    for (std::size_t i = 0; i < file.columns.size(); ++i)
        write_initial_value(code, file, i);
    code.line("}}  // namespace user");
    std::string rules;
    for (std::size_t i = 0; i < file.rules.size(); ++i) {
        write_rule(code, file, i);
        rules += fmt::format(", Rule{}", i);
    }
    write_table(code, file, all_deferred);
    code.line("using Program = {}<Table{}>;", program, rules);
    code.line("}}  // namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE");
    return code.take();
}

jit::KernelText kernel_text(RuleFile const& file) {
    return kernels_of(file, "rule_file_queue.hpp", "QueueProgram", {"run", "initialise", "digest"});
}

jit::KernelText grid_kernel_text(RuleFile const& file) {
    return kernels_of(file, "rule_file_grid.hpp", "GridProgram", {"apply", "commit"});
}

jit::UserFile user_file(std::string const& path) {
    return {path,     user_text,    "lockstep::rule_interpreter::rule_file", "the rule file", cache_name,
            "a rule", "its columns"};
}

jit::UserFile initial_values_of(std::string const& path) {
    jit::UserFile file = user_file(path);
    file.actor = "an initial value";
    file.memory = "the columns that are declared before it";
    return file;
}

jit::KernelContext const& kernel_context() {
    static jit::KernelContext const context = {
        {cache_name, "the rules", "use --machine cpu."}, rule_file_headers(), {}, true};
    return context;
}

}  // namespace lockstep::rule_interpreter::rule_file
