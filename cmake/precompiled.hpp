#pragma once
// Headers that nearly every library includes, precompiled once per build (compile_time.cmake). Sources still include
// what they use.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>
