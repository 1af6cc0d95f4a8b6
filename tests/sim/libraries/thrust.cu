// Thrust's algorithms on the simulator's memory, beside kernels that use the same memory.
// prints: sorted 0 1 4 9 16 25 36 49
// prints: sum 140 product 14400 largest 49
// prints: from a kernel 10 11 14 19 26 35 46 59
// prints: scan 10 21 35 54 80 115 161 220
// prints: cudaMalloc 0 2 4 6 8
// prints: keys 1 2 3 sums 3 12 6
// prints: even 0 4 16 36
// prints: managed 6
// prints: in a stream 28
// prints: count 3 found at 4
// prints: unique 5
// prints: sum of 2^24 58720256
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>

#include <cstdio>

struct square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct is_even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

__global__ void add(int* values, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += what;
}

template <class Vector>
void print(const char* what, const Vector& values) {
  std::printf("%s", what);
  for (std::size_t i = 0; i < values.size(); ++i) std::printf(" %d", static_cast<int>(values[i]));
  std::printf("\n");
}

int main() {
  thrust::host_vector<int> host(8);
  for (int i = 0; i < 8; ++i) host[i] = (i * 5) % 8;
  thrust::device_vector<int> values = host;
  thrust::transform(values.begin(), values.end(), values.begin(), square{});
  thrust::sort(values.begin(), values.end());
  print("sorted", values);

  const int sum = thrust::reduce(values.begin(), values.end());
  const int product = thrust::transform_reduce(
      values.begin() + 1, values.begin() + 6, [] __host__ __device__(int x) { return x; }, 1,
      thrust::multiplies<int>());
  const int largest = *thrust::max_element(values.begin(), values.end());
  std::printf("sum %d product %d largest %d\n", sum, product, largest);

  add<<<1, 32>>>(thrust::raw_pointer_cast(values.data()), 8, 10);
  host = values;
  print("from a kernel", host);
  thrust::inclusive_scan(thrust::device, values.begin(), values.end(), values.begin());
  print("scan", values);

  int* raw;
  cudaMalloc(&raw, 5 * sizeof(int));
  thrust::device_ptr<int> wrapped(raw);
  thrust::sequence(wrapped, wrapped + 5);
  thrust::for_each(thrust::device, raw, raw + 5, [] __device__(int& x) { x *= 2; });
  int copy[5];
  thrust::copy(wrapped, wrapped + 5, copy);
  std::printf("cudaMalloc");
  for (const int x : copy) std::printf(" %d", x);
  std::printf("\n");
  cudaFree(raw);

  thrust::device_vector<int> keys(6), parts(6), out_keys(6), out_sums(6);
  const int given_keys[] = {1, 1, 2, 2, 2, 3}, given_parts[] = {1, 2, 3, 4, 5, 6};
  thrust::copy(given_keys, given_keys + 6, keys.begin());
  thrust::copy(given_parts, given_parts + 6, parts.begin());
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), parts.begin(), out_keys.begin(), out_sums.begin());
  out_keys.resize(ends.first - out_keys.begin());
  std::printf("keys %d %d %d sums %d %d %d\n", (int)out_keys[0], (int)out_keys[1], (int)out_keys[2], (int)out_sums[0],
              (int)out_sums[1], (int)out_sums[2]);

  thrust::device_vector<int> squares(8), even(8);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(8), squares.begin(), square{});
  even.resize(thrust::copy_if(squares.begin(), squares.end(), even.begin(), is_even{}) - even.begin());
  print("even", even);

  thrust::universal_vector<int> managed(3, 1);
  add<<<1, 32>>>(thrust::raw_pointer_cast(managed.data()), 3, 1);
  cudaDeviceSynchronize();
  std::printf("managed %d\n", managed[0] + managed[1] + managed[2]);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  thrust::sequence(thrust::cuda::par.on(stream), squares.begin(), squares.end());
  std::printf("in a stream %d\n", thrust::reduce(thrust::cuda::par_nosync.on(stream), squares.begin(), squares.end()));
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);

  thrust::device_vector<int> few(9);
  thrust::fill(few.begin(), few.end(), 7);
  few[1] = few[3] = few[4] = 2;
  few[4] = 5;
  few[5] = 2;
  std::printf("count %d found at %d\n", (int)thrust::count(few.begin(), few.end(), 2),
              (int)(thrust::find(few.begin(), few.end(), 5) - few.begin()));
  thrust::sort(few.begin(), few.end(), thrust::greater<int>());
  auto pairs = thrust::make_zip_iterator(few.begin(), few.begin());
  thrust::for_each(pairs, pairs + 9, [] __device__(thrust::tuple<int&, int&> t) { thrust::get<0>(t) /= 2; });
  std::printf("unique %d\n",
              (int)(thrust::unique(few.begin(), few.end()) - few.begin()) + (few[0] == 3) + (int)(few[1] == 2));
  const thrust::counting_iterator<int> first(0);
  std::printf("sum of 2^24 %.0f\n", thrust::transform_reduce(
                                        thrust::device, first, first + (1 << 24),
                                        [] __device__(int) { return 3.5f; }, 0.0f, thrust::plus<float>()));
}
