// The same for OpenCL: opencl_host KERNEL.cl N.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <vector>

namespace {

void must(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  std::exit(1);
}

cl_kernel build(cl_context context, cl_device_id device, const char* file) {
  std::ostringstream text;
  text << std::ifstream{file}.rdbuf();
  const std::string source = text.str();
  const char* lines = source.c_str();
  cl_int status;
  cl_program program = clCreateProgramWithSource(context, 1, &lines, nullptr, &status);
  must(status, "reading the kernel");
  must(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "building the kernel");
  cl_kernel kernel = clCreateKernel(program, "matmul", &status);
  must(status, "finding the kernel");
  return kernel;
}

}  // namespace

int main(int, char** arguments) {
  const cl_int n = std::atoi(arguments[2]);
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 5);
  cl_platform_id platform;
  cl_device_id device;
  must(clGetPlatformIDs(1, &platform, nullptr), "finding a platform");
  must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "finding a device");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  cl_kernel kernel = build(context, device, arguments[1]);
  cl_mem buffers[3];
  const std::size_t bytes = sizeof(float) * n * n;
  for (cl_uint i = 0; i < 3; ++i) {
    buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, nullptr);
    must(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "passing an array");
  }
  must(clSetKernelArg(kernel, 3, sizeof n, &n), "passing n");
  clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, bytes, a.data(), 0, nullptr, nullptr);
  clEnqueueWriteBuffer(queue, buffers[1], CL_TRUE, 0, bytes, b.data(), 0, nullptr, nullptr);
  const std::size_t all[2] = {static_cast<std::size_t>(n), static_cast<std::size_t>(n)}, group[2] = {16, 16};
  const auto begin = std::clock();
  must(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, all, group, 0, nullptr, nullptr), "launching");
  must(clFinish(queue), "running");
  const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, bytes, c.data(), 0, nullptr, nullptr);
  double sum = 0;
  for (const float value : c) sum += value;
  std::printf("%.9g %.17g\n", taken, sum);
}
