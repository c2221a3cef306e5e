#define A B
#define B asm("bar.sync 0;")
auto const sync = __syncthreads;
template <>
__global__ void f<(sizeof(int) > 3)>(T t = T{}) __launch_bounds__(32) {
    // @warp(index=i, size=p.n): begin
    auto g = [x = T{1}, &a](int y) mutable -> int { return a[i] + y; };
    struct S {
        int i;
        int h() { return i; }
    };
    // @warp: end
    A;
}
