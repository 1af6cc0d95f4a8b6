#include <fmt/format.h>

#include <algorithm>

#include "grade/job/policy.hpp"
#include "grade/report/report.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

using sanitize::markup;

namespace {

// The policy keeps every script and every other host away, should a text ever get past the escaper.
constexpr std::string_view head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{0}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  background: #fff }}
table {{ border-collapse: collapse }} td, th {{ padding: .2rem .8rem .2rem 0; text-align: left }}
.pass {{ color: #176b2c }} .fail {{ color: #a11a1a }}
pre {{ background: #f4f4f4; padding: .8rem; overflow-x: auto; white-space: pre-wrap }}
</style></head><body>
<h1>{0}</h1>
)";

std::string colour(verdict_kind v) { return v == verdict_kind::pass ? "pass" : "fail"; }

double sum(const std::vector<row>& rows, double row::*what) {
  double all = 0;
  for (const auto& r : rows) all += r.*what;
  return all;
}

std::string table_row(const row& r) {
  return fmt::format("<tr><td>{}</td><td class=\"{}\">{}</td><td>{:g} of {:g}</td></tr>\n", markup(r.lab),
                     colour(r.verdict), word(r.verdict), r.points, r.max_points);
}

std::string case_section(const case_row& c) {
  return fmt::format("<details{}><summary><span class=\"{}\">{}</span> {}</summary>{}</details>\n",
                     c.message.empty() ? "" : " open", colour(c.verdict), word(c.verdict), markup(c.name),
                     c.message.empty() ? "" : "<pre>" + markup(c.message) + "</pre>");
}

std::string lateness(const row& r) {
  if (r.penalty == 0) return "";
  return fmt::format("<p>{:g} days late: {:g}% less.</p>\n", r.late_days, r.penalty);
}

std::string speed_table(const row& r) {
  std::string text;
  for (const auto& s : r.speed)
    text += fmt::format(
        "<p>At {}: {:.3f} ms, the solution {:.3f} ms, {:.2f} times its speed; {:g} of {:g} points. {}</p>\n",
        markup(s.size), s.ms, s.solution_ms, s.ratio, s.points, s.max_points,
        s.too_short ? "Both are too short to be told from what handing over the arrays takes; that earns nothing."
        : s.clock == word(speed_clock::kernel) ? "Both are the GPU's work alone."
                                               : "Both are the whole launcher, its host code included.");
  return text;
}

std::string hidden(const row& r) {
  if (r.hidden_total == 0) return "";
  return fmt::format("<p>{} of {} hidden cases passed. What they are is not shown.</p>\n", r.hidden_passed,
                     r.hidden_total);
}

std::string advice(const row& r) {
  if (r.advice.empty()) return "";
  std::string text = "<p>The simulator also has advice; it gives and takes no points.</p>\n";
  for (const auto& c : r.advice) text += case_section(c);
  return text;
}

// The first failure in full; the others are mostly the same mistake.
std::string section(const row& r) {
  auto text = fmt::format("<h2>{}: <span class=\"{}\">{}</span></h2>\n<p>{}</p>\n", markup(r.lab), colour(r.verdict),
                          word(r.verdict), markup(r.message));
  if (!r.file.empty()) text += fmt::format("<p>Graded: <code>{}</code></p>\n", markup(r.file));
  text += lateness(r) + speed_table(r) + hidden(r);
  bool first = true;
  for (auto c : r.cases) {
    if (c.verdict != verdict_kind::pass && !first) c.message.clear();
    first = first && c.verdict == verdict_kind::pass;
    text += case_section(c);
  }
  return text + advice(r);
}

}  // namespace

std::string page(const std::vector<row>& rows) {
  auto text = fmt::format(fmt::runtime(head), markup(rows.front().student));
  text += fmt::format("<p>{:g} of {:g} points.</p>\n<table>\n", sum(rows, &row::points), sum(rows, &row::max_points));
  for (const auto& r : rows) text += table_row(r);
  text += "</table>\n";
  for (const auto& r : rows) text += section(r);
  return text + "</body></html>\n";
}

std::string overview(const std::vector<row>& rows) {
  auto text = fmt::format(fmt::runtime(head), "Grades");
  text += "<table>\n<tr><th>student</th><th>points</th><th>labs</th></tr>\n";
  for (const auto& student : by_student(rows)) {
    const auto& name = student.front().student;
    text += fmt::format("<tr><td><a href=\"students/{}/index.html\">{}</a></td><td>{:g} of {:g}</td><td>",
                        markup(sanitize::file_name(name)), markup(name), sum(student, &row::points),
                        sum(student, &row::max_points));
    for (const auto& r : student)
      text += fmt::format("<span class=\"{}\" title=\"{}\">{}</span> ", colour(r.verdict), word(r.verdict),
                          markup(r.lab.substr(0, 2)));
    text += "</td></tr>\n";
  }
  return text + "</table>\n</body></html>\n";
}

}  // namespace lab::grade
