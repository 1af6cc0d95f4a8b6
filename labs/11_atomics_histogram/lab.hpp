#pragma once

// counter[0] += n, by n threads that add one each.  Device pointer to one element.
void count(int* counter, int n);

// bins[k] = how many of the n samples fall into bin k of nbins equal bins over [xmin, xmax).  Device pointers.
// A sample x with xmin <= x < xmax belongs to bin min(int((x - xmin) * (nbins / (xmax - xmin))), nbins - 1), all in
// float; other samples, and NaN, are not counted.
void histogram(const float* x, int* bins, int n, int nbins, float xmin, float xmax);
