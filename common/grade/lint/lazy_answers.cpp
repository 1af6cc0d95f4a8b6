#include "grade/lint/lazy_answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab::grade {

namespace {

// Calls f(outputs, their right values) with spans of the element's type, for every output.
template <class F>
arguments with_outputs(arguments all, F&& f) {
  for (auto& a : all)
    if (is_output(a)) with_element(a.type, [&](auto zero) { f(a.as<decltype(zero)>()); });
  return all;
}

double to_eight_bits(double x) {
  int exponent = 0;
  return std::ldexp(std::nearbyint(std::ldexp(std::frexp(x, &exponent), 8)), exponent - 8);
}

template <class T>
T converted(double x) {
  if (std::is_floating_point_v<T>) return static_cast<T>(x);
  const double most = static_cast<double>(std::numeric_limits<T>::max());
  return x >= most ? std::numeric_limits<T>::max() : static_cast<T>(x);
}

}  // namespace

bool is_input(const argument& a) { return a.role == parameter_role::input || a.role == parameter_role::in_out; }
bool is_output(const argument& a) { return a.role == parameter_role::output || a.role == parameter_role::in_out; }

arguments zeros(const arguments& right, const arguments&) {
  return with_outputs(right, [](auto out) { std::ranges::fill(out, 0); });
}

arguments constant(const arguments& right) {
  return with_outputs(right, []<class T>(std::span<T> out) {
    double sum = 0;
    for (const T x : out) sum += static_cast<double>(x);
    std::ranges::fill(out, out.empty() ? T{} : converted<T>(sum / static_cast<double>(out.size())));
  });
}

arguments echo(const arguments& right, const arguments& given) {
  const auto first = std::ranges::find_if(given, is_input);
  if (first == given.end() || first->bytes.empty()) return right;
  auto all = right;
  for (auto& a : all)
    for (std::size_t i = 0; is_output(a) && i < a.bytes.size(); ++i) a.bytes[i] = first->bytes[i % first->bytes.size()];
  return all;
}

arguments all_but_the_last(const arguments& right, const arguments& given) {
  auto all = right;
  for (std::size_t p = 0; p < all.size(); ++p) {
    auto& bytes = all[p].bytes;
    if (!is_output(all[p]) || bytes.empty()) continue;
    for (auto i = bytes.size() - bytes_of(all[p].type); i < bytes.size(); ++i)
      bytes[i] = given[p].bytes.empty() ? std::byte{0xa5} : given[p].bytes[i];
  }
  return all;
}

arguments rounded_to_bfloat16(const arguments& right, const arguments&) {
  return with_outputs(right, []<class T>(std::span<T> out) {
    for (T& x : out) x = converted<T>(to_eight_bits(static_cast<double>(x)));
  });
}

arguments one_unit_off(const arguments& right) {
  return with_outputs(right, []<class T>(std::span<T> out) {
    if constexpr (std::is_floating_point_v<T>)
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = std::nextafter(out[i], std::numeric_limits<T>::infinity() * (i % 2 ? 1 : -1));
  });
}

}  // namespace lab::grade
