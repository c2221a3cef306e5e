#include <iostream>

#include "reverse.hpp"

int main() {
    char const* space = "";
    for (unsigned const lane : consumer::emulator::reversed_lanes()) {
        std::cout << space << lane;
        space = " ";
    }
    std::cout << '\n';
}
