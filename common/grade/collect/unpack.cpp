#include <archive.h>
#include <archive_entry.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "grade/collect/submission_limits.hpp"

// Reads one archive of a student; runs in the sandbox, because archives are made to break what reads them. Names in the
// archive never become names of files: entry i is written as "i.text".
namespace {

using nlohmann::json;
using namespace lab::grade;

struct close_archive {
  void operator()(archive* a) const { archive_read_free(a); }
};

std::string trouble_with(archive_entry* e, const std::string& path) {
  if (archive_entry_hardlink(e)) return "it is a hard link";
  switch (archive_entry_filetype(e)) {
    case AE_IFREG:
      break;
    case AE_IFLNK:
      return "it is a symbolic link";
    case AE_IFDIR:
      return "it is a folder";
    default:
      return "it is no regular file";
  }
  if (path.starts_with('/') || ("/" + path + "/").find("/../") != std::string::npos)
    return "its name leaves the archive";
  return {};
}

// The text of an entry, cut one byte after what is allowed.
std::string text_of(archive* a) {
  std::string text(most_source_bytes + 1, '\0');
  std::size_t done = 0;
  for (la_ssize_t got = 1; got > 0 && done < text.size();
       done += static_cast<std::size_t>(std::max<la_ssize_t>(got, 0)))
    got = archive_read_data(a, text.data() + done, text.size() - done);
  text.resize(done);
  return text;
}

std::size_t claimed_bytes(archive_entry* e) {
  return static_cast<std::size_t>(std::max<la_int64_t>(archive_entry_size(e), 0));
}

// `unpacked` holds what the entry claims, and grows by what was read beyond that.
json entry_of(archive* a, archive_entry* e, unsigned number, const std::filesystem::path& folder,
              std::size_t& unpacked) {
  const char* name = archive_entry_pathname_utf8(e);
  if (!name) name = archive_entry_pathname(e);
  const std::string path = name ? name : "";
  json one{{"path", path}, {"number", number}};
  auto trouble = trouble_with(e, path);
  if (trouble.empty() && path.ends_with(".cu")) {
    const auto text = text_of(a);
    unpacked += text.size() - std::min(text.size(), claimed_bytes(e));
    if (text.size() > most_source_bytes) trouble = "it is larger than 1 MiB";
    std::ofstream{folder / (std::to_string(number) + ".text"), std::ios::binary} << text;
  }
  if (!trouble.empty()) one["trouble"] = trouble;
  return one;
}

json contents_of(archive* a, const std::filesystem::path& folder) {
  json entries = json::array();
  std::size_t unpacked = 0;
  for (archive_entry* e = nullptr;;) {
    const int status = archive_read_next_header(a, &e);
    if (status == ARCHIVE_EOF) break;
    if (status < ARCHIVE_WARN) return {{"trouble", "the archive is damaged"}};
    if (entries.size() >= most_files) return {{"trouble", "there are more than 2000 files"}};
    unpacked += claimed_bytes(e);
    if (unpacked > most_unpacked_bytes) return {{"trouble", "it unpacks to more than 256 MiB"}};
    entries.push_back(entry_of(a, e, static_cast<unsigned>(entries.size()), folder, unpacked));
  }
  return {{"entries", entries}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::filesystem::path folder = argv[2];
  const std::unique_ptr<archive, close_archive> a{archive_read_new()};
  archive_read_support_filter_gzip(a.get());
  archive_read_support_format_zip(a.get());
  archive_read_support_format_tar(a.get());
  const bool open = archive_read_open_filename(a.get(), argv[1], 65536) == ARCHIVE_OK;
  const auto list = open ? contents_of(a.get(), folder) : json{{"trouble", "it is no archive"}};
  std::ofstream{folder / "list.json"} << list.dump(-1, ' ', false, json::error_handler_t::replace);
  return 0;
}
