#include "cli/explain.hpp"

#include <fmt/format.h>

#include <set>

#include "cli/command.hpp"
#include "cli/progress/progress.hpp"
#include "text/text_file.hpp"
#include "trace/glossary.hpp"

namespace lab::cli {

namespace {

// Lines of at most `width` characters, all but the first indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  constexpr std::size_t width = 100;
  std::string lines, line;
  std::istringstream words{text};
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) {
      lines += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line;
}

std::string paragraph(const judge::explanation& e) {
  const auto row = [](std::string_view title, std::string_view text) {
    return fmt::format("  {:<6} {}\n", title, wrapped(std::string{text}, 9));
  };
  return fmt::format("{} ({})\n{}{}{}", e.word, e.about, row("means", e.meaning), row("mostly", e.cause),
                     row("next", e.next));
}

std::string first_sentence(std::string_view text) { return std::string{text.substr(0, text.find(". "))}; }

void list_words() {
  std::string_view about;
  std::set<std::string_view> listed;
  for (const auto& e : judge::explanations()) {
    const auto kind = e.about.substr(0, e.about.find(" in "));
    if (kind != about) fmt::print("{}{}\n", about.empty() ? "" : "\n", about = kind);
    if (listed.insert(e.word).second) fmt::print("  {:<26} {}\n", e.word, wrapped(first_sentence(e.meaning), 29));
  }
  fmt::print("\n./lab explain WORD says more about one of them.\n");
}

nlohmann::json as_json() {
  auto all = nlohmann::json::array();
  for (const auto& e : judge::explanations())
    all.push_back({{"word", e.word}, {"about", e.about}, {"meaning", e.meaning}, {"cause", e.cause}, {"next", e.next}});
  return {{"schema", 1}, {"explanations", all}};
}

}  // namespace

std::string explanation_of(std::string_view word) {
  std::string text;
  for (const auto& e : judge::explanations_of(word)) text += (text.empty() ? "" : "\n") + paragraph(e);
  if (!text.empty()) return text.substr(0, text.size() - 1);
  throw usage_error(fmt::format("\"{}\" is no word of the reports; ./lab explain lists them all", word));
}

std::string last_finding(const entry& lab, const std::string& backend) {
  const auto file = result_file("check", lab.name, "starter", backend);
  if (!std::filesystem::exists(file)) return {};
  const auto document = nlohmann::json::parse(lab::read_whole(file), nullptr, false);
  if (!document.is_object()) return {};
  for (const auto& one : document["results"][0]["cases"])
    if (const std::string verdict = one["verdict"]; verdict != "pass" && verdict != "skipped")
      return one["diagnosis"] != "" ? one["diagnosis"] : one["verdict"];
  return {};
}

static void add_explain(CLI::App& app, int&) {
  struct arguments {
    std::string word;
    bool json = false;
  };
  auto* command = app.add_subcommand("explain", "Say what a word of the reports means: its usual cause, the next step");
  auto a = std::make_shared<arguments>();
  command->add_option("word", a->word, "a verdict, hazard, diagnosis or metric; without it they are listed")
      ->type_name("WORD");
  command->add_flag("--json", a->json, "print one JSON document and nothing else");
  command->footer("Example: ./lab explain bank_conflicts");
  command->callback([a] {
    if (a->json) return fmt::print("{}\n", as_json().dump(1));
    if (a->word.empty()) return list_words();
    fmt::print("{}\n", explanation_of(a->word));
  });
}

namespace {

const command_registration registered{audience::learn, add_explain};

}  // namespace

}  // namespace lab::cli
