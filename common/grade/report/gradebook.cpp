#include "grade/report/gradebook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grade/job/points.hpp"
#include "lab/lab_definition.hpp"
#include "text/csv.hpp"
#include "text/lower_case.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace {

std::string folded(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == text.npos ? "" : lower_case(text.substr(begin, end - begin + 1));
}

// Points, and the most that count: none for extra credit, which is the way to enter it in Canvas.
using points_by_column = std::map<std::string, std::pair<double, double>>;

std::string extra_column(const std::string& lab) { return lab + " extra credit"; }

// By the column's name: a lab, or its extra credit where there is any to earn. A machine error is no zero.
std::map<std::string, points_by_column> points_of_students(const std::vector<row>& rows) {
  std::map<std::string, points_by_column> all;
  for (const auto& graded : rows) {
    auto& points = all[graded.student];
    if (!is_final(graded.verdict)) continue;
    points[graded.lab] = {graded.points, graded.max_points};
    if (graded.max_extra > 0) points[extra_column(graded.lab)] = {graded.extra, 0};
  }
  return all;
}

std::vector<std::string> columns_in(const std::vector<row>& rows) {
  std::set<std::string> names;
  for (const auto& [student, points] : points_of_students(rows))
    for (const auto& [column, value] : points) names.insert(column);
  return {names.begin(), names.end()};
}

std::string number(double points) {
  auto text = fmt::format("{:.2f}", points);
  text.erase(text.find_last_not_of('0') + 1);
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

// "Assignment: 01_vector_add (Real)" is Moodle's name of the column 01_vector_add, and "01_vector_add (77)" Canvas's.
bool names_column(const std::string& cell, const std::string& column) {
  const auto at = cell.find(column);
  if (at == cell.npos) return false;
  const auto before = folded(cell.substr(0, at)), after = folded(cell.substr(at + column.size()));
  return (before.empty() || before.ends_with(':')) && (after.empty() || after.starts_with('('));
}

bool is_of_canvas(const roster& known) {
  const auto has = [&](const char* name) { return std::ranges::find(known.header, name) != known.header.end(); };
  return known.header.front() == "Student" && has("ID") && has("Section");
}

std::string text_of(const std::vector<std::string>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) text += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return text + "\r\n";
}

std::string without_roster(const std::vector<row>& rows) {
  const auto labs = columns_in(rows);
  std::vector<std::string> header{"student"};
  header.insert(header.end(), labs.begin(), labs.end());
  header.push_back("total");
  auto text = text_of(header);
  for (const auto& [student, points] : points_of_students(rows)) {
    text += sanitize::csv(student);
    double total = 0;
    for (const auto& lab : labs) {
      const auto at = points.find(lab);
      text += "," + (at == points.end() ? "" : number(at->second.first));
      total += at == points.end() ? 0 : at->second.first;
    }
    text += "," + number(total) + "\r\n";
  }
  return text;
}

// Puts a student's points into the columns of the labs.
std::vector<std::string> filled(std::vector<std::string> line, const std::map<std::string, std::size_t>& columns,
                                std::size_t width, const points_by_column& points, bool most) {
  line.resize(width);
  for (const auto& [lab, column] : columns)
    if (const auto at = points.find(lab); at != points.end())
      line[column] = number(most ? at->second.second : at->second.first);
  return line;
}

}  // namespace

bool is_student(const std::vector<std::string>& line) {
  return !line.empty() && !folded(line.front()).starts_with("points possible") &&
         std::ranges::any_of(line, [](const auto& cell) { return !cell.empty(); });
}

const std::vector<std::string>* roster::find(const std::string& student) const {
  const auto whole = folded(student), last = folded(student.substr(student.rfind('_') + 1));
  const auto is = [&](const std::string& cell) {
    const auto text = folded(cell);
    return !text.empty() && (text == whole || text == last);
  };
  for (const auto& line : lines)
    if (is_student(line) && std::ranges::any_of(line, is)) return &line;
  return nullptr;
}

roster roster_from(const std::string& text, const std::string& file) {
  const bool marked = text.starts_with("\xef\xbb\xbf");  // a byte order mark, which Canvas writes
  auto all = parse_csv(marked ? text.substr(3) : text);
  std::erase_if(all, [](const auto& line) { return std::ranges::all_of(line, &std::string::empty); });
  if (all.size() < 2)
    throw usage_error(fmt::format("--roster: {} has no header line and a line for each student", file));
  roster known{all.front(), {all.begin() + 1, all.end()}};
  for (std::size_t i = 0; i < known.lines.size(); ++i)
    if (known.lines[i].size() > known.header.size())
      throw usage_error(fmt::format("--roster: {}:{} has {} cells, and the header has {}", file, i + 2,
                                    known.lines[i].size(), known.header.size()));
  return known;
}

std::string gradebook(const roster& known, const std::vector<row>& rows) {
  if (known.header.empty()) return without_roster(rows);
  auto header = known.header;
  std::map<std::string, std::size_t> columns;
  for (const auto& column : columns_in(rows)) {
    const auto at = std::ranges::find_if(header, [&](const auto& name) { return names_column(name, column); });
    columns[column] = static_cast<std::size_t>(at - header.begin());
    if (at == header.end()) header.push_back(column);
  }
  points_by_column most;
  std::map<const std::vector<std::string>*, points_by_column> of_line;
  for (const auto& [student, points] : points_of_students(rows)) {
    most.insert(points.begin(), points.end());
    if (const auto* line = known.find(student)) of_line[line] = points;
  }
  auto text = text_of(header);
  // Canvas takes the most points of a new column from this line.
  if (is_of_canvas(known) && std::ranges::all_of(known.lines, is_student))
    text += text_of(filled({"    Points Possible"}, columns, header.size(), most, true));
  for (const auto& line : known.lines)
    text += text_of(is_student(line) ? filled(line, columns, header.size(), of_line[&line], false)
                                     : filled(line, columns, header.size(), most, true));
  return text;
}

}  // namespace lab::grade
