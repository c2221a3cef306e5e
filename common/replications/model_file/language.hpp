#pragma once
// The names that a model file uses: types, a few functions, and random draws (examples/replications/models/README.md).
// Freestanding, and short, because it is compiled with every model file.

#include "common/replications/model_file/arguments.hpp"
#include "harness/jit/language.hpp"
#include "harness/random/logarithm.hpp"
#include "harness/random/philox.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::replications::model_file::LOCKSTEP_MACHINE {

using namespace jit::LOCKSTEP_MACHINE;

// The unit of minus_log().
inline constexpr f64 log_unit = 1.0 / (1u << random::LOCKSTEP_MACHINE::minus_log_fraction_bits);

__device__ inline f64 polynomial(f64 const* coefficients, unsigned count, f64 x) {
    f64 sum = coefficients[count - 1];
    for (unsigned i = count - 1; i > 0; --i)
        sum = sum * x + coefficients[i - 1];
    return sum;
}

// The quantile of the standard normal distribution at (word + 1/2) / 2^32: Wichura, algorithm AS 241, Applied
// Statistics 37 (1988). Its third region begins beyond the smallest probability. Monotone, so 1 - u gives the
// antithetic value.
__device__ inline f64 normal_quantile(u32 word) {
    f64 const q = (static_cast<f64>(word) + 0.5) * 0x1p-32 - 0.5;
    if (fabs(q) <= 0.425) {
        f64 const a[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                         1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                         3.3430575583588128105e4, 2.5090809287301226727e3};
        f64 const b[] = {1.0,
                         4.2313330701600911252e1,
                         6.8718700749205790830e2,
                         5.3941960214247511077e3,
                         2.1213794301586595867e4,
                         3.9307895800092710610e4,
                         2.8729085735721942674e4,
                         5.2264952788528545610e3};
        f64 const r = 0.180625 - q * q;
        return q * polynomial(a, 8, r) / polynomial(b, 8, r);
    }
    f64 const c[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                     3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                     2.27238449892691845833e-2, 7.74545014278341407640e-4};
    f64 const d[] = {1.0,
                     2.05319162663775882187e0,
                     1.67638483018380384940e0,
                     6.89767334985100004550e-1,
                     1.48103976427480074590e-1,
                     1.51986665636164571966e-2,
                     5.47593808499534494600e-4,
                     1.05075007164441684324e-9};
    u32 const lower = q < 0 ? word : ~word;
    f64 const r = sqrt(random::LOCKSTEP_MACHINE::minus_log(lower) * log_unit) - 1.6;
    f64 const x = polynomial(c, 8, r) / polynomial(d, 8, r);
    return q < 0 ? -x : x;
}

// Without <concepts>, which NVRTC does not have.
template <class N>
concept Integer = static_cast<N>(1) / 2 == 0;

// A stream of random numbers: that of Philox4x32-10 named by (seed, replication, point and stream). All draws but
// poisson() use a fixed number of words, and each is a monotone function of them. An argument outside of its range is
// remembered, because a draw cannot end a kernel.
class Stream {
public:
    __device__ Stream(u64 seed, u64 unit, u32 lane, u32 flip)
        : engine_(Engine::stream(seed, unit, lane)), flip_(flip) {}

    __device__ u32 word() {
        ++words_;
        return engine_() ^ flip_;
    }
    // Strictly between 0 and 1, a multiple of 2^-33.
    __device__ f64 uniform() { return (static_cast<f64>(word()) + 0.5) * 0x1p-32; }
    // 0 .. n - 1, up to a bias of n / 2^32.
    template <Integer N>
    __device__ u32 below(N n) {
        require(n > 0 && static_cast<u64>(n) <= 0xffffffff, misused_below);
        return static_cast<u32>(static_cast<u64>(word()) * static_cast<u32>(n) >> 32);
    }
    // A rounding error of the probability beyond 0 or 1 changes no draw.
    __device__ bool chance(f64 probability) {
        require(probability >= -0x1p-33 && probability <= 1 + 0x1p-33, misused_chance);
        return uniform() < probability;
    }
    __device__ f64 exponential(f64 mean) {
        require_mean(mean);
        return mean * (random::LOCKSTEP_MACHINE::minus_log(word()) * log_unit);
    }
    // The sum of `phases` exponential times with this mean in all.
    template <Integer N>
    __device__ f64 erlang(N phases, f64 mean) {
        require_mean(mean);
        if (!require(phases > 0 && static_cast<u64>(phases) <= 0xffffffff, misused_phases))
            return 0;
        u64 sum = 0;
        for (u32 i = 0; i < static_cast<u32>(phases); ++i)
            sum += random::LOCKSTEP_MACHINE::minus_log(word());
        return mean * (static_cast<f64>(sum) * log_unit) / static_cast<u32>(phases);
    }
    __device__ f64 normal(f64 mean, f64 deviation) {
        require(deviation >= 0 && deviation <= largest, misused_deviation);
        return mean + deviation * normal_quantile(word());
    }
    // Arrivals in a time of `mean` at rate 1. One word per arrival, and one more.
    __device__ u32 poisson(f64 mean) {
        if (!require_mean(mean))
            return 0;
        u32 arrivals = 0;
        for (f64 time = exponential(1.0); time < mean; time += exponential(1.0))
            ++arrivals;
        return arrivals;
    }

