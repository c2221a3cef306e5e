#pragma once
// Mistakes of a lane, each beside its cure. For the emulator under the sanitizers.

namespace lockstep::mistakes::emulator {

// Each lane of a warp reads the element after its own of 32, or of 33.
void read_next(bool mended);
// Each lane of a warp shifts a word by its number and one: the last one by 32, or not at all.
void shift_by_lane(bool mended);
// Each lane of a warp reads the word that begins at byte `lane` of a buffer, or at byte 4 * lane.
void read_word(bool mended);
// Each lane of a warp calls a virtual function of a derived class through a base class, whose object it is or is not.
void call_as_derived(bool mended);

}  // namespace lockstep::mistakes::emulator
