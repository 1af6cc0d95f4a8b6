#pragma once

// a[i] += 1 for 0 <= i < n, in place.  Device pointer.
void increment(float* a, int n);

// The same with exactly this many blocks of this many threads, be they too few, enough or too many.  Device pointer.
void increment_with(float* a, int n, int blocks, int threads);

// The same on a host pointer: copies the array to the device, calls increment, and copies it back.
void increment_host(float* a, int n);

// out[i] = a[i] * b[i] for 0 <= i < n.  Device pointers.
void multiply(const float* a, const float* b, float* out, int n);
