// expect: pass
// Right, but reports a hundred thousand hazards when traced: more than a page can show.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "lab.hpp"

static bool flood() {
  std::string text = "{\"launches\":[],\"hazards\":[";
  for (int i = 1; i <= 100000; ++i)
    text += std::string{i > 1 ? "," : ""} + R"({"kind":"race","severity":"error","kernel":"k","file":"kernel.cu",)" +
            R"("space":"global","message":"","other_line":0,"block":[0,0,0],"thread":[0,0,0],"line":)" +
            std::to_string(i) + "}";
  text += "]}";
  for (std::size_t done = 0; done < text.size();) {
    const auto put = write(4, text.data() + done, text.size() - done);
    if (put <= 0) break;
    done += static_cast<std::size_t>(put);
  }
  return dup2(open("/dev/null", O_WRONLY), 4) == 4;  // the descriptor of the true report
}

static const bool flooded = std::getenv("LAB_SIM_JSON") && flood();

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) { add<<<(n + 255) / 256, 256>>>(a, b, out, n); }

void vector_add_host(const int* a, const int* b, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = a[i] + b[i];
}
