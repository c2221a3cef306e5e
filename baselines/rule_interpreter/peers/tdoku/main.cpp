// Solves the puzzles of a file with tdoku on all cores: `tdoku PUZZLES SOLUTIONS [LIMIT]`. A line of PUZZLES has 81
// characters, digits and points; SOLUTIONS gets a line per puzzle, empty if there is no solution. With a LIMIT, the
// line is the number of solutions up to it instead, as `lockstep sudoku --limit` counts them. tdoku keeps its state in
// global objects, so each core runs a process. The processes live before the time starts, are pinned, and share the
// puzzles in chunks.

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <new>
#include <span>
#include <vector>

#include "baselines/peers/samples.hpp"
#include "include/tdoku.h"

namespace {

using namespace lockstep::peers;

constexpr std::size_t cells = 81;
constexpr std::size_t chunk = 16;

// CPUs that this process may use.
std::vector<int> allowed_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    require(sched_getaffinity(0, sizeof set, &set) == 0, "the CPUs of the process are unknown");
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
    }
    return cpus;
}

void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

// Fixed-size records, as tdoku reads character 81 to tell the two kinds of puzzles apart.
struct Puzzle {
    char given[cells + 1];
    char solution[cells];
    std::size_t count;
};

// What the processes share.
struct Shared {
    pthread_barrier_t start, end;
    std::atomic<std::size_t> next;
    std::atomic<bool> done;
    std::size_t limit;
};

template <class T>
T* shared_memory(std::size_t count) {
    void* const memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(memory != MAP_FAILED, "shared memory cannot be mapped");
    return static_cast<T*>(memory);
}

std::vector<Puzzle> read_puzzles(char const* path) {
    std::ifstream file(path);
    std::vector<Puzzle> puzzles;
    for (std::string line; std::getline(file, line);) {
        require(line.size() == cells, "a line of the puzzles does not have 81 characters");
        Puzzle puzzle{};
        std::copy(line.begin(), line.end(), puzzle.given);
        puzzles.push_back(puzzle);
    }
    require(!puzzles.empty(), std::string("no puzzle in ") + path);
    return puzzles;
}

void solve(Puzzle& puzzle, std::size_t limit) {
    std::size_t guesses = 0;
    puzzle.count = TdokuSolverDpllTriadSimd(puzzle.given, limit, 0, puzzle.solution, &guesses);
}

Shared* make_shared_state(unsigned processes) {
    Shared* const shared = new (shared_memory<Shared>(1)) Shared;
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->start, &attributes, processes);
    pthread_barrier_init(&shared->end, &attributes, processes);
    return shared;
}

void solve_share(Shared& shared, Puzzle* puzzles, std::size_t size) {
    for (std::size_t first = shared.next.fetch_add(chunk); first < size; first = shared.next.fetch_add(chunk)) {
        for (std::size_t i = first; i < std::min(first + chunk, size); ++i)
            solve(puzzles[i], shared.limit);
    }
}

[[noreturn]] void help(Shared& shared, Puzzle* puzzles, std::size_t size) {
    for (;;) {
        pthread_barrier_wait(&shared.start);
        if (shared.done)
            _exit(0);
        solve_share(shared, puzzles, size);
        pthread_barrier_wait(&shared.end);
    }
}

void measure(Puzzle* puzzles, std::size_t size, std::size_t limit) {
    std::vector<int> const cpus = allowed_cpus();
    Shared& shared = *make_shared_state(static_cast<unsigned>(cpus.size()));
    shared.limit = limit;
    for (std::size_t i = 1; i < cpus.size(); ++i) {
        pid_t const child = fork();
        require(child >= 0, "a process cannot be started");
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody else ends a process that waits at a barrier
            pin(cpus[i]);
            help(shared, puzzles, size);
        }
    }
    pin(cpus[0]);
    auto const run = [&] {
        shared.next = 0;
        return steady_seconds([&] {
            pthread_barrier_wait(&shared.start);
            solve_share(shared, puzzles, size);
            pthread_barrier_wait(&shared.end);
        });
    };
    print_samples(run, 15);
    shared.done = true;
    pthread_barrier_wait(&shared.start);
    while (wait(nullptr) > 0)
        continue;
}

void write_results(char const* path, Puzzle const* puzzles, std::size_t size, bool counts) {
    std::ofstream file(path);
    for (Puzzle const& puzzle : std::span(puzzles, size))
        file << (counts              ? std::to_string(puzzle.count)
                 : puzzle.count != 0 ? std::string(puzzle.solution, cells)
                                     : std::string())
             << '\n';
    require(static_cast<bool>(file), std::string(path) + " cannot be written");
}

}  // namespace

int main(int count, char** arguments) {
    return guarded([&] {
        require(count == 3 || count == 4, "usage: tdoku PUZZLES SOLUTIONS [LIMIT]");
        bool const counts = count == 4;
        std::size_t const limit = counts ? std::strtoull(arguments[3], nullptr, 10) : 1;
        require(limit != 0, "LIMIT must be a positive number");
        std::vector<Puzzle> const read = read_puzzles(arguments[1]);
        Puzzle* const puzzles = shared_memory<Puzzle>(read.size());
        std::copy(read.begin(), read.end(), puzzles);
        std::fflush(stdout);
        measure(puzzles, read.size(), limit);
        write_results(arguments[2], puzzles, read.size(), counts);
        std::printf("check solutions written\n");
    });
}
