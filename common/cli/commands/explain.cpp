#include "cli/explain.hpp"

#include <fmt/format.h>

#include <set>

#include "cli/command.hpp"
#include "cli/progress/progress.hpp"
#include "text/text_file.hpp"
#include "trace/glossary.hpp"

namespace lab::cli {

namespace {

// Lines of at most `width` characters. All but the first are indented.
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

std::string paragraph(const judge::explanation& explanation) {
  const auto row = [](std::string_view title, std::string_view text) {
    return fmt::format("  {:<6} {}\n", title, wrapped(std::string{text}, 9));
  };
  return fmt::format("{} ({})\n{}{}{}", explanation.word, explanation.about, row("means", explanation.meaning),
                     row("cause", explanation.cause), row("next", explanation.next));
}

std::string first_sentence(std::string_view text) { return std::string{text.substr(0, text.find(". "))}; }

void list_words() {
  std::string_view about;
  std::set<std::string_view> listed;
  for (const auto& explanation : judge::explanations()) {
    const auto kind = explanation.about.substr(0, explanation.about.find(" in "));
    if (kind != about) fmt::print("{}{}\n", about.empty() ? "" : "\n", about = kind);
    if (listed.insert(explanation.word).second)
      fmt::print("  {:<26} {}\n", explanation.word, wrapped(first_sentence(explanation.meaning), 29));
  }
  fmt::print("\n./lab explain WORD gives the usual cause and the next step.\n");
}

nlohmann::json as_json() {
  auto all = nlohmann::json::array();
  for (const auto& explanation : judge::explanations())
    all.push_back({{"word", explanation.word},
                   {"about", explanation.about},
                   {"meaning", explanation.meaning},
                   {"cause", explanation.cause},
                   {"next", explanation.next}});
  return {{"schema", 1}, {"explanations", all}};
}

}  // namespace

std::string explanation_of(std::string_view word) {
  std::string text;
  for (const auto& explanation : judge::explanations_of(word))
    text += (text.empty() ? "" : "\n") + paragraph(explanation);
  if (!text.empty()) return text.substr(0, text.size() - 1);
  throw usage_error(
      fmt::format("\"{}\" is no verdict, hazard, diagnosis or metric; ./lab explain lists all words", word));
}

std::string last_failure(const entry& lab, const std::string& backend) {
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
  struct explain_flags {
    std::string word;
    bool json = false;
  };
  auto* command = app.add_subcommand(
      "explain", "Explain a verdict, hazard, diagnosis or metric: its meaning, usual cause and next step");
  auto flags = std::make_shared<explain_flags>();
  command->add_option("word", flags->word, "a verdict, hazard, diagnosis or metric (default: list them all)")
      ->type_name("WORD");
  command->add_flag("--json", flags->json, "print one JSON document and nothing else");
  command->footer("Example: ./lab explain bank_conflicts");
  command->callback([flags] {
    if (flags->json) return fmt::print("{}\n", as_json().dump(1));
    if (flags->word.empty()) return list_words();
    fmt::print("{}\n", explanation_of(flags->word));
  });
}

namespace {

const command_registration registered{audience::learn, add_explain};

}  // namespace

}  // namespace lab::cli
