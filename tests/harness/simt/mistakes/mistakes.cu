#include "tests/harness/simt/mistakes/mistakes.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::mistakes::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

__global__ void read_next_kernel(unsigned const* in, unsigned* out) { out[lane_id()] = in[lane_id() + 1]; }

__global__ void shift_kernel(unsigned* out, unsigned lanes) {
    unsigned const bits = lane_id() + 1;
    out[lane_id()] = lane_id() < lanes ? 1u << bits : 0;
}

__global__ void read_word_kernel(unsigned char const* bytes, unsigned* out, unsigned stride) {
    out[lane_id()] = *reinterpret_cast<unsigned const*>(bytes + lane_id() * stride);
}

struct Base {
    virtual ~Base() = default;
    virtual unsigned number() const { return 1; }
};

struct Derived : Base {
    unsigned number() const override { return 2; }
};

__global__ void call_kernel(Base const* object, unsigned* out) {
    out[lane_id()] = static_cast<Derived const*>(object)->number();
}

constexpr simt::LaunchShape one_warp{.grid = {1}, .block = {32}};

}  // namespace

void read_next(bool fixed) {
    Buffer<unsigned> const in(fixed ? 33 : 32);
    Buffer<unsigned> out(32);
    launch("read_next", read_next_kernel, one_warp, {}, in.data(), out.data());
}

void shift_by_lane(bool fixed) {
    Buffer<unsigned> out(32);
    launch("shift_by_lane", shift_kernel, one_warp, {}, out.data(), fixed ? 31u : 32u);
}

void read_word(bool fixed) {
    Buffer<unsigned char> const bytes(128);
    Buffer<unsigned> out(32);
    launch("read_word", read_word_kernel, one_warp, {}, bytes.data(), out.data(), fixed ? 4u : 1u);
}

void call_as_derived(bool fixed) {
    Base const base;
    Derived const derived;
    Buffer<unsigned> out(32);
    launch("call_as_derived", call_kernel, one_warp, {}, fixed ? &derived : &base, out.data());
}

}  // namespace lockstep::mistakes::LOCKSTEP_MACHINE
