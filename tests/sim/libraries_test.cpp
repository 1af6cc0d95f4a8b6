#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "run.hpp"
#include "skip.hpp"

using namespace lab::test;

namespace {

// A program says in `// prints: ...` lines what it has to print.
std::string expected_output(const std::string& source) {
  const std::string mark = "// prints: ";
  std::istringstream lines{source};
  std::string expected;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark)) expected += line.substr(mark.size()) + "\n";
  return expected;
}

// A traced program that has hazards prints them, too.
void check(const std::string& name) {
  const folder scratch;
  const auto program = std::filesystem::path{LIBRARIES} / (name + ".cu");
  const std::string binary = (scratch.path / "program").string(), expected = expected_output(contents(program));
  REQUIRE_FALSE(expected.empty());
  for (const std::string mode : {"--fast", "--trace"}) {
    const auto built = run(std::string{LABCC} + " " + mode + " -Wall " + program.string() + " -o " + binary);
    for (const char* const lack : {"which this machine lacks", "the simulator was built without"})
      if (built.out.find(lack) != std::string::npos) lab_test::skip(built.out);
    INFO(program << " " << mode << "\n" << built.out);
    REQUIRE(built.status == 0);
    CHECK(built.out.empty());
    const auto ran = run("LAB_SIM_LEAKS=1 timeout 60 " + binary);
    CHECK(ran.out == expected);
    CHECK(ran.status == 0);
  }
}

}  // namespace

TEST_CASE("Thrust's algorithms work on device memory, and kernels beside them, without a hazard") { check("thrust"); }
TEST_CASE("libcu++ synchronizes threads of kernels, without a hazard") { check("libcudacxx"); }

TEST_CASE("cuBLAS works on device memory, in its stream, without a hazard") { check("cublas"); }

TEST_CASE("cuRAND's generators give NVIDIA's numbers in kernels, and fill arrays with distributions") {
  check("curand");
}

TEST_CASE("cuFFT's transforms are those of the definition, in every layout") { check("cufft"); }

TEST_CASE("cuSPARSE multiplies sparse matrices by vectors and by matrices") { check("cusparse"); }

TEST_CASE("an algorithm of Thrust in a stream races with a kernel in another one") {
  const folder f;
  f.write("k.cu",
          "#include <thrust/device_vector.h>\n"
          "#include <thrust/fill.h>\n"
          "#include <thrust/system/cuda/execution_policy.h>\n"
          "__global__ void number(int* p) { p[threadIdx.x] = threadIdx.x; }\n"
          "int main() {\n"
          "  thrust::device_vector<int> v(32);\n"
          "  cudaStream_t a, b;\n"
          "  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);\n"
          "  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);\n"
          "  number<<<1, 32, 0, a>>>(thrust::raw_pointer_cast(v.data()));\n"
          "#ifdef WAITS\n"
          "  cudaStreamSynchronize(a);\n"
          "#endif\n"
          "  thrust::fill(thrust::cuda::par.on(b), v.begin(), v.end(), 1);\n"
          "}\n");
  const auto in_folder = "cd " + f.path.string() + " && " + LABCC + " --trace k.cu -o k";
  const auto racing = run(in_folder + " && ./k");
  if (racing.out.find("which this machine lacks") != std::string::npos) lab_test::skip(racing.out);
  INFO(racing.out);
  CHECK(racing.out.find("this call, in stream 2, writes what work in stream 1 also writes") != std::string::npos);
  CHECK(racing.out.find("k.cu:4") != std::string::npos);
  const auto waiting = run(in_folder + " -DWAITS && ./k");
  CHECK(waiting.out.empty());
  CHECK(waiting.status == 0);
}

TEST_CASE("host code of a program with Thrust must not use a device pointer either") {
  const folder f;
  f.write("k.cu",
          "#include <thrust/device_vector.h>\n"
          "int main() {\n"
          "  thrust::device_vector<int> v(32);\n"
          "  return *thrust::raw_pointer_cast(v.data());\n"
          "}\n");
  for (const std::string mode : {"--fast", "--trace"}) {
    const auto r = run("cd " + f.path.string() + " && " + LABCC + " " + mode + " k.cu -o k && ./k");
    if (r.out.find("which this machine lacks") != std::string::npos) lab_test::skip(r.out);
    INFO(r.out);
    CHECK(r.status > 128);
    CHECK(r.out.find("host code use") != std::string::npos);
  }
}

