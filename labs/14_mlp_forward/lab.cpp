#include "lab.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "lab/lab_definition.hpp"
#include "support/installation.hpp"

namespace {

using floats = std::span<const float>;
constexpr int pixels = 784, hidden = 100, classes = 10;
constexpr int digits = 512;  // held_out.bin: images that the weights were not trained on, then their labels
constexpr int parameters = (pixels + 1) * hidden + (hidden + 1) * hidden + (hidden + 1) * classes;

// The first `count` elements of a file of data/, which must hold at least as many.
template <class T>
std::vector<T> read(const char* name, std::size_t count) {
  const auto path = lab::here().home / "labs" / LAB_NAME / "data" / name;
  std::vector<T> values(count);
  std::ifstream file{path, std::ios::binary};
  const auto bytes = static_cast<std::streamsize>(count * sizeof(T));
  if (!file.read(reinterpret_cast<char*>(values.data()), bytes))
    throw std::runtime_error(path.string() + ": cannot be read, or is shorter than " + std::to_string(bytes) +
                             " bytes; data/train.py writes it");
  return values;
}

// Takes weights off the front of the file's values: matrix and bias, layer by layer.
lab::tensor<float> take(floats& rest, lab::array_shape extents) {
  const auto part = rest.first(lab::count(extents));
  rest = rest.subspan(part.size());
  return {std::move(extents), {part.begin(), part.end()}};
}

// A batch of digits, drawn from those that the network has never seen.
lab::tensor<float> draw_digits(int batch, lab::random& random) {
  static const auto held_out = read<unsigned char>("held_out.bin", std::size_t{digits} * pixels);
  const auto chosen = random.integers<int>({batch}, 0, digits - 1).values;
  lab::tensor<float> images{{batch, pixels}, std::vector<float>(std::size_t(batch) * pixels)};
  for (std::size_t i = 0; i < images.values.size(); ++i)
    images.values[i] = float(held_out[std::size_t(chosen[i / pixels]) * pixels + i % pixels]) / 255;
  return images;
}

// -1, 0 and 1 times a power of two: sums are exact in any order, and the scores end up a few units apart.
lab::tensor<float> scaled(lab::random& random, lab::array_shape extents, float unit) {
  auto t = random.values(std::move(extents), 1);
  for (float& v : t.values) v *= unit;
  return t;
}

// Softmax does not care about a number added to all scores, but exp() does: beyond 88 it overflows, below -104 it is 0.
float shift_of_scores(int batch) { return batch == 33 ? 128 : batch == 65 ? -128 : 0; }

using network = std::array<lab::tensor<float>, 6>;  // w1, b1, w2, b2, w3, b3

// Subtracts `shift` from all scores of every second image: the first output of each hidden layer carries the first
// pixel, and nothing else, to all classes.
void lower_every_second_image(lab::tensor<float>& images, network& p, float shift) {
  auto &w1 = p[0].values, &w2 = p[2].values, &w3 = p[4].values;
  for (int k = 0; k < pixels; ++k) w1[k * hidden] = 0;
  for (int k = 0; k < hidden; ++k) w1[k] = w2[k] = w2[k * hidden] = 0;
  w1[0] = w2[0] = 1;
  p[1].values[0] = p[3].values[0] = 0;
  std::fill_n(w3.begin(), classes, -1.0f);
  for (std::size_t i = 0; i < images.values.size(); i += pixels) images.values[i] = i / pixels % 2 == 0 ? 0 : shift;
}

auto with_output(lab::tensor<float> images, network p, int batch) {
  for (float& bias : p[5].values) bias += shift_of_scores(batch);
  return std::tuple{images, p[0], p[1], p[2], p[3], p[4], p[5], lab::output<float>({batch, classes}), batch};
}

auto make_lattice(int batch, lab::random& random) {
  auto images = random.values({batch, pixels}, 1);
  for (float& v : images.values) v = std::abs(v);
  network p{scaled(random, {pixels, hidden}, 1.0f / 16), scaled(random, {hidden}, 1),
            scaled(random, {hidden, hidden}, 1.0f / 4),  scaled(random, {hidden}, 1),
            scaled(random, {hidden, classes}, 1.0f / 8), scaled(random, {classes}, 1)};
  if (batch == 65) lower_every_second_image(images, p, 200);
  return with_output(std::move(images), std::move(p), batch);
}

// Lattice cases have made-up weights, the others the trained ones and real digits.
auto make(const lab::problem_size& s, lab::random& random) {
  const int batch = s[0];
  if (random.kind() == lab::inputs::lattice) return make_lattice(batch, random);
  static const auto trained = read<float>("weights.bin", parameters);
  floats rest{trained};
  return with_output(draw_digits(batch, random),
                     {take(rest, {pixels, hidden}), take(rest, {hidden}), take(rest, {hidden, hidden}),
                      take(rest, {hidden}), take(rest, {hidden, classes}), take(rest, {classes})},
                     batch);
}

// One layer for one image; T is what it computes in.
template <class T>
std::vector<T> layer(const std::vector<T>& x, floats w, floats b, bool relu) {
  std::vector<T> y(b.size());
  for (std::size_t out = 0; out < y.size(); ++out) {
    T sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * w[k * y.size() + out];
    y[out] = relu ? std::max(sum + b[out], T{0}) : sum + b[out];
  }
  return y;
}

template <class T>
void softmax(std::span<T> scores) {
  const T largest = *std::ranges::max_element(scores);
  T sum = 0;
  for (T& s : scores) sum += s = std::exp(s - largest);
  for (T& s : scores) s /= sum;
}

template <class T>
void classify(floats images, floats w1, floats b1, floats w2, floats b2, floats w3, floats b3,
              std::span<float> probabilities, std::int64_t image) {
  const auto digit = images.subspan(image * pixels, pixels);
  const auto first = layer(std::vector<T>(digit.begin(), digit.end()), w1, b1, true);
  auto scores = layer(layer(first, w2, b2, true), w3, b3, false);
  softmax(std::span{scores});
  std::ranges::copy(scores, probabilities.begin() + image * classes);
}

void reference(floats images, floats w1, floats b1, floats w2, floats b2, floats w3, floats b3,
               std::span<float> probabilities, int batch) {
  lab::parallel_for(batch, [&](auto i) { classify<double>(images, w1, b1, w2, b2, w3, b3, probabilities, i); });
}

void one_thread(floats images, floats w1, floats b1, floats w2, floats b2, floats w3, floats b3,
                std::span<float> probabilities, int batch) {
  for (int i = 0; i < batch; ++i) classify<float>(images, w1, b1, w2, b2, w3, b3, probabilities, i);
}

void all_threads(floats images, floats w1, floats b1, floats w2, floats b2, floats w3, floats b3,
                 std::span<float> probabilities, int batch) {
  lab::parallel_for(batch, [&](auto i) { classify<float>(images, w1, b1, w2, b2, w3, b3, probabilities, i); });
}

// y = x w + b for the whole batch; the biases lie there first, and the product is added.
void fast_layer(floats x, floats w, floats b, std::span<float> y, bool relu) {
  const int outputs = static_cast<int>(b.size()), inputs = static_cast<int>(w.size()) / outputs;
  const int batch = static_cast<int>(y.size()) / outputs;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = b[i % b.size()];
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, batch, outputs, inputs, 1, x.data(), inputs, w.data(), outputs,
              1, y.data(), outputs);
  if (!relu) return;
  for (float& v : y) v = std::max(v, 0.0f);
}

