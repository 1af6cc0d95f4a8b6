#include "model/kept_counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

#include "build/kernel_cache.hpp"
#include "build/lab_builds.hpp"
#include "build/source_texts.hpp"
#include "model/counted_build.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
#include "text/fingerprint.hpp"
#include "text/text_file.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

fs::path file_of(const std::string& key) { return cached_file_of(key, ".counts"); }

// A file that was cut, changed, or given another file's name has another first line.
std::string first_line(const std::string& key, const std::string& text) {
  return fmt::format("{} {}\n", key, fingerprint(text));
}

}  // namespace

// The lab's definition draws the inputs.
std::string counts_key(const counted_call& call, const std::string& model, const run_options& options) {
  const auto definition = here().root / "labs" / call.lab.name / "lab.cpp";
  return fingerprint(fmt::format("{}\n{}\n{}\n{}\n{} {} {} {}", model, traced_build_key(call.lab, call.source, options),
                                 fmt::join(counted_build::flags(), " "), texts_of(definition, {}), call.launcher.name,
                                 call.size.name(), call.fraction, call.seed));
}

std::optional<call_counts> kept_counts(const std::string& key) {
  const auto file = file_of(key);
  const auto whole = read_if_there(file);
  const auto end = whole.find('\n');
  if (end == whole.npos) return std::nullopt;
  const auto text = whole.substr(end + 1);
  if (whole.substr(0, end + 1) != first_line(key, text)) return std::nullopt;
  mark_as_used(file);
  return counts_in(text);
}

void keep_counts(const std::string& key, const call_counts& counts) {
  const auto text = text_of(counts);
  try {
    write_atomically(file_of(key), first_line(key, text) + text);
  } catch (const std::system_error&) {
    // The next call counts again.
  }
}

}  // namespace lab::judge
