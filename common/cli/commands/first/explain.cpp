#include "cli/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <set>

#include "build/availability.hpp"
#include "cli/command.hpp"
#include "cli/lab_choice.hpp"
#include "cli/output/terminal.hpp"
#include "cli/progress/progress.hpp"
#include "text/nearest.hpp"
#include "text/text_file.hpp"
#include "text/wrap.hpp"
#include "trace/glossary.hpp"

namespace lab::cli {

namespace {

// "  means  Two threads ..."; the text continues below itself.
std::string row(std::string_view title, std::string_view text) {
  return wrapped_row(fmt::format("  {:<6} {}", title, text), terminal_width(STDOUT_FILENO), 9) + "\n";
}

std::string paragraph(const judge::explanation& explanation) {
  return fmt::format("{} ({})\n{}{}{}", explanation.word, explanation.about, row("means", explanation.meaning),
                     row("cause", explanation.cause), row("next", explanation.next));
}

std::string paragraph(const judge::term& term) {
  const auto& names = term.names;
  const auto others =
      names.size() < 2 ? std::string{} : fmt::format(": {}", fmt::join(names.begin() + 1, names.end(), ", "));
  return fmt::format("{} (term{})\n{}{}", names.front(), others, row("means", term.meaning),
                     row("see", std::string_view{term.see}.substr(std::string_view{"See "}.size())));
}

std::string first_sentence(std::string_view text) { return std::string{text.substr(0, text.find(". "))}; }

// Each group on a line of its own.
void list_terms(const terminal& out) {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const auto& term : judge::terms()) {
    if (groups.empty() || groups.back().first != term.group) groups.emplace_back(term.group, "");
    groups.back().second += (groups.back().second.empty() ? "" : ", ") + term.names.front();
  }
  out.print("\nterms of the lessons");
  for (const auto& [group, words] : groups) out.print_row(fmt::format("  {}: {}", group, words), 4);
}

void list_words() {
  const terminal out{false, false};
  const std::size_t indent = terminal_width(STDOUT_FILENO) < 80 ? 6 : 29;
  std::string_view about;
  std::set<std::string_view> listed;
  for (const auto& explanation : judge::explanations()) {
    const auto kind = explanation.about.substr(0, explanation.about.find(" in "));
    if (kind != about) out.print(fmt::format("{}{}", about.empty() ? "" : "\n", kind));
    about = kind;
    if (listed.insert(explanation.word).second)
      out.print_row(fmt::format("  {:<26} {}", explanation.word, first_sentence(explanation.meaning)), indent);
  }
  list_terms(out);
  out.print("\n./lab explain WORD gives the usual cause and the next step, or what a term means.");
}

nlohmann::json as_json() {
  auto all = nlohmann::json::array();
  for (const auto& explanation : judge::explanations())
    all.push_back({{"word", explanation.word},
                   {"about", explanation.about},
                   {"meaning", explanation.meaning},
                   {"cause", explanation.cause},
                   {"next", explanation.next}});
  auto terms = nlohmann::json::array();
  for (const auto& term : judge::terms())
    terms.push_back({{"names", term.names}, {"group", term.group}, {"meaning", term.meaning}, {"see", term.see}});
  return {{"schema", 1}, {"explanations", all}, {"terms", terms}};
}

}  // namespace

std::string explanation_of(std::string_view word) {
  const auto* const term = judge::term_of(word);
  std::string text = term ? paragraph(*term) : "";
  for (const auto& explanation : judge::explanations_of(word))
    text += (text.empty() ? "" : "\n") + paragraph(explanation);
  if (!text.empty()) return text.substr(0, text.size() - 1);
  std::vector<std::string> words;
  for (const auto& explanation : judge::explanations()) words.push_back(explanation.word);
  for (const auto& known : judge::terms()) words.insert(words.end(), known.names.begin(), known.names.end());
  const auto meant = did_you_mean(word, words);
  throw usage_error(
      fmt::format("\"{}\" is no verdict, hazard, diagnosis, metric or term{}{} ./lab explain lists all words", word,
                  meant, meant.empty() ? ";" : ""));
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

namespace {

bool is_lab(const std::string& word) {
  return is_path_of_a_lab(word) ||
         (!word.empty() && std::ranges::all_of(word, [](char c) { return '0' <= c && c <= '9'; }));
}

std::string explanation_of_failure(const entry& lab) {
  const auto found = last_failure(lab, std::string{word(judge::default_backend())});
  if (!found.empty()) return explanation_of(found);
  return fmt::format("The last check of {} reported no failure to explain. Next: ./lab check {}", lab.name,
                     lab.name.substr(0, 2));
}

}  // namespace

static void add_explain(command_line app, int&) {
  struct explain_flags {
    std::vector<std::string> words;
    bool json = false;

    // A lab's name or folder stands for its last failure.
    std::string explain() const {
      const auto word = fmt::format("{}", fmt::join(words, " "));  // "bank conflict" needs no quotes
      return is_lab(word) ? explanation_of_failure(chosen_lab(word)) : explanation_of(word);
    }
  };
  auto command =
      app.add_subcommand("explain", "Explain a verdict, hazard, diagnosis or metric, or a term of the lessons");
  auto flags = std::make_shared<explain_flags>();
  command
      .add_option(
          "word", flags->words,
          "a verdict, hazard, diagnosis, metric or term, or a lab for its last failure (default: list all words)")
      .type_name("WORD");
  command.add_flag("--json", flags->json, "print one JSON document and nothing else");
  command.footer("Example: ./lab explain bank_conflicts, or ./lab explain warp");
  command.callback([flags] {
    if (flags->json) return fmt::print("{}\n", as_json().dump(1));
    if (flags->words.empty()) return list_words();
    fmt::print("{}\n", flags->explain());
  });
}

namespace {

const command_registration registered_explain{audience::learn, add_explain};

}  // namespace

}  // namespace lab::cli
