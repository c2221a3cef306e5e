// The generators of cuRAND's host interface for foreign programs. Results are produced in turns: turn t is the next one
// of subsequence t mod `subsequences`, and gives one or several results (cuRAND's default order, which
// tests/harness/simt/cuda_api/curand_test.cpp compares with the library's).

#include <cstdio>
#include <variant>
#include <vector>

#include "harness/simt/cuda_api/curand.hpp"
#include "harness/simt/cuda_api/curand_kernel.hpp"
#include "harness/simt/hooks/memory.hpp"

namespace lockstep::simt::cuda {
namespace {

template <class State>
inline constexpr unsigned long long subsequences_of = is_philox<State> ? 65536
                                                      : is_mrg<State>  ? 81920
                                                                       : 4096;

// What a turn draws: its results, and the words that it takes from its subsequence.
template <class State>
struct Draws {
    static constexpr bool two_words = std::is_same_v<State, curandStateXORWOW>;

    static void uniform(State* state, unsigned (&out)[1]) { out[0] = curand(state); }
    static void uniform(State* state, float (&out)[1]) { out[0] = curand_uniform(state); }
    static void uniform(State* state, double (&out)[1]) { out[0] = curand_uniform_double(state); }
    static void normal(State* state, float (&out)[2]) {
        float2 const pair = curand_normal2(state);
        out[0] = pair.x, out[1] = pair.y;
    }
    static void normal(State* state, double (&out)[2]) {
        double2 const pair = curand_normal2_double(state);
        out[0] = pair.x, out[1] = pair.y;
    }
    template <class T>
    static constexpr int words_per_uniform = two_words && sizeof(T) == 8 ? 2 : 1;
    template <class T>
    static constexpr int words_per_normal_pair = two_words && sizeof(T) == 8 ? 4 : 2;
};

template <>
struct Draws<curandStatePhilox4_32_10> {
    using State = curandStatePhilox4_32_10;

    static void uniform(State* state, unsigned (&out)[4]) {
        for (unsigned& word : out) {
            word = curand(state);
        }
    }
    static void uniform(State* state, float (&out)[4]) {
        for (float& number : out) {
            number = curand_uniform(state);
        }
    }
    static void uniform(State* state, double (&out)[4]) {
        for (int i = 0; i < 4; i += 2) {
            double2 const pair = curand_uniform2_double(state);
            out[i] = pair.x, out[i + 1] = pair.y;
        }
    }
    static void normal(State* state, float (&out)[4]) {
        float4 const four = curand_normal4(state);
        out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
    }
    static void normal(State* state, double (&out)[4]) {
        for (int i = 0; i < 4; i += 2) {
            double2 const pair = curand_normal2_double(state);
            out[i] = pair.x, out[i + 1] = pair.y;
        }
    }
};

// The subsequences of a generator, each with the number of the word that it draws next.
template <class State>
class Subsequences {
public:
    explicit Subsequences(unsigned long long seed) : seed_(seed) {}

    // The state of a subsequence before a word. Programs go on where they stopped, so it is there mostly.
    State& at(unsigned long long subsequence, unsigned long long word) {
        if (subsequence >= states_.size()) {
            states_.resize(subsequences_of<State>);
        }
        Known& known = states_[subsequence];
        if (!known.is_set || known.word != word) {
            curand_init(seed_, subsequence, word, &known.state);
            known.is_set = true;
        }
        return known.state;
    }
    void moved_to(unsigned long long subsequence, unsigned long long word) { states_[subsequence].word = word; }

private:
    struct Known {
        State state;
        unsigned long long word = 0;
        bool is_set = false;
    };
    unsigned long long seed_;
    std::vector<Known> states_;
};

// Results [first, first + count) of those that `draw` gives turn by turn.
template <int results, class State, class T>
void draw_turns(Subsequences<State>& subsequences, unsigned long long first, T* out, std::size_t count, int words,
                void (*draw)(State*, T (&)[results])) {
    constexpr unsigned long long all = subsequences_of<State>;
    unsigned long long const end = first + count;
    unsigned long long const first_turn = first / results;
    unsigned long long const end_turn = (end + results - 1) / results;
    for (unsigned long long start = first_turn; start < end_turn && start < first_turn + all; ++start) {
        unsigned long long const words_per_turn = static_cast<unsigned long long>(words);
        State& state = subsequences.at(start % all, start / all * words_per_turn);
        unsigned long long turn = start;
        for (; turn < end_turn; turn += all) {
            T values[results];
            draw(&state, values);
            for (int i = 0; i < results; ++i) {
                unsigned long long const n = turn * results + static_cast<unsigned long long>(i);
                if (n >= first && n < end) {
                    out[n - first] = values[i];
                }
            }
        }
        subsequences.moved_to(start % all, turn / all * words_per_turn);
    }
    hooks::note_written(out, count * sizeof(T));
}

template <class State, class T>
void draw_uniform(Subsequences<State>& subsequences, unsigned long long first, T* out, std::size_t count) {
    if constexpr (is_philox<State>) {
        draw_turns<4, State, T>(subsequences, first, out, count, sizeof(T) == 8 ? 8 : 4, Draws<State>::uniform);
    } else {
        draw_turns<1, State, T>(subsequences, first, out, count, Draws<State>::template words_per_uniform<T>,
                                Draws<State>::uniform);
    }
}

template <class State, class T>
void draw_normal(Subsequences<State>& subsequences, unsigned long long first, T* out, std::size_t count) {
    if constexpr (is_philox<State>) {
        draw_turns<4, State, T>(subsequences, first, out, count, sizeof(T) == 8 ? 8 : 4, Draws<State>::normal);
    } else {
        draw_turns<2, State, T>(subsequences, first, out, count, Draws<State>::template words_per_normal_pair<T>,
                                Draws<State>::normal);
    }
}

using AnySubsequences = std::variant<Subsequences<curandStateXORWOW>, Subsequences<curandStateMRG32k3a>,
                                     Subsequences<curandStatePhilox4_32_10>>;

AnySubsequences subsequences_with(curandRngType_t type, unsigned long long seed) {
    if (type == CURAND_RNG_PSEUDO_MRG32K3A) {
        return Subsequences<curandStateMRG32k3a>(seed);
    }
    if (type == CURAND_RNG_PSEUDO_PHILOX4_32_10) {
        return Subsequences<curandStatePhilox4_32_10>(seed);
    }
    return Subsequences<curandStateXORWOW>(seed);
}

}  // namespace

// XORWOW and MRG32k3a count turns, and normal numbers come in turns of two; Philox counts results.
class CurandGenerator {
public:
    explicit CurandGenerator(curandRngType_t type) : type_(type), subsequences_(subsequences_with(type, 0)) {}

