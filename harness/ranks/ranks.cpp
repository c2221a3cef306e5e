#include "harness/ranks/ranks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "harness/bench/error.hpp"
#include "harness/bench/plan.hpp"
#include "harness/simt/devices.hpp"

#if defined(LOCKSTEP_WITH_MPI)
#include <mpi.h>
#endif

namespace lockstep::ranks {

namespace {

struct State {
    unsigned rank = 0;
    unsigned count = 1;
};
State state;

// Variables set by Open MPI, by launchers that use PMIx, and by MPICH and Slurm.
bool started_by_mpi() {
    for (char const* const name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
        if (std::getenv(name) != nullptr)
            return true;
    }
    return false;
}

// How a rank's work ended.
struct Ending {
    enum Kind : int { good, mistake, failure };
    Kind kind = good;
    std::string text;
};

// Errors that have already been broadcast to all ranks.
struct AgreedMistake : bench::Error {
    using bench::Error::Error;
};
struct AgreedFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Ending ending_of(std::function<void()> const& work) {
    try {
        work();
    } catch (AgreedMistake const&) {
        throw;
    } catch (AgreedFailure const&) {
        throw;
    } catch (bench::Error const& error) {
        return {Ending::mistake, error.what()};
    } catch (std::bad_alloc const&) {
        return {Ending::mistake, "out of memory (an allocation failed) run a smaller job or raise the limit ulimit -v"};
    } catch (std::filesystem::filesystem_error const& error) {
        return {Ending::mistake,
                "cannot use " + error.path1().string() + " (" + error.code().message() + ") choose another path"};
    } catch (std::system_error const& error) {
        return {Ending::mistake, std::string("the system refused a request (") + error.what() +
                                     ") raise the limits that ulimit -a prints"};
    } catch (std::exception const& error) {
        return {Ending::failure, error.what()};
    }
    return {};
}

#if defined(LOCKSTEP_WITH_MPI)

constexpr int tag = 1;

// Broadcasts the ending of the lowest rank that failed. Returns {} if none failed.
Ending agreed(Ending mine) {
    int first = mine.kind == Ending::good ? static_cast<int>(state.count) : static_cast<int>(state.rank);
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == static_cast<int>(state.count))
        return {};
    int header[2] = {mine.kind, static_cast<int>(mine.text.size())};
    MPI_Bcast(header, 2, MPI_INT, first, MPI_COMM_WORLD);
    mine.kind = static_cast<Ending::Kind>(header[0]);
    mine.text.resize(static_cast<std::size_t>(header[1]));
    MPI_Bcast(mine.text.data(), header[1], MPI_CHAR, first, MPI_COMM_WORLD);
    if (first != 0)
        mine.text += " (on rank " + std::to_string(first) + " of " + std::to_string(state.count) + ")";
    return mine;
}

void start() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    int rank = 0;
    int count = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    state = {static_cast<unsigned>(rank), static_cast<unsigned>(count)};
    if (rank != 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
        throw std::runtime_error("cannot open /dev/null");

    MPI_Comm host = MPI_COMM_NULL;
    int rank_on_host = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank_on_host);
    MPI_Comm_free(&host);
    std::size_t const devices = simt::cuda_devices().devices.size();
    if (devices != 0)
        simt::use_device(static_cast<std::size_t>(rank_on_host) % devices);
}

// Each result as one word with its length, followed by its words.
std::vector<std::uint32_t> packed(std::vector<bench::UnitResult> const& results) {
    std::vector<std::uint32_t> words;
    for (bench::UnitResult const& result : results) {
        words.push_back(static_cast<std::uint32_t>(result.size()));
        words.insert(words.end(), result.begin(), result.end());
    }
    return words;
}

void unpack(std::vector<std::uint32_t> const& words, std::vector<bench::UnitResult>& results) {
    for (std::size_t at = 0; at < words.size();) {
        std::size_t const length = words[at++];
        results.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(at),
                             words.begin() + static_cast<std::ptrdiff_t>(at + length));
        at += length;
    }
}

// Transfers `words` in messages of at most `max_words`. `transfer` calls MPI_Send or MPI_Recv.
template <class Transfer>
void in_messages(std::vector<std::uint32_t>& words, std::uint64_t max_words, Transfer const& transfer) {
    for (std::uint64_t at = 0; at < words.size(); at += max_words)
        transfer(words.data() + at, static_cast<int>(std::min<std::uint64_t>(max_words, words.size() - at)));
}

void send_results(std::vector<bench::UnitResult> const& mine, std::uint64_t max_words) {
    std::vector<std::uint32_t> words = packed(mine);
    std::uint64_t size = words.size();
    MPI_Send(&size, 1, MPI_UINT64_T, 0, tag, MPI_COMM_WORLD);
    in_messages(words, max_words,
                [](std::uint32_t* at, int length) { MPI_Send(at, length, MPI_UINT32_T, 0, tag, MPI_COMM_WORLD); });
}

void receive_results(int from, std::vector<bench::UnitResult>& results, std::uint64_t max_words) {
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<std::uint32_t> words(size);
    in_messages(words, max_words, [&](std::uint32_t* at, int length) {
        MPI_Recv(at, length, MPI_UINT32_T, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    unpack(words, results);
}

#endif

}  // namespace

Session::Session() {
    if (!started_by_mpi())
        return;
#if defined(LOCKSTEP_WITH_MPI)
    try {
        start();
    } catch (...) {
        state = {};  // a single rank, so that the error is reported
        throw;
    }
#else
    char const* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
    if (size != nullptr && std::string(size) == "1")
        return;
    throw bench::Error("cannot share a job among processes", "this program was built without MPI",
                       "install Open MPI and configure again, or use --shard");
#endif
}

Session::~Session() {
#if defined(LOCKSTEP_WITH_MPI)
    int started = 0;
    MPI_Initialized(&started);
    if (started != 0) {
        std::fflush(stdout);
        // mpirun kills all ranks as soon as one exits with an error. The barrier lets every rank print its messages
        // first.
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
    }
#endif
    state = {};
}

unsigned rank() { return state.rank; }
unsigned count() { return state.count; }

Part part_of(std::uint64_t first, std::uint64_t units, unsigned of_rank) {
    bench::Range const range = bench::units_of({of_rank, state.count}, units);
    return {first + range.first, range.units};
}

void together(std::function<void()> const& work) {
    Ending ending = ending_of(work);
#if defined(LOCKSTEP_WITH_MPI)
    if (state.count > 1)
        ending = agreed(std::move(ending));
#endif
    if (ending.kind == Ending::mistake)
        throw AgreedMistake(ending.text);
    if (ending.kind == Ending::failure)
        throw AgreedFailure(ending.text);
}

std::vector<bench::UnitResult> gathered(std::vector<bench::UnitResult> mine, std::uint64_t max_words) {
#if defined(LOCKSTEP_WITH_MPI)
    if (state.count > 1) {
        if (!is_root()) {
            send_results(mine, max_words);
            return {};
        }
        for (unsigned from = 1; from < state.count; ++from)
            receive_results(static_cast<int>(from), mine, max_words);
    }
#else
    static_cast<void>(max_words);
#endif
    return mine;
}

std::uint64_t sum(std::uint64_t mine) {
#if defined(LOCKSTEP_WITH_MPI)
    if (state.count > 1)
        MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
#endif
    return mine;
}

double largest(double mine) {
#if defined(LOCKSTEP_WITH_MPI)
    if (state.count > 1)
        MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
#endif
    return mine;
}

}  // namespace lockstep::ranks
