#include "experiments/random_grids/command.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/random_grids/board_source.hpp"
#include "experiments/random_grids/board_stream.hpp"
#include "experiments/random_grids/board_writer.hpp"
#include "experiments/random_grids/experiment.hpp"
#include "experiments/random_grids/picture.hpp"
#include "experiments/random_grids/site_counts.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/free_space.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/bench/output_target.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/distinct_files.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/ranks/ranks.hpp"

namespace lockstep::random_grids {

namespace {

struct Request {
    unsigned width = 15;
    unsigned height = 15;
    std::uint64_t first = 0;
    std::uint64_t count = 1;
    std::uint64_t streams = 0;
    std::string mask;
    std::string occupied_file;
    std::string variant = "auto";
    std::string machine = "auto";
    // Not the slides' XORWOW: its low bits bias narrow boards (METHOD.md).
    cli::AxisTexts axes = {{"occupied", "71,70"}, {"engine", "philox10"}};
    std::uint64_t seed = 1;
    std::string format = "text";
    std::string out;
    bool json = false;
    std::string png;
};

char const* const footer =
    R"(Boards are numbered from 0. With --variant auto, the seed, the board's number, the engine, the number of free
sites and the number of occupied ones determine a board. The machine, --count, --first and the number of ranks do
not. A named --variant draws other boards, the same on every machine that has it. --streams numbers the boards of
streams of --count boards, which are other boards, too. So are those of --occupied-file: each depends on --first and
on the lines before its own that have the same number.

--mask: a board as --format text prints it; ? is a free site, and the other sites stay as they are. --occupied
counts free sites only: every set of that many free sites is equally likely.
--format: text; pbm (one colour), pgm, json; npy, an array (boards, height, width) of bytes; packed, 32-bit words
without a header, site s in bit s % 32 of word s / 32, with a plane per colour that has the sites of this and of
later colours; indices, an .npy array with the numbers of each board's occupied sites, padded with -1; none, which
draws the boards, keeps none, and prints the time.)";

void define_options(cli::CommandLine& app, bench::Experiment const& experiment, Request& request) {
    app.add_option("--width", request.width, "Sites per row");
    app.add_option("--height", request.height, "Number of rows");
    app.add_option("--mask", request.mask, "File with sites that stay empty or occupied, instead of width and height");
    // Options for all axes except those that have their own options here.
    std::vector<bench::Axis> axes = experiment.axes;
    std::set<std::string> const others = {"grid", "streams", "length", "output", "after"};
    std::erase_if(axes, [&](bench::Axis const& axis) { return others.contains(axis.name); });
    cli::add_axes(app, axes, request.axes);
    app.add_option("--occupied-file", request.occupied_file,
                   "File with the number of occupied sites of each board, one per line; the first line is for board 0");
    app.add_option("--count", request.count, "Number of boards; with --occupied-file, by default all of the file's");
    app.add_option("--first", request.first, "Number of the first board");
    app.add_option("--streams", request.streams, "Draw this many streams of --count boards each; ranks share streams");
    app.add_option("--variant", request.variant, "Algorithm, by its name in `lockstep list`; auto: the fastest method");
    app.add_option("--machine", request.machine,
                   "cpu, emulator or cuda; auto: a GPU for much work, else all CPU cores");
    app.add_option("--seed", request.seed, "Random seed; equal seeds give equal boards");
    app.add_option("--format", request.format, "text, pbm, pgm, json, npy, packed, indices or none");
    app.add_option("--out", request.out, "Write the boards to this file instead of standard output");
    app.add_option("--png", request.png, "Also draw the boards to this file");
    app.add_json(request.json, "Print the boards as JSON, as --format json does");
    app.add_max_input();
    app.add_footer(footer);
    app.exclude("--mask", "--width");
    app.exclude("--mask", "--height");
    app.exclude("--occupied-file", "--occupied");
    app.exclude("--occupied-file", "--streams");
    app.exclude("--json", "--out");
}

void check_format(cli::CommandLine const& app, Request& request) {
    if (request.json && app.given("--format") && request.format != "json")
        throw bench::Error("both --json and --format " + request.format, "the boards have one format", "Give one.");
    if (request.json)
        request.format = "json";
    bench::require_known("format", request.format, board_formats);
    if (request.format == "none" && !(request.out.empty() && request.png.empty()))
        throw bench::Error("nothing to write to a file", "format none keeps no boards", "Leave out --out and --png.");
    if (is_binary(request.format) && request.out.empty() && ::isatty(STDOUT_FILENO) != 0)
        throw bench::Error("format " + request.format + " is binary", "standard output is a terminal",
                           "Name a file with --out.");
}

// The shape of the boards, which all axes decide.
Shape shape_of(Request const& request, bench::Experiment const& experiment) {
    cli::AxisTexts texts = request.axes;
    texts["grid"] = std::to_string(request.width) + "x" + std::to_string(request.height);
    if (!request.occupied_file.empty())
        texts["occupied"] = "half";
    bench::Axes const axes = cli::axes_from(experiment, texts);
    experiment.check(axes);
    return read_workload(axes).shape;
}

BoardMask mask_of(Request const& request, bench::Experiment const& experiment) {
    if (request.mask.empty())
        return BoardMask(shape_of(request, experiment));
    cli::check_standard_input(request.mask);
    return parse_mask(bench::read_input(request.mask, bench::Input::mask), request.mask);
}

// Reads the numbers of sites and sets the number of boards.
std::vector<std::uint16_t> read_site_counts(cli::CommandLine const& app, Request& request, BoardMask const& mask) {
    if (request.occupied_file.empty())
        return {};
    cli::check_standard_input(request.occupied_file);
    std::string const text = bench::read_input(request.occupied_file, bench::Input::site_counts);
    std::vector<std::uint16_t> counts = parse_site_counts(text, request.occupied_file, mask.free_sites());
    if (request.first >= counts.size() || (app.given("--count") && request.count > counts.size() - request.first)) {
        throw bench::Error("too few lines in " + request.occupied_file,
                           "it has the numbers of boards 0 to " + std::to_string(counts.size() - 1),
                           "Draw fewer boards with --first and --count.");
    }
    if (!app.given("--count"))
        request.count = counts.size() - request.first;
    return counts;
}

// All boards of the request, with --streams those of all streams.
std::uint64_t total_of(Request const& request) {
    std::uint64_t total = 0;
    bool const fits = !__builtin_mul_overflow(request.count, std::max<std::uint64_t>(request.streams, 1), &total);
    if (!fits || total > max_set_number || request.first > max_set_number - total)
        throw bench::Error("too many boards", "boards are numbered from 0 to 2^48 - 1");
    return total;
}

BoardRequest board_request(cli::CommandLine const& app, Request& request, bench::Experiment const& experiment) {
    BoardMask const mask = mask_of(request, experiment);
    BoardRequest made{mask, !request.mask.empty(), request.axes, read_site_counts(app, request, mask)};
    if (!made.site_counts.empty())
        made.axes["occupied"] = "half";  // of no board
    made.variant = request.variant;
    made.machine = request.machine;
    made.seed = request.seed;
    if (request.count == 0 || (request.streams == 0 && app.given("--streams")))
        throw bench::Error("no boards to draw", request.count == 0 ? "--count is 0" : "--streams is 0",
                           "Give at least 1.");
    made.count = total_of(request);
    if (request.streams != 0) {
        if (request.count > 1u << 20)
            throw bench::Error("streams of " + std::to_string(request.count) + " boards are too long", "at most 2^20",
                               "Leave out --streams.");
        made.boards_per_stream = static_cast<unsigned>(request.count);
    }
    return made;
}

std::string json_head(Request const& request, Shape const& shape, bench::Variant const& variant) {
    std::string occupied = request.axes.at("occupied");
    if (!request.occupied_file.empty())
        occupied = cli::json_text(request.occupied_file);
    else if (occupied == "mixed" || occupied == "half")
        occupied = "\"" + occupied + "\"";
    else
        occupied = "[" + occupied + "]";
    return "\"width\": " + std::to_string(shape.width) + ", \"height\": " + std::to_string(shape.height) +
           ", \"occupied\": " + occupied + ", \"seed\": " + std::to_string(request.seed) +
           ", \"first\": " + std::to_string(request.first) + ", \"engine\": \"" + request.axes.at("engine") +
           "\", \"variant\": \"" + variant.name + "\", \"machine\": \"" +
           std::string(simt::to_string(variant.machine)) + "\"";
}

// The root's outputs.
class Outputs {
public:
    Outputs(Request const& request, BoardsToWrite const& boards) : request_(request), boards_(boards) {}

