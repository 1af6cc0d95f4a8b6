#include "text/sanitize.hpp"

#include <utf8.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "text/fingerprint.hpp"

namespace lab::sanitize {

namespace {

constexpr std::string_view unreadable = "\xef\xbf\xbd";

// The character that begins here; nothing if none does. Moves `at` behind it, or behind what cannot be read.
std::optional<std::uint32_t> next(const char*& at, const char* end) try {
  return utf8::next(at, end);
} catch (const utf8::invalid_code_point&) {  // whole, but half of a surrogate pair or beyond Unicode
  utf8::unchecked::next(at);
  return {};
} catch (const utf8::exception&) {
  ++at;
  return {};
}

bool harmful(std::uint32_t c) {
  const auto in = [c](std::uint32_t first, std::uint32_t last) { return first <= c && c <= last; };
  const bool control = (c < 0x20 && c != '\n' && c != '\t') || in(0x7f, 0x9f) || in(0xd800, 0xdfff);
  const bool changes_direction = c == 0x61c || in(0x200b, 0x200f) || in(0x2028, 0x202e) || in(0x2060, 0x206f);
  const bool invisible = c == 0xad || c == 0x180e || in(0xfff9, 0xfffb) || in(0xe0000, 0xe0fff);
  const bool no_character = c > 0x10ffff || (c & 0xfffe) == 0xfffe || in(0xfdd0, 0xfdef) || c == 0xfeff;
  return control || changes_direction || invisible || no_character;
}

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string all{text};
  for (auto at = all.find(what); at != std::string::npos; at = all.find(what, at + with.size()))
    all.replace(at, what.size(), with);
  return all;
}

}  // namespace

std::string plain(std::string_view text, std::size_t most) {
  std::string all;
  const char *at = text.data(), *const end = at + text.size();
  while (at != end && all.size() < most) {
    const char* const begin = at;
    const auto c = next(at, end);
    if (c == '\r') continue;
    if (c && !harmful(*c))
      all.append(begin, at);
    else
      all += unreadable;
  }
  return at == end ? all : all + " [cut]";
}

std::string line(std::string_view text, std::size_t most) {
  auto all = plain(text, most);
  std::ranges::replace_if(
      all, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return all;
}

std::string csv(std::string_view text) {
  auto cell = line(text);
  const auto first = cell.find_first_not_of(' ');
  if (first != std::string::npos && std::string_view{"=+-@|%"}.find(cell[first]) != std::string_view::npos)
    cell.insert(cell.begin(), '\'');
  return '"' + replaced(cell, "\"", "\"\"") + '"';
}

std::string markup(std::string_view text) {
  std::string all;
  for (const char c : plain(text)) switch (c) {
      case '&':
        all += "&amp;";
        break;
      case '<':
        all += "&lt;";
        break;
      case '>':
        all += "&gt;";
        break;
      case '"':
        all += "&quot;";
        break;
      case '\'':
        all += "&#39;";
        break;
      default:
        all += c;
    }
  return all;
}

// Commands of GitHub begin with ::, those of Azure and TeamCity with ##.
std::string log(std::string_view text) {
  std::string all;
  for (const char c : plain(text)) {
    if ((c == ':' || c == '#') && all.ends_with(c)) all += ' ';
    all += c;
  }
  return all;
}

std::string file_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, 60))
    name +=
        std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || (c == '.' && !name.empty()) ? c : '_';
  // An unchanged name contains no tilde, so it cannot equal a changed one.
  return name == text && !name.empty() ? name : name + '~' + fingerprint(std::string{text}).substr(0, 16);
}

}  // namespace lab::sanitize
