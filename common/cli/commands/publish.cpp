#include <fmt/format.h>

#include <filesystem>

#include "build/course.hpp"
#include "cli/command.hpp"
#include "support/installation.hpp"
#include "support/program_path.hpp"

namespace lab::cli {

namespace {

struct publish_flags {
  std::string name, version = "1.0", output = ".", with;
};

[[noreturn]] void publish(const publish_flags& flags) {
  judge::require_course();
  std::vector<std::string> command = {lab::python(),
                                      "-B",
                                      (lab::here().home / "python/kernel_lab/publish.py").string(),
                                      flags.name,
                                      "--version",
                                      flags.version,
                                      "--course",
                                      lab::here().root.string(),
                                      "--output",
                                      std::filesystem::absolute(flags.output).string()};
  if (!flags.with.empty()) command.push_back("--with-solutions");
  become(command);
}

void add_publish(command_line app, int&) {
  auto command = app.add_subcommand("publish", "Make a Python wheel of this course's labs, which students install");
  auto flags = std::make_shared<publish_flags>();
  command.add_option("name", flags->name, "the course's name, such as scans").required().type_name("NAME");
  command.add_option("--version", flags->version, "the wheel's version").type_name("N.N").capture_default_str();
  command.add_option("-o,--output", flags->output, "folder for the wheel (default: this folder)").type_name("DIR");
  command.add_option("--with", flags->with, "also publish the solutions").type_name("solutions").one_of({"solutions"});
  command.footer(
      "Example: ./lab publish scans\nStudents: pip install kernel_lab_course_scans-*.whl && lab start mycourse "
      "--course "
      "scans");
  command.callback([flags] { publish(*flags); });
}

const command_registration registered_publish{audience::write_labs, add_publish};

}  // namespace

}  // namespace lab::cli