TEST_CASE("Thrust refuses a stream that captures, and work after a fault") {
  const folder f;
  f.write("k.cu",
          "#include <thrust/device_vector.h>\n"
          "#include <thrust/fill.h>\n"
          "#include <thrust/system/cuda/execution_policy.h>\n"
          "#include <cstdio>\n"
          "__global__ void faults(int* p) { p[1 << 20] = 1; }\n"
          "int main() {\n"
          "  int* p;\n"
          "  cudaMalloc(&p, 16);\n"
          "  cudaStream_t s;\n"
          "  cudaStreamCreate(&s);\n"
          "  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);\n"
          "  const auto fill = [&](cudaStream_t in) {\n"
          "    try {\n"
          "      thrust::fill(thrust::cuda::par.on(in), p, p + 4, 1);\n"
          "    } catch (const std::exception& e) {\n"
          "      std::puts(e.what());\n"
          "    }\n"
          "  };\n"
          "  fill(s);\n"
          "  cudaGraph_t graph;\n"
          "  cudaStreamEndCapture(s, &graph);\n"
          "  fill(s);\n"
          "  faults<<<1, 1>>>(p);\n"
          "  fill(s);\n"
          "}\n");
  const auto r = run("cd " + f.path.string() + " && " + LABCC + " k.cu -o k && ./k");
  if (r.out.find("which this machine lacks") != std::string::npos) lab_test::skip(r.out);
  CHECK(r.out ==
        "Thrust: operation not permitted when stream is capturing\n"
        "Thrust: an illegal memory access was encountered\n");
}

TEST_CASE("a library's call beyond its memory, or in a race, is a hazard at the line of the call") {
  const std::string begin =
      "#include <cublas_v2.h>\n"
      "__global__ void number(float* p) { p[threadIdx.x] = threadIdx.x; }\n"
      "int main() {\n"
      "  cublasHandle_t handle;\n"
      "  cublasCreate(&handle);\n"
      "  float *x, host[32], two = 2;\n"
      "  cudaMalloc(&x, sizeof host);\n"
      "  cudaStream_t a;\n"
      "  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);\n"
      "  number<<<1, 32, 0, a>>>(x);\n";
  const std::string end = "\n  cudaDeviceSynchronize();\n  static_cast<void>(host);\n  cublasDestroy(handle);\n}\n";
  const auto traced = [&](const std::string& line) {
    const folder f;
    f.write("k.cu", begin + line + end);
    return run("cd " + f.path.string() + " && " + LABCC + " --trace k.cu -o k && ./k").out;
  };
  const auto racing = traced("  cublasSscal(handle, 32, &two, x, 1);");
  INFO(racing);
  CHECK(racing.find("k.cu:11: error: race") != std::string::npos);
  const auto beyond = traced("  cudaStreamSynchronize(a); cublasSscal(handle, 33, &two, x, 1);");
  INFO(beyond);
  CHECK(beyond.find("k.cu:11: error: launch_error") != std::string::npos);
  CHECK(beyond.find("cublasSscal writes 132 bytes from byte 0 of allocation 1 (cudaMalloc, 128 bytes)") !=
        std::string::npos);
  const auto of_host = traced("  cudaStreamSynchronize(a); cublasSscal(handle, 32, &two, host, 1);");
  INFO(of_host);
  CHECK(of_host.find("cublasSscal writes a pointer to host memory; give it memory from cudaMalloc") !=
        std::string::npos);
  CHECK(traced("  cublasSetStream(handle, a); cublasSscal(handle, 32, &two, x, 1);").empty());
}

