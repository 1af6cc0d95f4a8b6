#pragma once

#include "cuda_runtime_api.h"

#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#else
typedef unsigned GLenum;
typedef unsigned GLuint;
#endif

// Every call is refused while the program runs.

enum cudaGLDeviceList : int {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};
enum cudaGLMapFlags : int { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };

inline cudaError_t cudaGLGetDevices(unsigned* count, int*, unsigned, cudaGLDeviceList) {
  if (count) *count = 0;
  return lab_sim::refuse_graphics();
}
inline cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource**, GLuint, unsigned) {
  return lab_sim::refuse_graphics();
}
inline cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource**, GLuint, GLenum, unsigned) {
  return lab_sim::refuse_graphics();
}
inline cudaError_t cudaGLSetGLDevice(int) { return lab_sim::refuse_graphics(); }
inline cudaError_t cudaGLRegisterBufferObject(GLuint) { return lab_sim::refuse_graphics(); }
inline cudaError_t cudaGLUnregisterBufferObject(GLuint) { return lab_sim::refuse_graphics(); }
inline cudaError_t cudaGLSetBufferObjectMapFlags(GLuint, unsigned) { return lab_sim::refuse_graphics(); }
inline cudaError_t cudaGLMapBufferObject(void**, GLuint) { return lab_sim::refuse_graphics(); }
inline cudaError_t cudaGLUnmapBufferObject(GLuint) { return lab_sim::refuse_graphics(); }
inline cudaError_t cudaGLMapBufferObjectAsync(void**, GLuint, cudaStream_t) { return lab_sim::refuse_graphics(); }
inline cudaError_t cudaGLUnmapBufferObjectAsync(GLuint, cudaStream_t) { return lab_sim::refuse_graphics(); }
