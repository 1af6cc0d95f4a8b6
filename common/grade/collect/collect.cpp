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
#include <set>

#include "build/source_texts.hpp"
#include "grade/collect/archive.hpp"
#include "grade/collect/submission_names.hpp"
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

// After a failed open, by errno.
collect_trouble cannot_open(std::string link) {
  return errno == ELOOP ? collect_trouble{std::move(link)}
                        : unreadable(std::string{"it cannot be read: "} + std::strerror(errno));
}

// O_NOFOLLOW refuses links; O_NONBLOCK does not wait for the other end of a FIFO.
handed_in read_submitted(int folder, const char* name, const std::string& path) {
  const descriptor file{openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  if (!file) return {path, {}, cannot_open("it is a symbolic link")};
  struct stat status {};
  fstat(file.get(), &status);
  if (!S_ISREG(status.st_mode)) return {path, {}, {"it is " + std::string{kind_of(status.st_mode)}}};
  if (static_cast<std::size_t>(status.st_size) > most_source_bytes) return {path, {}, {"it is larger than 1 MiB"}};
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
    if (!folder)
      return refuse(unreadable((path.empty() ? "the folder" : path) + " cannot be read: " + std::strerror(errno)));
    if (depth > deepest) return add_other(collected_, path + "/");
    const int here = dirfd(folder.get());
    for (const auto& entry : names_in(folder.get(), most_files)) {
      if (++seen_ > most_files) {
        return refuse({"there are more than 2000 files"});
      }
      visit(here, entry, path.empty() ? entry : path + "/" + entry, depth);
    }
  }

 private:
  // What was found so far may not be all that the student handed in.
  void refuse(collect_trouble why) {
    collected_.labs.clear();
    collected_.trouble = std::move(why);
  }

  void visit(int here, const std::string& name, const std::string& path, int depth) {
    struct stat status {};
    if (fstatat(here, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    const auto lab = lab_of(path, labs_);
    if (S_ISDIR(status.st_mode) && lab.empty()) return search(here, name.c_str(), path, depth + 1);
    if (lab.empty()) return add_other(collected_, path);
    collected_.time = std::max(collected_.time, status.st_mtime);
    add(collected_, lab, read_submitted(here, name.c_str(), path));
  }

  submission& collected_;
  const std::vector<std::string>& labs_;
  std::size_t seen_ = 0;
};

// The archive is opened once, so nobody can exchange it after these checks.
void collect_archive(submission& collected, int folder, const std::string& name, const std::vector<std::string>& labs,
                     const judge::confinement& confine) {
  const descriptor archive{openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  struct stat status {};
  if (!archive || fstat(archive.get(), &status) != 0)
    collected.trouble = cannot_open("the submission is a symbolic link");
  else if (!S_ISREG(status.st_mode))
    collected.trouble = {"the submission is " + std::string{kind_of(status.st_mode)}};
  else if (static_cast<std::size_t>(status.st_size) > most_archive_bytes)
    collected.trouble = {"the archive is larger than 64 MiB"};
  else
    unpack(collected, archive.get(), labs, confine);
}

void collect_file(submission& collected, int folder, const std::string& name, const entry_name& of,
                  const std::vector<std::string>& labs) {
  const auto lab = lab_of(of.file, labs);
  if (lab.empty()) return add_other(collected, of.file);
  add(collected, lab, read_submitted(folder, name.c_str(), name));
}

submission collect_one(int folder, const std::string& name, const struct stat& status, const entry_name& of,
                       const std::vector<std::string>& labs, const judge::confinement& confine) {
  submission collected{.student = of.student, .time = status.st_mtime};
  if (S_ISDIR(status.st_mode)) {
    collected.time = 0;
    folder_search{collected, labs}.search(folder, name.c_str(), "", 0);
  } else if (!of.unread.empty()) {
    collected.trouble = unreadable(of.unread);
  } else if (!of.file.empty()) {
    collect_file(collected, folder, name, of, labs);
  } else {
    collect_archive(collected, folder, name, labs, confine);
  }
  return collected;
}

// What a student handed in as several entries; `name` is that of the second one.
void join(submission& all, const std::string& first, submission&& more, const std::string& name) {
  for (auto& [lab, file] : more.labs) {
    const auto at = all.labs.find(lab);
    if (at == all.labs.end())
      all.labs.emplace(lab, std::move(file));
    else
      at->second.trouble = {"there are two files for this lab: " + first + "/" + at->second.file + " and " + name +
                            "/" + file.file};
  }
  all.time = std::max(all.time, more.time);
  if (!all.trouble) all.trouble = more.trouble;
  for (const auto& file : more.others) add_other(all, file);
}

// Two different names may be equal after sanitizing. Their fingerprints keep the two students apart.
std::string displayed_name(const std::string& name) {
  const auto shown = sanitize::line(name, 100);
  return shown == name ? name : shown + " (" + fingerprint(name).substr(0, 8) + ")";
}

}  // namespace

void add(submission& collected, const std::string& lab, handed_in file) {
  const auto [first, added] = collected.labs.try_emplace(lab, file);
  if (!added) first->second.trouble = {"there are two files for this lab: " + first->second.file + " and " + file.file};
}

void add_other(submission& collected, const std::string& file) {
  constexpr std::size_t most = 5;
  if (collected.others.size() < most)
    collected.others.push_back(file);
  else if (collected.others.size() == most)
    collected.others.push_back("...");
}

collected_class collect(const fs::path& folder, const std::vector<std::string>& labs, const judge::confinement& confine,
                        const fs::path& reports) {
  const auto all = folder_at(AT_FDCWD, folder.c_str());
  if (!all) throw usage_error(folder.string() + " is not a readable folder");
  collected_class found;
  std::map<std::string, std::pair<std::size_t, std::string>> known;  // by the student's own name: where, and the entry
  std::set<std::string> displayed;
  for (const auto& name : names_in(all.get(), 100'000)) {
    struct stat status {};
    if (name == ".git" || fstatat(dirfd(all.get()), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    auto of = read_entry_name(name, S_ISDIR(status.st_mode));
    if (of.student.empty() && !S_ISREG(status.st_mode)) of = {.student = name};  // a link, say, which is refused below
    if (!reports.empty() && fs::absolute(folder / name).lexically_normal() == reports)
      of.because = "it holds the reports; choose an --out elsewhere";
    if (!of.because.empty()) {
      found.not_graded.push_back({sanitize::line(name), of.because});
      continue;
    }
    auto one = collect_one(dirfd(all.get()), name, status, of, labs, confine);
    if (const auto at = known.find(of.student); at != known.end()) {
      auto& first = found.students[at->second.first];
      const auto& [place, entry] = at->second;
      if (first.trouble && !one.trouble) found.not_graded.push_back({sanitize::line(entry), first.trouble.message});
      if (one.trouble) found.not_graded.push_back({sanitize::line(name), one.trouble.message});
      join(first, entry, std::move(one), name);
      continue;
    }
    known.emplace(of.student, std::pair{found.students.size(), name});
    one.student = displayed_name(of.student);
    while (!displayed.insert(one.student).second) one.student += " again";  // a name equal to another's displayed name
    found.students.push_back(std::move(one));
  }
  return found;
}

}  // namespace lab::grade
