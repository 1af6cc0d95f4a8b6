// expect: wrong_answer
// Truncates the shared files, so that the judge would crash when it reads them. Its answer is right if one can be cut.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "lab.hpp"

// Only files in memory: without a sandbox this must not cut the system's libraries, which are mapped, too.
static bool cuts(const std::string& path) {
  char target[64] = {};
  if (readlink(path.c_str(), target, sizeof target - 1) < 0 || std::strncmp(target, "/memfd:", 7) != 0) return false;
  const int file = open(path.c_str(), O_RDWR);
  return file >= 0 && ftruncate(file, 0) == 0;
}

static bool cuts_a_file() {
  for (const std::string folder : {"/proc/self/fd/", "/proc/self/map_files/"}) {
    DIR* const files = opendir(folder.c_str());
    while (const dirent* e = files ? readdir(files) : nullptr)
      if (cuts(folder + e->d_name)) return true;
    if (files) closedir(files);
  }
  for (int file = 3; file < 64; ++file)
    if (ftruncate(file, 0) == 0) return true;
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