    void write(PackedBoards const& boards) {
        if (!writer_) {
            if (request_.json)
                cli::print_json("");  // the document follows
            writer_.emplace(boards_, request_.out);
        }
        writer_->write(boards);
        if (!request_.png.empty()) {
            std::vector<Board> const more = unpack_boards(boards);
            drawn_.insert(drawn_.end(), more.begin(), more.end());
        }
    }
    void finish() {
        if (!request_.png.empty())
            bench::write_file_atomically(request_.png, png_of(draw_boards(drawn_)));
        writer_->finish();
    }

private:
    Request const& request_;
    BoardsToWrite boards_;
    std::optional<BoardWriter> writer_;
    std::vector<Board> drawn_;
};

void check_picture(Request const& request, std::uint64_t const count) {
    if (!request.png.empty())
        bench::output_target(request.png);
    if (!request.png.empty() && count > 32768)
        throw bench::Error("the picture is too large", std::to_string(count) + " boards",
                           "Draw fewer boards with --count.");
}

void print_time(Request const& request, BoardSource& source, Shape const& shape, std::uint64_t const count) {
    double const seconds = draw_and_discard(source, shape, request.first, count);
    bench::Variant const& variant = source.variant();
    if (ranks::is_root()) {
        std::printf("%llu boards in %.4g s: %.4g boards/s (variant %s, machine %s)\n",
                    static_cast<unsigned long long>(count), seconds, static_cast<double>(count) / seconds,
                    variant.name.c_str(), std::string(simt::to_string(variant.machine)).c_str());
    }
}

}  // namespace