    void set_seed(unsigned long long seed) {
        subsequences_ = subsequences_with(type_, seed);
        position_ = offset_;
    }
    void set_offset(unsigned long long offset) { position_ = offset_ = offset; }
    unsigned normals_per_position() const { return type_ == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 1 : 2; }
    bool has_order(curandOrdering_t ordering) const {
        return ordering == CURAND_ORDERING_PSEUDO_BEST || ordering == CURAND_ORDERING_PSEUDO_DEFAULT ||
               (ordering == CURAND_ORDERING_PSEUDO_LEGACY && type_ != CURAND_RNG_PSEUDO_MRG32K3A);
    }

    template <class T>
    void uniform(T* out, std::size_t count) {
        std::visit([&](auto& all) { draw_uniform(all, position_, out, count); }, subsequences_);
        position_ += count;
    }
    template <class T>
    void normal(T* out, std::size_t count) {
        std::visit([&](auto& all) { draw_normal(all, position_ * normals_per_position(), out, count); }, subsequences_);
        position_ += count / normals_per_position();
    }

private:
    curandRngType_t type_;
    AnySubsequences subsequences_;
    unsigned long long offset_ = 0;
    unsigned long long position_ = 0;
};

curandStatus_t create_generator(CurandGenerator** generator, curandRngType_t type) {
    bool const is_known = type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
                          type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
    if (!is_known) {
        std::fprintf(stderr, "lockstep: no generator %d of cuRAND (XORWOW, MRG32k3a and Philox4x32-10 are emulated)\n",
                     static_cast<int>(type));
        return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = new CurandGenerator(type);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t destroy_generator(CurandGenerator* generator) {
    delete generator;
    return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

namespace {

template <class Action>
curandStatus_t with(CurandGenerator* generator, Action action) {
    if (generator == nullptr) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    action();
    return CURAND_STATUS_SUCCESS;
}

template <class T>
curandStatus_t normal(CurandGenerator* generator, T* out, std::size_t count, double mean, double deviation,
                      bool logarithmic) {
    if (generator != nullptr && count % generator->normals_per_position() != 0) {
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    }
    return with(generator, [&] {
        generator->normal(out, count);
        for (std::size_t i = 0; i < count; ++i) {
            T const number = static_cast<T>(mean) + static_cast<T>(deviation) * out[i];
            out[i] = logarithmic ? std::exp(number) : number;
        }
    });
}

}  // namespace

curandStatus_t set_seed(CurandGenerator* generator, unsigned long long seed) {
    return with(generator, [&] { generator->set_seed(seed); });
}
curandStatus_t set_offset(CurandGenerator* generator, unsigned long long offset) {
    return with(generator, [&] { generator->set_offset(offset); });
}
curandStatus_t set_ordering(CurandGenerator* generator, curandOrdering_t ordering) {
    if (generator != nullptr && !generator->has_order(ordering)) {
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    return with(generator, [] {});
}
curandStatus_t generate(CurandGenerator* generator, unsigned* out, std::size_t count) {
    return with(generator, [&] { generator->uniform(out, count); });
}
curandStatus_t generate_uniform(CurandGenerator* generator, float* out, std::size_t count) {
    return with(generator, [&] { generator->uniform(out, count); });
}
curandStatus_t generate_uniform(CurandGenerator* generator, double* out, std::size_t count) {
    return with(generator, [&] { generator->uniform(out, count); });
}
curandStatus_t generate_normal(CurandGenerator* generator, float* out, std::size_t count, double mean, double deviation,
                               bool logarithmic) {
    return normal(generator, out, count, mean, deviation, logarithmic);
}
curandStatus_t generate_normal(CurandGenerator* generator, double* out, std::size_t count, double mean,
                               double deviation, bool logarithmic) {
    return normal(generator, out, count, mean, deviation, logarithmic);
}

}  // namespace lockstep::simt::cuda
