#include "grade/collect/archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "grade/collect/submission_names.hpp"
#include "support/installation.hpp"
#include "support/temporary_folder.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr double most_seconds = 30;

std::string read_file(const fs::path& file, std::size_t most_bytes) {
  if (!fs::is_regular_file(fs::symlink_status(file)) || fs::file_size(file) > most_bytes) return {};
  return lab::read_if_there(file);
}

// The sandbox gets a copy, because the file of this name may be another one by now.
void copy_to(const fs::path& file, int archive) {
  const lab::descriptor copy{open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)};
  if (!copy) throw std::runtime_error("cannot write " + file.string());
  fchmod(copy.get(), 0644);
  for (std::size_t left = most_archive_bytes; left > 0;) {
    const auto got = sendfile(copy.get(), archive, nullptr, left);
    if (got < 0) throw std::runtime_error("cannot copy the archive to " + file.string());
    if (got == 0) return;
    left -= static_cast<std::size_t>(got);
  }
}

lab::spawn_request unpack_request(const fs::path& archive, const fs::path& folder, const judge::confinement& confine) {
  lab::spawn_request request;
  const auto program = lab::here().build / "bin/lab-unpack";
  request.arguments = {program.string(), archive.string(), folder.string()};
  request.environment = lab::clean_environment({});
  request.memory_bytes = 1ull << 30;
  request.file_bytes = 64 << 20;
  request.cpu_seconds = 60;
  if (!confine) return request;
  return confine(request, {.compiles = true, .readable = {archive, program}, .writable = folder});
}

collect_trouble trouble_in(const json& listed) {
  const auto message = listed.value("trouble", "");
  return listed.value("unreadable", false) ? unreadable(message) : collect_trouble{message};
}

void add_all(submission& collected, const json& entries, const fs::path& folder, const std::vector<std::string>& labs) {
  for (const auto& entry : entries) {
    const auto path = entry.at("path").get<std::string>();
    const auto lab = lab_of(path, labs);
    if (lab.empty()) {
      if (!path.ends_with('/')) add_other(collected, path);
      continue;
    }
    handed_in file{path, {}, trouble_in(entry)};
    if (!file.trouble)
      file.text = read_file(folder / fmt::format("{}.text", entry.at("number").get<unsigned>()), most_source_bytes);
    add(collected, lab, std::move(file));
  }
}

}  // namespace

void unpack(submission& collected, int archive, const std::vector<std::string>& labs,
            const judge::confinement& confine) try {
  const temporary_folder input{"archive"}, folder{"unpack"};
  const auto copy = input.path() / "archive";
  copy_to(copy, archive);
  const auto end = run_program(unpack_request(copy, folder.path(), confine), most_seconds);
  if (WIFEXITED(end.status) && WEXITSTATUS(end.status) == 127)  // a library of lab-unpack is missing
    throw cannot_unpack("archives cannot be unpacked here; apt-get install libarchive13: " + end.output);
  const auto list = json::parse(read_file(folder.path() / "list.json", 16 << 20), nullptr, false);
  if (!end.well() || !list.is_object()) {
    collected.trouble = end.timed_out ? collect_trouble{"unpacking the archive takes too long"}
                                      : unreadable("the archive cannot be read");
    return;
  }
  collected.trouble = trouble_in(list);
  if (!collected.trouble) add_all(collected, list.at("entries"), folder.path(), labs);
} catch (const cannot_unpack&) {
  throw;
} catch (const std::exception& error) {
  collected.trouble = unreadable(std::string{"the archive cannot be read: "} + error.what());
}

}  // namespace lab::grade
