#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "build/availability.hpp"
#include "cli/progress/progress.hpp"
#include "cli/progress/question.hpp"
#include "cli/shared_commands.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
#include "text/plain_number.hpp"
#include "text/text_file.hpp"
#include "trace/profile.hpp"

namespace lab::cli {

namespace {

std::optional<double> number_in(const std::string& text) {
  std::size_t end = 0;
  try {
    const double value = std::stod(text, &end);
    if (std::isfinite(value) && text.find_first_not_of(" \t\r", end) == std::string::npos) return value;
  } catch (const std::logic_error&) {
  }
  return std::nullopt;
}

// Nothing for an empty line or at the end of the input.
std::optional<double> ask(const question& asked, const terminal& out) {
  out.print(fmt::format("\n{}", asked.text));
  for (;;) {
    fmt::print("  your guess: ");
    std::fflush(stdout);
    std::string line;
    if (!std::getline(std::cin, line)) return fmt::print("\n"), std::nullopt;
    if (line.find_first_not_of(" \t\r") == std::string::npos) return std::nullopt;
    if (const auto guess = number_in(line)) return guess;
    out.print(fmt::format("  \"{}\" is no number; try again, or press Enter to skip", line));
  }
}

bool close(double guess, double measured) { return std::abs(guess - measured) <= 0.05 * std::abs(measured) + 1e-9; }

std::string comparison(const question& asked, const std::optional<double>& guess, const terminal& out) {
  const auto answer = !guess ? std::string{"you did not guess"}
                      : close(*guess, asked.measured)
                          ? out.green(fmt::format("you guessed {}: right", plain_number(*guess)))
                          : out.yellow(fmt::format("you guessed {}", plain_number(*guess)));
  return fmt::format("{}\n  {}: measured {} {}; {}\n  {}", asked.text.substr(0, asked.text.find('\n')), asked.what,
                     plain_number(asked.measured), asked.unit, answer, asked.look);
}

// Keeps every guess, so that students can see their guesses improve.
void keep(const std::string& lab, const std::vector<question>& all, const std::vector<std::optional<double>>& guesses) {
  const auto file = lab::here().root / ".lab" / "predictions.json";
  auto kept = exists(file) ? nlohmann::json::parse(lab::read_whole(file), nullptr, false) : nlohmann::json{};
  if (!kept.is_array()) kept = nlohmann::json::array();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (guesses[i])
      kept.push_back({{"date", now()},
                      {"lab", lab},
                      {"line", all[i].text.substr(0, all[i].text.find('\n'))},
                      {"unit", all[i].unit},
                      {"guess", *guesses[i]},
                      {"measured", all[i].measured}});
  write_atomically(file, kept.dump(1) + "\n");
}

// The speed-up over the solution of the lab's baseline, at the first size.
std::optional<question> speed_question(const kernel_job& job, const judge::profile_options& base) {
  if (job.lab->definition.baseline.empty()) return std::nullopt;
  judge::bench_options options;
  static_cast<judge::run_options&>(options) = base;
  options.cpu = false;
  options.timeout_s = std::max(options.timeout_s, 60.0);
  for (const auto& row : judge::bench(*job.lab, job.variant, options).rows)
    for (const auto& profile : row.peers)
      if (profile.name.find(job.lab->definition.baseline) != std::string::npos)
        return question{fmt::format("{} at {}\n  How many times faster is it than the solution of {}?", row.launcher,
                                    row.size, job.lab->definition.baseline),
                        "speed-up", "times faster", profile.ratio.median,
                        "Compare ./lab profile of both labs: which line's traffic decreased, and by how much?"};
  return std::nullopt;
}

// A lab may have several kernels, and a size may launch only some of them.
bool shows_new_kernel(const judge::profile& profile, std::set<std::string>& known) {
  bool any = false;
  for (const auto& launch : profile.report.launches) any = known.insert(launch.kernel).second || any;
  return any;
}

// Two launchers may launch the same kernel; its lines are asked about once, unless their cost differs.
bool was_asked(const question& asked, const std::vector<question>& before) {
  const auto line = [](const question& one) { return one.text.substr(0, one.text.find('\n')); };
  return std::ranges::any_of(before, [&](const question& other) {
    return line(other) == line(asked) && other.what == asked.what && other.unit == asked.unit &&
           other.measured == asked.measured;
  });
}

std::vector<question> questions_for(const kernel_job& job, const judge::profile_options& options, bool speed,
                                    const terminal& out, int& code) {
  auto counted = options;
  counted.backend = backend_kind::sim;
  std::vector<question> all;
  std::set<std::string> asked_about;
  for (const auto& profile : judge::profile_kernel(*job.lab, job.variant, counted).profiles) {
    if (profile.verdict != verdict_kind::pass) {
      out.print(
          fmt::format("{} does not run: {}\n{}", judge::place_of(job.variant), word(profile.verdict), profile.message));
      code = failed;
      return {};
    }
    if (!shows_new_kernel(profile, asked_about)) continue;
    for (auto& asked : questions_about(profile, job.variant.source))
      if (!was_asked(asked, all)) all.push_back(std::move(asked));
  }
  if (speed && !all.empty())
    if (auto asked = speed_question(job, options)) all.back() = std::move(*asked);
  return all;
}

void require_simulator_for(const entry& lab, judge::profile_options options) {
  options.backend = backend_kind::sim;
  if (const auto why_not = judge::why_not_here(lab, options); !why_not.empty())
    throw machine_error(fmt::format("{}: {}", lab.name, why_not));
}

void predict(const common_flags& flags, bool speed, int& code) {
  if (flags.which == "all") throw usage_error("predict works on one lab; name one lab instead of all");
  const auto job = chosen_jobs(flags).front();
  judge::profile_options options;
  fill(options, flags);
  // The simulator's own time would teach the opposite of the lesson.
  if (speed && options.backend == backend_kind::sim)
    throw usage_error(
        fmt::format("--speed needs a GPU; ./lab predict {} asks about memory traffic", job.lab->name.substr(0, 2)));
  require_simulator_for(*job.lab, options);
  const terminal out{false, flags.no_color};
  out.progress(fmt::format("{}: counting", job.lab->name));
  const auto all = questions_for(job, options, speed, out, code);
  if (code != passed) return;
  if (all.empty()) {
    code = failed;
    return out.print(
        fmt::format("{} accesses no memory yet, so there is nothing to predict. Fill its first gap, or use "
                    "--solution.",
                    judge::place_of(job.variant)));
  }
  out.print(fmt::format("{}: {}\nGuess {} numbers; then see the measured ones.", job.lab->name,
                        job.lab->definition.idea, all.size()));
  std::vector<std::optional<double>> guesses;
  for (const auto& asked : all) guesses.push_back(ask(asked, out));
  for (std::size_t i = 0; i < all.size(); ++i) out.print("\n" + comparison(all[i], guesses[i], out));
  out.print(fmt::format("\nNext: ./lab profile {} shows all lines.", job.lab->name.substr(0, 2)));
  keep(job.lab->name, all, guesses);
}

}  // namespace

static void add_predict(command_line app, int& code) {
  auto command = app.add_subcommand("predict", "Guess two numbers about each kernel, then see the measured ones");
  auto flags = std::make_shared<common_flags>();
  auto speed = std::make_shared<bool>(false);
  add_flags(command, *flags);
  command.remove_option(command.get_option("--json"));
  command.get_option("lab").type_name("NN");
  command.add_flag("--speed", *speed,
                   "guess the speed-up over the lab that this one improves on as the last number (needs a GPU)");
  command.footer("Example: ./lab predict 03 --solution");
  command.callback([flags, speed, &code] { predict(*flags, *speed, code); });
}

namespace {

const command_registration registered_predict{audience::learn, add_predict};

}  // namespace

}  // namespace lab::cli
