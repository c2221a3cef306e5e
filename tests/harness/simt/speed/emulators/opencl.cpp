// The kernels in an OpenCL device of type CPU, which is PoCL's where no other is installed. `opencl KERNELS.cl` serves;
// `opencl --version` prints the platform's version. Compiling the kernels is outside the times, because the first
// launch of each is a warm-up.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <fstream>
#include <sstream>

#include "tests/harness/simt/speed/emulators/serve.hpp"

namespace {

void check(cl_int error, char const* what) {
    if (error != CL_SUCCESS) {
        throw std::runtime_error(std::string(what) + " failed with OpenCL error " + std::to_string(error));
    }
}

class OpenCl {
public:
    OpenCl() {
        check(clGetPlatformIDs(1, &platform_, nullptr), "clGetPlatformIDs (no OpenCL platform is installed)");
        check(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_CPU, 1, &device_, nullptr), "clGetDeviceIDs");
        cl_int error = CL_SUCCESS;
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
        check(error, "clCreateContext");
        queue_ = clCreateCommandQueue(context_, device_, 0, &error);
        check(error, "clCreateCommandQueue");
    }

    std::string version() const {
        char text[256] = {};
        check(clGetPlatformInfo(platform_, CL_PLATFORM_VERSION, sizeof text - 1, text, nullptr), "clGetPlatformInfo");
        return text;
    }

    void compile(std::string const& source) {
        char const* text = source.c_str();
        cl_int error = CL_SUCCESS;
        program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
        check(error, "clCreateProgramWithSource");
        check(clBuildProgram(program_, 1, &device_, "", nullptr, nullptr), "clBuildProgram");
    }

    double run(beside::Request const& request, std::vector<unsigned> const& values, std::vector<unsigned>& results) {
        cl_int error = CL_SUCCESS;
        cl_kernel const kernel = clCreateKernel(program_, request.kernel.c_str(), &error);
        if (error == CL_INVALID_KERNEL_NAME && request.kernel == "shuffles") {
            throw std::runtime_error("the device has no cl_khr_subgroup_shuffle");
        }
        check(error, "clCreateKernel");
        std::size_t const bytes = values.size() * sizeof(unsigned);
        // OpenCL copies from a pointer that is not const.
        auto* const from = const_cast<unsigned*>(values.data());
        cl_mem in = clCreateBuffer(context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, from, &error);
        check(error, "clCreateBuffer");
        cl_mem out = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, results.data(), &error);
        check(error, "clCreateBuffer");
        check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
        check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
        check(clSetKernelArg(kernel, 2, sizeof(cl_uint), &request.rounds), "clSetKernelArg");
        double const seconds = beside::seconds_of([&] { launch(kernel, request.lanes()); });
        check(clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, bytes, results.data(), 0, nullptr, nullptr),
              "clEnqueueRead");
        clReleaseMemObject(in);
        clReleaseMemObject(out);
        clReleaseKernel(kernel);
        return seconds;
    }

private:
    void launch(cl_kernel kernel, std::size_t lanes) {
        std::size_t const group = beside::block_size;
        check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &lanes, &group, 0, nullptr, nullptr), "the launch");
        check(clFinish(queue_), "clFinish");
    }

    cl_platform_id platform_ = nullptr;
    cl_device_id device_ = nullptr;
    cl_context context_ = nullptr;
    cl_command_queue queue_ = nullptr;
    cl_program program_ = nullptr;
};

}  // namespace

int main(int count, char** arguments) {
    std::string const argument = count > 1 ? arguments[1] : "";
    try {
        OpenCl opencl;
        if (argument == "--version") {
            std::printf("%s\n", opencl.version().c_str());
            return 0;
        }
        std::ostringstream source;
        source << std::ifstream(argument).rdbuf();
        opencl.compile(source.str());
        return beside::serve([&](auto const& request, auto const& values, auto& results) {
            return opencl.run(request, values, results);
        });
    } catch (std::exception const& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
