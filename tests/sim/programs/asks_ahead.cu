// prints: planes 1
// prints: halo 1
// prints: cudaSuccess
#include <cstdio>
#include <vector>
constexpr int width = 48, height = 8, planes = 5, area = width * height, halo = 2;

// The last turn asks for memory behind the array.
__global__ void sums(float* out, const float* in, int n) {
  __shared__ float row[height][width];
  int i = threadIdx.y * width + threadIdx.x, place = i;
  float sum = 0;
  for (int z = 0; z < n; ++z) {
    row[threadIdx.y][threadIdx.x] = in[i];
    i += area;
    __syncthreads();
    sum += row[height - 1 - threadIdx.y][width - 1 - threadIdx.x];
    __syncthreads();
  }
  out[place] = sum;
}

__global__ void smooth(float* out, const float* in, int n) {
  __shared__ float row[width + 2 * halo];
  const int x = threadIdx.x, last = blockDim.x - 1;
  bool even = true;
  int at = x + halo;
  for (int y = 0; y < n; ++y) {
    float v = in[at];
    __syncthreads();
    if (x < halo) row[x] = even ? in[at - halo] : 0;
    if (x > last - halo) row[x + 2 * halo] = in[at + halo];
    row[x + halo] = v;
    __syncthreads();
    out[y * width + x] = row[x] + row[x + 1] + row[x + 2] + row[x + 3] + row[x + 4];
    even = !even;
    at += width + 2 * halo;
  }
}

int main() {
  constexpr int pitch = width + 2 * halo;
  std::vector<float> in(planes * area), out(area), rows(pitch * height), smoothed(area);
  for (int i = 0; i < planes * area; ++i) in[i] = i % 11;
  for (int i = 0; i < pitch * height; ++i) rows[i] = i % 13;
  float *a, *b, *c;
  cudaMalloc(&a, in.size() * sizeof(float));
  cudaMalloc(&b, rows.size() * sizeof(float));
  cudaMalloc(&c, out.size() * sizeof(float));
  cudaMemcpy(a, in.data(), in.size() * sizeof(float), cudaMemcpyDefault);
  cudaMemcpy(b, rows.data(), rows.size() * sizeof(float), cudaMemcpyDefault);
  sums<<<1, dim3(width, height)>>>(c, a, planes);
  cudaMemcpy(out.data(), c, out.size() * sizeof(float), cudaMemcpyDefault);
  smooth<<<1, width>>>(c, b, height);
  cudaMemcpy(smoothed.data(), c, smoothed.size() * sizeof(float), cudaMemcpyDefault);
  bool right = true, smooth_right = true;
  for (int i = 0; i < area; ++i) {
    float sum = 0, near = 0;
    for (int z = 0; z < planes; ++z) sum += in[z * area + area - 1 - i];
    for (int x = 0; x <= 2 * halo; ++x) {
      const bool left_out = i / width % 2 == 1 && i % width + x < halo;
      near += left_out ? 0 : rows[i / width * pitch + i % width + x];
    }
    right = right && out[i] == sum;
    smooth_right = smooth_right && smoothed[i] == near;
  }
  std::printf("planes %d\nhalo %d\n%s\n", right, smooth_right, cudaGetErrorName(cudaDeviceSynchronize()));
}
