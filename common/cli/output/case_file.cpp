#include "cli/output/case_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "cli/output/exit_code.hpp"
#include "lab/backend.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace fs = std::filesystem;

namespace {

// A folder of its own that vanishes with this object.
struct temporary_folder {
  temporary_folder() {
    auto name = (fs::temp_directory_path() / "lab-case-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder in " + name);
    path = name;
  }
  ~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  fs::path path;
};

struct array {
  std::string type;
  array_shape extents;
  fs::path bytes;
};

std::string_view numpy_name(element e) {
  switch (e) {
    case element::i32:
      return "int32";
    case element::u32:
      return "uint32";
    case element::i64:
      return "int64";
    case element::f32:
      return "float32";
    case element::f64:
      return "float64";
    case element::u8:
      return "uint8";
    case element::u16:
      break;
  }
  return "uint16";
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

// Runs npz.py; whatever it says on failure is a reason for the user.
void convert(const char* action, const fs::path& file, const fs::path& folder) {
  constexpr double most_seconds = 600;
  const auto script = lab::here().root / "common/cli/npz.py";
  const auto done = run_program(
      {.arguments = {"/usr/bin/python3", script.string(), action, fs::absolute(file).string(), folder.string()},
       .environment = lab::clean_environment({})},
      most_seconds);
  if (done.well()) return;
  if (done.output.find("No module named 'numpy'") != std::string::npos || WEXITSTATUS(done.status) == 127)
    throw machine_error("NumPy is missing: install python3 and python3-numpy");
  throw usage_error(fmt::format("{}: {}", file.string(), last_line(done.output)));
}

nlohmann::json put(const fs::path& folder, const std::string& name, std::string_view type, const array_shape& extents,
                   std::string_view bytes) {
  write_atomically(folder / (name + ".bin"), std::string{bytes});
  return {{"name", name}, {"dtype", type}, {"shape", extents}};
}

std::string_view characters(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::map<std::string, array> index_of(const fs::path& folder) {
  std::map<std::string, array> all;
  for (const auto& one : nlohmann::json::parse(lab::read_whole(folder / "index.json"))) {
    const auto name = one.at("name").get<std::string>();
    all[name] = {one.at("dtype"), one.at("shape").get<array_shape>(), folder / (name + ".bin")};
  }
  return all;
}

// A message about one file.
struct reader {
  const fs::path& file;
  const entry& lab;
  std::map<std::string, array> arrays;

  [[noreturn]] void refuse(const std::string& why) const {
    throw usage_error(fmt::format("{}: {}", file.string(), why));
  }
  std::string text(const std::string& name) const {
    const auto at = arrays.find(name);
    return at == arrays.end() ? "" : lab::read_whole(at->second.bytes);
  }
};

template <class T>
void append(std::vector<int>& extents, const std::string& raw) {
  for (std::size_t i = 0; i + sizeof(T) <= raw.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, raw.data() + i, sizeof value);
    extents.push_back(value > 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : 0);
  }
}

problem_size size_in(const reader& r, const launcher_spec& c) {
  const auto at = r.arrays.find("size");
  if (at == r.arrays.end())
    r.refuse(fmt::format("there is no array `size` ({}); pass --size instead", fmt::join(c.axes, " x ")));
  std::vector<int> extents;
  if (at->second.type == "int64") append<std::int64_t>(extents, lab::read_whole(at->second.bytes));
  if (at->second.type == "int32") append<std::int32_t>(extents, lab::read_whole(at->second.bytes));
  if (extents.size() != c.axes.size() || std::ranges::find(extents, 0) != extents.end())
    r.refuse(fmt::format("`size` must be {} positive whole numbers ({})", c.axes.size(), fmt::join(c.axes, " x ")));
  return problem_size{extents};
}

// Takes one parameter's values from the file. Whole numbers among the scalars follow from the size and must agree.
void take(const reader& r, const std::string& name, argument& a) {
  const auto at = r.arrays.find(name);
  const bool scalar = a.role == parameter_role::scalar;
  if (at == r.arrays.end()) {
    if (scalar) return;
    r.refuse(fmt::format("there is no array `{}`", name));
  }
  const auto& given = at->second;
  if (given.type != numpy_name(a.type) || given.extents != a.shape)
    r.refuse(fmt::format("`{}` is {} of shape ({}), but this size needs {} of shape ({})", name, given.type,
                         fmt::join(given.extents, ", "), numpy_name(a.type), fmt::join(a.shape, ", ")));
  const auto raw = lab::read_whole(given.bytes);
  if (scalar && !is_floating(a.type) && raw != characters(a.bytes))
    r.refuse(fmt::format("`{}` does not agree with the size", name));
  std::memcpy(a.bytes.data(), raw.data(), std::min(raw.size(), a.bytes.size()));
}

const launcher_spec* find_launcher(const entry& lab, const std::string& name) {
  const auto& all = lab.definition.launchers;
  const auto at = name.empty() ? all.begin() : std::ranges::find(all, name, &launcher_spec::name);
  return at == all.end() ? nullptr : &*at;
}

// The launcher that the case is for. Labs of one family share a contract, and with it their cases.
const launcher_spec& contract_for(const reader& r) {
  const auto origin = r.text("lab"), launcher = r.text("launcher");
  const auto* own = find_launcher(r.lab, launcher);
  if (!own) r.refuse(fmt::format("it is a case of {}, which {} has not", launcher, r.lab.name));
  if (origin.empty() || origin == r.lab.name) return *own;
  const auto other = std::ranges::find(labs(), origin, &entry::name);
  const auto* theirs = other == labs().end() ? nullptr : find_launcher(*other, launcher);
  if (!theirs || theirs->symbol != own->symbol || theirs->parameters != own->parameters)
    r.refuse(fmt::format("it was made for {}, not for {}", origin, r.lab.name));
  return *own;
}

}  // namespace

const launcher_spec& launcher_named(const entry& lab, const std::string& name) {
  if (const auto* c = find_launcher(lab, name)) return *c;
  std::vector<std::string> names;
  for (const auto& c : lab.definition.launchers) names.push_back(c.name);
  throw usage_error(fmt::format("{} has no launcher {}; it has {}", lab.name, name, fmt::join(names, ", ")));
}

void write_case(const fs::path& file, const entry& lab, const judge::given_case& one, bool outputs_too) {
  const temporary_folder folder;
  const auto& c = one.launcher;
  auto index = nlohmann::json::array();
  for (std::size_t p = 0; p < one.given.size(); ++p) {
    const auto& a = one.given[p];
    if (outputs_too ? a.role == parameter_role::input || a.role == parameter_role::scalar
                    : a.role == parameter_role::output)
      continue;
    index.push_back(put(folder.path, c.parameters[p], numpy_name(a.type), a.shape, characters(a.bytes)));
  }
  std::vector<std::int64_t> extents;
  for (std::size_t axis = 0; axis < one.size.axes(); ++axis) extents.push_back(one.size[axis]);
  const std::string_view raw{reinterpret_cast<const char*>(extents.data()), extents.size() * sizeof extents[0]};
  index.push_back(put(folder.path, "lab", "text", {}, lab.name));
  index.push_back(put(folder.path, "launcher", "text", {}, c.name));
  index.push_back(put(folder.path, "size", "int64", {static_cast<std::int64_t>(extents.size())}, raw));
  write_atomically(folder.path / "index.json", index.dump());
  convert("pack", file, folder.path);
}

judge::given_case read_case(const fs::path& file, const entry& lab, const std::optional<problem_size>& given) {
  const temporary_folder folder;
  convert("unpack", file, folder.path);
  const reader r{file, lab, index_of(folder.path)};
  const auto& c = contract_for(r);
  const auto s = given ? *given : size_in(r, c);
  if (s.axes() != c.axes.size()) throw usage_error(fmt::format("a size of {} is {}", c.name, fmt::join(c.axes, " x ")));
  random values{0};
  judge::given_case one{c, s, c.make(s, values)};
  for (std::size_t p = 0; p < one.given.size(); ++p)
    if (one.given[p].role != parameter_role::output) take(r, c.parameters[p], one.given[p]);
  return one;
}

}  // namespace lab::cli
