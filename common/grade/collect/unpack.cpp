#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "grade/collect/submission_limits.hpp"
#include "text/lower_case.hpp"

// Reads one student's archive. It runs in the sandbox because a hostile archive may exploit the library that reads it.
// Names in the archive never become file names: entry i is written as "i.text".
namespace {

using nlohmann::json;
using namespace lab::grade;

struct close_archive {
  void operator()(archive* opened) const { archive_read_free(opened); }
};

// An empty message: the entry or the archive can be graded.
struct trouble {
  std::string message{};
  bool unreadable = false;
};

void add_to(json& listed, const trouble& found) {
  if (found.message.empty()) return;
  listed["trouble"] = found.message;
  listed["unreadable"] = found.unreadable;
}

json archive_with(const trouble& found) {
  json listed;
  add_to(listed, found);
  return listed;
}

std::string not_a_file(archive_entry* entry, const std::string& path) {
  if (archive_entry_hardlink(entry)) return "it is a hard link";
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
      break;
    case AE_IFLNK:
      return "it is a symbolic link";
    case AE_IFDIR:
      return "it is a folder";
    default:
      return "it is not a regular file";
  }
  if (path.starts_with('/') || ("/" + path + "/").find("/../") != std::string::npos)
    return "its name leaves the archive";
  return {};
}

// Puts an entry's text, cut one byte above the limit, into `text`, and returns why it cannot be read.
trouble read_text(archive* opened, archive_entry* entry, std::string& text) {
  if (archive_entry_is_encrypted(entry)) return {"it is encrypted; hand it in without a password", true};
  text.resize(most_source_bytes + 1);
  std::size_t done = 0;
  la_ssize_t got = 1;
  for (; got > 0 && done < text.size(); done += static_cast<std::size_t>(std::max<la_ssize_t>(got, 0)))
    got = archive_read_data(opened, text.data() + done, text.size() - done);
  text.resize(done);
  if (got < 0) return {"it cannot be read; the archive is damaged", true};
  return {text.size() > most_source_bytes ? "it is larger than 1 MiB" : ""};
}

std::size_t claimed_bytes(archive_entry* entry) {
  return static_cast<std::size_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
}

// `unpacked` already counts the size in the entry's header. Bytes beyond that size are added here.
json entry_of(archive* opened, archive_entry* entry, unsigned number, const std::filesystem::path& folder,
              std::size_t& unpacked) {
  const char* name = archive_entry_pathname_utf8(entry);
  if (!name) name = archive_entry_pathname(entry);
  const std::string path = name ? name : "";
  json one{{"path", path}, {"number", number}};
  trouble found{not_a_file(entry, path)};
  if (found.message.empty() && lab::lower_case(path).ends_with(".cu")) {
    std::string text;
    found = read_text(opened, entry, text);
    unpacked += text.size() - std::min(text.size(), claimed_bytes(entry));
    std::ofstream{folder / (std::to_string(number) + ".text"), std::ios::binary} << text;
  }
  add_to(one, found);
  return one;
}

json contents_of(archive* opened, const std::filesystem::path& folder) {
  json entries = json::array();
  std::size_t unpacked = 0;
  for (archive_entry* entry = nullptr;;) {
    const int status = archive_read_next_header(opened, &entry);
    if (status == ARCHIVE_EOF) break;
    if (status < ARCHIVE_WARN && archive_read_has_encrypted_entries(opened) > 0)
      return archive_with({"the archive is encrypted; hand it in without a password", true});
    if (status < ARCHIVE_WARN) return archive_with({"the archive is damaged", true});
    if (entries.size() >= most_files) return archive_with({"there are more than 2000 files"});
    unpacked += claimed_bytes(entry);
    if (unpacked > most_unpacked_bytes) return archive_with({"it unpacks to more than 256 MiB"});
    entries.push_back(entry_of(opened, entry, static_cast<unsigned>(entries.size()), folder, unpacked));
  }
  return {{"entries", entries}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::filesystem::path folder = argv[2];
  const std::unique_ptr<archive, close_archive> input{archive_read_new()};
  archive_read_support_filter_gzip(input.get());
  archive_read_support_filter_bzip2(input.get());
  archive_read_support_filter_xz(input.get());
  archive_read_support_format_zip(input.get());
  archive_read_support_format_tar(input.get());
  const bool open = archive_read_open_filename(input.get(), argv[1], 65536) == ARCHIVE_OK;
  const auto list =
      open ? contents_of(input.get(), folder) : archive_with({"it is no archive, or a damaged one", true});
  std::ofstream{folder / "list.json"} << list.dump(-1, ' ', false, json::error_handler_t::replace);
  return 0;
}
