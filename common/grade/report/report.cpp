#include "grade/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "text/atomic_file.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

using nlohmann::json;

namespace {

std::string dump(const json& j) { return j.dump(1, ' ', false, json::error_handler_t::replace) + "\n"; }

std::string hidden_cases(const row& r) {
  if (r.hidden_total == 0) return "";
  return fmt::format("{} of {} hidden cases passed.", r.hidden_passed, r.hidden_total);
}

std::string junit_case(const row& r) {
  const auto head = fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                                sanitize::markup(sanitize::log(r.student)), sanitize::markup(r.lab), r.seconds);
  if (r.verdict == verdict_kind::pass) return head + "/>\n";
  const auto verdict = word(r.verdict);
  const auto kind = r.verdict == verdict_kind::skipped       ? "skipped"
                    : r.verdict == verdict_kind::infra_error ? "error"
                                                             : "failure";
  return fmt::format("{}>\n    <{} message=\"{}: {}\"/>\n  </testcase>\n", head, kind, verdict,
                     sanitize::markup(sanitize::log(r.message)));
}

std::string test_output(const row& r) {
  auto text = fmt::format("{}\n{}\n{}\n", word(r.verdict), r.message, hidden_cases(r));
  for (const auto& c : r.cases)
    if (c.verdict != verdict_kind::pass && c.verdict != verdict_kind::skipped) {
      text += fmt::format("\n{}: {}\n{}\n", c.name, word(c.verdict), c.message);
      break;
    }
  return sanitize::log(text);
}

}  // namespace

std::vector<std::vector<row>> by_student(const std::vector<row>& rows) {
  std::vector<std::vector<row>> all;
  for (const auto& r : rows) {
    const auto same = [&](const auto& group) { return group.front().student == r.student; };
    const auto at = std::ranges::find_if(all, same);
    if (at == all.end())
      all.push_back({r});
    else
      at->push_back(r);
  }
  return all;
}

std::string csv(const std::vector<row>& rows) {
  std::string text =
      "student,lab,verdict,points,max_points,late_days,penalty_percent,sandbox_level,seconds,flags,message\r\n";
  for (const auto& r : rows)
    text += fmt::format("{},{},{},{:g},{:g},{:g},{:g},{},{:.2f},{},{}\r\n", sanitize::csv(r.student), r.lab,
                        word(r.verdict), r.points, r.max_points, r.late_days, r.penalty, r.sandbox_level, r.seconds,
                        sanitize::csv(fmt::format("{}", fmt::join(r.flags, "; "))), sanitize::csv(r.message));
  return text;
}

json grades_json(const std::vector<row>& rows) {
  json all = json::array();
  for (const auto& r : rows) all.push_back(to_json(r));
  return {{"schema", 1}, {"rows", all}};
}

std::string junit_xml(const std::vector<row>& rows) {
  const auto failed = std::ranges::count_if(rows, [](const row& r) {
    return r.verdict != verdict_kind::pass && r.verdict != verdict_kind::skipped &&
           r.verdict != verdict_kind::infra_error;
  });
  const auto errors = std::ranges::count(rows, verdict_kind::infra_error, &row::verdict);
  const auto skipped = std::ranges::count(rows, verdict_kind::skipped, &row::verdict);
  auto text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"kernel lab\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
      rows.size(), failed, errors, skipped);
  for (const auto& r : rows) text += junit_case(r);
  return text + "</testsuite>\n</testsuites>\n";
}

json gradescope(const std::vector<row>& rows) {
  json tests = json::array();
  double score = 0;
  for (const auto& r : rows) {
    score += r.points;
    tests.push_back({{"name", r.lab},
                     {"score", r.points},
                     {"max_score", r.max_points},
                     {"status", r.verdict == verdict_kind::pass ? "passed" : "failed"},
                     {"output", test_output(r)},
                     {"output_format", "text"},
                     {"name_format", "text"},
                     {"visibility", "visible"}});
  }
  const bool unsure = std::ranges::count(rows, verdict_kind::infra_error, &row::verdict) > 0;
  return {{"score", score},
          {"output", unsure ? "Some labs could not be graded through no fault of yours; ask your teacher." : ""},
          {"output_format", "text"},
          {"visibility", "visible"},
          {"stdout_visibility", "hidden"},
          {"tests", tests}};
}

void write_reports(const std::filesystem::path& out, const std::vector<row>& rows) {
  for (const auto& student : by_student(rows)) {
    const auto folder = out / "students" / sanitize::file_name(student.front().student);
    std::filesystem::create_directories(folder);
    write_atomically(folder / "index.html", page(student));
    write_atomically(folder / "results.json", dump(gradescope(student)));
  }
  write_atomically(out / "index.html", overview(rows));
  write_atomically(out / "junit.xml", junit_xml(rows));
  write_atomically(out / "grades.csv", csv(rows));
  write_atomically(out / "grades.json", dump(grades_json(rows)));
}

}  // namespace lab::grade
