#include "grade/collect/archive.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/installation.hpp"
#include "support/temporary_folder.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr double most_seconds = 30;

std::string read_file(const fs::path& file, std::size_t most) {
  if (!fs::is_regular_file(fs::symlink_status(file)) || fs::file_size(file) > most) return {};
  return lab::read_if_there(file);
}

lab::spawn_request command(const fs::path& archive, const fs::path& folder, const judge::confinement& confine) {
  lab::spawn_request r;
  const auto program = lab::here().build / "bin/lab-unpack";
  r.arguments = {program.string(), archive.string(), folder.string()};
  r.environment = lab::clean_environment({});
  r.memory_bytes = 1ull << 30;
  r.file_bytes = 64 << 20;
  r.cpu_seconds = 60;
  if (!confine) return r;
  return confine(r, {.compiles = true, .readable = {archive, program}, .writable = folder});
}

void add_all(submission& s, const json& entries, const fs::path& folder, const std::vector<std::string>& labs) {
  for (const auto& e : entries) {
    const auto path = e.at("path").get<std::string>();
    const auto lab = lab_of(path, labs);
    if (lab.empty()) continue;
    handed_in one{path, {}, e.value("trouble", "")};
    if (one.trouble.empty())
      one.text = read_file(folder / fmt::format("{}.text", e.at("number").get<unsigned>()), most_source_bytes);
    add(s, lab, std::move(one));
  }
}

}  // namespace

void unpack(submission& s, const fs::path& archive, const std::vector<std::string>& labs,
            const judge::confinement& confine) try {
  const temporary_folder folder{"unpack"};
  const auto end = run_program(command(fs::absolute(archive), folder.path(), confine), most_seconds);
  const auto list = json::parse(read_file(folder.path() / "list.json", 16 << 20), nullptr, false);
  if (!end.well() || !list.is_object()) {
    s.trouble = end.timed_out ? "the archive takes too long to unpack" : "the archive cannot be read";
    return;
  }
  s.trouble = list.value("trouble", "");
  if (s.trouble.empty()) add_all(s, list.at("entries"), folder.path(), labs);
} catch (const std::exception& e) {
  s.trouble = std::string{"the archive cannot be read: "} + e.what();
}

}  // namespace lab::grade
