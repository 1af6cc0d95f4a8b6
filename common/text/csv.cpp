#include "text/csv.hpp"

#include <utility>

namespace lab {

std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string field;
  bool quoted = false;
  const auto end_field = [&] { row.push_back(std::exchange(field, {})); };
  const auto end_row = [&] {
    if (!row.empty() || !field.empty()) end_field();
    if (!row.empty()) rows.push_back(std::exchange(row, {}));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      field += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      end_field();
    } else if (!quoted && c == '\n') {
      end_row();
    } else if (quoted || c != '\r') {
      field += c;
    }
  }
  end_row();
  return rows;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of("\",\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string{letter};
  return quoted + "\"";
}

}  // namespace lab
