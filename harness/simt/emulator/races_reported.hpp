#pragma once
// How many races ThreadSanitizer has reported in this program so far. Zero in programs that are built without it.

namespace lockstep::simt::emulator {

int races_reported();

}  // namespace lockstep::simt::emulator
