#pragma once
// One warp writes its lanes' numbers backwards, by a shuffle.

#include <vector>

namespace consumer::emulator {

std::vector<unsigned> reversed_lanes();

}
