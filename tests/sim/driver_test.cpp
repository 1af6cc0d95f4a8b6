#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

TEST_CASE("the driver API loads a module that labcc has made, fast and traced, and launches its kernel") {
  const std::string mode = GENERATE("--fast", "--trace");
  const folder f;
  const std::string labcc = LABCC, sources = DRIVER;
  const auto r =
      run("cd " + f.path.string() + " && " + labcc + " " + mode + " -fatbin " + sources +
          "/kernel.cu -o kernel.fatbin && " + labcc + " " + mode + " -x cu " + sources + "/host.cpp -o host && ./host");
  INFO(r.out);
  CHECK(r.status == 0);
  CHECK(r.out == "7 255, 5 of 4 bytes, CUDA_ERROR_NOT_FOUND\n301 200\n");
}

TEST_CASE("a module has the extension of what was asked for") {
  const folder f;
  f.write("k.cu", "extern \"C\" __global__ void k() {}\n");
  CHECK(run("cd " + f.path.string() + " && " + LABCC + " -ptx k.cu && " + LABCC + " --cubin k.cu").status == 0);
  CHECK(contents(f.path / "k.ptx")
            .starts_with("\x7f"
                         "ELF"));
  CHECK(contents(f.path / "k.cubin")
            .starts_with("\x7f"
                         "ELF"));
}
