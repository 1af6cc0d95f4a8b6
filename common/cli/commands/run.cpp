#include <fmt/format.h>

#include "cli/output/case_file.hpp"
#include "cli/shared_commands.hpp"

namespace lab::cli {

namespace {

struct files {
  std::string input, output;
};

// The lab's own sizes: checked, and timed if they are right.
nlohmann::json run_cases(const flags& f, const terminal& t, int& code) {
  const auto jobs = chosen_jobs(f);
  judge::check_options checking;
  fill(checking, f);
  judge::bench_options o;
  fill(o, f);
  o.peers = f.peers;
  o.cpu = !f.no_cpu;
  nlohmann::json both{{"schema", 1}, {"check", check_all(jobs, checking, t, code)}};
  if (code == passed) both["bench"] = bench_all(jobs, o, t, code);
  return both;
}

// One case from a file. What the kernel wrote is kept even if it is wrong: that is when one wants to look at it.
nlohmann::json run_file(const flags& f, const files& paths, const terminal& t, int& code) {
  const auto jobs = chosen_jobs(f);
  if (jobs.size() != 1) throw usage_error("--input is a case of one lab: name it instead of all");
  judge::check_options o;
  fill(o, f);
  if (o.sizes.size() > 1) throw usage_error("--input is one case: give one --size at most");
  const auto& lab = *jobs.front().lab;
  auto one = read_case(paths.input, lab, o.sizes.empty() ? std::nullopt : std::optional{o.sizes.front()});
  arguments after;
  const auto r = judge::check_given(lab, jobs.front().variant, o, one, after);
  show_check(r, t);
  if (r.verdict != verdict_kind::pass) code = failed;
  if (!paths.output.empty() && !after.empty()) {
    one.given = std::move(after);
    write_case(paths.output, lab, one, true);
    t.print(fmt::format("         its outputs are in {}", paths.output));
  }
  auto document = check_document(o.backend);
  document["results"].push_back(to_json(r));
  return {{"schema", 1}, {"input", paths.input}, {"check", document}};
}

}  // namespace

static void add_run(CLI::App& app, int& code) {
  auto* command =
      app.add_subcommand("run", "Check a kernel and, if it is right, time it; or run it on inputs from a file");
  auto f = std::make_shared<flags>();
  auto paths = std::make_shared<files>();
  add_flags(*command, *f);
  command->add_flag("--peers", f->peers, "also time the kernels in solutions/NN_name/peers");
  command->add_flag("--no-cpu", f->no_cpu, "leave out the CPU's programs, which take long at large sizes");
  auto* input = command->add_option("--input", paths->input, "run on this case, from ./lab gen or numpy.savez")
                    ->type_name("FILE")
                    ->check(CLI::ExistingFile);
  command->add_option("--output", paths->output, "write what the kernel wrote here, as .npz")
      ->type_name("FILE")
      ->needs(input);
  command->footer("Example: ./lab run 02\n         ./lab run 08 --solution --input case.npz --output out.npz");
  command->callback([f, paths, &code] {
    const terminal t{f->json, f->no_color};
    const auto document = paths->input.empty() ? run_cases(*f, t, code) : run_file(*f, *paths, t, code);
    if (f->json) fmt::print("{}\n", document.dump(1));
  });
}

namespace {

const command_registration registered{audience::learn, add_run};

}  // namespace

}  // namespace lab::cli
