#include <fmt/format.h>

#include "cli/shared_commands.hpp"
#include "support/installation.hpp"
#include "support/program_path.hpp"

namespace lab::cli {

std::vector<std::string> report_command() {
  const auto report = lab::here().home / "report";
  const auto root = lab::here().root;
  return {lab::python(), (report / "report.py").string(), "--recorded",  (report / "results").string(),
          "--labs",      (root / "labs").string(),        "--solutions", lab::here().solutions().string(),
          "--out",       (root / "report/out").string()};
}

namespace {

void add_report(command_line app, int&) {
  auto command =
      app.add_subcommand("report", "Write your page, report/out/index.html, and the course's, report/out/course.html");
  auto figures = std::make_shared<std::string>();
  auto author = std::make_shared<std::string>();
  auto numpy = std::make_shared<bool>(false), pdf = std::make_shared<bool>(false);
  command.add_option("--figures", *figures, "also write figures and tables for a written report to this folder")
      .type_name("DIR");
  command.add_flag("--pdf", *pdf, "also print your page to report/out/report.pdf");
  command.add_option("--author", *author, "your name, for the head of your page").type_name("NAME");
  command.add_flag("--numpy", *numpy, "time NumPy on this machine first");
  command.footer("Example: ./lab report --pdf --author \"Ada Lovelace\"");
  command.callback([figures, author, numpy, pdf] {
    save_report_profiles(terminal{false, false});
    save_machine_code(terminal{false, false});
    auto arguments = report_command();
    if (!figures->empty()) arguments.insert(arguments.end(), {"--figures", *figures});
    if (!author->empty()) arguments.push_back("--author=" + *author);
    if (*pdf) arguments.emplace_back("--pdf");
    if (*numpy) arguments.emplace_back("--numpy");
    become(arguments);
  });
}

const command_registration registered_report{audience::learn, add_report};

}  // namespace

}  // namespace lab::cli
