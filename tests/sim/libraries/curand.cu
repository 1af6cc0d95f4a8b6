// cuRAND: the numbers of the generators in kernels are those of NVIDIA's; distributions of the host API.
// prints: xorwow c7c04273 d8577152 18c2f892 5e1a6c16 729e6f08 uniform 0.346362 0.241693863770 normal 0.04859 -1.16416 0.8790886742 0.7641241048 1.18956
// prints: philox 72c26332 26a9bd1b d88ecb0d cb5f2657 ea311d8f uniform 0.564401 0.635265050689 normal -0.18815 -1.22753 0.7397918653 1.7217313397 2.38701
// prints: four f5bfa8b3 893eebe2 19f0b875 e4e5ad98 0.924192 0.904669 0.216989 0.608424
// prints: hits 40361
// prints: 1 1 1 1 1 1 1 105
// prints: again 1
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

template <class State>
__device__ void draw(State& s, double* to) {
  curand_init(1234ULL, 5, 7, &s);
  for (int i = 0; i < 3; ++i) to[i] = curand(&s);
  curand_init(0x123456789abcULL, 70000, 100003, &s);
  to[3] = curand(&s);
  skipahead(1000000007ULL, &s);
  to[4] = curand(&s);
  to[5] = curand_uniform(&s);
  to[6] = curand_uniform_double(&s);
  to[7] = curand_normal(&s);
  to[8] = curand_normal(&s);
  to[9] = curand_normal_double(&s);
  to[10] = curand_normal_double(&s);
  to[11] = curand_log_normal(&s, 0.5f, 0.25f);
}

__global__ void one(double* to) {
  curandState x;
  draw(x, to);
  curandStatePhilox4_32_10_t p;
  draw(p, to + 12);
  curand_init(9, 3, 2, &p);
  const uint4 w = curand4(&p);
  const float4 u = curand_uniform4(&p);
  const double all[] = {double(w.x), double(w.y), double(w.z), double(w.w), u.x, u.y, u.z, u.w};
  for (int i = 0; i < 8; ++i) to[24 + i] = all[i];
}

// As most programs do: states in memory, begun by one kernel and used by another.
__global__ void begin(curandState* states) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(42, i, 0, &states[i]);
}
__global__ void pi(curandState* states, unsigned* hits, int tries) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[i];
  unsigned found = 0;
  for (int t = 0; t < tries; ++t) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    found += x * x + y * y <= 1;
  }
  states[i] = state;
  atomicAdd(hits, found);
}

void print(const char* name, const double* d) {
  std::printf("%s", name);
  for (int i = 0; i < 5; ++i) std::printf(" %08x", static_cast<unsigned>(d[i]));
  std::printf(" uniform %.6f %.12f normal %.5f %.5f %.10f %.10f %.5f\n", d[5], d[6], d[7], d[8], d[9], d[10], d[11]);
}

struct moments {
  double mean, deviation;
};
template <class T>
moments of(const T* device, int n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0, squares = 0;
  for (const T x : v) sum += x, squares += double(x) * x;
  return {sum / n, std::sqrt(squares / n - sum / n * (sum / n))};
}
bool near(moments m, double mean, double deviation) {
  return std::fabs(m.mean - mean) < 0.02 * deviation && std::fabs(m.deviation - deviation) < 0.02 * deviation;
}

int main() {
  double *d, h[32];
  cudaMalloc(&d, sizeof h);
  one<<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  print("xorwow", h);
  print("philox", h + 12);
  std::printf("four %08x %08x %08x %08x %.6f %.6f %.6f %.6f\n", unsigned(h[24]), unsigned(h[25]), unsigned(h[26]),
              unsigned(h[27]), h[28], h[29], h[30], h[31]);

  curandState* states;
  unsigned *hits, found = 0;
  cudaMalloc(&states, 256 * sizeof(curandState));
  cudaMalloc(&hits, sizeof(unsigned));
  cudaMemset(hits, 0, sizeof(unsigned));
  begin<<<4, 64>>>(states);
  pi<<<4, 64>>>(states, hits, 200);
  cudaMemcpy(&found, hits, sizeof found, cudaMemcpyDeviceToHost);
  std::printf("hits %u\n", found);
  cudaFree(states);
  cudaFree(hits);

  const int n = 20000;
  float* f;
  double* g;
  unsigned* u;
  cudaMalloc(&f, n * sizeof(float));
  cudaMalloc(&g, n * sizeof(double));
  cudaMalloc(&u, n * sizeof(unsigned));
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 7);
  curandGenerateUniform(generator, f, n);
  std::printf("%d", near(of(f, n), 0.5, std::sqrt(1.0 / 12)));
  curandGenerateUniformDouble(generator, g, n);
  std::printf(" %d", near(of(g, n), 0.5, std::sqrt(1.0 / 12)));
  curandGenerateNormal(generator, f, n, 3, 2);
  std::printf(" %d", near(of(f, n), 3, 2));
  curandGenerateNormalDouble(generator, g, n, -1, 4);
  std::printf(" %d", near(of(g, n), -1, 4));
  curandGenerateLogNormal(generator, f, n, 0, 0.5f);
  std::printf(" %d", near(of(f, n), std::exp(0.125), std::sqrt((std::exp(0.25) - 1) * std::exp(0.25))));
  curandGeneratePoisson(generator, u, n, 9);
  std::printf(" %d", near(of(u, n), 9, 3));
  curandGenerate(generator, u, n);
  std::printf(" %d", near(of(u, n), 0x1p31, 0x1p32 / std::sqrt(12.0)));
  std::printf(" %d\n", curandGenerateNormal(generator, f, 3, 0, 1));
  float again[2], first[2];
  for (float* to : {first, again}) {
    curandSetPseudoRandomGeneratorSeed(generator, 7);
    curandGenerateUniform(generator, f, 2);
    cudaMemcpy(to, f, sizeof first, cudaMemcpyDeviceToHost);
  }
  std::printf("again %d\n", first[0] == again[0] && first[1] == again[1] && first[0] != first[1]);
  curandDestroyGenerator(generator);
  cudaFree(f);
  cudaFree(g);
  cudaFree(u);
}
