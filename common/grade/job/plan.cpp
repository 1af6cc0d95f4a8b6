#include "grade/job/plan.hpp"

#include <fmt/format.h>

#include "build/source_texts.hpp"
#include "text/atomic_file.hpp"
#include "text/fingerprint.hpp"
#include "text/sanitize.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Equal texts lie at equal paths, so that the cache of built kernels serves a whole class.
fs::path keep_source(const plan& p, const std::string& text) {
  const auto file = p.folder() / "sources" / fingerprint(text) / "kernel.cu";
  if (fs::exists(file)) return file;
  fs::create_directories(file.parent_path());
  write_atomically(file, text);
  return file;
}

job job_for(const plan& p, const submission& s, const std::string& lab) {
  job j{.key = {}, .student = s.student, .lab = lab, .file = {}, .time = s.time};
  std::string text;
  if (!s.trouble.empty()) {
    j.trouble = s.trouble;
  } else if (const auto at = s.labs.find(lab); at == s.labs.end()) {
    j.trouble = fmt::format("no file for this lab; it is called {}_*.cu or labs/{}/kernel.cu", lab.substr(0, 2), lab);
  } else {
    j.file = at->second.file;
    j.trouble = at->second.trouble.empty() ? "" : j.file + ": " + at->second.trouble;
    text = at->second.text;
  }
  if (j.trouble.empty()) j.source = keep_source(p, text);
  j.key = fingerprint(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", s.student, lab, j.file, text, j.trouble,
                                  word(p.backend), p.rules.dump(), static_cast<int>(p.sandbox), j.time));
  return j;
}

json to_json(const job& j) {
  return {{"key", j.key},
          {"student", j.student},
          {"lab", j.lab},
          {"file", sanitize::line(j.file)},
          {"source", j.source.string()},
          {"trouble", sanitize::line(j.trouble)},
          {"time", j.time}};
}

job job_from(const json& j) {
  return {j.at("key"),     j.at("student"), j.at("lab"), j.at("file"), j.at("source").get<std::string>(),
          j.at("trouble"), j.at("time")};
}

}  // namespace

void fill(plan& p, const std::vector<submission>& students) {
  fs::create_directories(p.folder() / "sources");
  for (const auto& s : students)
    for (const auto& lab : p.labs) p.jobs.push_back(job_for(p, s, lab));
}

void save(const plan& p) {
  json jobs = json::array();
  for (const auto& j : p.jobs) jobs.push_back(to_json(j));
  const json all{{"schema", 1},
                 {"out", p.out.string()},
                 {"backend", word(p.backend)},
                 {"sandbox_level", static_cast<int>(p.sandbox)},
                 {"hidden_seed", p.hidden_seed},
                 {"rules", p.rules},
                 {"labs", p.labs},
                 {"jobs", jobs}};
  write_atomically(p.file(), all.dump(1) + "\n", true);
}

plan load_plan(const fs::path& file) try {
  const auto all = json::parse(lab::read_whole(file));
  plan p{.out = all.at("out").get<std::string>()};
  p.backend = all.at("backend") == "cuda" ? backend_kind::cuda : backend_kind::sim;
  p.sandbox = static_cast<level>(all.at("sandbox_level").get<int>());
  p.hidden_seed = all.at("hidden_seed");
  p.rules = all.at("rules");
  p.labs = all.at("labs").get<std::vector<std::string>>();
  for (const auto& j : all.at("jobs")) p.jobs.push_back(job_from(j));
  return p;
} catch (const json::exception& e) {
  throw std::runtime_error(fmt::format("{} is damaged: {}", file.string(), e.what()));
}

row row_without_run(const plan& p, const policy& rules, const job& j, verdict_kind v, const std::string& message) {
  row r{j.key, j.student, j.lab, v};
  const auto& rule = rules.of(j.lab);
  r.max_points = rule.points + (rules.gates == gate_use::points ? rule.gate_points : 0);
  if (p.backend == backend_kind::cuda)
    for (const auto& s : rule.speed) r.max_points += s.points;
  r.message = sanitize::line(message);
  r.file = sanitize::line(j.file);
  r.backend = word(p.backend);
  r.sandbox_level = static_cast<int>(p.sandbox);
  return r;
}

}  // namespace lab::grade
