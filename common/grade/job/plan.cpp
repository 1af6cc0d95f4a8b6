#include "grade/job/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "build/source_texts.hpp"
#include "lab/lab_definition.hpp"
#include "text/atomic_file.hpp"
#include "text/fingerprint.hpp"
#include "text/sanitize.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Equal sources have equal paths, so the build cache serves the whole class.
fs::path keep_source(const grading_plan& plan, const std::string& text) {
  const auto file = plan.folder() / "sources" / fingerprint(text) / "kernel.cu";
  if (fs::exists(file)) return file;
  fs::create_directories(file.parent_path());
  write_atomically(file, text);
  return file;
}

collect_trouble no_file(const submission& submitted, const std::string& lab) {
  auto message = fmt::format("no file for this lab; name it {}_*.cu or labs/{}/kernel.cu", lab.substr(0, 2), lab);
  if (submitted.labs.empty() && !submitted.others.empty())
    message += fmt::format(". Found: {}", fmt::join(submitted.others, ", "));
  return {message};
}

grading_job job_for(const grading_plan& plan, const submission& submitted, const std::string& lab) {
  grading_job job{.key = {}, .student = submitted.student, .lab = lab, .file = {}, .time = submitted.time};
  std::string text;
  if (const auto at = submitted.labs.find(lab); at != submitted.labs.end()) {
    job.file = at->second.file;
    job.trouble = at->second.trouble;
    if (job.trouble) job.trouble.message = job.file + ": " + job.trouble.message;
    text = at->second.text;
  } else {
    job.trouble = submitted.trouble ? submitted.trouble : no_file(submitted, lab);
  }
  if (!job.trouble) job.source = keep_source(plan, text);
  job.key = fingerprint(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", submitted.student, lab, job.file, text,
                                    job.trouble.message, word(plan.backend), plan.rules.dump(),
                                    static_cast<int>(plan.sandbox_level), job.time));
  return job;
}

void keep_only_time_of(const std::string& student, json& rules) {
  const auto late = rules.find("late");
  if (late == rules.end() || !late->is_object() || !late->contains("times")) return;
  auto& times = late->at("times");
  if (times.contains(student))
    times = {{student, times[student]}};
  else
    late->erase("times");
}

// Of the rules that this job depends on: a change for another lab or student leaves it as it is.
std::string fingerprint_of_rules(json rules, const grading_job& job) {
  keep_only_time_of(job.student, rules);
  const auto labs = rules.contains("labs") ? rules["labs"] : json::object();
  rules.erase("labs");
  for (const auto& [name, own] : labs.items())
    if (find(name).name == job.lab) {
      rules["own"] = own;
      keep_only_time_of(job.student, rules["own"]);
    }
  return fingerprint(rules.dump()).substr(0, 12);
}

json names_of(const std::map<std::string, std::vector<problem_size>>& sizes) {
  json all = json::object();
  for (const auto& [lab, drawn] : sizes) {
    all[lab] = json::array();
    for (const auto& size : drawn) all[lab].push_back(size.name());
  }
  return all;
}

std::map<std::string, std::vector<problem_size>> sizes_from(const json& document) {
  std::map<std::string, std::vector<problem_size>> all;
  for (const auto& [lab, names] : document.items()) {
    auto& sizes = all[lab];
    for (const auto& name : names)
      if (const auto size = problem_size::parse(name.get<std::string>())) sizes.push_back(*size);
  }
  return all;
}

json to_json(const grading_job& job) {
  return {{"key", job.key},
          {"student", job.student},
          {"lab", job.lab},
          {"file", sanitize::line(job.file)},
          {"source", job.source.string()},
          {"trouble", sanitize::line(job.trouble.message)},
          {"trouble_verdict", word(job.trouble.verdict)},
          {"time", job.time}};
}

collect_trouble trouble_from(const json& document) {
  const auto verdict = verdict_from(document.value("trouble_verdict", ""));
  return {document.at("trouble"), verdict.value_or(verdict_kind::collect_error)};
}

grading_job job_from(const json& document) {
  return {document.at("key"),
          document.at("student"),
          document.at("lab"),
          document.at("file"),
          document.at("source").get<std::string>(),
          trouble_from(document),
          document.at("time")};
}

}  // namespace

void fill(grading_plan& plan, const std::vector<submission>& students) {
  for (const auto& submitted : students)
    for (const auto& lab : plan.labs) plan.jobs.push_back(job_for(plan, submitted, lab));
}

void save(const grading_plan& plan) {
  json jobs = json::array();
  for (const auto& job : plan.jobs) jobs.push_back(to_json(job));
  const json all{{"schema", 1},
                 {"out", plan.out.string()},
                 {"backend", word(plan.backend)},
                 {"sandbox_level", static_cast<int>(plan.sandbox_level)},
                 {"seed", plan.seed},
                 {"hidden_seed", plan.hidden_seed},
                 {"free_cases", plan.free_cases},
                 {"fresh_sizes", names_of(plan.fresh_sizes)},
                 {"roster", plan.roster},
                 {"rules", plan.rules},
                 {"labs", plan.labs},
                 {"jobs", jobs}};
  write_atomically(plan.file(), all.dump(1) + "\n", true);
}

grading_plan load_plan(const fs::path& file) try {
  const auto all = json::parse(lab::read_whole(file));
  grading_plan plan{.out = all.at("out").get<std::string>()};
  plan.backend = all.at("backend") == "cuda" ? backend_kind::cuda : backend_kind::sim;
  plan.sandbox_level = static_cast<sandbox::level>(all.at("sandbox_level").get<int>());
  plan.seed = all.at("seed");
  plan.hidden_seed = all.at("hidden_seed");
  plan.roster = all.at("roster");
  plan.free_cases = all.at("free_cases").get<std::map<std::string, std::vector<std::string>>>();
  if (const auto fresh = all.find("fresh_sizes"); fresh != all.end()) plan.fresh_sizes = sizes_from(*fresh);
  plan.rules = all.at("rules");
  plan.labs = all.at("labs").get<std::vector<std::string>>();
  for (const auto& document : all.at("jobs")) plan.jobs.push_back(job_from(document));
  return plan;
} catch (const json::exception& error) {
  throw std::runtime_error(fmt::format("{} is damaged: {}", file.string(), error.what()));
}

row row_without_run(const grading_plan& plan, const grading_policy& policy, const grading_job& job,
                    verdict_kind verdict, const std::string& message) {
  row graded{job.key, job.student, job.lab, verdict};
  const auto& rule = policy.of(job.lab);
  graded.max_points = rule.points + (rule.gates == gate_use::advisory ? 0 : rule.gate_points);
  if (plan.backend == backend_kind::cuda)
    for (const auto& timed : rule.speed)
      (timed.extra ? graded.max_extra : graded.max_points) += timed.extra || rule.weights.speed == 0 ? timed.points : 0;
  graded.max_extra = std::min(graded.max_extra, rule.most_extra);
  graded.gates_count = word(rule.gates);
  graded.source = job.source.parent_path().filename().string();
  graded.policy = fingerprint_of_rules(plan.rules, job);
  graded.message = sanitize::line(message);
  graded.file = sanitize::line(job.file);
  graded.backend = word(plan.backend);
  graded.sandbox_level = static_cast<int>(plan.sandbox_level);
  return graded;
}

}  // namespace lab::grade
