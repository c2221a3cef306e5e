#define BAR __syncthreads()
// @warp(lanes=4, index=i, size=n(1), stream=s, engine=E, seed=2)
#if A
__global__ void f(int a) {
#else
__global__ void f() {
#endif
    if (i == 3)
        continue;
}
