#pragma once

// What a capture knows of its graph, and nodes that a program adds to it meanwhile. The functions have the forms of
// CUDA 11 to 13. An edge of the simulator has no data.

enum { cudaStreamAddCaptureDependencies = 0, cudaStreamSetCaptureDependencies = 1 };

extern "C" {
/// Captures nodes into a graph that exists. The first ones follow `after`.
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* edges, size_t count, cudaStreamCaptureMode mode);
/// The nodes that the stream's next one will follow, up to the next call about this stream. All but `status` may be
/// null, and keep what they hold if no capture is active.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id = 0,
                                     cudaGraph_t* graph = 0, const cudaGraphNode_t** follows = 0,
                                     const cudaGraphEdgeData** edges = 0, size_t* count = 0);
/// The stream's next node will follow these, too, or these alone.
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData* edges, size_t count, unsigned flags = 0);
}
inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id = 0, cudaGraph_t* graph = 0,
                                               const cudaGraphNode_t** follows = 0, size_t* count = 0) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, follows, 0, count);
}
inline cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id = 0, cudaGraph_t* graph = 0,
                                               const cudaGraphNode_t** follows = 0, const cudaGraphEdgeData** edges = 0,
                                               size_t* count = 0) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, follows, edges, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
                                                       unsigned flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, 0, count, flags);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                          const cudaGraphEdgeData* edges, size_t count,
                                                          unsigned flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, edges, count, flags);
}
