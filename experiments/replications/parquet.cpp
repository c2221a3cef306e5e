#include "experiments/replications/parquet.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "harness/bench/atomic_file.hpp"

extern char** environ;

namespace lockstep::replications {

namespace {

// Returns true if `python3 -c code arguments...` ends with code 0. Its output is discarded.
bool python(std::string const& code, std::vector<std::string> const& arguments) {
    std::vector<std::string> words = {"python3", "-c", code};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    int const failed = posix_spawnp(&child, "python3", &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    return failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Removes its file.
struct Scratch {
    explicit Scratch(std::string name) : path(std::move(name)) {}
    Scratch(Scratch const&) = delete;
    Scratch& operator=(Scratch const&) = delete;
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
    std::string const path;
};

}  // namespace

void require_parquet() {
    if (!python("import pyarrow.csv, pyarrow.parquet", {}))
        throw bench::Error("cannot write Parquet", "python3 cannot import pyarrow",
                           "Install pyarrow, or name a file that ends in .csv.");
}

void write_parquet(std::string const& path, std::string const& csv) {
    bench::create_parent_folders(path);
    Scratch const table(bench::scratch_name(path));
    bench::write_file_atomically(table.path, csv, bench::Durable::no);
    Scratch const image(bench::scratch_name(path));
    // The columns after point, replication and step are numbers of 64 bits, whatever their values are.
    if (!python("import sys, pyarrow, pyarrow.csv, pyarrow.parquet\n"
                "names = open(sys.argv[1]).readline().strip().split(',')\n"
                "types = {name: pyarrow.float64() for name in names[3:]}\n"
                "options = pyarrow.csv.ConvertOptions(column_types=types)\n"
                "table = pyarrow.csv.read_csv(sys.argv[1], convert_options=options)\n"
                "pyarrow.parquet.write_table(table, sys.argv[2])",
                {table.path, image.path}))
        throw bench::Error("cannot write " + path, "pyarrow failed", "Name a file that ends in .csv.");
    if (std::rename(image.path.c_str(), path.c_str()) != 0)
        throw bench::cannot_write(path, errno);
    bench::sync_folder_of(path);
}

}  // namespace lockstep::replications
