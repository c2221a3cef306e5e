// CUDA graphs: one that the program builds, whose kernels it names by untyped addresses, and one that it captures from
// two streams. Both smooth a row of numbers and add it up; the host does the same.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECKED(call)                                                \
    do {                                                             \
        cudaError_t const error = (call);                            \
        if (error != cudaSuccess) {                                  \
            printf("%d: %s\n", __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                 \
        }                                                            \
    } while (0)

constexpr int n = 96;

struct Weights {
    float left, middle, right;
};

__global__ void smooth(float const* in, float* out, Weights w) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    float const left = i > 0 ? in[i - 1] : 0, right = i + 1 < n ? in[i + 1] : 0;
    out[i] = w.left * left + w.middle * in[i] + w.right * right;
}

template <class T>
__global__ void __launch_bounds__(32) add_up(T const* in, T* sum) {
    __shared__ T sums[32];
    T own = 0;
    for (int i = threadIdx.x; i < n; i += 32)
        own += in[i];
    sums[threadIdx.x] = own;
    for (int half = 16; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *sum += sums[0];
}

void CUDART_CB count(void* data) { ++*static_cast<int*>(data); }

struct Problem {
    float host[n], *in, *out, *sum, result;
    int runs = 0;

    Problem() {
        for (int i = 0; i < n; ++i)
            host[i] = static_cast<float>(i % 7);
        CHECKED(cudaMalloc(&in, sizeof host));
        CHECKED(cudaMalloc(&out, sizeof host));
        CHECKED(cudaMalloc(&sum, sizeof(float)));
    }
    float expected(Weights w) const {
        float total = 0;
        for (int i = 0; i < n; ++i)
            total += w.left * (i > 0 ? host[i - 1] : 0) + w.middle * host[i] + w.right * (i + 1 < n ? host[i + 1] : 0);
        return total;
    }
    // Launches the graph twice and compares what it does to `steps` rows.
    void check(cudaGraphExec_t exec, cudaStream_t stream, Weights w, int steps, char const* name) {
        for (int launch = 1; launch <= 2; ++launch) {
            int const before = runs;
            result = -1;
            CHECKED(cudaGraphLaunch(exec, stream));
            CHECKED(cudaStreamSynchronize(stream));
            if (result != expected(w) * static_cast<float>(steps) || runs != before + 1) {
                printf("%s: %g is wrong, not %g\n", name, result, expected(w) * static_cast<float>(steps));
                exit(1);
            }
        }
    }
};

void build(cudaStream_t stream) {
    Problem p;
    cudaGraph_t graph;
    CHECKED(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t copy, clear, smoothing, sum, back, host;
    CHECKED(cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, p.in, p.host, sizeof p.host, cudaMemcpyHostToDevice));
    cudaMemsetParams zero = {0};
    zero.dst = p.sum;
    zero.elementSize = sizeof(float);
    zero.width = zero.height = 1;
    CHECKED(cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &zero));

    Weights w{0.25f, 0.5f, 0.25f};
    void* smooth_arguments[] = {&p.in, &p.out, &w};
    cudaKernelNodeParams kernel = {0};
    kernel.func = (void*)smooth;
    kernel.gridDim = dim3(n / 32);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = smooth_arguments;
    CHECKED(cudaGraphAddKernelNode(&smoothing, graph, &copy, 1, &kernel));
    w.middle = 100;  // the node has a copy

    void* sum_arguments[] = {(void*)&p.out, (void*)&p.sum};
    kernel.func = reinterpret_cast<void*>(&add_up<float>);
    kernel.gridDim = dim3(1);
    kernel.kernelParams = sum_arguments;
    std::vector<cudaGraphNode_t> const before = {smoothing, clear};
    CHECKED(cudaGraphAddKernelNode(&sum, graph, before.data(), before.size(), &kernel));
    cudaMemcpy3DParms row = {0};
    row.srcPtr = make_cudaPitchedPtr(p.sum, sizeof(float), 1, 1);
    row.dstPtr = make_cudaPitchedPtr(&p.result, sizeof(float), 1, 1);
    row.extent = make_cudaExtent(sizeof(float), 1, 1);
    row.kind = cudaMemcpyDeviceToHost;
    CHECKED(cudaGraphAddMemcpyNode(&back, graph, &sum, 1, &row));
    cudaHostNodeParams call = {count, &p.runs};
    CHECKED(cudaGraphAddHostNode(&host, graph, &back, 1, &call));

    cudaGraphExec_t exec;
    CHECKED(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    w.middle = 0.5f;
    p.check(exec, stream, w, 1, "the graph");
    w = Weights{1, 0, 2};
    kernel.func = (void*)smooth;
    kernel.gridDim = dim3(n / 32);
    kernel.kernelParams = smooth_arguments;
    CHECKED(cudaGraphExecKernelNodeSetParams(exec, smoothing, &kernel));
    p.check(exec, stream, w, 1, "the changed graph");
    CHECKED(cudaGraphExecDestroy(exec));
    CHECKED(cudaGraphDestroy(graph));
}

void capture(cudaStream_t stream) {
    Problem p;
    cudaStream_t side;
    cudaEvent_t fork, join;
    CHECKED(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    CHECKED(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECKED(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    cudaGraphExec_t exec = NULL;
    for (int steps = 1; steps <= 3; ++steps) {
        Weights const w{static_cast<float>(steps), 1, 0};
        cudaGraph_t graph;
        CHECKED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        CHECKED(cudaEventRecord(fork, stream));
        CHECKED(cudaStreamWaitEvent(side, fork, 0));
        CHECKED(cudaMemsetAsync(p.sum, 0, sizeof(float), side));
        CHECKED(cudaMemcpyAsync(p.in, p.host, sizeof p.host, cudaMemcpyHostToDevice, stream));
        smooth<<<n / 32, 32, 0, stream>>>(p.in, p.out, w);
        CHECKED(cudaEventRecord(join, side));
        CHECKED(cudaStreamWaitEvent(stream, join, 0));
        for (int step = 0; step < 2; ++step)
            add_up<<<1, 32, 0, stream>>>(p.out, p.sum);
        CHECKED(cudaMemcpyAsync(&p.result, p.sum, sizeof(float), cudaMemcpyDeviceToHost, stream));
        CHECKED(cudaLaunchHostFunc(stream, count, &p.runs));
        CHECKED(cudaGetLastError());
        CHECKED(cudaStreamEndCapture(stream, &graph));
        if (p.runs != 2 * (steps - 1)) {
            printf("the capture ran its operations\n");
            exit(1);
        }
        if (exec == NULL) {
            CHECKED(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
        } else {
            cudaGraphExecUpdateResultInfo info;
            CHECKED(cudaGraphExecUpdate(exec, graph, &info));
        }
        CHECKED(cudaGraphDestroy(graph));
        p.check(exec, stream, w, 2, "the captured graph");
    }
    // A capture that the program spoils gives no graph.
    cudaGraph_t graph;
    CHECKED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    cudaStreamSynchronize(stream);
    if (cudaStreamEndCapture(stream, &graph) != cudaErrorStreamCaptureInvalidated || graph != NULL) {
        printf("the capture is valid\n");
        exit(1);
    }
    cudaGetLastError();
    CHECKED(cudaGraphExecDestroy(exec));
    CHECKED(cudaStreamDestroy(side));
}

int main() {
    cudaStream_t stream;
    CHECKED(cudaStreamCreate(&stream));
    build(stream);
    capture(stream);
    CHECKED(cudaStreamDestroy(stream));
    printf("right\n");
}
