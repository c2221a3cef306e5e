#pragma once
// MRG32k3a: the combined multiple recursive generator of L'Ecuyer, "Good parameters and implementations for combined
// multiple recursive random number generators", Operations Research 47(1), 1999, with cuRAND's seeds and subsequences.
// Two recurrences of order 3 modulo m1 and m2; the output is their difference modulo m1, as a number from 1 to m1.
// Period about 2^191. n steps are the n-th power of each recurrence's 3 x 3 matrix.

#include <cstdint>

namespace lockstep::random::cpu {

class Mrg32k3a {
public:
    static constexpr std::uint64_t first_modulus = 4294967087;
    static constexpr std::uint64_t second_modulus = 4294944443;

    // The last three values of each recurrence, the oldest first.
    struct State {
        std::uint32_t first[3];
        std::uint32_t second[3];
    };

    explicit Mrg32k3a(State const& state) : state_(state) {}

    // The state of curand_init(seed, 0, 0).
    static Mrg32k3a from_curand_seed(std::uint64_t seed) {
        State state{{12345, 12345, 12345}, {12345, 12345, 12345}};
        if (seed != 0) {
            std::uint64_t const low = (seed & 0xffffffff) ^ 0x55555555;
            std::uint64_t const high = (seed >> 32) ^ 0xaaaaaaaa;
            std::uint64_t const factors[] = {low, high, low, high, low, high};
            for (int i = 0; i < 3; ++i) {
                state.first[i] = static_cast<std::uint32_t>(factors[i] * state.first[i] % first_modulus);
                state.second[i] = static_cast<std::uint32_t>(factors[i + 3] * state.second[i] % second_modulus);
            }
        }
        return Mrg32k3a(state);
    }

    // From 1 to first_modulus.
    std::uint32_t operator()() {
        std::uint64_t const a =
            (1403580ull * state_.first[1] + (first_modulus - 810728) * state_.first[0] % first_modulus) % first_modulus;
        std::uint64_t const b =
            (527612ull * state_.second[2] + (second_modulus - 1370589) * state_.second[0] % second_modulus) %
            second_modulus;
        state_ = {{state_.first[1], state_.first[2], static_cast<std::uint32_t>(a)},
                  {state_.second[1], state_.second[2], static_cast<std::uint32_t>(b)}};
        return static_cast<std::uint32_t>(a > b ? a - b : a + first_modulus - b);
    }

    void discard(std::uint64_t count) { skip(0, count); }
    // Of 2^76 numbers each.
    void discard_subsequences(std::uint64_t count) { skip(76, count); }
    State const& state() const { return state_; }

private:
    struct Matrix {
        std::uint64_t entry[3][3];
    };

    static Matrix product(Matrix const& a, Matrix const& b, std::uint64_t modulus) {
        Matrix result{};
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                for (int i = 0; i < 3; ++i) {
                    result.entry[row][column] += a.entry[row][i] * b.entry[i][column] % modulus;
                }
                result.entry[row][column] %= modulus;
            }
        }
        return result;
    }

    // Skips 2^exponent * count numbers.
    void skip(int exponent, std::uint64_t count) {
        static Powers const first({{{0, 1, 0}, {0, 0, 1}, {first_modulus - 810728, 1403580, 0}}}, first_modulus);
        static Powers const second({{{0, 1, 0}, {0, 0, 1}, {second_modulus - 1370589, 0, 527612}}}, second_modulus);
        for (; count != 0; count >>= 1, ++exponent) {
            if ((count & 1) != 0) {
                first.apply(exponent, state_.first);
                second.apply(exponent, state_.second);
            }
        }
    }

    // The matrices of 2^i steps.
    class Powers {
    public:
        Powers(Matrix const& step, std::uint64_t modulus) : modulus_(modulus) {
            power_[0] = step;
            for (int i = 1; i < max_exponent; ++i) {
                power_[i] = product(power_[i - 1], power_[i - 1], modulus);
            }
        }
        void apply(int exponent, std::uint32_t (&words)[3]) const {
            Matrix const& matrix = power_[exponent];
            std::uint64_t sums[3] = {};
            for (int row = 0; row < 3; ++row) {
                for (int i = 0; i < 3; ++i) {
                    sums[row] += matrix.entry[row][i] * words[i] % modulus_;
                }
            }
            for (int row = 0; row < 3; ++row) {
                words[row] = static_cast<std::uint32_t>(sums[row] % modulus_);
            }
        }

    private:
        static constexpr int max_exponent = 76 + 64;
        std::uint64_t modulus_;
        Matrix power_[max_exponent];
    };

    State state_;
};

}  // namespace lockstep::random::cpu
