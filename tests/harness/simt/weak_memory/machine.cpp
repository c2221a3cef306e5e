// All outcomes of a program on the weak memory: a depth-first search over the choices of the next lane and of the
// memory. An execution follows the choices of the last one up to the point where it takes another.

#include <cstring>
#include <map>
#include <memory>

#include "tests/harness/simt/weak_memory/litmus.hpp"

namespace lockstep::litmus {
namespace {

using simt::hooks::WeakBlock;
using simt::hooks::WeakMemory;

class AllChoices : public simt::hooks::Choices {
public:
    unsigned of_read(unsigned count) override { return next(count); }
    unsigned of_store(unsigned count) override { return next(count); }
    unsigned next(unsigned count) {
        if (depth_ == taken_.size()) {
            taken_.push_back({0, count});
        }
        return taken_[depth_++].choice;
    }
    // Begins another execution. Returns false after the last one.
    bool advance() {
        while (!taken_.empty() && taken_.back().choice + 1 == taken_.back().count) {
            taken_.pop_back();
        }
        depth_ = 0;
        if (taken_.empty()) {
            return false;
        }
        ++taken_.back().choice;
        return true;
    }

private:
    struct Taken {
        unsigned choice;
        unsigned count;
    };
    std::vector<Taken> taken_;
    std::size_t depth_ = 0;
};

class Execution {
public:
    Execution(Program const& program, unsigned bytes_apart, AllChoices& choices)
        : program_(program), bytes_apart_(bytes_apart), choices_(choices), memory_(choices) {
        for (Thread const& thread : program.threads) {
            blocks_.try_emplace(thread.block, thread.block, 96u);
        }
    }

    std::string run() {
        std::vector<std::size_t> at(program_.threads.size(), 0);
        std::vector<std::vector<unsigned>> seen(program_.threads.size());
        for (;;) {
            std::vector<std::size_t> running;
            for (std::size_t i = 0; i < at.size(); ++i) {
                if (at[i] < program_.threads[i].code.size()) {
                    running.push_back(i);
                }
            }
            if (running.empty()) {
                break;
            }
            std::size_t const i =
                running[running.size() == 1 ? 0 : choices_.next(static_cast<unsigned>(running.size()))];
            execute(program_.threads[i], program_.threads[i].code[at[i]++], seen[i]);
        }
        memory_.settle();
        std::vector<unsigned> read;
        for (auto const& of_thread : seen) {
            read.insert(read.end(), of_thread.begin(), of_thread.end());
        }
        std::vector<unsigned> last;
        for (unsigned i = 0; i < program_.locations; ++i) {
            last.push_back(*location(i));
        }
        return outcome(read, last);
    }

private:
    unsigned* location(unsigned number) { return reinterpret_cast<unsigned*>(bytes_ + number * bytes_apart_); }

    // The calls are those of the compiler's instrumentation: before a plain or volatile access, around an atomic.
    void execute(Thread const& thread, Instruction const& instruction, std::vector<unsigned>& seen) {
        WeakBlock& block = blocks_.at(thread.block);
        unsigned* const at = location(instruction.location);
        auto const address = reinterpret_cast<std::uintptr_t>(at);
        switch (instruction.kind) {
            case Kind::fence:
                memory_.fence(block, thread.lane, instruction.strength);
                break;
            case Kind::read:
                memory_.read(block, thread.lane, memory_.global(), address, 4, instruction.strength);
                seen.push_back(*at);
                break;
            case Kind::write:
                memory_.store(block, thread.lane, memory_.global(), address, 4, instruction.strength);
                *at = instruction.value;
                break;
            case Kind::update:
                memory_.begin_update(block, thread.lane, instruction.strength);
                seen.push_back(*at);
                *at = instruction.value;
                memory_.end_update(block, thread.lane, memory_.global(), address, 4, true, instruction.strength);
                break;
        }
    }

    Program const& program_;
    unsigned bytes_apart_;
    AllChoices& choices_;
    alignas(8) unsigned char bytes_[512] = {};
    WeakMemory memory_;
    std::map<unsigned, WeakBlock> blocks_;
};

}  // namespace

Outcomes machine_outcomes(Program const& program, unsigned bytes_apart) {
    Outcomes found;
    AllChoices choices;
    do {
        found.insert(Execution(program, bytes_apart, choices).run());
    } while (choices.advance());
    return found;
}

}  // namespace lockstep::litmus
