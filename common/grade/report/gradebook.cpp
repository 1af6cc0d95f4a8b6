#include "grade/report/gradebook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

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

using points_by_lab = std::map<std::string, std::pair<double, double>>;  // points, and how many there are

std::vector<std::string> labs_in(const std::vector<row>& rows) {
  std::set<std::string> names;
  for (const auto& graded : rows) names.insert(graded.lab);
  return {names.begin(), names.end()};
}

std::map<std::string, points_by_lab> points_of_students(const std::vector<row>& rows) {
  std::map<std::string, points_by_lab> all;
  for (const auto& graded : rows) all[graded.student][graded.lab] = {graded.points, graded.max_points};
  return all;
}

std::string number(double points) { return fmt::format("{:g}", points); }

std::string text_of(const std::vector<std::string>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) text += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return text + "\r\n";
}

std::string without_roster(const std::vector<row>& rows) {
  const auto labs = labs_in(rows);
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
                                std::size_t width, const points_by_lab& points, bool most) {
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
  for (const auto& lab : labs_in(rows)) {
    const auto at = std::ranges::find_if(header, [&](const auto& name) { return name.starts_with(lab); });
    columns[lab] = static_cast<std::size_t>(at - header.begin());
    if (at == header.end()) header.push_back(lab);
  }
  points_by_lab most;
  std::map<const std::vector<std::string>*, points_by_lab> of_line;
  std::string strangers;
  for (const auto& [student, points] : points_of_students(rows)) {
    most.insert(points.begin(), points.end());
    if (const auto* line = known.find(student))
      of_line[line] = points;
    else
      strangers += sanitize::csv(student) + text_of(filled({""}, columns, header.size(), points, false));
  }
  auto text = text_of(header);
  for (const auto& line : known.lines)
    text += text_of(is_student(line) ? filled(line, columns, header.size(), of_line[&line], false)
                                     : filled(line, columns, header.size(), most, true));
  return text + strangers;
}

}  // namespace lab::grade
