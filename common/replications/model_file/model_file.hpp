#pragma once
// A model file: a stochastic simulation, declared at the top level of what is otherwise C++
// (examples/replications/models/README.md is the language's page).
//
//   parameter TYPE NAME = NUMBER;     `steps` is one of them: the number of steps, or their limit with finished()
//   stream NAME;                      random numbers of their own; `draw` is always there
//   mean NAME = EXPRESSION;           in s, averaged over the steps after the warm-up
//   result NAME = EXPRESSION;         in s, after the last step
//   struct State { ... };
//   void step(State& s) { ... }
//   void start(State& s) { ... }             optional
//   bool finished(State const& s) { ... }    optional: asked before each step
//
// Instead of step(), so that lanes can share a replication:
//
//   struct Piece { ... };                              how some steps change a state; Piece{} changes nothing
//   Piece piece() { ... }                              of one step
//   static Piece compose(Piece const& first, Piece const& second) { ... }
//   void apply(State& s, Piece const& piece) { ... }
//
// The parser reads the first four forms and leaves the C++ to the compiler.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/jit/parameters.hpp"

namespace lockstep::replications::model_file {

using jit::ParameterLine;
using jit::Settings;
using jit::Type;

struct MeasureLine {
    std::string name;
    std::string expression;
    std::size_t line = 0;
};

struct ModelFile {
    std::string path;  // for messages
    std::string code;  // C++ with the lines of the file, without the declarations
    std::vector<ParameterLine> parameters;
    std::vector<std::string> streams;  // without `draw`
    std::vector<MeasureLine> means;
    std::vector<MeasureLine> results;
    std::map<std::string, std::size_t> lines;  // of the functions that the code defines, by name
    bool starts = false;                       // it has start()
    bool finishes = false;                     // it has finished()
    bool composes = false;                     // it has piece(), compose() and apply() instead of step()

    std::size_t steps_parameter() const;
    std::vector<std::string> measure_names() const;  // means, then results
};

// Throws bench::Error with the path and the line.
ModelFile parse_model_file(std::string const& text, std::string const& path);
ModelFile read_model_file(std::string const& path);

}  // namespace lockstep::replications::model_file
