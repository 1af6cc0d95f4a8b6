// hazard: error race 4 7
// A graph of two branches, launched twice. The second branch forks too early.
__global__ void fill(int* d, int value) {
  d[threadIdx.x] = value;
}
__global__ void use(const int* d, int* out) {
  out[threadIdx.x] = d[63 - threadIdx.x];
}
int main() {
  int *d, *out;
  cudaMalloc(&d, 256);
  cudaMalloc(&out, 256);
  cudaStream_t main, side;
  cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, main);
  fill<<<1, 64, 0, main>>>(d, 1);
  cudaStreamWaitEvent(side, fork);
  use<<<1, 64, 0, side>>>(d, out);
  cudaEventRecord(join, side);
  cudaStreamWaitEvent(main, join);
  cudaStreamEndCapture(main, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, main);
  fill<<<1, 64, 0, main>>>(d, 2);
  return cudaStreamSynchronize(main);
}
