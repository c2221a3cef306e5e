#pragma once
// One warp writes its lane numbers in reverse order, using a shuffle.

#include <vector>

namespace consumer::emulator {

std::vector<unsigned> reversed_lanes();

}
