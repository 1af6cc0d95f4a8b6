#pragma once

// Calls that get a __device__ or __constant__ variable itself. A variable of characters may be meant, or a text that
// names a variable, as before CUDA 5; the runtime tells them apart.

namespace lab_sim {

template <class T>
struct text_in {
  enum { possible = 0, bytes = 0 };
};
template <size_t n>
struct text_in<char[n]> {
  enum { possible = 1, bytes = n };
};
template <>
struct text_in<const char*> {
  enum { possible = 1, bytes = 0 };
};
template <>
struct text_in<char*> : text_in<const char*> {};

template <class T>
const void* address_of(const T& symbol) {
  return const_cast<const void*>(reinterpret_cast<const volatile void*>(&symbol));
}
template <class T>
cudaError_t refuse_text_in(const T& symbol) {
  return text_in<T>::possible ? refuse_text(address_of(symbol), text_in<T>::bytes) : cudaSuccess;
}

}  // namespace lab_sim

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  if (const cudaError_t refused = lab_sim::refuse_text_in(symbol)) return refused;
  return lab_sim::copy_to_symbol(const_cast<void*>(lab_sim::address_of(symbol)), sizeof(T), from, bytes, offset, kind,
                                 nullptr, true);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
  if (const cudaError_t refused = lab_sim::refuse_text_in(symbol)) return refused;
  return lab_sim::copy_to_symbol(const_cast<void*>(lab_sim::address_of(symbol)), sizeof(T), from, bytes, offset, kind,
                                 stream, false);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  if (const cudaError_t refused = lab_sim::refuse_text_in(symbol)) return refused;
  return lab_sim::copy_from_symbol(to, lab_sim::address_of(symbol), sizeof(T), bytes, offset, kind, nullptr, true);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
  if (const cudaError_t refused = lab_sim::refuse_text_in(symbol)) return refused;
  return lab_sim::copy_from_symbol(to, lab_sim::address_of(symbol), sizeof(T), bytes, offset, kind, stream, false);
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
  if (const cudaError_t refused = lab_sim::refuse_text_in(symbol)) return refused;
  return lab_sim::symbol_address((void**)pointer, lab_sim::address_of(symbol), sizeof(T));
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  if (const cudaError_t refused = lab_sim::refuse_text_in(symbol)) return refused;
  if (!bytes) return cudaErrorInvalidValue;
  *bytes = sizeof(T);
  return cudaSuccess;
}
