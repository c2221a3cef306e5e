// n bodies with LLAMA's memory layouts: `llama aos|soa|aosoa BODIES TICKS`. The arithmetic is that of our program
// `bodies`: one thread per body reads all bodies from global memory, and then every body moves.

#include <algorithm>
#include <cmath>
#include <llama/llama.hpp>
#include <random>

#include "baselines/peers/device_samples.hpp"

namespace {

using namespace lockstep::peers;

constexpr float tick_length = 0.01f;
constexpr float softening = 0.05f;
constexpr int block = 128;

namespace tag {
struct Position {};
struct Velocity {};
struct X {};
struct Y {};
struct Z {};
struct Mass {};
}  // namespace tag

using Vector = llama::Record<llama::Field<tag::X, float>, llama::Field<tag::Y, float>, llama::Field<tag::Z, float>>;
using Body = llama::Record<llama::Field<tag::Position, Vector>, llama::Field<tag::Velocity, Vector>,
                           llama::Field<tag::Mass, float>>;
using Extents = llama::ArrayExtentsDynamic<int, 1>;
using Aos = llama::mapping::AoS<Extents, Body>;
using Soa = llama::mapping::SoA<Extents, Body, llama::mapping::Blobs::OnePerField>;
using AoSoA = llama::mapping::AoSoA<Extents, Body, 32>;

template <class View>
__global__ void pull(View bodies, int size) {
    int const id = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (id >= size)
        return;
    llama::One<Body> mine = bodies(id);
    llama::One<Vector> force;
    force = 0.0f;
    for (int other = 0; other < size; ++other) {
        auto to = bodies(other)(tag::Position{}) - mine(tag::Position{});
        float const x = to(tag::X{});
        float const y = to(tag::Y{});
        float const z = to(tag::Z{});
        float const square = x * x + y * y + z * z + softening;
        to *= bodies(other)(tag::Mass{}) / (square * sqrtf(square));
        force += to;
    }
    force *= +tick_length;  // + makes a value: the operators of LLAMA take references, which a host constant lacks
    bodies(id)(tag::Velocity{}) += force;
}

template <class View>
__global__ void move(View bodies, int size) {
    int const id = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (id < size)
        bodies(id)(tag::Position{}) += bodies(id)(tag::Velocity{}) * +tick_length;
}

struct PlainBody {
    float x, y, z, velocity_x, velocity_y, velocity_z, mass;
};

std::vector<PlainBody> make_bodies(std::size_t size) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<PlainBody> bodies(size);
    for (PlainBody& body : bodies)
        body = {uniform(engine), uniform(engine), uniform(engine), 0, 0, 0, uniform(engine) * 0.01f};
    return bodies;
}

void simulate(std::vector<PlainBody>& bodies, int ticks) {
    for (int tick = 0; tick < ticks; ++tick) {
        for (PlainBody& body : bodies) {
            float force_x = 0, force_y = 0, force_z = 0;
            for (PlainBody const& other : bodies) {
                float const x = other.x - body.x;
                float const y = other.y - body.y;
                float const z = other.z - body.z;
                float const square = x * x + y * y + z * z + softening;
                float const strength = other.mass / (square * std::sqrt(square));
                force_x += x * strength;
                force_y += y * strength;
                force_z += z * strength;
            }
            body.velocity_x += force_x * tick_length;
            body.velocity_y += force_y * tick_length;
            body.velocity_z += force_z * tick_length;
        }
        for (PlainBody& body : bodies) {
            body.x += body.velocity_x * tick_length;
            body.y += body.velocity_y * tick_length;
            body.z += body.velocity_z * tick_length;
        }
    }
}

template <class View>
void fill(View& view, std::vector<PlainBody> const& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        auto body = view(static_cast<int>(i));
        body(tag::Position{}, tag::X{}) = bodies[i].x;
        body(tag::Position{}, tag::Y{}) = bodies[i].y;
        body(tag::Position{}, tag::Z{}) = bodies[i].z;
        body(tag::Velocity{}, tag::X{}) = 0.0f;
        body(tag::Velocity{}, tag::Y{}) = 0.0f;
        body(tag::Velocity{}, tag::Z{}) = 0.0f;
        body(tag::Mass{}) = bodies[i].mass;
    }
}

// Throws if a coordinate differs by more than rounding explains: the sums of forces are contracted to fused operations.
template <class View>
void verify(View const& view, std::vector<PlainBody> const& expected) {
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        auto const body = view(static_cast<int>(i));
        double const differences[] = {body(tag::Position{}, tag::X{}) - expected[i].x,
                                      body(tag::Position{}, tag::Y{}) - expected[i].y,
                                      body(tag::Position{}, tag::Z{}) - expected[i].z,
                                      body(tag::Velocity{}, tag::X{}) - expected[i].velocity_x,
                                      body(tag::Velocity{}, tag::Y{}) - expected[i].velocity_y,
                                      body(tag::Velocity{}, tag::Z{}) - expected[i].velocity_z};
        for (double const difference : differences)
            worst = std::isfinite(difference) ? std::max(worst, std::abs(difference)) : 1;
    }
    require(worst < 1e-3, "a body differs from plain loops by " + std::to_string(worst));
}

template <class Mapping>
void measure(std::size_t size, int ticks) {
    Mapping const mapping{Extents{static_cast<int>(size)}};
    auto host = llama::allocViewUninitialized(mapping);
    auto device = llama::allocViewUninitialized(mapping, llama::bloballoc::CudaMalloc{});
    std::vector<PlainBody> bodies = make_bodies(size);
    fill(host, bodies);
    auto const copy = [&](auto& to, auto& from, cudaMemcpyKind kind) {
        for (std::size_t i = 0; i < host.blobs().size(); ++i)
            check(cudaMemcpy(&to.blobs()[i][0], &from.blobs()[i][0], mapping.blobSize(i), kind), "cudaMemcpy");
    };
    int const count = static_cast<int>(size);
    EventTimer const timer;
    print_samples(
        [&] {
            copy(device, host, cudaMemcpyHostToDevice);
            return timer([&] {
                for (int tick = 0; tick < ticks; ++tick) {
                    pull<<<(count + block - 1) / block, block>>>(llama::shallowCopy(device), count);
                    move<<<(count + block - 1) / block, block>>>(llama::shallowCopy(device), count);
                }
            });
        },
        10);
    copy(host, device, cudaMemcpyDeviceToHost);
    simulate(bodies, ticks);
    verify(host, bodies);
    std::printf("check every body against plain loops on the CPU, within 0.001\n");
}

}  // namespace

int main(int count, char** arguments) {
    return guarded([&] {
        require(count == 4, "usage: llama aos|soa|aosoa BODIES TICKS");
        print_version("LLAMA", LLAMA_VERSION_MAJOR, LLAMA_VERSION_MINOR, LLAMA_VERSION_PATCH);
        std::string const layout = arguments[1];
        std::size_t const size = std::stoul(arguments[2]);
        int const ticks = std::stoi(arguments[3]);
        if (layout == "aos")
            return measure<Aos>(size, ticks);
        if (layout == "soa")
            return measure<Soa>(size, ticks);
        require(layout == "aosoa", "layout " + layout + " is unknown");
        measure<AoSoA>(size, ticks);
    });
}
