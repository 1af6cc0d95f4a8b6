#include "judge/trace.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <system_error>

#include "judge/trial.hpp"

namespace lab::judge {

namespace {

constexpr std::size_t longest_report = 16 << 20;
constexpr double writing_s = 10;  // what a report may take; most of it goes to finding source lines

descriptor empty_file() {
  descriptor file{memfd_create("lab-report", MFD_CLOEXEC)};
  if (!file) throw std::system_error(errno, std::generic_category(), "making a file for the report");
  return file;
}

std::string text_of(const descriptor& file) {
  std::string text(longest_report, '\0');
  std::size_t have = 0;
  for (ssize_t got = 1; got > 0 && have < text.size(); have += static_cast<std::size_t>(got)) {
    got = pread(file.get(), text.data() + have, text.size() - have, static_cast<off_t>(have));
    if (got < 0) throw std::system_error(errno, std::generic_category(), "reading the report");
  }
  text.resize(have);
  return text;
}

std::string names_of_arrays(const contract& c, const arguments& given, std::string message) {
  if (c.memory == memory::host) return message;
  for (std::size_t p = 0, serial = 0; p < given.size(); ++p) {
    if (given[p].role == role::scalar) continue;
    const auto made = "allocation " + std::to_string(++serial) + " (cudaMalloc, ";
    if (const auto at = message.find(made); at != std::string::npos)
      message.replace(at, made.size(), "`" + c.parameters[p] + "` (");
  }
  return message;
}

void run(traced& t, const contract& c, const arguments& given, std::uint64_t seed, runner_options o, double timeout_s) {
  const auto where = lay_out(given, zones::bare);
  const auto in = images_before(given, where, seed), out = memory_file::writable(where.file_bytes);
  const auto report = empty_file();
  o.report = report.get();
  runner_process runner{o};
  auto r = request_for(c, where, protocol::command::call);
  const auto outcome = runner.ask(r, &in, &out, timeout_s);
  t.verdict = outcome.verdict;
  t.detail = outcome.detail;
  runner.finish(writing_s);
  const auto text = text_of(report);
  if (text.empty()) return;
  t.report = parse_report(text);
  t.reported = true;
  for (auto& h : t.report.hazards) h.message = names_of_arrays(c, given, h.message);
}

}  // namespace

traced trace(const contract& c, const size& s, std::uint64_t seed, const std::filesystem::path& library,
             double timeout_s, const confinement& confine) {
  traced t;
  try {
    random r{seed, inputs::lattice};
    run(t, c, c.make(s, r), seed, {.backend = backend::sim, .libraries = {library}, .confine = confine}, timeout_s);
  } catch (const nlohmann::json::exception&) {
    t.verdict = verdict::protocol_violation;
    t.detail = "the traced program left something that is not a report";
  } catch (const std::runtime_error& e) {
    t.verdict = verdict::infra_error;
    t.detail = e.what();
  }
  return t;
}

}  // namespace lab::judge
