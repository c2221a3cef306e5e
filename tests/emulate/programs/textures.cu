// Textures and surfaces: an image is rotated by a quarter with a filtered texture, stored through a surface, and read
// back from its array.
#include <cstdio>
#include <vector>

constexpr int size = 16;

__global__ void rotate_quarter(cudaTextureObject_t image, cudaSurfaceObject_t rotated) {
    int const x = blockIdx.x * blockDim.x + threadIdx.x;
    int const y = blockIdx.y * blockDim.y + threadIdx.y;
    // The centre of an element, relative to that of the image, in coordinates from -0.5 to 0.5.
    float const u = (x + 0.5f) / size - 0.5f, v = (y + 0.5f) / size - 0.5f;
    surf2Dwrite(tex2D<float>(image, 0.5f - v, u + 0.5f), rotated, x * int(sizeof(float)), y);
}

__global__ void look_up(cudaTextureObject_t table, int const* indices, int* out) {
    out[threadIdx.x] = tex1Dfetch<int>(table, indices[threadIdx.x]);
}

__global__ void add_up(float const* elements, float* sum) {
    for (int i = 0; i < size * size; ++i)
        *sum += elements[i];
}

int main() {
    std::vector<float> image(size * size), rotated(size * size);
    for (int i = 0; i < size * size; ++i)
        image[i] = static_cast<float>(i * i % 251);

    cudaChannelFormatDesc const format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray *source, *target;
    cudaMallocArray(&source, &format, size, size);
    cudaMallocArray(&target, &format, size, size, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(source, 0, 0, image.data(), size * sizeof(float), size * sizeof(float), size,
                        cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = source;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeWrap;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = true;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, NULL);
    resource.res.array.array = target;
    cudaSurfaceObject_t surface = 0;
    cudaCreateSurfaceObject(&surface, &resource);
    rotate_quarter<<<dim3(2, 2), dim3(8, 8)>>>(texture, surface);
    cudaMemcpy2DFromArray(rotated.data(), size * sizeof(float), target, 0, 0, size * sizeof(float), size,
                          cudaMemcpyDeviceToHost);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            if (rotated[y * size + x] != image[x * size + size - 1 - y])
                return printf("element (%d, %d) is %g\n", x, y, rotated[y * size + x]), 1;

    // What a surface wrote is set memory for the checks, also after a copy on the device.
    float *copied, *sum, expected = 0;
    cudaMalloc(&copied, size * size * sizeof(float));
    cudaMallocManaged(&sum, sizeof(float));
    *sum = 0;
    cudaMemcpy2DFromArray(copied, size * sizeof(float), target, 0, 0, size * sizeof(float), size,
                          cudaMemcpyDeviceToDevice);
    add_up<<<1, 1>>>(copied, sum);
    cudaDeviceSynchronize();
    for (float const element : rotated)
        expected += element;
    if (*sum != expected)
        return printf("the sum is %g\n", *sum), 1;

    int *table, *indices, *out;
    cudaMallocManaged(&table, 4 * sizeof(int));
    cudaMallocManaged(&indices, 4 * sizeof(int));
    cudaMallocManaged(&out, 4 * sizeof(int));
    for (int i = 0; i < 4; ++i)
        table[i] = 10 * i, indices[i] = 3 - 2 * i;  // 3, 1, -1, -3
    cudaResourceDesc linear = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = table;
    linear.res.linear.desc = cudaCreateChannelDesc<int>();
    linear.res.linear.sizeInBytes = 4 * sizeof(int);
    cudaTextureDesc plain = {};
    cudaTextureObject_t words = 0;
    cudaCreateTextureObject(&words, &linear, &plain, nullptr);
    look_up<<<1, 4>>>(words, indices, out);
    cudaDeviceSynchronize();
    if (out[0] != 30 || out[1] != 10 || out[2] != 0 || out[3] != 0)
        return printf("words %d %d %d %d\n", out[0], out[1], out[2], out[3]), 1;
    cudaDestroyTextureObject(texture);
    cudaDestroyTextureObject(words);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(source);
    cudaFreeArray(target);
    printf(cudaGetLastError() == cudaSuccess ? "right\n" : "an error\n");
}
