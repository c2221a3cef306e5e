// Reads paths of results files from standard input, and prints for each one line: "ok", or why it is rejected.

#include <iostream>
#include <string>

#include "harness/bench/error.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/results_document.hpp"

int main() {
    for (std::string path; std::getline(std::cin, path);) {
        try {
            lockstep::bench::parse_results(path);
            std::cout << "ok\n";
        } catch (lockstep::bench::Error const& error) {
            std::cout << lockstep::bench::message_line(error.what()) << "\n";
        }
    }
}
