#include "cli/progress/progress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/output/exit_code.hpp"
#include "cli/output/terminal.hpp"
#include "lab/backend.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"
#include "text/wrap.hpp"

namespace lab::cli {

namespace fs = std::filesystem;

namespace {

fs::path state_file() { return lab::here().root / ".lab" / "state.json"; }

// Renames a damaged state file and starts with an empty state, so that no command fails and no data is lost.
nlohmann::json state() {
  if (!fs::exists(state_file())) return {{"schema", 1}, {"labs", nlohmann::json::object()}};
  auto read = nlohmann::json::parse(lab::read_whole(state_file()), nullptr, false);
  if (read.is_object() && read.contains("labs") && read["labs"].is_object()) return read;
  const fs::path aside = state_file().string() + "." + now() + ".damaged";
  std::error_code why;
  fs::rename(state_file(), aside, why);
  if (why) throw write_error(aside, why);
  fmt::print(stderr, "lab: {} was damaged; it is renamed to {}, and your progress starts anew\n", state_file().string(),
             aside.string());
  return {{"schema", 1}, {"labs", nlohmann::json::object()}};
}

// The lock keeps two simultaneous commands from losing each other's changes.
void change_state(const std::function<void(nlohmann::json&)>& change) {
  std::error_code ignored;  // write_atomically() reports the same failure
  fs::create_directories(state_file().parent_path(), ignored);
  const lab::descriptor lock{open((state_file().string() + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)};
  if (lock) flock(lock.get(), LOCK_EX);
  auto all = state();
  change(all);
  write_atomically(state_file(), all.dump(1) + "\n");
}

progress progress_in(const nlohmann::json& all, const std::string& lab) {
  const auto& labs = all.at("labs");
  if (!labs.contains(lab) || !labs[lab].is_object()) return {};
  return {labs[lab].value("passed", false), labs[lab].value("hints", 0), labs[lab].value("stages", std::set<int>{})};
}

}  // namespace

fs::path result_file(const std::string& kind, const std::string& lab, const std::string& variant,
                     const std::string& backend) {
  const auto name = fmt::format("{}-{}-{}-{}.json", kind, lab, variant, backend);
  return lab::here().root / "report" / "out" / "results" / name;
}

void keep_result(const std::string& kind, const std::string& lab, const std::string& variant,
                 const std::string& backend, const nlohmann::json& document) {
  write_atomically(result_file(kind, lab, variant, backend), document.dump(1) + "\n");
}

progress recall(const std::string& lab) { return progress_in(state(), lab); }

void remember(const std::string& lab, const std::function<void(progress&)>& change) {
  change_state([&](nlohmann::json& all) {
    auto changed = progress_in(all, lab);
    change(changed);
    all["labs"][lab] = {{"passed", changed.passed}, {"hints", changed.hints}, {"stages", changed.stages}};
  });
}

std::string recall_current() {
  const auto all = state();
  const auto at = all.find("current");
  return at != all.end() && at->is_string() ? at->get<std::string>() : std::string{};
}

void remember_current(const std::string& lab) {
  change_state([&](nlohmann::json& all) { all["current"] = lab; });
}

void saver::save(const std::function<void()>& write) try { write(); } catch (const write_error& e) {
  if (trouble_.empty()) trouble_ = e.what();
}

void saver::report(int& code) const {
  if (trouble_.empty()) return;
  const auto text = fmt::format("lab: the result above is not saved: {}", trouble_);
  fmt::print(stderr, "{}\n", wrapped(text, terminal_width(STDERR_FILENO)));
  code = lacking;
}

std::string now() {
  const auto seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

}  // namespace lab::cli
