#pragma once

// out[i] = a[i] + b[i] for 0 <= i < n.  Device pointers.
void vector_add(const int* a, const int* b, int* out, int n);

// The same on host pointers: copies the inputs to the device, launches, and copies the result back.
void vector_add_host(const int* a, const int* b, int* out, int n);
