#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "cli/progress/progress.hpp"
#include "cli/progress/question.hpp"
#include "cli/shared_commands.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
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

// An empty line, or the end of the input, is no guess.
std::optional<double> ask(const question& q, const terminal& t) {
  t.print(fmt::format("\n{}", q.text));
  for (;;) {
    fmt::print("  your guess: ");
    std::fflush(stdout);
    std::string line;
    if (!std::getline(std::cin, line)) return fmt::print("\n"), std::nullopt;
    if (line.find_first_not_of(" \t\r") == std::string::npos) return std::nullopt;
    if (const auto guess = number_in(line)) return guess;
    t.print(fmt::format("  \"{}\" is no number; try again, or press Enter for no guess", line));
  }
}

bool close(double guess, double measured) { return std::abs(guess - measured) <= 0.05 * std::abs(measured) + 1e-9; }

std::string comparison(const question& q, const std::optional<double>& guess, const terminal& t) {
  const auto said = !guess                      ? std::string{"you did not guess"}
                    : close(*guess, q.measured) ? t.green(fmt::format("you said {:.4g}: right", *guess))
                                                : t.yellow(fmt::format("you said {:.4g}", *guess));
  return fmt::format("{}\n  {}: measured {:.4g} {}; {}\n  {}", q.text.substr(0, q.text.find('\n')), q.what, q.measured,
                     q.unit, said, q.look);
}

// Every guess is kept, so that one can see how one's eye gets better.
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

// The speed-up over the lab that the card compares itself with, at the first of its sizes.
std::optional<question> speed_question(const job& j, const judge::profile_options& base,
                                       const std::vector<problem_size>& sizes) {
  if (j.lab->definition.baseline.empty()) return std::nullopt;
  judge::bench_options o;
  static_cast<judge::run_options&>(o) = base;
  o.sizes = sizes;
  o.cpu = false;
  o.timeout_s = std::max(o.timeout_s, 60.0);
  for (const auto& row : judge::bench(*j.lab, j.variant, o).rows)
    for (const auto& p : row.peers)
      if (p.name.find(j.lab->definition.baseline) != std::string::npos)
        return question{
            fmt::format("{} at {}\n  How many times faster is it than the solution of {}?", row.launcher, row.size,
                        j.lab->definition.baseline),
            "speed-up", "times faster", p.ratio.median,
            base.backend == backend_kind::sim
                ? "This is the simulator's time on a CPU, which rewards little of what a GPU rewards; look at "
                  "./lab profile for what would."
                : "Look at ./lab profile of both: which line's traffic shrank, and by how much?"};
  return std::nullopt;
}

std::vector<question> questions_for(const job& j, const judge::profile_options& o, bool speed, int& code) {
  auto counted = o;
  counted.backend = backend_kind::sim;
  std::vector<question> all;
  for (const auto& p : judge::profile_kernel(*j.lab, j.variant, counted).profiles) {
    if (p.verdict != verdict_kind::pass) {
      fmt::print("{} cannot be run: {}\n{}", j.variant.source.string(), word(p.verdict), p.message);
      code = failed;
      return {};
    }
    if (all.empty()) all = questions_about(p, j.variant.source);
  }
  if (speed && !all.empty())
    if (auto q = speed_question(j, o, o.sizes)) all.back() = std::move(*q);
  return all;
}

void predict(const flags& f, bool speed, int& code) {
  if (f.which == "all") throw usage_error("predict: name one lab");
  const auto j = chosen_jobs(f).front();
  judge::profile_options o;
  fill(o, f);
  const terminal t{false, f.no_color};
  t.progress(fmt::format("{}: counting", j.lab->name));
  const auto all = questions_for(j, o, speed, code);
  if (code != passed) return;
  if (all.empty()) {
    code = failed;
    return t.print(
        fmt::format("{} accesses no memory yet, so there is nothing to predict. Fill its first gap, or take "
                    "--solution.",
                    j.variant.source.string()));
  }
  t.print(
      fmt::format("{}: {}\nGuess two numbers; then you see what was counted.", j.lab->name, j.lab->definition.idea));
  std::vector<std::optional<double>> guesses;
  for (const auto& q : all) guesses.push_back(ask(q, t));
  for (std::size_t i = 0; i < all.size(); ++i) t.print("\n" + comparison(all[i], guesses[i], t));
  t.print(fmt::format("\nAll lines: ./lab profile {}", j.lab->name.substr(0, 2)));
  keep(j.lab->name, all, guesses);
}

}  // namespace

static void add_predict(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("predict", "Guess two numbers about a kernel, then see them counted");
  auto f = std::make_shared<flags>();
  auto speed = std::make_shared<bool>(false);
  add_flags(*command, *f);
  command->remove_option(command->get_option("--json"));
  command->get_option("lab")->type_name("NN");
  command->add_flag("--speed", *speed, "the second number is the speed-up over the lab that this one improves on");
  command->footer("Example: ./lab predict 03 --solution");
  command->callback([f, speed, &code] { predict(*f, *speed, code); });
}

namespace {

const command_registration registered{audience::learn, add_predict};

}  // namespace

}  // namespace lab::cli
