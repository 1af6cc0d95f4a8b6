#include "cli/commands/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "build/lab_builds.hpp"
#include "cli/lab_choice.hpp"
#include "cli/output/case_file.hpp"
#include "judge/session.hpp"
#include "support/installation.hpp"
#include "text/text_file.hpp"

// `lab call NN` reads one request per line from standard input and answers each with one line of JSON. The apps of the
// labs use it. The kernel runs in its own runner, as in a check.
//   request  {"size": "1", "inputs": {"a": [numbers]}}    missing inputs get the values of the lab definition
//   answer   docs/schema/call.json
namespace lab::cli {

namespace {

using nlohmann::json;

constexpr double one_call_s = 5;
constexpr std::uint64_t seed = 1;

problem_size size_in(const json& request) {
  const auto text = request.at("size").get<std::string>();
  const auto size = problem_size::parse(text);
  if (!size) throw usage_error(fmt::format("\"{}\" is no size; join positive numbers with x", text));
  return *size;
}

void set(argument& parameter, const std::string& name, const json& values) {
  if (parameter.role != parameter_role::input && parameter.role != parameter_role::in_out)
    throw usage_error(name + " is not an input");
  with_element(parameter.type, [&](auto zero) {
    using T = decltype(zero);
    const auto given = values.get<std::vector<T>>();
    const auto target = parameter.as<T>();
    if (given.size() != target.size())
      throw usage_error(
          fmt::format("{} needs {} values at this size, but the request has {}", name, target.size(), given.size()));
    std::ranges::copy(given, target.begin());
  });
}

json values_of(const argument& parameter) {
  auto values = json::array();
  with_element(parameter.type, [&](auto zero) {
    for (const auto v : parameter.as<decltype(zero)>()) values.push_back(std::isfinite(double(v)) ? json(v) : json());
  });
  return values;
}

/// Calls a kernel that may change, fail or crash between two calls.
class caller {
 public:
  explicit caller(const call_flags& flags)
      : job_{chosen_jobs(flags.common).front()}, launcher_{called_launcher(*job_.lab, flags)} {
    fill(options_, flags.common);
    options_.timeout_s = one_call_s;
  }

  json answer(const std::string& line) {
    const auto request = json::parse(line);
    if (const auto built = build_if_changed(); built.verdict != verdict_kind::pass)
      return document(built.verdict, built.log, {});
    const auto size = size_in(request);
    const judge::test_case test_case{launcher_, size, seed, inputs_for(request, size), judge::oracle::reference};
    arguments after;
    const auto outcome = session_->call(test_case, 0, &after);
    return document(outcome.verdict, outcome.what, after);
  }

  json document(verdict_kind verdict, const std::string& message, const arguments& after) const {
    auto outputs = json::object();
    for (std::size_t p = 0; p < after.size(); ++p)
      if (after[p].role == parameter_role::output || after[p].role == parameter_role::in_out)
        outputs[launcher_.parameters[p]] = values_of(after[p]);
    return {{"schema", 1},
            {"verdict", word(verdict)},
            {"message", message},
            {"outputs", outputs},
            {"variant", job_.variant.word},
            {"kernel", job_.variant.source.lexically_proximate(lab::here().root).string()},
            {"launcher", launcher_.name},
            {"backend", word(options_.backend)}};
  }

 private:
  arguments inputs_for(const json& request, const problem_size& size) const {
    auto given = drawn(launcher_, size, seed, inputs::real);
    const auto inputs_of_request = request.value("inputs", json::object());
    for (const auto& [name, values] : inputs_of_request.items()) {
      const auto place = std::ranges::find(launcher_.parameters, name);
      if (place == launcher_.parameters.end()) throw usage_error(launcher_.name + " has no parameter " + name);
      set(given[static_cast<std::size_t>(place - launcher_.parameters.begin())], name, values);
    }
    return given;
  }

  // A student edits the kernel while the app is open.
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

  kernel_job job_;
  const launcher_spec& launcher_;
  judge::run_options options_;
  std::string text_;
  std::optional<judge::session> session_;
};

void answer_lines(const call_flags& flags) {
  caller kernel{flags};
  for (std::string line; std::getline(std::cin, line);) {
    json reply;
    try {
      reply = kernel.answer(line);
    } catch (const std::exception& e) {
      reply = kernel.document(verdict_kind::infra_error, e.what(), {});
    }
    std::cout << reply.dump(-1, ' ', true, json::error_handler_t::replace) << std::endl;
  }
}

}  // namespace

void add_call_options(command_line command, call_flags& flags) {
  auto solution =
      command.add_flag("--solution", flags.common.solution, "use the reference solution instead of your kernel");
  command.add_option("--kernel", flags.common.kernel, "use this .cu file, which defines the lab's launcher")
      .type_name("FILE")
      .excludes(solution);
  command.add_option("--launcher", flags.launcher, "name of the launcher (default: the lab's last)");
  command.add_option("--backend", flags.common.backend, "run on a GPU (cuda) or on the CPU simulator (sim)")
      .one_of({"sim", "cuda"});
  command.add_option("--device", flags.common.device, "number of the GPU").not_negative().capture_default_str();
}

const launcher_spec& called_launcher(const entry& lab, const call_flags& flags) {
  return flags.launcher.empty() ? lab.definition.launchers.back() : launcher_named(lab, flags.launcher);
}

static void add_call(command_line app, int&) {
  auto command = app.add_subcommand("call", "Call a kernel with inputs from standard input; for apps").group("");
  auto flags = std::make_shared<call_flags>();
  command.add_option("lab", flags->common.which, lab_argument).required().type_name("NN");
  add_call_options(command, *flags);
  command.callback([flags] { answer_lines(*flags); });
}

namespace {

const command_registration registered_call{audience::hidden, add_call};

}  // namespace

}  // namespace lab::cli
