#include "harness/simt/emulator/options.hpp"

namespace lockstep::simt::emulator {
namespace {
Options current;
}  // namespace

Options const& options() { return current; }

ScopedOptions::ScopedOptions(Options const& wanted) : before_(current) { current = wanted; }
ScopedOptions::~ScopedOptions() { current = before_; }

}  // namespace lockstep::simt::emulator
