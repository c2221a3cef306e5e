#pragma once
// Sizes of a matrix product A x B (section 6): A is M x N, B is N x O, the product M x O. For host and device code.

namespace lockstep::rule_interpreter {

struct Shape {
    unsigned m = 2;
    unsigned n = 2;
    unsigned o = 2;

    constexpr Shape() = default;
    constexpr Shape(unsigned size) : m(size), n(size), o(size) {}  // NOLINT(google-explicit-constructor): a cube
    constexpr Shape(unsigned rows, unsigned inner, unsigned columns) : m(rows), n(inner), o(columns) {}
    friend constexpr bool operator==(Shape const&, Shape const&) = default;
};

// The shapes that kernels are compiled for. 1x1x1 is the scalar setting; the last four have M, N and O that differ.
inline constexpr Shape compiled_shapes[] = {1, 2, 4, 8, {1, 4, 4}, {2, 4, 8}, {4, 2, 1}, {4, 8, 2}};
inline constexpr unsigned max_matrix_size = 8;

// Returns true for the shapes of the paper's tables, which are compiled for every layout.
constexpr bool in_every_layout(Shape const& shape) { return shape == Shape(1) || shape == Shape(2); }

// Operations of one product by the paper's count, 2MNO - MO: each of the MO sums has N products and N - 1 additions.
constexpr unsigned paper_operations(Shape const& shape) { return 2 * shape.m * shape.n * shape.o - shape.m * shape.o; }

// FP32 slots of one load step: a multiplication or fused multiply-add per term, and an addition per element of the
// product that is added to another when B has fewer rows than the product.
constexpr unsigned slots_per_product(Shape const& shape) {
    return shape.m * shape.n * shape.o + (shape.m > shape.n ? (shape.m - shape.n) * shape.o : 0);
}

}  // namespace lockstep::rule_interpreter
