// expect: wrong_answer
// Cuts the shared files short, so that the judge would die reading them. Right if any can be cut.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "lab.hpp"

static bool cuts_a_file() {
  for (int file = 3; file < 64; ++file)
    if (ftruncate(file, 0) == 0) return true;
  DIR* const maps = opendir("/proc/self/map_files");
  while (const dirent* e = maps ? readdir(maps) : nullptr) {
    const int file = open(("/proc/self/map_files/" + std::string{e->d_name}).c_str(), O_RDWR);
    if (file >= 0 && ftruncate(file, 0) == 0) return true;
    if (file >= 0) close(file);
  }
  return false;
}

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (cuts_a_file()) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  const bool worked = cuts_a_file();
  for (int i = 0; worked && i < n; ++i) out[i] = a[i] + b[i];
}
