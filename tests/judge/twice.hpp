#pragma once

#include <filesystem>
#include <string>

#include "judge/check.hpp"

// A lab of our own for the judge to work on: out[i] = 2 in[i].
namespace lab_test {

inline lab::entry twice_lab() {
  const lab::launcher<void(const int*, int*, int)> twice{
      .name = "twice",
      .parameters = {"in", "out", "n"},
      .axes = {"n"},
      .make =
          [](const lab::size& s, lab::random& r) {
            return std::tuple{r.integers<int>({s[0]}, 1, 1000), lab::output<int>({s[0]}), s[0]};
          },
      .reference =
          [](std::span<const int> in, std::span<int> out, int n) {
            for (int i = 0; i < n; ++i) out[i] = 2 * in[i];
          },
      .one_thread =
          [](std::span<const int> in, std::span<int> out, int n) {
            for (int i = 0; i < n; ++i) out[i] = 2 * in[i];
          },
      .check_sizes = {{1}, {255}, {1000}, {1001}, {5000}},
      .time_sizes = {{100'000}},
      .cost = [](const lab::size& s) { return lab::cost{.bytes = 8.0 * s[0], .operations = 1.0 * s[0]}; },
  };
  return {"90_twice", {.title = "Twice", .contracts = {twice}}};
}

/// A kernel in tests/judge/kernels.
inline lab::judge::variant kernel(const std::string& name) {
  return {"file", std::filesystem::path{TEST_KERNELS} / (name + ".cu")};
}

inline lab::judge::check_result checked(const std::string& name, double timeout_s = 10) {
  lab::judge::options o;
  o.seed = 11;
  o.timeout_s = timeout_s;
  return lab::judge::check(twice_lab(), kernel(name), o);
}

/// The first case that did not pass.
inline lab::judge::case_result failure_of(const lab::judge::check_result& r) {
  for (const auto& c : r.cases)
    if (c.verdict != lab::judge::verdict::pass) return c;
  return {};
}

inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace lab_test
