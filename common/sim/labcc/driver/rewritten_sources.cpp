#include "sim/labcc/driver/rewritten_sources.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "sim/labcc/driver/cccl.hpp"
#include "sim/labcc/driver/host_libraries.hpp"
#include "sim/labcc/driver/toolchain.hpp"
#include "sim/labcc/loops/thread_loops.hpp"
#include "sim/labcc/rewriter/rewrite.hpp"
#include "sim/labcc/rewriter/unsupported.hpp"

namespace lab::sim {

namespace {

std::string contents(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  if (!in) throw usage_error{"cannot read " + file.string()};
  std::ostringstream text;
  text << in.rdbuf();
  auto all = std::move(text).str();
  if (all.starts_with("\xef\xbb\xbf")) all.erase(0, 3);  // a byte order mark, which may stand at the beginning only
  return all;
}

struct inclusion {
  std::string name;
  std::size_t begin, end;  // of the line
};

std::vector<inclusion> inclusions(const std::string& text) {
  std::vector<inclusion> found;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const auto hash = line.find_first_not_of(" \t");
    const auto word = hash == line.npos || line[hash] != '#' ? line.npos : line.find_first_not_of(" \t", hash + 1);
    if (word != line.npos && line.compare(word, 7, "include") == 0) {
      const auto open = line.find_first_of("\"<", word);
      const auto close = open == line.npos ? open : line.find_first_of("\">", open + 1);
      if (close != line.npos) found.push_back({line.substr(open + 1, close - open - 1), begin, end});
    }
    begin = end + 1;
  }
  return found;
}

constexpr std::string_view cpp = ".lab.cpp";  // suffix of the copies

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

}  // namespace

bool wants_thread_loops(const options& wanted) {
  const auto counts = [](const std::string& flag) { return flag == "-DLAB_SIM_COUNTED"; };
  return wanted.thread_loops && !wanted.trace && std::ranges::none_of(wanted.flags, counts);
}

// What functions and operators in headers do. Kernels may call them where no call can be seen.
void rewritten_sources::read_headers(const fs::path& file, std::set<fs::path>& seen) {
  for (const auto& one : inclusions(contents(file))) {
    const auto header = resolve(one.name, file.parent_path());
    if (header.empty() || !seen.insert(header).second) continue;
    const auto found = code_outside_kernels(contents(header));
    elsewhere_.reads_index = elsewhere_.reads_index || found.reads_index;
    elsewhere_.operators_act = elsewhere_.operators_act || found.operators_act;
    read_headers(header, seen);
  }
}

void rewritten_sources::correct_dependencies(const fs::path& file) const {
  if (file.empty()) return;
  std::string text = contents(file);
  replace_all(text, folder_.string() + "/", "/");
  replace_all(text, cpp, "");
  std::ofstream{file, std::ios::binary} << text;
}

