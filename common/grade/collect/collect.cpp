#include "grade/collect/collect.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "build/source_texts.hpp"
#include "grade/collect/archive.hpp"
#include "lab/lab_definition.hpp"
#include "text/fingerprint.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using lab::descriptor;

namespace {

constexpr int deepest = 8;

std::string_view kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFLNK:
      return "a symbolic link";
    case S_IFIFO:
      return "a FIFO";
    case S_IFSOCK:
      return "a socket";
    case S_IFDIR:
      return "a folder";
    case S_IFREG:
      return "a file";
    default:
      return "a device";
  }
}

std::string read_all(int file, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::size_t done = 0;
  for (ssize_t got = 1; got > 0 && done < bytes; done += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
    got = read(file, text.data() + done, bytes - done);
  text.resize(done);
  return text;
}

// O_NOFOLLOW refuses links; O_NONBLOCK does not wait for the other end of a FIFO.
handed_in read_submitted(int folder, const char* name, const std::string& path) {
  const descriptor file{openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  if (!file) return {path, {}, errno == ELOOP ? "it is a symbolic link" : std::strerror(errno)};
  struct stat status {};
  fstat(file.get(), &status);
  if (!S_ISREG(status.st_mode)) return {path, {}, "it is " + std::string{kind_of(status.st_mode)}};
  if (static_cast<std::size_t>(status.st_size) > most_source_bytes) return {path, {}, "it is larger than 1 MiB"};
  return {path, read_all(file.get(), static_cast<std::size_t>(status.st_size)), {}};
}

struct close_folder {
  void operator()(DIR* folder) const { closedir(folder); }
};
using open_folder = std::unique_ptr<DIR, close_folder>;

// The result owns the descriptor.
open_folder folder_at(int parent, const char* name) {
  const int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return open_folder{file < 0 ? nullptr : fdopendir(file)};
}

std::vector<std::string> names_in(DIR* folder, std::size_t most) {
  std::vector<std::string> names;
  while (const dirent* entry = readdir(folder))
    if (const std::string name = entry->d_name; name != "." && name != ".." && names.size() <= most)
      names.push_back(name);
  std::ranges::sort(names);
  return names;
}

class folder_search {
 public:
  folder_search(submission& collected, const std::vector<std::string>& labs) : collected_{collected}, labs_{labs} {}

  void search(int parent, const char* name, const std::string& path, int depth) {
    const auto folder = folder_at(parent, name);
    if (!folder || depth > deepest) return;
    const int here = dirfd(folder.get());
    for (const auto& entry : names_in(folder.get(), most_files)) {
      if (++seen_ > most_files) {
        collected_.trouble = "there are more than 2000 files";
        return;
      }
      visit(here, entry, path.empty() ? entry : path + "/" + entry, depth);
    }
  }

 private:
  void visit(int here, const std::string& name, const std::string& path, int depth) {
    struct stat status {};
    if (fstatat(here, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    const auto lab = lab_of(path, labs_);
    if (S_ISDIR(status.st_mode) && lab.empty()) return search(here, name.c_str(), path, depth + 1);
    if (lab.empty()) return;
    collected_.time = std::max(collected_.time, status.st_mtime);
    add(collected_, lab, read_submitted(here, name.c_str(), path));
  }

  submission& collected_;
  const std::vector<std::string>& labs_;
  std::size_t seen_ = 0;
};

std::string without_ending(const std::string& name) {
  for (const std::string_view ending : {".tar.gz", ".tgz", ".tar", ".zip"})
    if (name.ends_with(ending) && name.size() > ending.size()) return name.substr(0, name.size() - ending.size());
  return {};
}

submission collect_one(int folder, const fs::path& path, const std::vector<std::string>& labs,
                       const judge::confinement& confine) {
  const auto name = path.filename().string();
  submission collected{.student = name};
  struct stat status {};
  fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW);
  collected.time = status.st_mtime;
  if (S_ISDIR(status.st_mode)) {
    collected.time = 0;
    folder_search{collected, labs}.search(folder, name.c_str(), "", 0);
  } else if (!S_ISREG(status.st_mode)) {
    collected.trouble = "the submission is " + std::string{kind_of(status.st_mode)};
  } else if (static_cast<std::size_t>(status.st_size) > most_archive_bytes) {
    collected.trouble = "the archive is larger than 64 MiB";
  } else {
    unpack(collected, path, labs, confine);
  }
  return collected;
}

// Two different names may be equal after sanitizing. Their fingerprints keep the two students apart.
std::string displayed_name(const std::string& name) {
  const auto shown = sanitize::line(name, 100);
  return shown == name ? name : shown + " (" + fingerprint(name).substr(0, 8) + ")";
}

bool is_digit(char letter) { return '0' <= letter && letter <= '9'; }

}  // namespace

std::string lab_of(const std::string& path, const std::vector<std::string>& labs) {
  const auto slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (name == "kernel.cu") {
    const fs::path folder = fs::path{path}.parent_path();
    if (folder.parent_path().filename() != "labs") return {};
    name = folder.filename().string();
  } else if (!name.ends_with(".cu")) {
    return {};
  }
  if (name.size() < 3 || !is_digit(name[0]) || !is_digit(name[1]) || name[2] != '_') return {};
  const auto found =
      std::ranges::find_if(labs, [&](const std::string& lab) { return lab.starts_with(name.substr(0, 3)); });
  return found == labs.end() ? "" : *found;
}

void add(submission& collected, const std::string& lab, handed_in file) {
  const auto [first, added] = collected.labs.try_emplace(lab, file);
  if (!added) first->second.trouble = "there are two files for this lab: " + first->second.file + " and " + file.file;
}

std::vector<submission> collect(const fs::path& folder, const std::vector<std::string>& labs,
                                const judge::confinement& confine) {
  const auto all = folder_at(AT_FDCWD, folder.c_str());
  if (!all) throw usage_error(folder.string() + " is not a readable folder");
  std::vector<submission> found;
  for (const auto& name : names_in(all.get(), 100'000)) {
    struct stat status {};
    if (name == ".git" || fstatat(dirfd(all.get()), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const auto stem = S_ISDIR(status.st_mode) ? name : without_ending(name);
    if (stem.empty() && S_ISREG(status.st_mode)) continue;  // a roster, notes
    const auto taken = [&](const std::string& student) {
      return std::ranges::find(found, student, &submission::student) != found.end();
    };
    auto student = displayed_name(stem.empty() ? name : stem);
    if (taken(student)) student = displayed_name(name);
    while (taken(student)) student += " again";  // a name equal to another's displayed name
    found.push_back(collect_one(dirfd(all.get()), folder / name, labs, confine));
    found.back().student = student;
  }
  return found;
}

}  // namespace lab::grade
