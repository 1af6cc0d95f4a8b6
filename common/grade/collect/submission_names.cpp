#include "grade/collect/submission_names.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>

#include "text/lower_case.hpp"

namespace lab::grade {

namespace {

constexpr std::array unread_endings{".rar", ".7z"};
constexpr std::array archive_endings{".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tbz2", ".txz", ".tar", ".zip"};

std::string without_ending(const std::string& name, const auto& endings) {
  for (const std::string_view ending : endings)
    if (name.size() > ending.size() && lower_case(name).ends_with(ending))
      return name.substr(0, name.size() - ending.size());
  return {};
}

// Of "lee_12345_kernel.cu": "lee_12345" and "kernel.cu".
entry_name exported_by_canvas(const std::string& name) {
  static const std::regex form{R"((.+?)(?:_late)?_(\d{3,})(?:_\d{3,})?_(.+))", std::regex::icase};
  std::smatch part;
  if (name.size() > 300 || !std::regex_match(name, part, form)) return {};
  return {.student = part[1].str() + "_" + part[2].str(), .file = part[3].str()};
}

std::string student_of_archive(const std::string& name, const std::string& stem) {
  const auto exported = exported_by_canvas(name);
  return exported.student.empty() ? stem : exported.student;
}

// The two digits of "05_x.cu", "lab05.cu", "Lab-5 final.cu"; else empty.
std::string number_in(const std::string& name) {
  static const std::regex form{R"((?:lab[ _-]?0?(\d)|(?:lab[ _-]?)?(\d\d))(?:[^\d].*)?\.cu)", std::regex::icase};
  std::smatch part;
  if (name.size() > 300 || !std::regex_match(name, part, form)) return {};
  return part[1].matched ? "0" + part[1].str() : part[2].str();
}

bool is_kernel(const std::string& name) {
  static const std::regex form{R"(kernel(?: ?\(\d+\)|-\d+)?\.cu)", std::regex::icase};
  return name.size() < 300 && std::regex_match(name, form);
}

}  // namespace

entry_name read_entry_name(const std::string& name, bool folder) {
  if (folder) return {.student = name};
  if (const auto stem = without_ending(name, archive_endings); !stem.empty())
    return {.student = student_of_archive(name, stem)};
  if (const auto stem = without_ending(name, unread_endings); !stem.empty())
    return {.student = student_of_archive(name, stem),
            .unread = "archives of this kind are not read; hand in a .zip or .tar.gz"};
  if (!lower_case(name).ends_with(".cu")) return {.because = "it is neither a folder nor an archive nor a .cu file"};
  auto exported = exported_by_canvas(name);
  if (exported.student.empty())
    exported.because = "its name says no student; put it into a folder with the student's name";
  return exported;
}

std::string lab_of(const std::string& path, const std::vector<std::string>& labs) {
  const std::filesystem::path file{path};
  const auto name = file.filename().string();
  auto number = number_in(name);
  if (is_kernel(name)) {
    if (!file.has_parent_path()) return labs.size() == 1 ? labs.front() : "";
    const auto folder = file.parent_path();
    if (folder.parent_path().filename() != "labs") return {};
    number = folder.filename().string().substr(0, 2);
  }
  if (number.size() != 2) return {};
  const auto found = std::ranges::find_if(labs, [&](const std::string& lab) { return lab.starts_with(number + "_"); });
  return found == labs.end() ? "" : *found;
}

}  // namespace lab::grade
