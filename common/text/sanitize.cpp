#include "text/sanitize.hpp"

#include <algorithm>
#include <cstdint>

#include "text/fingerprint.hpp"

namespace lab::sanitize {

namespace {

constexpr std::string_view unreadable = "\xef\xbf\xbd";

// The length of the character that begins here, 0 if there is none.
std::size_t character_length(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const std::size_t length = byte(0) < 0x80   ? 1
                             : byte(0) < 0xc2 ? 0
                             : byte(0) < 0xe0 ? 2
                             : byte(0) < 0xf0 ? 3
                             : byte(0) < 0xf5 ? 4
                                              : 0;
  if (length > rest.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return length;
}

std::uint32_t code_point(std::string_view c) {
  if (c.size() == 1) return static_cast<unsigned char>(c[0]);
  std::uint32_t code = static_cast<unsigned char>(c[0]) & (0xffu >> (c.size() + 1));
  for (const char next : c.substr(1)) code = code << 6 | (static_cast<unsigned char>(next) & 0x3f);
  return code;
}

bool harmful(std::uint32_t c) {
  const auto in = [c](std::uint32_t first, std::uint32_t last) { return first <= c && c <= last; };
  const bool control = (c < 0x20 && c != '\n' && c != '\t') || in(0x7f, 0x9f) || in(0xd800, 0xdfff);
  const bool turns = c == 0x61c || in(0x200b, 0x200f) || in(0x2028, 0x202e) || in(0x2060, 0x206f);
  const bool unseen = c == 0xad || c == 0x180e || in(0xfff9, 0xfffb) || in(0xe0000, 0xe0fff);
  const bool no_character = c > 0x10ffff || (c & 0xfffe) == 0xfffe || in(0xfdd0, 0xfdef) || c == 0xfeff;
  return control || turns || unseen || no_character;
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
  while (!text.empty() && all.size() < most) {
    const auto length = character_length(text);
    const auto one = text.substr(0, std::max<std::size_t>(length, 1));
    const bool fine = length > 0 && !harmful(code_point(one));
    if (one != "\r") all += fine ? one : unreadable;
    text.remove_prefix(one.size());
  }
  return text.empty() ? all : all + " [cut]";
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

// GitHub's commands begin with ::, those of Azure and TeamCity with ##.
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
  // No name that needs no change has a tilde, so that nobody can be called what another's name becomes.
  return name == text && !name.empty() ? name : name + '~' + fingerprint(std::string{text}).substr(0, 16);
}

}  // namespace lab::sanitize
