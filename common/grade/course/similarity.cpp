#include "grade/course/similarity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "build/kernel_variant.hpp"
#include "lab/lab_definition.hpp"
#include "sandbox/sandbox.hpp"
#include "support/process.hpp"
#include "support/program_path.hpp"
#include "support/temporary_folder.hpp"
#include "text/atomic_file.hpp"
#include "text/sanitize.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

namespace {

constexpr double most_comparison_seconds = 600;
constexpr const char* shortest_run = "12";  // tokens that follow each other in both texts

std::string name_of(std::size_t number) { return fmt::format("{}.cu", number); }

// Runs sim_c++ on files of a folder and returns what it writes. The sources are untrusted, so it runs in the sandbox.
std::string run_sim(const grading_plan& plan, const fs::path& folder, const std::vector<std::string>& options,
                    const std::vector<std::string>& files) {
  const temporary_folder result{"similarity-result"};
  const auto output = result.path() / "output";
  spawn_request request;
  request.arguments = {find_program("sim_c++").string(), "-o", output.string(), "-r", shortest_run};
  request.arguments.insert(request.arguments.end(), options.begin(), options.end());
  for (const auto& file : files) request.arguments.push_back(file == "/" ? file : (folder / file).string());
  request.environment = clean_environment({});
  request.memory_bytes = 4ull << 30;
  request.file_bytes = 1 << 30;
  if (const auto confine = sandbox::confinement_of(plan.sandbox_level, 0))
    request = confine(request, {.compiles = true, .readable = {folder}, .writable = result.path()});
  const auto end = run_program(request, most_comparison_seconds);
  if (!end.well()) throw std::runtime_error("sim_c++ failed: " + sanitize::line(end.output));
  return fs::exists(output) ? read_whole(output) : "";
}

void write_readable(const fs::path& file, const std::string& text) {
  std::ofstream{file} << text;
  fs::permissions(file,
                  fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read);
}

// The lines of each file that sim finds in the starter, too.
std::map<std::string, std::set<int>> lines_of_the_starter(const std::string& output) {
  static const std::regex run{R"(^\S*?([0-9]+\.cu): line ([0-9]+)-([0-9]+)\s*\|)"};
  std::map<std::string, std::set<int>> lines;
  std::istringstream in{output};
  for (std::string line; std::getline(in, line);)
    if (std::smatch found; std::regex_search(line, found, run))
      for (int at = std::stoi(found[2]); at <= std::stoi(found[3]); ++at) lines[found[1]].insert(at);
  return lines;
}

std::string without_lines(const std::string& text, const std::set<int>& unwanted) {
  std::string rest;
  std::istringstream in{text};
  int number = 0;
  for (std::string line; std::getline(in, line);)
    if (!unwanted.contains(++number)) rest += line + "\n";
  return rest;
}

std::map<std::string, int> tokens_in(const std::string& output) {
  static const std::regex file{R"(^File \S*?([0-9]+\.cu): ([0-9]+) tokens)"};
  std::map<std::string, int> tokens;
  std::istringstream in{output};
  for (std::string line; std::getline(in, line);)
    if (std::smatch found; std::regex_search(line, found, file)) tokens[found[1]] = std::stoi(found[2]);
  return tokens;
}

// One direction of one pair: how much of the first is in the second.
std::map<std::pair<std::string, std::string>, int> percents_in(const std::string& output) {
  static const std::regex line_of{R"(^\S*?([0-9]+\.cu) consists for ([0-9]+) % of \S*?([0-9]+\.cu) material)"};
  std::map<std::pair<std::string, std::string>, int> percents;
  std::istringstream in{output};
  for (std::string line; std::getline(in, line);)
    if (std::smatch found; std::regex_search(line, found, line_of))
      percents[{found[1], found[3]}] = std::stoi(found[2]);
  return percents;
}

// The kernels of one lab, with a file for each.
class kernels_of_lab {
 public:
  kernels_of_lab(const grading_plan& plan, const std::string& lab) : plan_{plan}, lab_{lab} {
    for (const auto& job : plan.jobs)
      if (job.lab == lab && !job.trouble) jobs_.push_back(&job);
  }

