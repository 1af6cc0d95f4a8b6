#include "cli/lab_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "support/installation.hpp"
#include "support/program_path.hpp"
#include "text/nearest.hpp"

namespace lab::cli {

namespace {

namespace fs = std::filesystem;

bool looks_like_a_path(const std::string& argument) {
  return argument == "." || argument == ".." || argument.find('/') != std::string::npos || argument.ends_with(".cu");
}

// The path below labs/: "04_transpose_padded/kernel.cu"; empty for other places.
fs::path below_labs(const std::string& argument) {
  std::error_code none;
  const auto path = fs::weakly_canonical(fs::absolute(argument), none);
  return path_below(fs::weakly_canonical(here().root / "labs", none), path).lexically_normal();
}

// Whether a path below labs/ is a lab's folder ("04_x" or "04_x/") or the kernel in it.
bool chooses(const fs::path& below) {
  const auto file = below.lexically_relative(*below.begin());
  return file == "." || file == "kernel.cu" || file.empty();
}

const entry* lab_at(const std::string& argument) {
  if (!looks_like_a_path(argument)) return nullptr;
  const auto below = below_labs(argument);
  if (below.empty() || !chooses(below)) return nullptr;
  const auto at = std::ranges::find(labs(), below.begin()->string(), &entry::name);
  return at == labs().end() ? nullptr : &*at;
}

[[noreturn]] void refuse_path(const std::string& argument) {
  if (argument.ends_with(".cu"))
    throw usage_error(
        fmt::format("{} is not the kernel.cu of a lab; to use another file, name the lab: ./lab check NN --kernel {}",
                    argument, argument));
  throw usage_error(
      fmt::format("{} is not the folder of a lab; name a lab, such as 04, or a folder, such as labs/04_name. "
                  "./lab list shows all labs",
                  argument));
}

// "04.2" is stage 2 of "04"; an argument without a stage has stage 0.
struct stage_argument {
  std::string lab;
  int stage = 0;
};

stage_argument split(const std::string& argument) {
  const auto dot = argument.find_last_of('.');
  if (dot == std::string::npos || dot == 0) return {argument};
  int stage = 0;
  const auto* end = argument.data() + argument.size();
  const auto [read, error] = std::from_chars(argument.data() + dot + 1, end, stage);
  return error == std::errc{} && read == end ? stage_argument{argument.substr(0, dot), stage}
                                             : stage_argument{argument};
}

// Each lab's name, also without its number.
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& lab : labs()) {
    all.push_back(lab.name);
    if (lab.name.size() > 3) all.push_back(lab.name.substr(3));
  }
  return all;
}

}  // namespace

bool is_path_of_a_lab(const std::string& argument) { return lab_at(argument) != nullptr; }

const entry& chosen_lab(const std::string& argument) {
  if (const auto* lab = lab_at(argument)) return *lab;
  if (looks_like_a_path(argument)) refuse_path(argument);
  const auto wanted = split(argument).lab;
  try {
    return find(wanted);
  } catch (const usage_error& unknown) {
    throw usage_error(unknown.what() + did_you_mean(wanted, names()));
  }
}

const entry& chosen_lab_or_stage(const std::string& argument) {
  const auto& lab = chosen_lab(argument);
  const auto stage = looks_like_a_path(argument) ? stage_argument{} : split(argument);
  return stage.lab.empty() || stage.lab == argument ? lab : stage_of(lab, stage.stage);
}

}  // namespace lab::cli
