#include "judge/trace.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "judge/message.hpp"
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

arguments arguments_in(arguments all, const layout& where, const private_copy& after) {
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (!where.slots[p].writes) continue;
    const auto payload = where.payload(p, after.view());
    all[p].bytes.assign(payload.begin(), payload.end());
  }
  return all;
}

// The first element that two schedules leave different; empty if there is none.
std::string difference(const contract& c, const arguments& a, const arguments& b) {
  for (std::size_t p = 0; p < std::min(a.size(), b.size()); ++p) {
    const auto differ = std::ranges::mismatch(a[p].bytes, b[p].bytes).in1;
    if (differ == a[p].bytes.end()) continue;
    const auto element = (differ - a[p].bytes.begin()) / static_cast<std::ptrdiff_t>(bytes_of(a[p].type));
    return place(c.parameters[p], a[p].shape, element);
  }
  return "";
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
  if (t.verdict == verdict::pass) t.outputs = arguments_in(given, where, copy_of(out));
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
             double timeout_s, const confinement& confine, unsigned schedule) {
  traced t;
  try {
    random r{seed, inputs::lattice};
    run(t, c, c.make(s, r), seed,
        {.backend = backend::sim, .libraries = {library}, .confine = confine, .schedule = schedule}, timeout_s);
  } catch (const nlohmann::json::exception&) {
    t.verdict = verdict::protocol_violation;
    t.detail = "the traced program left something that is not a report";
  } catch (const std::runtime_error& e) {
    t.verdict = verdict::infra_error;
    t.detail = e.what();
  }
  return t;
}

bool same_place(const hazard& a, const hazard& b) {
  return a.kind == b.kind && a.kernel == b.kernel && a.file == b.file && a.line == b.line &&
         a.other_line == b.other_line;
}

void add_schedule(traced& t, const traced& other, const contract& c, unsigned schedule) {
  auto& known = t.report.hazards;
  for (auto h : other.report.hazards) {
    if (std::ranges::any_of(known, [&](const hazard& k) { return same_place(k, h); })) continue;
    h.message += fmt::format("; not in every order of blocks and warps, but in schedule {}", schedule);
    known.push_back(std::move(h));
  }
  const bool told = std::ranges::any_of(known, [](const hazard& h) { return h.kind == "schedule_dependent"; });
  const auto where = told || c.allow.inexact_lattice ? "" : difference(c, t.outputs, other.outputs);
  if (where.empty()) return;
  hazard h{.kind = "schedule_dependent", .severity = "error"};
  if (const auto& all = t.report.launches; !all.empty() && !all.back().lines.empty()) {
    h.kernel = all.back().kernel;
    h.file = all.back().lines.front().file;
  }
  h.message = fmt::format("the result depends on the order of blocks and warps: {} differs in schedules 0 and {}",
                          where, schedule);
  known.push_back(std::move(h));
}

}  // namespace lab::judge
