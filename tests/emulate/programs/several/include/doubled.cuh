#pragma once
template <int steps>
__global__ void doubled(int* value) {
    __shared__ int copy;
    copy = *value;
    for (int i = 0; i < steps; ++i)
        copy += copy;
    *value = copy;
}
