#include "cli/output/case_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/output/exit_code.hpp"
#include "lab/backend.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "support/program_path.hpp"
#include "support/temporary_folder.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace fs = std::filesystem;

namespace {

struct array {
  std::string type;
  array_shape extents;
  fs::path bytes;
};

std::string_view numpy_name(element type) {
  switch (type) {
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

// Runs npz.py. Its last line of output says why it failed.
void convert(const char* action, const fs::path& file, const fs::path& folder) {
  constexpr double most_seconds = 600;
  const auto script = lab::here().home / "common/cli/output/npz.py";
  const auto done =
      run_program({.arguments = {lab::python(), script.string(), action, fs::absolute(file).string(), folder.string()},
                   .environment = lab::clean_environment({})},
                  most_seconds);
  if (done.well()) return;
  if (done.output.find("No module named 'numpy'") != std::string::npos || WEXITSTATUS(done.status) == 127)
    throw machine_error("NumPy is missing; install the packages python3 and python3-numpy");
  throw usage_error(fmt::format("{}: {}", file.string(), last_line(done.output)));
}

// Into the temporary folder that npz.py reads.
void write(const fs::path& file, std::string_view text) {
  std::ofstream out{file, std::ios::binary};
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

nlohmann::json put(const fs::path& folder, const std::string& name, std::string_view type, const array_shape& extents,
                   std::string_view bytes) {
  write(folder / (name + ".bin"), bytes);
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

// The arrays of one file, and the lab that they must fit.
struct case_reader {
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

problem_size size_in(const case_reader& reader, const launcher_spec& launcher) {
  const auto at = reader.arrays.find("size");
  if (at == reader.arrays.end())
    reader.refuse(
        fmt::format("there is no array `size` ({}); add it, or give --size", fmt::join(launcher.axes, " x ")));
  std::vector<int> extents;
  if (at->second.type == "int64") append<std::int64_t>(extents, lab::read_whole(at->second.bytes));
  if (at->second.type == "int32") append<std::int32_t>(extents, lab::read_whole(at->second.bytes));
  if (extents.size() != launcher.axes.size() || std::ranges::find(extents, 0) != extents.end())
    reader.refuse(fmt::format("`size` must hold {} positive whole numbers ({})", launcher.axes.size(),
                              fmt::join(launcher.axes, " x ")));
  return problem_size{extents};
}

// Reads one parameter's values. Integer scalars follow from the size, so those in the file must agree with it.
void take(const case_reader& reader, const std::string& name, argument& value) {
  const auto at = reader.arrays.find(name);
  const bool scalar = value.role == parameter_role::scalar;
  if (at == reader.arrays.end()) {
    if (scalar) return;
    reader.refuse(fmt::format("there is no array `{}`", name));
  }
  const auto& given = at->second;
  if (given.type != numpy_name(value.type) || given.extents != value.shape)
    reader.refuse(fmt::format("`{}` is {} of shape ({}), but this size needs {} of shape ({})", name, given.type,
                              fmt::join(given.extents, ", "), numpy_name(value.type), fmt::join(value.shape, ", ")));
  const auto raw = lab::read_whole(given.bytes);
  if (scalar && !is_floating(value.type) && raw != characters(value.bytes))
    reader.refuse(fmt::format("`{}` contradicts the size", name));
  std::memcpy(value.bytes.data(), raw.data(), std::min(raw.size(), value.bytes.size()));
}

const launcher_spec* find_launcher(const entry& lab, const std::string& name) {
  const auto& all = lab.definition.launchers;
  const auto at = name.empty() ? all.begin() : std::ranges::find(all, name, &launcher_spec::name);
  return at == all.end() ? nullptr : &*at;
}

// The launcher that the case is for. Labs with the same launcher spec can exchange cases.
const launcher_spec& launcher_for(const case_reader& reader) {
  const auto origin = reader.text("lab"), launcher = reader.text("launcher");
  const auto* own = find_launcher(reader.lab, launcher);
  if (!own)
    reader.refuse(fmt::format("it is a case of the launcher {}, which {} does not have", launcher, reader.lab.name));
  if (origin.empty() || origin == reader.lab.name) return *own;
  const auto other = std::ranges::find(labs(), origin, &entry::name);
  const auto* theirs = other == labs().end() ? nullptr : find_launcher(*other, launcher);
  if (!theirs || theirs->symbol != own->symbol || theirs->parameters != own->parameters)
    reader.refuse(fmt::format("it is a case of {} and does not fit {}", origin, reader.lab.name));
  return *own;
}

}  // namespace

const launcher_spec& launcher_named(const entry& lab, const std::string& name) {
  if (const auto* launcher = find_launcher(lab, name)) return *launcher;
  std::vector<std::string> names;
  for (const auto& launcher : lab.definition.launchers) names.push_back(launcher.name);
  throw usage_error(fmt::format("{} has no launcher {}; it has {}", lab.name, name, fmt::join(names, ", ")));
}

void write_case(const fs::path& file, const entry& lab, const judge::given_case& one, bool outputs_too) {
  const temporary_folder folder{"case"};
  const auto& launcher = one.launcher;
  auto index = nlohmann::json::array();
  for (std::size_t p = 0; p < one.given.size(); ++p) {
    const auto& value = one.given[p];
    if (outputs_too ? value.role == parameter_role::input || value.role == parameter_role::scalar
                    : value.role == parameter_role::output)
      continue;
    index.push_back(
        put(folder.path(), launcher.parameters[p], numpy_name(value.type), value.shape, characters(value.bytes)));
  }
  std::vector<std::int64_t> extents;
  for (std::size_t axis = 0; axis < one.size.axes(); ++axis) extents.push_back(one.size[axis]);
  const std::string_view raw{reinterpret_cast<const char*>(extents.data()), extents.size() * sizeof extents[0]};
  index.push_back(put(folder.path(), "lab", "text", {}, lab.name));
  index.push_back(put(folder.path(), "launcher", "text", {}, launcher.name));
  index.push_back(put(folder.path(), "size", "int64", {static_cast<std::int64_t>(extents.size())}, raw));
  write(folder.path() / "index.json", index.dump());
  convert("pack", file, folder.path());
}

judge::given_case read_case(const fs::path& file, const entry& lab, const std::optional<problem_size>& given) {
  const temporary_folder folder{"case"};
  convert("unpack", file, folder.path());
  const case_reader reader{file, lab, index_of(folder.path())};
  const auto& launcher = launcher_for(reader);
  const auto size = given ? *given : size_in(reader, launcher);
  if (size.axes() != launcher.axes.size())
    throw usage_error(fmt::format("a size of {} is {}", launcher.name, fmt::join(launcher.axes, " x ")));
  judge::given_case one{launcher, size, drawn(launcher, size, 0, inputs::real)};
  for (std::size_t p = 0; p < one.given.size(); ++p)
    if (one.given[p].role != parameter_role::output) take(reader, launcher.parameters[p], one.given[p]);
  return one;
}

}  // namespace lab::cli
