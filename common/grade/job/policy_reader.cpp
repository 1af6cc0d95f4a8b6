#include "grade/job/policy_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lab/lab_definition.hpp"

namespace lab::grade {

using nlohmann::json;

namespace {

// The end of the string that begins at `at`, behind its closing quote.
std::size_t end_of_string(const std::string& text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const auto& name : names)
    if (!name.empty()) all += (all.empty() ? "" : ".") + name;
  return all;
}

const json nothing = json::object();

}  // namespace

std::map<std::string, int> lines_of_keys(const std::string& text) {
  std::map<std::string, int> lines;
  std::vector<std::string> open;  // the key of each open object or list, or empty
  std::string key;
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char letter = text[at];
    if (letter == '"') {
      const auto end = end_of_string(text, at);
      const auto next = text.find_first_not_of(" \t\r\n", end);
      if (next != text.npos && text[next] == ':') {
        key = text.substr(at + 1, end - at - 2);
        open.push_back(key);
        lines.emplace(joined(open), line);
        open.pop_back();
      }
      at = end;
      continue;
    }
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    line += letter == '\n';
    if (letter == '{' || letter == '[') open.push_back(std::exchange(key, {}));
    if ((letter == '}' || letter == ']') && !open.empty()) open.pop_back();
    if (letter == ',') key.clear();
    ++at;
  }
  return lines;
}

mistake_list::mistake_list(std::string file, const std::string& text)
    : file_{std::move(file)}, lines_{lines_of_keys(text)} {}

void mistake_list::add(const std::string& place, const std::string& mistake) {
  auto at = lines_.find(place);
  for (auto above = place; at == lines_.end() && above.find('.') != above.npos;) {
    above.erase(above.rfind('.'));
    at = lines_.find(above);  // a missing key has the line of the object that it belongs to
  }
  const auto line = at == lines_.end() ? "" : fmt::format(":{}", at->second);
  mistakes_.push_back(fmt::format("{}{}: {} {}", file_, line, place.empty() ? "the document" : place, mistake));
}

void mistake_list::throw_if_any() const {
  if (!mistakes_.empty()) throw usage_error(fmt::format("{}", fmt::join(mistakes_, "\n")));
}

object_reader::object_reader(const json& object, std::string place, mistake_list& mistakes)
    : object_{object.is_object() ? object : nothing}, place_{std::move(place)}, mistakes_{mistakes} {
  if (!object.is_object()) fail("", "must be an object");
}

double object_reader::number(const char* key, double otherwise, double least, double most) {
  const auto* value = find(key);
  if (!value) return otherwise;
  if (value->is_number() && value->get<double>() >= least && value->get<double>() <= most) return value->get<double>();
  fail(key, fmt::format("must be a number from {} to {}", least, most));
  return otherwise;
}

bool object_reader::flag(const char* key, bool otherwise) {
  const auto* value = find(key);
  if (value && !value->is_boolean()) fail(key, "must be true or false");
  return value && value->is_boolean() ? value->get<bool>() : otherwise;
}

std::string object_reader::text(const char* key, const std::string& otherwise) {
  const auto* value = find(key);
  if (value && !value->is_string()) fail(key, "must be text");
  return value && value->is_string() ? value->get<std::string>() : otherwise;
}

std::string object_reader::word(const char* key, const std::vector<std::string>& words) {
  const auto found = text(key, words.front());
  if (std::ranges::find(words, found) != words.end()) return found;
  fail(key, fmt::format("must be \"{}\"", fmt::join(words, "\" or \"")));
  return words.front();
}

problem_size object_reader::size(const json& value, const char* key) {
  const auto size = value.is_string() ? problem_size::parse(value.get<std::string>()) : std::nullopt;
  if (!size) fail(key, "must hold sizes such as \"2000x33\"");
  return size.value_or(problem_size{});
}

const json* object_reader::list(const char* key) {
  const auto* value = find(key);
  if (value && !value->is_array()) fail(key, "must be a list");
  return value && value->is_array() ? value : nullptr;
}

const json* object_reader::object(const char* key) {
  const auto* value = find(key);
  if (value && !value->is_object()) fail(key, "must be an object");
  return value && value->is_object() ? value : nullptr;
}

const json* object_reader::find(const char* key) {
  known_.insert(key);
  const auto at = object_.find(key);
  return at == object_.end() ? nullptr : &*at;
}

void object_reader::fail(const std::string& key, const std::string& mistake) {
  mistakes_.add(key.empty() ? place_ : below(key), mistake);
}

void object_reader::finish() {
  for (const auto& [key, value] : object_.items())
    if (!known_.contains(key)) fail(key, fmt::format("is unknown; the known keys are {}", fmt::join(known_, ", ")));
}

}  // namespace lab::grade