  void compare(int percent, similarity_report& report) const {
    if (jobs_.size() < 2) return;
    const temporary_folder folder{"similarity"};
    write_own_code(folder.path());
    std::vector<std::string> files;
    for (const auto& [name, tokens] : tokens_in(run_sim(plan_, folder.path(), {"-p"}, all_files())))
      tokens < least_own_tokens ? void(++report.too_short) : files.push_back(name);
    report.compared += static_cast<int>(files.size());
    if (files.size() < 2) return;
    const auto output = run_sim(plan_, folder.path(), {"-p", "-e", "-s", "-t", std::to_string(percent)}, files);
    add_pairs(output, report);
  }

 private:
  std::vector<std::string> all_files() const {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < jobs_.size(); ++i) files.push_back(name_of(i));
    return files;
  }

  // Each kernel without the lines that sim finds in the starter.
  void write_own_code(const fs::path& folder) const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      texts.push_back(in_short_lines(read_whole(jobs_[i]->source)));
      write_readable(folder / name_of(i), texts.back());
    }
    const auto starter = name_of(jobs_.size());
    write_readable(folder / starter, in_short_lines(read_whole(judge::untouched_starter_of(find(lab_)).source)));
    auto files = all_files();
    files.insert(files.end(), {"/", starter});
    const auto given = lines_of_the_starter(run_sim(plan_, folder, {"-n", "-S"}, files));
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      if (const auto at = given.find(name_of(i)); at != given.end())
        write_readable(folder / name_of(i), without_lines(texts[i], at->second));
  }

  void add_pairs(const std::string& output, similarity_report& report) const {
    const auto percents = percents_in(output);
    const auto tokens = tokens_in(output);
    const auto student = [&](const std::string& file) { return jobs_[std::stoul(file)]->student; };
    std::vector<similar_pair> found;
    for (const auto& [files, percent] : percents) {
      const auto& [first, second] = files;
      const auto back = percents.find({second, first});
      const int reverse = back == percents.end() ? 0 : back->second;
      if (reverse > percent || (reverse == percent && second < first)) continue;  // the other direction is listed
      found.push_back({lab_, student(first), student(second), percent, reverse, tokens.at(first), tokens.at(second)});
    }
    std::ranges::stable_sort(found, std::greater{}, &similar_pair::percent);
    report.pairs.insert(report.pairs.end(), found.begin(), found.end());
  }

  const grading_plan& plan_;
  std::string lab_;
  std::vector<const grading_job*> jobs_{};
};

}  // namespace

std::string in_short_lines(const std::string& source) {
  std::string text;
  for (std::size_t at = 0; at < source.size(); ++at) {
    const char letter = source[at];
    if (source.compare(at, 2, "//") == 0) {
      at = std::min(source.find('\n', at), source.size()) - 1;
    } else if (source.compare(at, 2, "/*") == 0) {
      const auto end = source.find("*/", at + 2);
      at = end == source.npos ? source.size() : end + 1;
      text += ' ';
    } else if (letter == '"' || letter == '\'') {
      const auto begin = at;
      for (++at; at < source.size() && source[at] != letter && source[at] != '\n'; ++at)
        if (source[at] == '\\') ++at;
      text += source.substr(begin, at + 1 - begin);
    } else {
      text += letter;
      if (letter == ';' || letter == '{' || letter == '}' || letter == ',') text += '\n';
    }
  }
  return text;
}

void require_similarity_tester() {
  if (find_program("sim_c++").empty())
    throw std::runtime_error("--similarity needs the program sim_c++; install the package similarity-tester");
}

similarity_report similar_kernels(const grading_plan& plan, int percent) {
  require_similarity_tester();
  similarity_report report;
  for (const auto& lab : plan.labs) kernels_of_lab{plan, lab}.compare(percent, report);
  return report;
}

void write_similarity(const grading_plan& plan, const similarity_report& report) {
  std::string text = "lab,student,other,percent,other_percent,tokens,other_tokens\r\n";
  for (const auto& one : report.pairs)
    text += fmt::format("{},{},{},{},{},{},{}\r\n", one.lab, sanitize::csv(one.student), sanitize::csv(one.other),
                        one.percent, one.other_percent, one.tokens, one.other_tokens);
  write_atomically(plan.out / "similarity.csv", text, true);
}

}  // namespace lab::grade
