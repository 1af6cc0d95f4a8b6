#include "cli/commands/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "build/kernel_build.hpp"
#include "cli/output/case_file.hpp"
#include "judge/session.hpp"
#include "support/installation.hpp"
#include "text/text_file.hpp"

// `lab call NN` reads one request a line from standard input and answers each with one line of JSON. The apps in the
// labs' folders use it. The kernel runs in a runner of its own, as in a check.
//   request  {"size": "1", "inputs": {"a": [numbers]}}    inputs that are left out get the definition's values
//   answer   docs/schema/call.json
namespace lab::cli {

namespace {

using nlohmann::json;

constexpr double one_call_s = 5;
constexpr std::uint64_t seed = 1;

problem_size size_in(const json& request) {
  const auto text = request.at("size").get<std::string>();
  const auto s = problem_size::parse(text);
  if (!s) throw usage_error(fmt::format("\"{}\" is no size; a size is positive numbers joined by x", text));
  return *s;
}

void set(argument& a, const std::string& name, const json& values) {
  if (a.role != parameter_role::input && a.role != parameter_role::in_out) throw usage_error(name + " is not an input");
  with_element(a.type, [&](auto zero) {
    using T = decltype(zero);
    const auto given = values.get<std::vector<T>>();
    const auto to = a.as<T>();
    if (given.size() != to.size())
      throw usage_error(fmt::format("{} has {} values at this size, not {}", name, to.size(), given.size()));
    std::ranges::copy(given, to.begin());
  });
}

json values_of(const argument& a) {
  auto values = json::array();
  with_element(a.type, [&](auto zero) {
    for (const auto v : a.as<decltype(zero)>()) values.push_back(std::isfinite(double(v)) ? json(v) : json());
  });
  return values;
}

/// Calls a kernel that may change, fail or crash between two calls.
class caller {
 public:
  explicit caller(const call_flags& f) : job_{chosen_jobs(f.common).front()}, launcher_{called_launcher(*job_.lab, f)} {
    fill(options_, f.common);
    options_.timeout_s = one_call_s;
  }

  json answer(const std::string& line) {
    const auto request = json::parse(line);
    if (const auto built = build_if_changed(); built.verdict != verdict_kind::pass)
      return document(built.verdict, built.log, {});
    const auto at = size_in(request);
    const judge::test_case t{launcher_, at, seed, inputs_for(request, at), judge::oracle::reference};
    arguments after;
    const auto found = session_->call(t, 0, &after);
    return document(found.verdict, found.what, after);
  }

  json document(verdict_kind v, const std::string& message, const arguments& after) const {
    auto outputs = json::object();
    for (std::size_t p = 0; p < after.size(); ++p)
      if (after[p].role == parameter_role::output || after[p].role == parameter_role::in_out)
        outputs[launcher_.parameters[p]] = values_of(after[p]);
    return {{"schema", 1},
            {"verdict", word(v)},
            {"message", message},
            {"outputs", outputs},
            {"variant", job_.variant.word},
            {"kernel", job_.variant.source.lexically_proximate(lab::here().root).string()},
            {"launcher", launcher_.name},
            {"backend", word(options_.backend)}};
  }

 private:
  arguments inputs_for(const json& request, const problem_size& at) const {
    auto given = drawn(launcher_, at, seed, inputs::real);
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

  job job_;
  const launcher_spec& launcher_;
  judge::run_options options_;
  std::string text_;
  std::optional<judge::session> session_;
};

void answer_lines(const call_flags& f) {
  caller kernel{f};
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

void add_call_options(CLI::App& command, call_flags& f) {
  auto* solution = command.add_flag("--solution", f.common.solution, "the solution's kernels instead of yours");
  command.add_option("--kernel", f.common.kernel, "any .cu file with the lab's launcher")
      ->type_name("FILE")
      ->excludes(solution);
  command.add_option("--launcher", f.launcher, "which of the file's launchers (default: the lab's last)");
  command.add_option("--backend", f.common.backend, "where to run: a GPU or the CPU simulator")
      ->check(CLI::IsMember({"sim", "cuda"}));
  command.add_option("--device", f.common.device, "which GPU")->check(CLI::NonNegativeNumber)->capture_default_str();
}

const launcher_spec& called_launcher(const entry& lab, const call_flags& f) {
  return f.launcher.empty() ? lab.definition.launchers.back() : launcher_named(lab, f.launcher);
}

static void add_call(CLI::App& app, int&) {
  auto* command = app.add_subcommand("call", "Call a kernel with inputs from standard input; apps use it")->group("");
  auto f = std::make_shared<call_flags>();
  command->add_option("lab", f->common.which, "a lab (4, 04, padded)")->required()->type_name("NN");
  add_call_options(*command, *f);
  command->callback([f] { answer_lines(*f); });
}

namespace {

const command_registration registered{audience::hidden, add_call};

}  // namespace

}  // namespace lab::cli
