#include "bench/sweep.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "build/availability.hpp"
#include "build/kernel_cache.hpp"
#include "cli/common_flags.hpp"
#include "cli/output/sweep_table.hpp"
#include "cli/output/terminal.hpp"
#include "support/installation.hpp"
#include "support/interruptible.hpp"
#include "support/process.hpp"
#include "support/program_path.hpp"

namespace lab::cli {

namespace {

namespace fs = std::filesystem;

std::int64_t number_in(std::string_view text, const std::string& setting) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    throw usage_error(
        fmt::format("--set {}: \"{}\" is no whole number; write NAME=NUMBER,NUMBER such as tile=16,32", setting, text));
  return number;
}

// "tile=16,32"
judge::swept_constant parsed(const std::string& setting) {
  const auto sign = setting.find('=');
  if (sign == 0 || sign == std::string::npos)
    throw usage_error(fmt::format("--set {} names no values; write NAME=NUMBER,NUMBER such as tile=16,32", setting));
  judge::swept_constant one{setting.substr(0, sign), {}};
  for (auto at = sign + 1; at <= setting.size();) {
    const auto end = std::min(setting.find(',', at), setting.size());
    one.values.push_back(number_in(std::string_view{setting}.substr(at, end - at), setting));
    at = end + 1;
  }
  std::ranges::sort(one.values);
  one.values.erase(std::unique(one.values.begin(), one.values.end()), one.values.end());
  return one;
}

std::vector<judge::swept_constant> parsed(const std::vector<std::string>& settings,
                                          const judge::kernel_variant& kernel) {
  if (settings.empty())
    throw usage_error(fmt::format("sweep needs --set NAME=NUMBER,NUMBER; {} defines {}", judge::place_of(kernel),
                                  judge::names_of_constants(kernel.source)));
  std::vector<judge::swept_constant> all;
  for (const auto& setting : settings) {
    all.push_back(parsed(setting));
    const auto same = [&](const auto& one) { return one.name == all.back().name; };
    if (std::ranges::count_if(all, same) > 1)
      throw usage_error(
          fmt::format("--set {}: {} is set twice; give all its values in one --set", setting, all.back().name));
  }
  judge::find_constants(kernel, all);
  return all;
}

spawn_request plot_command(const fs::path& document, const fs::path& picture) {
  spawn_request request;
  request.arguments = {lab::python(), (here().home / "report" / "plot_sweep.py").string(), document, picture};
  request.environment = clean_environment({"HOME", "MPLCONFIGDIR"});
  return request;
}

// Before the work begins: a picture that cannot be drawn must not cost minutes.
void require_plottable(const fs::path& picture) {
  const auto ending = picture.extension();
  if (ending != ".svg" && ending != ".png")
    throw usage_error(fmt::format("--plot {}: the name must end with .svg or .png", picture.string()));
  if (const auto folder = fs::absolute(picture).parent_path(); !is_directory(folder))
    throw usage_error(fmt::format("--plot {}: the folder {} does not exist", picture.string(), folder.string()));
  auto probe = plot_command("", "");
  probe.arguments = {lab::python(), "-c", "import matplotlib"};
  if (!run_program(probe, 60).well())
    throw machine_error(
        fmt::format("--plot needs matplotlib for {}; install the package python3-matplotlib", lab::python()));
}

void plot(const nlohmann::json& document, const fs::path& picture, const fs::path& folder) {
  const auto file = folder / "sweep.json";
  std::ofstream{file} << document;
  const auto end = run_program(plot_command(file, fs::absolute(picture)), 120);
  if (!end.well()) throw machine_error(fmt::format("the plot was not drawn; python3 says:\n{}", end.output));
}

void introduce(const kernel_job& job, const std::vector<judge::swept_constant>& constants, backend_kind backend,
               const terminal& out) {
  out.print(fmt::format("{} {}", out.bold(job.lab->name), job.variant.word));
  for (const auto& one : constants)
    out.print(fmt::format("  {} = {} in {}:{}; tried: {}", one.name, one.value, judge::place_of(job.variant), one.line,
                          fmt::join(one.values, ", ")));
  if (backend == backend_kind::sim)
    out.print("Without a GPU, the combinations are compared by what they ask of one. The simulator counts it.");
}

void show(const judge::sweep_result& result, const terminal& out) {
  out.print_unbroken(sweep_tables(result, terminal_width(STDOUT_FILENO)));
  const auto any = [&](bool right) {
    return std::ranges::any_of(result.rows, [&](const auto& row) { return judge::measured(row) == right; });
  };
  if (any(true))
    out.print(
        result.backend == backend_kind::cuda
            ? "* the shortest median; \"from\" and \"to\" are the fastest run and the 95th percentile. Two "
              "combinations whose ranges overlap are equally fast."
            : "* the least of its column, or the highest occupancy. The counts alone do not say which is fastest.");
  if (any(false)) out.print("Combinations without a right result:\n" + sweep_failures(result));
}

struct sweep_flags {
  common_flags common;
  std::vector<std::string> settings;
  std::string picture;
};

int perform(const kernel_job& job, const sweep_flags& flags, std::vector<judge::swept_constant> constants,
            judge::bench_options options, const fs::path& folder) {
  const terminal out{flags.common.json, flags.common.no_color};
  introduce(job, constants, options.backend, out);
  options.progress = [&](const std::string& what) { out.progress(fmt::format("{}: {}", job.lab->name, what)); };
  auto result = judge::sweep(*job.lab, job.variant, std::move(constants), options, folder);
  out.clear_progress();
  const auto document = to_json(result);
  show(result, out);
  if (flags.common.json) fmt::print("{}\n", document.dump(1));
  if (!flags.picture.empty()) {
    plot(document, flags.picture, folder);
    out.print(fmt::format("The plot is in {}", flags.picture));
  }
  return std::ranges::any_of(result.rows, judge::measured) ? passed : failed;
}

void add_sweep(command_line app, int& code) {
  auto command =
      app.add_subcommand("sweep", "Compare a kernel with other values of its constants, such as its block size");
  auto flags = std::make_shared<sweep_flags>();
  add_flags(command, flags->common);
  command
      .add_option("--set", flags->settings,
                  "a constexpr variable of the kernel and its values; every combination of several --set is tried")
      .type_name("NAME=N,N ...");
  command.add_option("--plot", flags->picture, "also draw the results to this .svg or .png file").type_name("FILE");
  command.footer("Example: ./lab sweep 07 --solution --set tile=8,16,32 --plot tiles.svg");
  command.callback([flags, &code] {
    if (flags->common.which == "all") throw usage_error("sweep works on one lab; name one lab instead of all");
    const auto job = chosen_jobs(flags->common).front();
    auto constants = parsed(flags->settings, job.variant);
    if (!flags->picture.empty()) require_plottable(flags->picture);
    judge::bench_options options;
    fill(options, flags->common);
    options.timeout_s = std::max(options.timeout_s, 60.0);
    if (const auto why_not = judge::why_not_here(*job.lab, options); !why_not.empty()) throw machine_error(why_not);
    code = run_interruptible([&](const fs::path& folder) {
      return exit_code_of([&] { return perform(job, *flags, std::move(constants), options, folder); });
    });
    judge::remove_abandoned_builds();
  });
}

const command_registration registered_sweep{audience::learn, add_sweep};

}  // namespace

}  // namespace lab::cli