    __device__ u64 words() const { return words_; }
    // Bits of MisusedDraw.
    __device__ u32 misused() const { return misused_; }
    __device__ void skip(u64 words) {
        words_ += words;
        engine_.discard(words);
    }

private:
    using Engine = random::LOCKSTEP_MACHINE::Philox4x32<10>;
    static constexpr f64 largest = 0x1.fffffffffffffp1023;

    __device__ bool require(bool holds, MisusedDraw draw) {
        misused_ |= static_cast<u32>(!holds) << draw;
        return holds;
    }
    __device__ bool require_mean(f64 mean) { return require(mean >= 0 && mean <= largest, misused_mean); }

    Engine engine_;
    u32 flip_;
    u32 misused_ = 0;
    u64 words_ = 0;
};

// Exact sums of values that are rounded to multiples of 2^-32, in 128 bits, so that a sum does not depend on the order
// of its terms.
template <unsigned count>
struct Sums {
    static constexpr f64 smallest_exact = 0x1p-22;  // below it, rounding may change a value by more than 1 in 2048

    u64 low[count + 1] = {};
    u64 high[count + 1] = {};
    u64 status = 0;  // mean_out_of_range: a value is not below 2^30 in magnitude; other bits: the caller's

    __device__ void add(unsigned i, f64 value) {
        f64 const magnitude = fabs(value);
        if (!(magnitude < 0x1p30)) {
            status |= mean_out_of_range;
            return;
        }
        if (magnitude != 0)
            status |= 1ull << (i + (magnitude < smallest_exact ? first_small_mean : first_large_mean));
        i64 const units = static_cast<i64>(floor(value * 0x1p32 + 0.5));
        add(i, static_cast<u64>(units), units < 0 ? ~0ull : 0ull);
    }
    __device__ void add(unsigned i, u64 more_low, u64 more_high) {
        low[i] += more_low;
        high[i] += more_high + (low[i] < more_low ? 1 : 0);
    }
    __device__ f64 value(unsigned i) const {
        bool const negative = high[i] >> 63 != 0;
        u64 const l = negative ? ~low[i] + 1 : low[i];
        u64 const h = negative ? ~high[i] + (low[i] == 0 ? 1 : 0) : high[i];
        f64 const magnitude = static_cast<f64>(h) * 0x1p32 + static_cast<f64>(l) * 0x1p-32;
        return negative ? -magnitude : magnitude;
    }
};

template <class T>
__device__ inline T parameter_of(Arguments const& a, u64 point, unsigned number) {
    return from_bits<T>(a.parameters[point * a.parameter_count + number]);
}

// What a model file has to have, so that a message can name what is missing.
template <class Model, class State>
concept HasStart = requires(Model model, State& s) {
    model.start(s);
};
template <class Model, class State>
concept HasStep = requires(Model model, State& s) {
    model.step(s);
};
template <class Model, class State>
concept HasFinished = requires(Model model, State const& s) {
    static_cast<bool>(model.finished(s));
};
template <class Model, class Piece>
concept HasPiece = requires(Model model) {
    static_cast<Piece>(model.piece());
};
template <class Model, class Piece>
concept HasCompose = requires(Piece const& piece) {
    static_cast<Piece>(Model::compose(piece, piece));
};
template <class Model, class State, class Piece>
concept HasApply = requires(Model model, State& s, Piece const& piece) {
    model.apply(s, piece);
};

}  // namespace lockstep::replications::model_file::LOCKSTEP_MACHINE
