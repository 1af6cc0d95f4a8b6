// Where the copy engine puts the pieces of 16 bytes of a box's rows, and that wgmma finds them there. As on an H200.
// prints: 128 bytes: 01234567 10325476 23016745 32107654 45670123 54761032 67452301 76543210 01234567 10325476
// prints: 64 bytes: 0123 0123 1032 1032 2301 2301 3210 3210 0123 0123
// prints: 32 bytes: 01 01 01 01 10 10 10 10 01 01
// prints: 0 wrong products
#include <cuda.h>
#include <cuda_bf16.h>

#include <cstdint>
#include <cstdio>

using std::uint64_t;

__device__ unsigned shared_address(const void* at) { return unsigned(__cvta_generic_to_shared(at)); }

// Fetches both boxes to shared memory; one thread calls this.
__device__ void fetch(void* to, const CUtensorMap& map, uint64_t& done, unsigned bytes) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&done)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&done)), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
          "r"(shared_address(to)),
      "l"(&map), "r"(0), "r"(0), "r"(shared_address(&done))
      : "memory");
  unsigned over = 0;
  while (!over)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(over)
                 : "r"(shared_address(&done))
                 : "memory");
}

template <int width>
__global__ void show(const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(1024) unsigned short box[16][width];
  __shared__ uint64_t done;
  fetch(box, map, done, sizeof box);
  printf("%d bytes:", width * 2);
  for (int row = 0; row < 10; ++row) {
    printf(" ");
    for (int piece = 0; piece < width / 8; ++piece) printf("%d", box[row][8 * piece] % width / 8);
  }
  printf("\n");
}

__device__ uint64_t operand(const void* start, unsigned stride, uint64_t swizzle) {
  return (shared_address(start) & 0x3ffff) >> 4 | uint64_t{1} << 16 | uint64_t{stride >> 4} << 32 | swizzle << 62;
}

constexpr int a_bytes = 64 * 16 * 2, b_bytes = 16 * 32 * 2;

// c = a b for 64 x 16 and 16 x 32 elements: rows of 32 bytes, and of 64.
__global__ void multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c) {
  extern __shared__ uint4 memory[];
  __shared__ uint64_t done[2];
  const auto of_a = reinterpret_cast<char*>(memory) + (-shared_address(memory) & 1023), of_b = of_a + a_bytes;
  if (threadIdx.x == 0) fetch(of_a, a, done[0], a_bytes), fetch(of_b, b, done[1], b_bytes);
  __syncthreads();
  float s[16];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 0, 1, 1, 0, 1;"
      : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3]), "=f"(s[4]), "=f"(s[5]), "=f"(s[6]), "=f"(s[7]), "=f"(s[8]),
        "=f"(s[9]), "=f"(s[10]), "=f"(s[11]), "=f"(s[12]), "=f"(s[13]), "=f"(s[14]), "=f"(s[15])
      : "l"(operand(of_a, 256, 3)), "l"(operand(of_b, 512, 2)));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, col = threadIdx.x % 4 * 2;
  for (int i = 0; i < 16; ++i) c[(row + i % 4 / 2 * 8) * 32 + i / 4 * 8 + col + i % 2] = s[i];
}

CUtensorMap map_of(void* matrix, unsigned rows, unsigned cols, CUtensorMapSwizzle swizzle) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found);
  CUtensorMap map{};
  const cuuint64_t extents[] = {cols, rows}, row_bytes[] = {cols * 2};
  const cuuint32_t box[] = {cols, rows}, every[] = {1, 1};
  reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, matrix, extents, row_bytes, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
      swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

int main() {
  unsigned short* numbers;
  __nv_bfloat16 *a, *b;
  float* c;
  cudaMallocManaged(&numbers, 2048);
  cudaMallocManaged(&a, 64 * 16 * sizeof *a);
  cudaMallocManaged(&b, 16 * 32 * sizeof *b);
  cudaMallocManaged(&c, 64 * 32 * sizeof *c);
  for (int i = 0; i < 1024; ++i) numbers[i] = i, a[i] = float(i * 7 % 13);
  for (int i = 0; i < 512; ++i) b[i] = float(i * 5 % 11);
  show<64><<<1, 1>>>(map_of(numbers, 16, 64, CU_TENSOR_MAP_SWIZZLE_128B));
  show<32><<<1, 1>>>(map_of(numbers, 16, 32, CU_TENSOR_MAP_SWIZZLE_64B));
  show<16><<<1, 1>>>(map_of(numbers, 16, 16, CU_TENSOR_MAP_SWIZZLE_32B));
  multiply<<<1, 128, 1024 + a_bytes + b_bytes>>>(map_of(a, 64, 16, CU_TENSOR_MAP_SWIZZLE_32B),
                                                 map_of(b, 16, 32, CU_TENSOR_MAP_SWIZZLE_64B), c);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 64 * 32; ++i) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += float(a[i / 32 * 16 + k]) * float(b[k * 32 + i % 32]);
    wrong += c[i] != sum;
  }
  printf("%d wrong products\n", wrong);
}
