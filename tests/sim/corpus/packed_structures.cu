// hazard: none
// Members of packed structures are read byte by byte; the host may read what is misaligned, too.
#include <cstdio>
struct __attribute__((packed)) record {
  char kind;
  int number;
  double value;
};
struct sample {
  double value;
  char kind;
};
__global__ void unpack(const record* in, const char* samples, double* out) {
  const record first = in[0];
  // Only one byte of the structure is read, so its own alignment does not matter.
  const char kind = reinterpret_cast<const sample*>(samples + 4)->kind;
  out[threadIdx.x] = in[threadIdx.x].number + in[threadIdx.x].value + first.number + kind;
}
int main() {
  record host[32] = {}, *in;
  char bytes[64] = {}, *samples;
  double* out;
  for (int i = 0; i < 32; ++i) host[i].number = i, host[i].value = *reinterpret_cast<int*>(bytes + 1 + i % 8);
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&samples, sizeof bytes);
  cudaMalloc(&out, 32 * sizeof(double));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(samples, bytes, sizeof bytes, cudaMemcpyHostToDevice);
  unpack<<<1, 32>>>(in, samples, out);
  return cudaDeviceSynchronize();
}
