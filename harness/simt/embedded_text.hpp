#pragma once
// A file of this tree that is embedded in the program as text, by lockstep_embed_texts of cmake/embed_texts.cmake.

namespace lockstep::simt {

struct EmbeddedText {
    char const* name;  // relative to the project's root, as in #include "harness/simt/kernel.hpp"
    char const* text;
};

}  // namespace lockstep::simt
