#include "text/printed_output.hpp"

namespace lab {

namespace {

constexpr std::size_t most_printed = 600;

}  // namespace

std::string printed_output(std::string_view output) {
  if (output.size() > most_printed) output.remove_prefix(output.size() - most_printed);
  std::string text;
  for (const char c : output) {
    if (c == '\n')
      text += "\n    ";
    else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)
      text += c;
  }
  const auto end = text.find_last_not_of(" \n");
  return end == std::string::npos ? std::string{} : "It printed:\n    " + text.substr(0, end + 1) + "\n";
}

}  // namespace lab