fs::path rewritten_sources::resolve(const std::string& name, const fs::path& folder) const {
  std::vector<fs::path> places{folder};
  places.insert(places.end(), wanted_.include.begin(), wanted_.include.end());
  for (const auto& place : places) {
    std::error_code ignored;
    const fs::path file = fs::absolute(place / name).lexically_normal();
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return {};
}

// Why the simulator cannot include a header that is in no -I folder; empty if it can.
std::string rewritten_sources::why_not(const std::string& header) {
  const std::string what = unsupported_header(header), found = what + " (" + header + ")";
  if (what.empty()) return {};
  if (const auto* library = wanted_.libraries ? library_of_header(header) : nullptr) {
    if (!library->present()) return library->lacks() + ": " + found;
    libraries_.insert(library->option());
    return {};
  }
  if (!wanted_.libraries || !is_usable_of_cccl(header)) return "does not support " + found;
  if (cccl_.empty()) cccl_ = cccl_folder(wanted_);
  const auto why = cccl_is_unusable(cccl_);
  return why.empty() ? why : why + ": " + found;
}

void rewritten_sources::visit(const fs::path& file, std::vector<header>& found) {
  if (!seen_.insert(file).second) return;
  std::string text = contents(file);
  std::vector<fs::path> headers;
  bool refused = false;
  const auto included = inclusions(text);
  for (auto i = included.rbegin(); i != included.rend(); ++i) {
    headers.push_back(resolve(i->name, file.parent_path()));
    const auto why = headers.back().empty() ? why_not(i->name) : "";
    if (why.empty()) continue;
    text.replace(i->begin, i->end - i->begin, "#error the simulator " + why);
    refused = true;
  }
  auto looped = wants_thread_loops(wanted_) ? thread_loops(text, elsewhere_, left_[file]) : std::nullopt;
  if (looped) kernels_[file] = kernel_lines(text), text = std::move(*looped), loops_ = true;
  try {
    auto changed = rewrite(text, wanted_.trace);
    if (looped && !changed) changed = text;
    if (changed) text = std::move(*changed);
    refuses_ = refuses_ || refused || text.find(refusal_mark) != text.npos;
    found.push_back({file, std::move(text), changed.has_value() || refused});
  } catch (const rewrite_error& e) {
    throw usage_error{file.string() + ":" + std::to_string(e.line) + ": error: " + e.what()};
  }
  for (auto header = headers.rbegin(); header != headers.rend(); ++header)
    if (!header->empty()) visit(*header, found);
}

fs::path rewritten_sources::mirror(const fs::path& folder) const {
  return folder_ / fs::absolute(folder).lexically_normal().relative_path();
}

fs::path rewritten_sources::write(const fs::path& original, const std::string& text) const {
  const fs::path copy = folder_ / original.relative_path();
  fs::create_directories(copy.parent_path());
  std::ofstream out{copy, std::ios::binary};
  out << text;
  if (!out.flush()) throw usage_error{"cannot write " + copy.string() + ": " + std::strerror(errno)};
  return copy;
}

fs::path rewritten_sources::add(const fs::path& source) {
  std::vector<header> found;
  const fs::path whole = fs::absolute(source).lexically_normal();
  seen_.erase(whole);
  std::set<fs::path> read;
  if (wants_thread_loops(wanted_)) {
    elsewhere_ = {false, code_outside_kernels(contents(whole)).operators_act};  // for kernels in headers
    read_headers(whole, read);
  }
  visit(whole, found);
  bool any = false;
  for (std::size_t i = 1; i < found.size(); ++i) any = any || found[i].changed;
  if (any) mirrored_ = true;
  for (const auto& include : wanted_.include)  // also for what is reached through it by ".."
    if (any) fs::create_directories(mirror(include));
  for (std::size_t i = 1; any && i < found.size(); ++i) {
    write(found[i].path, "#line 1 \"" + found[i].path.string() + "\"\n" + found[i].text);
    quote_.insert(found[i].path.parent_path());
  }
  quote_.insert(whole.parent_path());
  const fs::path copy = write(whole, "#line 1 \"" + source.string() + "\"\n" + found[0].text);
  const fs::path plain = copy.string() + std::string{cpp};
  fs::rename(copy, plain);
  return plain;
}

std::vector<std::string> rewritten_sources::include_flags(bool with_copies) const {
  const bool mirrored = mirrored_ && with_copies;
  std::vector<std::string> flags;
  for (const bool copies : {true, false})
    for (const auto& folder : quote_)
      if (!copies || mirrored) {
        flags.push_back("-iquote");
        flags.push_back((copies ? mirror(folder) : folder).string());
      }
  if (!cccl_.empty())
    for (const auto& folder : {include_folder() / "lab_sim/cccl", cccl_}) {
      flags.push_back("-isystem");
      flags.push_back(folder.string());
    }
  for (const auto& folder : wanted_.include) {
    if (mirrored) flags.push_back("-I" + mirror(folder).string());
    flags.push_back("-I" + folder.string());
  }
  return flags;
}

}  // namespace lab::sim