void fast(floats images, floats w1, floats b1, floats w2, floats b2, floats w3, floats b3,
          std::span<float> probabilities, int batch) {
  std::vector<float> first(std::size_t(batch) * hidden), second(first.size());
  fast_layer(images, w1, b1, first, true);
  fast_layer(first, w2, b2, second, true);
  fast_layer(second, w3, b3, probabilities, false);
  for (int i = 0; i < batch; ++i) softmax(probabilities.subspan(std::size_t(i) * classes, classes));
}

// The kernels of the solution have 2400 to 4000 threads for one image.
lab::gate few_threads(double costs, const lab::problem_size& costs_at) {
  return {.metric = lab::traffic::threads,
          .at = {1},
          .limit = 16'384,
          .why = "One image has 210 outputs: divide the outputs and the images by those of a block, and round up.",
          .costs = costs,
          .costs_at = costs_at};
}

// A grid that is too large costs `too_many_threads` times the time at `costs_at`.
lab::launcher<decltype(forward)> launcher(std::string name, double too_many_threads, const lab::problem_size& costs_at,
                                          std::vector<lab::problem_size> check_sizes) {
  return {
      .name = std::move(name),
      .parameters = {"images", "w1", "b1", "w2", "b2", "w3", "b3", "probabilities", "batch"},
      .axes = {"batch"},
      .make = make,
      .reference = reference,
      .one_thread = one_thread,
      .all_threads = all_threads,
      .fast = fast,
      .check_sizes = std::move(check_sizes),
      .time_sizes = {{256}, {8192}},
      .count_at = {64},  // one image fills no tile
      // An error in a score is a relative error of its probability, and at a score of 128 a float is 1.5e-5 wide; sums
      // in any order stay ten times closer than this, a rounded input does not.
      .allow = {.relative = 3e-4, .inexact_lattice = true},
      .cost =
          [](const lab::problem_size& s) {
            const double batch = s[0], products = pixels * hidden + hidden * hidden + hidden * classes;
            return lab::problem_cost{.bytes = sizeof(float) * (batch * (pixels + classes) + parameters),
                                     .operations = 2 * batch * products};
          },
      .gates = {few_threads(too_many_threads, costs_at)},
  };
}

lab::launcher<decltype(forward)> tiled_launcher() {
  auto tiled = launcher("forward_tiled", 4.5, {256}, {{1}, {15}, {17}, {33}, {65}});
  tiled.improves_on = "forward_naive";
  tiled.gates.push_back({.metric = lab::traffic::load_sectors,
                         .at = {64},
                         .limit = 500'000,  // half of the naive kernel's traffic; the encore, which keeps all layers in
                                            // one kernel, has 398 000
                         .why = "Each layer must use tiles in shared memory, as in lab 07.",
                         .costs = 1.53,
                         .costs_at = {256}});
  return tiled;
}

lab::launcher<decltype(forward)> four_a_thread() {
  // The last case runs twice, so the large one is not the last.
  auto several = launcher("forward", 2.33, {256}, {{1}, {3}, {31}, {32}, {33}, {257}, {65}});
  several.improves_on = "forward_tiled";
  return several;
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "A network that reads digits",
        .idea = "layers are matrix products with bias and ReLU fused in; a softmax that is stable",
        .launchers = {launcher("forward_naive", 1.39, {8192}, {{1}, {3}, {31}, {33}, {65}}), tiled_launcher(),
                      four_a_thread()},
        .stages = {{"bias, ReLU and softmax", {"forward_naive", "forward_tiled"}},
                   {"four images a thread", {"forward"}}},
        .errors = {"leak"},
    }};

}  // namespace