TEST_CASE("a function that a library lacks is an error that names it") {
  const folder f;
  f.write("k.cu",
          "#include <cublas_v2.h>\n"
          "int main() {\n"
          "  return cublasSsyr2k(nullptr, 1, 2);\n"
          "}\n");
  const auto r = run("cd " + f.path.string() + " && " + LABCC + " k.cu -o k");
  INFO(r.out);
  CHECK(r.status == 1);
  CHECK(r.out.find("k.cu:3:") != std::string::npos);
  CHECK(r.out.find("cublasSsyr2k") != std::string::npos);
  CHECK(r.out.find("the simulator does not support this function of cuBLAS") != std::string::npos);
  f.write("k.cu", "// a program\n\n#include <cublasLt.h>\n");
  const auto lt = run("cd " + f.path.string() + " && " + LABCC + " -c k.cu");
  CHECK(lt.out.find("the simulator does not support cuBLAS (cublasLt.h)") != std::string::npos);
}

TEST_CASE("programs find the guards of the libraries' headers, also in plain C++ files") {
  const folder f;
  const std::string includes =
      "#include <cublas_v2.h>\n"
      "#include <curand.h>\n"
      "#include <cusparse.h>\n"
      "#if !defined(CUBLAS_API_H_) || !defined(CURAND_H_) || !defined(CUSPARSEAPI)\n"
      "#error a guard is missing\n"
      "#endif\n";
  f.write("plain.cpp",
          "#include <cuda_runtime.h>\n" + includes + "int exact() { return float(__half(2.0f)) == 2.0f; }\n");
  f.write("k.cu", includes + "int exact();\nint main() { return !exact(); }\n");
  const auto r = run("cd " + f.path.string() + " && " + LABCC + " k.cu plain.cpp -o k && ./k");
  INFO(r.out);
  CHECK(r.status == 0);
}

TEST_CASE("objects of several sources link with the library that -l names") {
  const folder f;
  f.write("a.cu", "#include <cublas_v2.h>\ncublasStatus_t make(cublasHandle_t* h) { return cublasCreate(h); }\n");
  f.write("b.cu",
          "#include <cublas_v2.h>\n"
          "cublasStatus_t make(cublasHandle_t*);\n"
          "int main() { cublasHandle_t h; return make(&h) + cublasDestroy(h); }\n");
  const auto r = run("cd " + f.path.string() + " && " + LABCC + " -dc a.cu && " + LABCC + " -dc b.cu && " + LABCC +
                     " a.o b.o -o k -lcublas && ./k");
  INFO(r.out);
  CHECK(r.status == 0);
}

TEST_CASE("without CCCL's headers, or with others, one error says what to install") {
  const folder f;
  f.write("k.cu", "// a program\n\n#include <thrust/sort.h>\n");
  f.write("old/cuda/std/__cccl/version.h", "#define CCCL_VERSION 2008000\n");
  const auto compiled = [&](const std::string& cccl) {
    return run("cd " + f.path.string() + " && LAB_CCCL=" + cccl + " " + LABCC + " -c k.cu");
  };
  for (const auto& r : {compiled("none"), compiled("old")}) {
    INFO(r.out);
    CHECK(r.status == 1);
    CHECK(r.out.find("k.cu:3:") != std::string::npos);
    CHECK(r.out.find("pip install nvidia-cuda-cccl==13.0.85") != std::string::npos);
    CHECK(r.out.find("Thrust (thrust/sort.h)") != std::string::npos);
    CHECK(r.out.find("error:") == r.out.rfind("error:"));
    CHECK(r.out.find("warning:") == std::string::npos);
  }
  CHECK(compiled("old").out.find("needs version 3.0") != std::string::npos);
}

TEST_CASE("the judge's builds refuse the headers of all libraries") {
  for (const char* header :
       {"cub/cub.cuh", "thrust/device_vector.h", "cuda/barrier", "cublas_v2.h", "curand_kernel.h"}) {
    const folder f;
    f.write("k.cu", std::string{"// a kernel\n\n#include <"} + header + ">\n");
    const auto r = run("cd " + f.path.string() + " && " + LABCC + " --no-libraries -c k.cu");
    INFO(r.out);
    CHECK(r.status == 1);
    CHECK(r.out.find("k.cu:3:") != std::string::npos);
    CHECK(r.out.find("the simulator does not support") != std::string::npos);
    CHECK(r.out.find("error:") == r.out.rfind("error:"));
  }
}
