#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

namespace {

struct refused {
  const char* line;  // the third of the source
  const char* what;
};

const refused constructs[] = {
    {"__global__ void k(int* p) { int i; asm volatile(\"mov.u32 %0, %pm0;\" : \"=r\"(i)); *p = i; }", "inline PTX"},
    {"__global__ void k(int* p) { asm(\"st.param.u32 [%0], %1;\" :: \"l\"(p), \"r\"(1) : \"memory\"); }",
     "inline PTX (st.param.u32)"},
    {"__global__ void k(long* p) { asm(\"st.global.v4.u64 [%0], {%1, %1, %1, %1};\" :: \"l\"(p), \"l\"(1L)); }",
     "inline PTX (st.global.v4.u64)"},
    {"__global__ void k(unsigned* p) { *p = not_known(p); asm(\"isspacep.global p, 1;\"); }",
     "inline PTX (isspacep.global)"},
    {"__global__ void k(int* p) { asm(\"atom.global.min.f32 %0, [%1], 1;\" : \"=r\"(*p) : \"l\"(p)); }", "inline PTX"},
    {"__global__ void k(unsigned* p) { asm(\"{ .reg .pred q; add.u32 %0|q, %0, 1; }\" : \"+r\"(*p)); }",
     "inline PTX (add.u32)"},
    {"__global__ void k(unsigned* p) { asm(\"{ .reg .pred q; shfl.sync.up.b32 %0, %0|q, 1, 0, -1; }\" : \"+r\"(*p)); }",
     "inline PTX (shfl.sync.up.b32)"},
    {R"(__global__ void k(float* p) { asm("wgmma.mma_async.sync.aligned.m64n264k16.f32.bf16.bf16 )"
     R"({%0}, %1, %1, 1, 1, 1, 0, 0;" : "+f"(*p) : "l"(0L)); })",
     "inline PTX (wgmma.mma_async.sync.aligned.m64n264k16.f32.bf16.bf16)"},
    {"#include <cuda_fp4.h>", "4-bit floating point"},
    {"#include <cudaEGL.h>", "EGL"},
    {"void f() { cuLinkCreate(0, 0, 0, 0); }", "the driver API's linker"},
    {"void f() { cudaMemPoolExportToShareableHandle(0, 0, 0, 0); }", "memory shared between processes"},
    {"void f() { cudaMipmappedArray_t a; }", "mipmapped arrays"},
    {"__global__ void k() { asm volatile(\"griddepcontrol.wait;\" ::: \"memory\"); }",
     "inline PTX (griddepcontrol.wait)"},
    {"#include <cub/cub.cuh>", "CUB"},
    {"#include <cuda/ptx>", "inline PTX of libcu++"},
    {"#include \"cusolverDn.h\"", "cuSOLVER"},
    {"__global__ void k(int* p) { *p = __shfl_down(*p, 1); }", "use __shfl_down_sync"},
};

std::string compile(const folder& f) { return "cd " + f.path.string() + " && " + LABCC + " -c k.cu"; }

}  // namespace

TEST_CASE("what the simulator cannot do ends in one error that names the construct, the file and the line") {
  for (const auto& c : constructs) {
    const folder f;
    f.write("k.cu", std::string{"// a kernel\n\n"} + c.line + "\n");
    const auto r = run(compile(f));
    INFO(c.line << "\n" << r.out);
    CHECK(r.status == 1);
    CHECK(r.out.find("k.cu:3:") != std::string::npos);
    CHECK(r.out.find(c.what) != std::string::npos);
    CHECK(r.out.find("the simulator does not support") != std::string::npos);
    CHECK(r.out.find("error:") == r.out.rfind("error:"));
  }
}

TEST_CASE("constant memory that no device has is an error, and all that a device has is none") {
  const auto compiled = [](const std::string& declaration) {
    const folder f;
    f.write("k.cu", "// a kernel\n\n" + declaration + "\n");
    return run(compile(f));
  };
  CHECK(compiled("__constant__ float all[16384];").status == 0);
  for (const auto* declaration : {"__constant__ float more[16385];", "__constant__ float a[9000], b[9000];"}) {
    const auto r = compiled(declaration);
    INFO(r.out);
    CHECK(r.status == 1);
    CHECK(r.out.find("k.cu:3:") != std::string::npos);
    CHECK(r.out.find("64 KB of constant memory") != std::string::npos);
  }
}

TEST_CASE("what the preprocessor skips, names of one's own and the host's assembly are not refused") {
  const folder f;
  f.write("mine/cub/cub.cuh", "inline int cub() { return 1; }\n");
  f.write("k.cu",
          "#include <cub/cub.cuh>\n"
          "#if 0\n__global__ void never() { asm(\"griddepcontrol.wait;\"); }\n#endif\n"
          "struct picture { int texture = 2; int __any(int i) { return i; } };\n"
          "__global__ void k(int* p) { picture q; *p = q.texture + q.__any(1) + cub(); }\n"
          "int main() { asm volatile(\"nop\" ::: \"memory\"); asm(\"\" ::: \"memory\"); return 0; }\n");
  const auto r = run("cd " + f.path.string() + " && " + LABCC + " -I mine k.cu -o k && ./k");
  INFO(r.out);
  CHECK(r.status == 0);
}

TEST_CASE("a refusal in a header names the header") {
  const folder f;
  f.write("lanes.cuh",
          "__device__ inline int lane() {\n  int i;\n  asm(\"mov.u32 %0, %pm0;\" : \"=r\"(i));\n  return i;\n}\n");
  f.write("k.cu", "#include \"lanes.cuh\"\nint main() {}\n");
  const auto r = run(compile(f));
  CHECK(r.out.find("lanes.cuh:3:") != std::string::npos);
}

TEST_CASE("the size of a cluster that a macro names is refused where the kernel uses it, and not ignored") {
  const folder f;
  f.write("k.cu", "#define PAIR __cluster_dims__(2, 1, 1)\n__global__ void PAIR k() {}\n");
  const auto r = run(compile(f));
  CHECK(r.status == 1);
  CHECK(r.out.find("k.cu:2:") != std::string::npos);
  CHECK(r.out.find("__cluster_dims__ in a macro") != std::string::npos);
}
