#include "build/lab_builds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "build/kernel_cache.hpp"
#include "build/kernel_variant.hpp"
#include "support/installation.hpp"
#include "support/program_path.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

// Solutions, encores and peers are known to end. On a slow machine nvcc takes more than a minute for lab 17's encore.
constexpr double most_for_solutions_s = 600;

bool is_of_solution(const entry& lab, const fs::path& source) {
  return !path_below(solution_of(lab).source.parent_path(), fs::absolute(source)).empty();
}

// An untrusted file does not choose its libraries and its architecture: the lab's solution does.
build_request request_for(const entry& lab, const fs::path& source, const run_options& options) {
  const auto trusted = options.confine ? solution_of(lab).source : source;
  const auto architecture = words_after("// arch:", trusted);
  return {.backend = options.backend,
          .source = source,
          .include = {here().root / "labs" / lab.name},
          .link = words_after("// link:", trusted),
          .architecture = architecture.empty() ? "" : architecture.front(),
          .or_any = architecture.size() > 1,
          .timeout_s = is_of_solution(lab, source) ? std::max(options.build_timeout_s, most_for_solutions_s)
                                                   : options.build_timeout_s,
          .confine = options.confine};
}

build_request traced_request_for(const entry& lab, const fs::path& source, const run_options& options) {
  auto request = request_for(lab, source, options);
  request.backend = backend_kind::sim;
  request.traced = true;
  request.countable = options.countable;
  return request;
}

}  // namespace

std::vector<std::string> words_after(std::string_view mark, const fs::path& source) {
  std::ifstream file{source};
  for (std::string line; std::getline(file >> std::ws, line) && line.starts_with("//");) {
    if (!line.starts_with(mark)) continue;
    std::istringstream words{line.substr(mark.size())};
    return {std::istream_iterator<std::string>{words}, {}};
  }
  return {};
}

build_result build_for(const entry& lab, const fs::path& source, const run_options& options) {
  if (options.progress) options.progress("building " + source.filename().string());
  return build(request_for(lab, source, options));
}

build_result build_device_code(const entry& lab, const fs::path& source, const run_options& options) {
  auto request = request_for(lab, source, options);
  request.device_only = true;
  return build(request);
}

build_result check_source(const entry& lab, const fs::path& source, const run_options& options) {
  auto request = request_for(lab, source, options);
  request.backend = backend_kind::sim;
  request.strict = true;
  return build(request);
}

build_result build_traced(const entry& lab, const fs::path& source, const run_options& options) {
  return build(traced_request_for(lab, source, options));
}

std::string traced_build_key(const entry& lab, const fs::path& source, const run_options& options) {
  return build_key(traced_request_for(lab, source, options));
}

}  // namespace lab::judge