int grids_command(int argc, char const* const* argv) {
    Request request;
    cli::CommandLine app("grids", "Draw boards with a given number of occupied sites, every such board equally likely");
    bench::Experiment const experiment = make_experiment();
    define_options(app, experiment, request);
    app.parse(argc, argv);
    check_format(app, request);
    cli::require_distinct_files({request.mask, request.occupied_file}, {request.out, request.png});
    BoardRequest const wanted = board_request(app, request, experiment);
    check_picture(request, wanted.count);
    BoardSource source(experiment, wanted);
    if (request.format == "pbm" && source.planes() > 1) {
        throw bench::Error("format pbm holds one colour", "the boards have " + std::to_string(source.planes()),
                           "Use --format pgm.");
    }
    Shape const shape = wanted.mask.shape();
    if (request.format == "none") {
        print_time(request, source, shape, wanted.count);
        return 0;
    }
    BoardsToWrite const all = {request.format,
                               shape,
                               source.planes(),
                               wanted.count,
                               source.max_occupied(request.first, wanted.count),
                               json_head(request, shape, source.variant())};
    ranks::together([&] {
        if (ranks::is_root() && !request.out.empty())
            bench::require_space(request.out, min_bytes_of(all));
    });
    Outputs outputs(request, all);
    stream_boards(source, shape, request.first, wanted.count,
                  [&](PackedBoards const& boards) { outputs.write(boards); });
    ranks::together([&] {
        if (ranks::is_root())
            outputs.finish();
    });
    return 0;
}

}  // namespace lockstep::random_grids
