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

// Opens without following a link and without waiting for the other end of a FIFO, then looks at what it got.
handed_in take(int folder, const char* name, const std::string& path) {
  const descriptor file{openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  if (!file) return {path, {}, errno == ELOOP ? "it is a symbolic link" : std::strerror(errno)};
  struct stat s {};
  fstat(file.get(), &s);
  if (!S_ISREG(s.st_mode)) return {path, {}, "it is " + std::string{kind_of(s.st_mode)}};
  if (static_cast<std::size_t>(s.st_size) > most_source_bytes) return {path, {}, "it is larger than 1 MiB"};
  return {path, read_all(file.get(), static_cast<std::size_t>(s.st_size)), {}};
}

struct close_folder {
  void operator()(DIR* d) const { closedir(d); }
};
using open_folder = std::unique_ptr<DIR, close_folder>;

// Takes over the descriptor.
open_folder folder_at(int at, const char* name) {
  const int file = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return open_folder{file < 0 ? nullptr : fdopendir(file)};
}

std::vector<std::string> names_in(DIR* d, std::size_t most) {
  std::vector<std::string> names;
  while (const dirent* e = readdir(d))
    if (const std::string name = e->d_name; name != "." && name != ".." && names.size() <= most) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

class walk {
 public:
  walk(submission& s, const std::vector<std::string>& labs) : s_{s}, labs_{labs} {}

  void into(int at, const char* name, const std::string& path, int depth) {
    const auto folder = folder_at(at, name);
    if (!folder || depth > deepest) return;
    const int here = dirfd(folder.get());
    for (const auto& n : names_in(folder.get(), most_files)) {
      if (++seen_ > most_files) {
        s_.trouble = "there are more than 2000 files";
        return;
      }
      look_at(here, n, path.empty() ? n : path + "/" + n, depth);
    }
  }

 private:
  void look_at(int here, const std::string& name, const std::string& path, int depth) {
    struct stat s {};
    if (fstatat(here, name.c_str(), &s, AT_SYMLINK_NOFOLLOW) != 0) return;
    const auto lab = lab_of(path, labs_);
    if (S_ISDIR(s.st_mode) && lab.empty()) return into(here, name.c_str(), path, depth + 1);
    if (lab.empty()) return;
    s_.time = std::max(s_.time, s.st_mtime);
    add(s_, lab, take(here, name.c_str(), path));
  }

  submission& s_;
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
  submission s{.student = name};
  struct stat found {};
  fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW);
  s.time = found.st_mtime;
  if (S_ISDIR(found.st_mode)) {
    s.time = 0;
    walk{s, labs}.into(folder, name.c_str(), "", 0);
  } else if (!S_ISREG(found.st_mode)) {
    s.trouble = "what was handed in is " + std::string{kind_of(found.st_mode)};
  } else if (static_cast<std::size_t>(found.st_size) > most_archive_bytes) {
    s.trouble = "the archive is larger than 64 MiB";
  } else {
    unpack(s, path, labs, confine);
  }
  return s;
}

// Two names that look alike when made harmless must not become one student.
std::string harmless(const std::string& name) {
  const auto shown = sanitize::line(name, 100);
  return shown == name ? name : shown + " (" + fingerprint(name).substr(0, 8) + ")";
}

bool digit(char c) { return '0' <= c && c <= '9'; }

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
  if (name.size() < 3 || !digit(name[0]) || !digit(name[1]) || name[2] != '_') return {};
  const auto found = std::ranges::find_if(labs, [&](const std::string& l) { return l.starts_with(name.substr(0, 3)); });
  return found == labs.end() ? "" : *found;
}

void add(submission& s, const std::string& lab, handed_in what) {
  const auto [at, fresh] = s.labs.try_emplace(lab, what);
  if (!fresh) at->second.trouble = "there are two files for this lab: " + at->second.file + " and " + what.file;
}

std::vector<submission> collect(const fs::path& folder, const std::vector<std::string>& labs,
                                const judge::confinement& confine) {
  const auto all = folder_at(AT_FDCWD, folder.c_str());
  if (!all) throw usage_error(folder.string() + " is not a folder that can be read");
  std::vector<submission> found;
  for (const auto& name : names_in(all.get(), 100'000)) {
    struct stat s {};
    if (name == ".git" || fstatat(dirfd(all.get()), name.c_str(), &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const auto stem = S_ISDIR(s.st_mode) ? name : without_ending(name);
    if (stem.empty() && S_ISREG(s.st_mode)) continue;  // a roster, notes
    const auto taken = [&](const std::string& student) {
      return std::ranges::find(found, student, &submission::student) != found.end();
    };
    auto student = harmless(stem.empty() ? name : stem);
    if (taken(student)) student = harmless(name);
    while (taken(student)) student += " again";  // whoever is called what another's name becomes
    found.push_back(collect_one(dirfd(all.get()), folder / name, labs, confine));
    found.back().student = student;
  }
  return found;
}

}  // namespace lab::grade
