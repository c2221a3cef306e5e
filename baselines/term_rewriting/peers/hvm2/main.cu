// Runs a net on HVM2's CUDA runtime, once per line of standard input. The driver has put the time of a run and the end
// of its memory into runtime.cu, which is HVM2's hvm.cu.
#include "runtime.cu"

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

int main(int, char** arguments) {
    std::ifstream file(arguments[1], std::ios::binary);
    std::vector<char> const bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<u32> book((bytes.size() + sizeof(u32) - 1) / sizeof(u32));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(book.data()));
    for (std::string line; std::getline(std::cin, line);) {
        hvm_cu(book.data());
        if (cudaError_t const error = cudaDeviceSynchronize(); error != cudaSuccess) {
            std::cout << "Error: " << cudaGetErrorString(error) << std::endl;
            return 1;
        }
        std::cout << "End" << std::endl;
    }
}
