#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands/modelled_times.hpp"
#include "cli/output/case_file.hpp"
#include "cli/shared_commands.hpp"

namespace lab::cli {

namespace {

struct case_files {
  std::string input, output;
};

// Checks the kernel at the lab's own sizes and, if it passes, times it.
nlohmann::json run_cases(const common_flags& flags, const terminal& out, int& code) {
  const auto jobs = chosen_jobs(flags);
  judge::check_options checking;
  fill(checking, flags);
  judge::bench_options options;
  fill(options, flags);
  options.peers = flags.peers;
  options.cpu = !flags.no_cpu;
  nlohmann::json both{{"schema", 1}, {"check", check_all(jobs, checking, out, code)}};
  if (code == passed) both["bench"] = bench_all(jobs, options, gpu_to_model(flags, options.backend), out, code);
  return both;
}

// Runs one test case from a file. Wrong outputs are written too, because students want to inspect them.
nlohmann::json run_file(const common_flags& flags, const case_files& paths, const terminal& out, int& code) {
  const auto jobs = chosen_jobs(flags);
  if (jobs.size() != 1) throw usage_error("--input belongs to one lab; name that lab instead of all");
  judge::check_options options;
  fill(options, flags);
  if (options.sizes.size() > 1) throw usage_error("--input holds one test case; give at most one --size");
  const auto& lab = *jobs.front().lab;
  auto one = read_case(paths.input, lab, options.sizes.empty() ? std::nullopt : std::optional{options.sizes.front()});
  arguments after;
  const auto result = judge::check_given(lab, jobs.front().variant, options, one, after);
  show_check(result, out);
  if (result.verdict != verdict_kind::pass) code = failed;
  if (!paths.output.empty() && !after.empty()) {
    one.given = std::move(after);
    write_case(paths.output, lab, one, true);
    out.print(fmt::format("         outputs written to {}", paths.output));
  }
  auto document = check_document(options.backend);
  document["results"].push_back(to_json(result));
  return {{"schema", 1}, {"input", paths.input}, {"check", document}};
}

}  // namespace

static void add_run(command_line app, int& code) {
  auto command = app.add_subcommand(
      "run", "Check a kernel and, if it passes, compare it as bench does; or run it on inputs from a file");
  auto flags = std::make_shared<common_flags>();
  auto paths = std::make_shared<case_files>();
  add_flags(command, *flags);
  command.add_flag("--peers", flags->peers, "also compare with the kernels in solutions/NN_name/peers");
  command.add_flag("--no-cpu", flags->no_cpu, "do not time the CPU programs, which are slow at large sizes");
  auto input =
      command.add_option("--input", paths->input, "run on the inputs in this file, written by ./lab gen or numpy.savez")
          .type_name("FILE")
          .existing_file();
  command.add_option("--output", paths->output, "write the kernel's outputs to this .npz file")
      .type_name("FILE")
      .needs(input);
  command.footer("Example: ./lab run 02\n         ./lab run 08 --solution --input case.npz --output out.npz");
  command.callback([flags, paths, &code] {
    const terminal out{flags->json, flags->no_color};
    const auto document = paths->input.empty() ? run_cases(*flags, out, code) : run_file(*flags, *paths, out, code);
    if (flags->json) fmt::print("{}\n", document.dump(1));
  });
}

namespace {

const command_registration registered_run{audience::learn, add_run};

}  // namespace

}  // namespace lab::cli
