#include "experiments/replications/model_code.hpp"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "harness/jit/code_writer.hpp"
#include "harness/jit/text_digest.hpp"
#include "harness/jit/whole_text.hpp"

namespace lockstep::replications::model_file {

// Headers that the texts include, embedded (experiments/replications/CMakeLists.txt lists them).
std::span<simt::EmbeddedText const> model_file_headers();
std::span<simt::EmbeddedText const> model_file_cpu_headers();

namespace {

// The names that #line gives to the user's text and to the rest, so that equal texts of two files are compiled once.
constexpr char const* user_text = "model";
constexpr char const* own_text = "generated";
constexpr char const* cache_name = "replicate";
constexpr char const* name_space = "lockstep::replications::model_file";

std::vector<std::string> streams_of(ModelFile const& file) {
    std::vector<std::string> names = {"draw"};
    names.insert(names.end(), file.streams.begin(), file.streams.end());
    return names;
}

void write_members(jit::CodeWriter& code, ModelFile const& file) {
    std::vector<std::string> const streams = streams_of(file);
    code.line("static constexpr unsigned means = {};", file.means.size());
    code.line("static constexpr unsigned results = {};", file.results.size());
    code.line("static constexpr bool finishes = {};", file.finishes);
    code.line("u64 step_number = 0;");
    for (ParameterLine const& parameter : file.parameters)
        code.line("{} {};", jit::to_string(parameter.type), parameter.name);
    for (std::string const& stream : streams)
        code.line("Stream {};", stream);
    code.line(
        "__device__ Model(Arguments const& lockstep_a, u64 lockstep_point, u64 lockstep_unit, u32 lockstep_lane,");
    code.line("                 u32 lockstep_flip)");
    code.line("    : step_number(0)");
    for (std::size_t i = 0; i < file.parameters.size(); ++i)
        code.line("    , {}(parameter_of<{}>(lockstep_a, lockstep_point, {}))", file.parameters[i].name,
                  jit::to_string(file.parameters[i].type), i);
    for (std::size_t i = 0; i < streams.size(); ++i)
        code.line("    , {}(lockstep_a.seed, lockstep_unit, lockstep_lane + {}, lockstep_flip)", streams[i], i);
    code.line("{{}}");
}

// The values of the means or results, as f64. The streams in `constant` cannot draw there.
void write_measures(jit::CodeWriter& code, char const* name, std::vector<MeasureLine> const& lines,
                    std::vector<std::string> const& constant) {
    auto const function = code.block(
        "__device__ void lockstep_{}([[maybe_unused]] State const& s, [[maybe_unused]] f64* lockstep_values)", name);
    for (std::string const& stream : constant)
        code.line("[[maybe_unused]] Stream const& {} = this->{};", stream, stream);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        code.line("lockstep_values[{}] = static_cast<f64>(", i);
        code.append(fmt::format("#line {} \"{}\"\n{}\n);\n#line 1 \"{}\"\n", lines[i].line, user_text,
                                lines[i].expression, own_text));
    }
}

// What run.hpp and model_team.hpp need to know of the streams.
void write_streams(jit::CodeWriter& code, ModelFile const& file) {
    std::vector<std::string> const streams = streams_of(file);
    {
        auto const words = code.block("__device__ void lockstep_words(u64* words) const");
        for (std::size_t i = 0; i < streams.size(); ++i)
            code.line("words[{}] = {}.words();", i, streams[i]);
    }
    {
        auto const skip =
            code.block("__device__ void lockstep_skip(Model const& after_step, u64 steps, u64* words_per_step)");
        for (std::size_t i = 0; i < streams.size(); ++i) {
            code.line("words_per_step[{}] = after_step.{}.words() - {}.words();", i, streams[i], streams[i]);
            code.line("{}.skip(steps * words_per_step[{}]);", streams[i], i);
        }
    }
    {
        auto const misused = code.block("__device__ u64 lockstep_misused() const");
        std::vector<std::string> all;
        for (std::string const& stream : streams)
            all.push_back(stream + ".misused()");
        code.line("return static_cast<u64>({}) << first_misused_draw;", fmt::join(all, " | "));
    }
    auto const drew =
        code.block("__device__ bool lockstep_drew(u64 const* before, u64 const* words_per_step, u64 steps) const");
    code.line("bool all = true;");
    for (std::size_t i = 0; i < streams.size(); ++i)
        code.line("all &= {}.words() - before[{}] == steps * words_per_step[{}];", streams[i], i, i);
    code.line("return all;");
}

void write_requirement(jit::CodeWriter& code, ModelFile const& file, char const* function, char const* concept_name,
                       char const* form) {
    code.append(fmt::format("#line {} \"{}\"\n", file.lines.at(function), user_text));
    code.line("static_assert({}, \"{} must be {}\");", concept_name, function, form);
    code.append(fmt::format("#line 1 \"{}\"\n", own_text));
}

void write_requirements(jit::CodeWriter& code, ModelFile const& file) {
    if (file.starts)
        write_requirement(code, file, "start", "HasStart<Model, Model::State>", "void start(State& s)");
    if (file.finishes)
        write_requirement(code, file, "finished", "HasFinished<Model, Model::State>", "bool finished(State const& s)");
    if (!file.composes)
        return write_requirement(code, file, "step", "HasStep<Model, Model::State>", "void step(State& s)");
    write_requirement(code, file, "piece", "HasPiece<Model, Model::Piece>", "Piece piece()");
    write_requirement(code, file, "compose", "HasCompose<Model, Model::Piece>",
                      "static Piece compose(Piece const& first, Piece const& second)");
    write_requirement(code, file, "apply", "HasApply<Model, Model::State, Model::Piece>",
                      "void apply(State& s, Piece const& piece)");
}

std::string common_text(ModelFile const& file) {
    jit::CodeWriter code;
    code.line("namespace {}::LOCKSTEP_MACHINE {{", name_space);
    code.line("struct Model {{");
    write_members(code, file);
    code.append(fmt::format("#line 1 \"{}\"\n{}\n#line 1 \"{}\"\n", user_text, file.code, own_text));
    code.line("__device__ void lockstep_start([[maybe_unused]] State& s) {{ {} }}", file.starts ? "start(s);" : "");
    code.line("__device__ bool lockstep_finished([[maybe_unused]] State const& s) {{ return {}; }}",
              file.finishes ? "finished(s)" : "false");
    code.line("__device__ void lockstep_step(State& s) {{ {}; }}", file.composes ? "apply(s, piece())" : "step(s)");
    // Means are not evaluated during a warm-up, and twice for a series: a draw would change what follows.
    write_measures(code, "means", file.means, streams_of(file));
    write_measures(code, "results", file.results, {});
    write_streams(code, file);
    code.line("}};");
    write_requirements(code, file);
    code.line("}}  // namespace {}::LOCKSTEP_MACHINE", name_space);
    return code.take();
}

jit::KernelText kernels_of(ModelFile const& file, char const* header, char const* programs,
                           std::vector<char const*> const& entries) {
    jit::KernelText text;
    text.text = fmt::format("#include \"kernels/replications/{}\"\n\n", header) + common_text(file);
    text.prefix = fmt::format("model_{:016x}", jit::text_digest(text.text));
    for (char const* const entry : entries)
        text.add_entry(
            entry,
            fmt::format("{0}::LOCKSTEP_MACHINE::{1}<{0}::LOCKSTEP_MACHINE::Model>::{2}", name_space, programs, entry),
            fmt::format("{}::Arguments", name_space), "__launch_bounds__(1024)");
    return text;
}

constexpr char const* cpu_entry = R"(
extern "C" void lockstep_run(lockstep::replications::model_file::Arguments const* a, unsigned long long index,
                             int recording) {
    namespace own = lockstep::replications::model_file::cpu;
    if (recording != 0)
        own::run_replication<own::Model, true>(*a, index);
    else
        own::run_replication<own::Model, false>(*a, index);
}
)";

}  // namespace

jit::KernelText lane_text(ModelFile const& file) {
    return kernels_of(file, "model_lanes.hpp", "LanePrograms", {"run", "record"});
}

jit::KernelText team_text(ModelFile const& file) {
    return kernels_of(file, "model_team.hpp", "TeamPrograms", {"run_in_warps", "run_in_blocks"});
}

std::string cpu_text(ModelFile const& file) {
    std::string const text = "#include \"common/replications/model_file/run.hpp\"\n" + common_text(file) + cpu_entry;
    std::span<simt::EmbeddedText const> const parts[] = {model_file_headers(), model_file_cpu_headers()};
    return jit::whole_text_for_cpu(text, parts);
}

jit::KernelContext const& kernel_context() {
    static jit::KernelContext const context = {
        {cache_name, "the model", "use --machine cpu."}, model_file_headers(), {}, true};
    return context;
}

jit::UserFile user_file(ModelFile const& file) {
    return {file.path, user_text, name_space, "the model file", cache_name, "the model", "its variables"};
}

}  // namespace lockstep::replications::model_file
