#pragma once
// Litmus tests: small programs of a few lanes, the outcomes that the weak memory of harness/simt/hooks produces (all of
// them: every order of the lanes and every choice), and the outcomes that the axioms of PTX's memory model allow.

#include <set>
#include <string>
#include <vector>

#include "harness/simt/hooks/weak_memory.hpp"

namespace lockstep::litmus {

using simt::hooks::Scope;
using simt::hooks::Strength;

enum class Kind { read, write, update, fence };  // update: an exchange

struct Instruction {
    Kind kind;
    unsigned location = 0;
    unsigned value = 0;  // that is written
    Strength strength{};

    bool reads() const { return kind == Kind::read || kind == Kind::update; }
    bool writes() const { return kind == Kind::write || kind == Kind::update; }
};

struct Thread {
    unsigned block = 0;
    unsigned lane = 0;
    std::vector<Instruction> code;
};

struct Program {
    unsigned locations = 2;  // initially 0
    std::vector<Thread> threads;
};

inline Instruction read(unsigned location, Strength strength = Strength::relaxed()) {
    return {Kind::read, location, 0, strength};
}
inline Instruction write(unsigned location, unsigned value, Strength strength = Strength::relaxed()) {
    return {Kind::write, location, value, strength};
}
inline Instruction exchange(unsigned location, unsigned value, Strength strength = Strength::relaxed()) {
    return {Kind::update, location, value, strength};
}
inline Instruction fence(Scope scope = Scope::device, int order = __ATOMIC_SEQ_CST) {
    return {Kind::fence, 0, 0, Strength::of(order, scope)};
}
inline Strength acquire(Scope scope = Scope::device) { return Strength::of(__ATOMIC_ACQUIRE, scope); }
inline Strength release(Scope scope = Scope::device) { return Strength::of(__ATOMIC_RELEASE, scope); }

// What each read sees, by threads and in their order, and what memory holds at the end: "1 0; x=1 y=2".
using Outcomes = std::set<std::string>;
inline std::string outcome(std::vector<unsigned> const& read, std::vector<unsigned> const& last) {
    std::string text;
    for (unsigned const value : read) {
        text += std::to_string(value) + " ";
    }
    text += ";";
    for (std::size_t i = 0; i < last.size(); ++i) {
        text += " " + std::string(1, "xyzw"[i]) + "=" + std::to_string(last[i]);
    }
    return text;
}

// `bytes_apart`: of the locations, which are words of 4 bytes.
Outcomes machine_outcomes(Program const& program, unsigned bytes_apart = 64);

// `load_buffering`: also those in which a read sees what depends on a later store of its thread, which PTX allows.
Outcomes allowed_outcomes(Program const& program, bool load_buffering);

}  // namespace lockstep::litmus
