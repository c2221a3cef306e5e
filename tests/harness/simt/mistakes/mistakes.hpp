#pragma once
// Faulty kernels, each with a fixed version (`fixed`), for the emulator under the sanitizers.

namespace lockstep::mistakes::emulator {

// Each lane of a warp reads the element after its own, from 32 elements; fixed: from 33.
void read_next(bool fixed);
// Each lane of a warp shifts a word by its number plus one, so the last lane shifts by 32; fixed: the last lane does
// not shift.
void shift_by_lane(bool fixed);
// Each lane of a warp reads the word at byte `lane` of a buffer; fixed: at byte 4 * lane.
void read_word(bool fixed);
// Each lane of a warp calls a virtual function through a pointer cast to a derived class, but the object is of the base
// class; fixed: the object is of the derived class.
void call_as_derived(bool fixed);

}  // namespace lockstep::mistakes::emulator
