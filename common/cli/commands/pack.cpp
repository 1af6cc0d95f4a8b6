#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "build/kernel_variant.hpp"
#include "cli/lab_choice.hpp"
#include "cli/output/terminal.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "grade/collect/archive_writer.hpp"
#include "grade/collect/submission_limits.hpp"
#include "support/installation.hpp"
#include "text/counted.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

namespace fs = std::filesystem;

struct pack_flags {
  std::vector<std::string> labs;
  std::string output = "kernels.tar.gz";
  bool all = false;
};

struct packed_kernel {
  const entry* lab;
  std::string text;
  std::time_t changed;
};

bool is_starter(const entry& lab, const std::string& text) {
  return text == lab::read_if_there(judge::untouched_starter_of(lab).source);
}

std::vector<const entry*> wanted_labs(const pack_flags& flags) {
  std::vector<const entry*> all;
  for (const auto& name : flags.labs)
    if (const auto* lab = &chosen_lab(name); std::ranges::find(all, lab) == all.end()) all.push_back(lab);
  if (flags.labs.empty())
    for (const auto& lab : labs()) all.push_back(&lab);
  std::ranges::sort(all, {}, [](const entry* lab) { return lab->name; });
  return all;
}

packed_kernel kernel_to_pack(const entry& lab, const fs::path& file) {
  auto text = lab::read_whole(file);
  if (text.size() > grade::most_source_bytes)
    throw usage_error(fmt::format("labs/{}/kernel.cu is larger than 1 MiB, which the grader refuses", lab.name));
  struct stat status {};
  stat(file.c_str(), &status);
  return {&lab, std::move(text), status.st_mtime};
}

// The grader collects kernel.cu. It has lab.hpp and what is shared by several labs, such as ../device.
std::vector<std::string> missing_headers(const packed_kernel& kernel) {
  std::vector<std::string> all;
  std::istringstream lines{kernel.text};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#include \"")) continue;
    const auto name = line.substr(10, line.find('"', 10) - 10);
    const bool in_own_folder = *fs::path{name}.lexically_normal().begin() != "..";
    if (name != "lab.hpp" && in_own_folder && exists(lab::here().root / "labs" / kernel.lab->name / name))
      all.push_back(name);
  }
  return all;
}

// Without names, labs that nobody has begun are left out silently.
std::vector<packed_kernel> chosen_kernels(const pack_flags& flags, const terminal& out) {
  std::vector<packed_kernel> all;
  for (const auto* lab : wanted_labs(flags)) {
    const auto file = lab::here().root / "labs" / lab->name / "kernel.cu";
    if (!fs::is_regular_file(file)) {
      if (!flags.labs.empty()) throw usage_error(fmt::format("labs/{}/kernel.cu does not exist", lab->name));
      continue;
    }
    auto kernel = kernel_to_pack(*lab, file);
    if (flags.all || !is_starter(*lab, kernel.text))
      all.push_back(std::move(kernel));
    else if (!flags.labs.empty())
      out.print(
          fmt::format("labs/{}/kernel.cu is the unchanged starter and is left out; --all packs it too", lab->name));
  }
  if (all.empty())
    throw usage_error("there is nothing to pack: every kernel is the unchanged starter; --all packs starters too");
  return all;
}

void write_archive(const fs::path& file, const std::vector<packed_kernel>& kernels) {
  try {
    grade::archive_writer archive{file, grade::form_of(file)};
    for (const auto& kernel : kernels)
      archive.add(fmt::format("labs/{}/kernel.cu", kernel.lab->name), kernel.text, false, kernel.changed);
    archive.close();
  } catch (const usage_error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw machine_error(fmt::format("cannot write {}: {}", file.string(), error.what()));
  }
}

void pack(const pack_flags& flags) {
  const terminal out{false, false};
  grade::form_of(flags.output);  // refuses a wrong name before anything is read
  const auto kernels = chosen_kernels(flags, out);
  write_archive(flags.output, kernels);
  out.print(fmt::format("{} holds {}:", flags.output, counted(kernels.size(), "kernel")));
  for (const auto& kernel : kernels) {
    out.print_row(fmt::format("  labs/{}/kernel.cu  {}  {}", kernel.lab->name, counted(kernel.text.size(), "byte"),
                              is_starter(*kernel.lab, kernel.text) ? "the unchanged starter"
                              : recall(kernel.lab->name).passed    ? "a check has passed"
                                                                   : "no check has passed yet"));
    for (const auto& header : missing_headers(kernel))
      out.print(fmt::format("    it includes {}, which is not packed: the grader takes one file for each lab", header));
  }
  if (flags.output == "kernels.tar.gz")
    out.print("The grader shows the archive's name as the student's; -o NAME.tar.gz chooses another.");
}

void add_pack(command_line app, int&) {
  auto command = app.add_subcommand("pack", "Pack your kernels into one archive to hand in");
  auto flags = std::make_shared<pack_flags>();
  command.add_option("labs", flags->labs, "the labs to pack (default: every lab whose starter you have changed)")
      .type_name("NN ...");
  command.add_option("-o,--output", flags->output, "the archive: NAME.tar.gz or NAME.zip")
      .type_name("FILE")
      .capture_default_str();
  command.add_flag("--all", flags->all, "also pack starters that you have not changed");
  command.footer("Example: ./lab pack -o ada.tar.gz\n         ./lab pack 01 03 -o ada.zip");
  command.callback([flags] { pack(*flags); });
}

const command_registration registered_pack{audience::learn, add_pack};

}  // namespace

}  // namespace lab::cli
