#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "build/kernel_build.hpp"
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "cli/output/case_file.hpp"
#include "cli/progress/progress.hpp"
#include "judge/session.hpp"
#include "support/installation.hpp"
#include "text/text_file.hpp"

// A page on which one draws a digit. The web server is common/draw/serve.py; it starts `lab draw-worker`, which answers
// each line {"pixels": [784 numbers from 0 to 255]} on its standard input with one line of JSON. The kernel runs in a
// runner of its own, as in a check.
namespace lab::cli {

namespace {

namespace fs = std::filesystem;

constexpr double one_digit_s = 5;

struct draw_flags {
  flags common;
  std::string launcher = "forward";
  int port = 8414;
};

constexpr const char* network = "mlp_forward";

void add_kernel_options(CLI::App& command, draw_flags& f) {
  auto* solution = command.add_flag("--solution", f.common.solution, "the solution's kernels instead of yours");
  command.add_option("--kernel", f.common.kernel, "any .cu file with the launcher")
      ->type_name("FILE")
      ->excludes(solution);
  command.add_option("--launcher", f.launcher, "which of the file's versions of the network")->capture_default_str();
  command.add_option("--backend", f.common.backend, "where to run: a GPU or the CPU simulator")
      ->check(CLI::IsMember({"sim", "cuda"}));
  command.add_option("--device", f.common.device, "which GPU")->check(CLI::NonNegativeNumber)->capture_default_str();
  f.common.which = network;
}

/// Classifies digits with a kernel that may change, fail or crash between two of them.
class classifier {
 public:
  explicit classifier(const draw_flags& f)
      : job_{chosen_jobs(f.common).front()}, launcher_{launcher_named(*job_.lab, f.launcher)} {
    fill(options_, f.common);
    options_.timeout_s = one_digit_s;
  }

  nlohmann::json answer(const std::string& request) {
    const auto pixels = nlohmann::json::parse(request).at("pixels").get<std::vector<float>>();
    if (const auto built = build_if_changed(); built.verdict != verdict_kind::pass)
      return document(built.verdict, built.log, {});
    auto given = drawn(launcher_, one_image_, 1, inputs::real);
    const auto image = given.front().as<float>();
    if (pixels.size() != image.size()) throw usage_error(fmt::format("{} pixels, not {}", pixels.size(), image.size()));
    std::ranges::transform(pixels, image.begin(), [](float p) { return p / 255; });
    const judge::test_case t{launcher_, one_image_, 1, std::move(given), judge::oracle::reference};
    arguments after;
    const auto found = session_->call(t, 0, &after);
    return document(found.verdict, found.what, after);
  }

 private:
  // A student edits the kernel while the page is open.
  judge::build_result build_if_changed() {
    const auto text = lab::read_whole(job_.variant.source);
    if (session_ && text == text_) return {};
    session_.reset();
    auto built = judge::build_for(*job_.lab, job_.variant.source, options_);
    if (built.verdict != verdict_kind::pass) return built;
    text_ = text;
    session_.emplace(options_, std::vector{built.library});
    return built;
  }

  nlohmann::json document(verdict_kind v, const std::string& message, const arguments& after) const {
    auto probabilities = nlohmann::json::array();
    for (const auto& a : after)
      if (a.role == parameter_role::output)
        for (const float p : a.as<float>()) probabilities.push_back(std::isfinite(p) ? nlohmann::json(p) : nullptr);
    return {{"verdict", word(v)},
            {"message", message},
            {"probabilities", probabilities},
            {"variant", job_.variant.word},
            {"kernel", job_.variant.source.lexically_proximate(lab::here().root).string()},
            {"launcher", launcher_.name},
            {"backend", word(options_.backend)}};
  }

  const problem_size one_image_{{1}};
  job job_;
  const launcher_spec& launcher_;
  judge::run_options options_;
  std::string text_;
  std::optional<judge::session> session_;
};

void serve_lines(const draw_flags& f) {
  classifier digits{f};
  for (std::string line; std::getline(std::cin, line);) {
    nlohmann::json reply;
    try {
      reply = digits.answer(line);
    } catch (const std::exception& e) {
      reply = {{"verdict", "infra_error"}, {"message", e.what()}, {"probabilities", nlohmann::json::array()}};
    }
    std::cout << reply.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) << std::endl;
  }
}

// What the worker needs to know, in the words of its own command line.
std::vector<std::string> worker_command(const draw_flags& f) {
  const backend_kind backend = chosen_backend(f.common);
  chosen_jobs(f.common);
  launcher_named(find(network), f.launcher);
  std::vector<std::string> words{(lab::here().build / "bin" / "lab").string(),
                                 "draw-worker",
                                 "--backend",
                                 std::string{word(backend)},
                                 "--launcher",
                                 f.launcher};
  words.insert(words.end(), {"--device", std::to_string(f.common.device)});
  if (f.common.solution) words.emplace_back("--solution");
  if (!f.common.kernel.empty()) words.insert(words.end(), {"--kernel", fs::absolute(f.common.kernel).string()});
  return words;
}

}  // namespace

static void add_draw(CLI::App& app, int&) {
  auto* command = app.add_subcommand("draw", "Draw a digit in a browser; your kernels of the network's lab read it");
  auto f = std::make_shared<draw_flags>();
  add_kernel_options(*command, *f);
  command->add_option("--port", f->port, "of this machine, for this machine alone; 0 takes a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->footer("Example: ./lab draw --solution\nCtrl-C ends it.");
  command->callback([f] {
    const auto server = lab::here().root / "common" / "draw" / "serve.py";
    std::vector<std::string> words{"/usr/bin/python3", server.string(), "--port", std::to_string(f->port), "--"};
    for (auto& word : worker_command(*f)) words.push_back(std::move(word));
    become(words);
  });
}

static void add_draw_worker(CLI::App& app, int&) {
  auto* command = app.add_subcommand("draw-worker", "Classify digits, line by line; started by lab draw")->group("");
  auto f = std::make_shared<draw_flags>();
  add_kernel_options(*command, *f);
  command->callback([f] { serve_lines(*f); });
}

namespace {

const command_registration registered_draw{audience::learn, add_draw};
const command_registration registered_draw_worker{audience::hidden, add_draw_worker};

}  // namespace

}  // namespace lab::cli
