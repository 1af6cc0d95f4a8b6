#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "lab/size.hpp"

namespace lab::grade {

/// The mistakes of a policy file, each with its place. All are collected before anything is graded.
class mistake_list {
 public:
  /// `text` is the file's, to name lines; empty if the document comes from elsewhere. `file` begins each mistake.
  mistake_list(std::string file, const std::string& text);

  void add(const std::string& place, const std::string& mistake);
  /// @throws usage_error with all mistakes, one a line
  void throw_if_any() const;

 private:
  std::string file_;
  std::map<std::string, int> lines_;  ///< of each key, such as "labs.05.points"
  std::vector<std::string> mistakes_;
};

/// The line of each key of a JSON text, by the names of the keys above it, joined by dots. Elements of a list have the
/// list's name.
std::map<std::string, int> lines_of_keys(const std::string& text);

/// Reads one JSON object. It knows the object's place in the document and the keys that have been read. After a mistake
/// it returns the value that a missing key has.
class object_reader {
 public:
  object_reader(const nlohmann::json& object, std::string place, mistake_list& mistakes);

  double number(const char* key, double otherwise, double least, double most);
  bool flag(const char* key, bool otherwise);
  std::string text(const char* key, const std::string& otherwise);
  /// One of the words; the first if the key is missing.
  std::string word(const char* key, const std::vector<std::string>& words);
  problem_size size(const nlohmann::json& value, const char* key);
  const nlohmann::json* list(const char* key);
  const nlohmann::json* object(const char* key);
  const nlohmann::json* find(const char* key);

  void fail(const std::string& key, const std::string& mistake);
  /// Refuses unknown keys: a misspelled rule would silently have no effect.
  void finish();
  std::string below(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }
  mistake_list& mistakes() { return mistakes_; }

 private:
  const nlohmann::json& object_;
  std::string place_;
  mistake_list& mistakes_;
  std::set<std::string> known_;
};

}  // namespace lab::grade
