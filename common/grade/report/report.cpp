#include "grade/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grade/report/gradescope_results.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "support/program_path.hpp"
#include "text/atomic_file.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

using nlohmann::json;

namespace {

std::string dump(const json& document) { return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n"; }

std::string junit_case(const row& graded) {
  const auto head =
      fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                  sanitize::markup(sanitize::log(graded.student)), sanitize::markup(graded.lab), graded.seconds);
  if (graded.verdict == verdict_kind::pass) return head + "/>\n";
  const auto verdict = word(graded.verdict);
  const auto kind = graded.verdict == verdict_kind::skipped       ? "skipped"
                    : graded.verdict == verdict_kind::infra_error ? "error"
                                                                  : "failure";
  return fmt::format("{}>\n    <{} message=\"{}: {}\"/>\n  </testcase>\n", head, kind, verdict,
                     sanitize::markup(sanitize::log(graded.message)));
}

// Relative to the folder of the reports.
std::filesystem::path folder_of(const row& graded) {
  return std::filesystem::path{"students"} / sanitize::file_name(graded.student);
}

// The script makes the pages from grades.json.
void write_pages(const std::filesystem::path& out) {
  constexpr double most_seconds = 600;
  const auto script = lab::here().home / "common" / "grade" / "report" / "pages" / "pages.py";
  const auto done = run_program(
      {.arguments = {lab::python(), "-I", script.string(), out.string()}, .environment = clean_environment({})},
      most_seconds);
  if (done.well()) return;
  throw std::runtime_error(fmt::format("cannot write the pages; grades.csv, grades.json and junit.xml are in {}: {}",
                                       out.string(), sanitize::line(done.output)));
}

}  // namespace

std::vector<std::vector<row>> by_student(const std::vector<row>& rows) {
  std::vector<std::vector<row>> all;
  for (const auto& graded : rows) {
    const auto same = [&](const auto& group) { return group.front().student == graded.student; };
    const auto at = std::ranges::find_if(all, same);
    if (at == all.end())
      all.push_back({graded});
    else
      at->push_back(graded);
  }
  return all;
}

std::string csv(const std::vector<row>& rows) {
  std::string text =
      "student,lab,verdict,points,max_points,late_days,penalty_percent,sandbox_level,seconds,flags,message,extra,"
      "diagnosis,gates_passed,gates_total,gates_count\r\n";
  for (const auto& graded : rows)
    text += fmt::format(
        "{},{},{},{},{},{:g},{:g},{},{:.2f},{},{},{},{},{},{},{}\r\n", sanitize::csv(graded.student), graded.lab,
        word(graded.verdict), graded.points, graded.max_points, graded.late_days, graded.penalty, graded.sandbox_level,
        graded.seconds, sanitize::csv(fmt::format("{}", fmt::join(graded.flags, "; "))), sanitize::csv(graded.message),
        graded.extra, diagnosis_of(graded), graded.gates_passed, graded.gates_total, graded.gates_count);
  return text;
}

json grades_json(const std::vector<row>& rows) {
  json all = json::array();
  for (const auto& graded : rows) {
    all.push_back(to_json(graded));
    all.back()["page"] = (folder_of(graded) / "index.html").string();
  }
  return {{"schema", 1}, {"version", lab::version()}, {"rows", all}};
}

std::string junit_xml(const std::vector<row>& rows) {
  const auto failed = std::ranges::count_if(rows, [](const row& graded) {
    return graded.verdict != verdict_kind::pass && graded.verdict != verdict_kind::skipped &&
           graded.verdict != verdict_kind::infra_error;
  });
  const auto errors = std::ranges::count(rows, verdict_kind::infra_error, &row::verdict);
  const auto skipped = std::ranges::count(rows, verdict_kind::skipped, &row::verdict);
  auto text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"kernel lab\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
      rows.size(), failed, errors, skipped);
  for (const auto& graded : rows) text += junit_case(graded);
  return text + "</testsuite>\n</testsuites>\n";
}

namespace {

// Until its end, only the owner can read what is created, also by programs that are started.
class private_files {
 public:
  private_files() = default;
  private_files(const private_files&) = delete;
  private_files& operator=(const private_files&) = delete;
  ~private_files() { umask(before_); }

 private:
  mode_t before_ = umask(077);
};

}  // namespace

void write_reports(const std::filesystem::path& out, const std::vector<row>& rows, leaderboard_kind board) {
  const private_files only_the_owner;
  for (const auto& student : by_student(rows)) {
    const auto folder = out / folder_of(student.front());
    std::filesystem::create_directories(folder);
    write_atomically(folder / "results.json", dump(gradescope_results(student, board)));
  }
  write_atomically(out / "junit.xml", junit_xml(rows));
  write_atomically(out / "grades.csv", csv(rows));
  write_atomically(out / "grades.json", dump(grades_json(rows)));
  write_pages(out);
}

}  // namespace lab::grade
