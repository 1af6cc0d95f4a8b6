#include "sim/labcc/driver/options.hpp"

#include <charconv>
#include <functional>
#include <map>
#include <sstream>

#include "sim/labcc/driver/nvcc_options.hpp"

namespace lab::sim {

namespace {

using strings = std::vector<std::string>;

// -std=c++17 and older are raised to what the simulator's headers need.
std::string standard_flag(const std::string& wanted) {
  const auto digits = wanted.find_last_not_of("0123456789abcxyz");
  const std::string version = digits == wanted.npos ? wanted : wanted.substr(digits + 1);
  const bool modern = version == "20" || version == "2a" || version == "23" || version == "2b" || version == "26";
  return modern ? "-std=" + wanted : "-std=gnu++20";
}

class parser {
 public:
  explicit parser(const strings& arguments) : all_{arguments} {}

  options run() {
    while (at_ < all_.size()) take(all_[at_++]);
    if (result_.help || result_.precompile || result_.strict_command) return result_;
    if (result_.sources.empty() && result_.others.empty()) throw usage_error{"no input file"};
    if (result_.schedules > 0 && !result_.trace) throw usage_error{"--schedules needs --trace"};
    const bool several = result_.sources.size() + result_.others.size() > 1;
    if (result_.compile_only && several && !result_.output.empty()) throw usage_error{"-o with -c takes one source"};
    return result_;
  }

 private:
  void take(const std::string& given) {
    if (given.empty()) throw usage_error{"an empty argument"};
    if (given[0] != '-') return input(given);
    const std::string a = short_form(given), name = a.substr(0, a.find('='));
    if (const auto why = impossible_option(a); !why.empty())
      throw usage_error{"option " + given + " is not possible on the simulator: " + why};
    if (own(a) || split(a) || is_ignored(a)) return;
    if (is_ignored_with_value(name)) {
      if (name == a) value(a);
      return;
    }
    if (a.starts_with("-O")) return void(result_.level = a == "-O" ? "-O" + value(a) : a);
    const bool host = a.starts_with("-f") || a.starts_with("-W") || a.starts_with("-g") || a.starts_with("-M") ||
                      a.starts_with("-m") || a == "-w" || a == "-pthread" || a == "-pg" || a == "-E" || a == "-S";
    if (!host) throw usage_error{"unknown option " + given};
    result_.flags.push_back(a);
    if (a == "-MF" || a == "-MT" || a == "-MQ") result_.flags.push_back(value(a));
  }

  bool own(const std::string& a) {
    const std::map<std::string, std::function<void()>> known = {
        {"-o", [&] { result_.output = value(a); }},
        {"-c", [&] { result_.compile_only = true; }},
        {"-dc", [&] { result_.compile_only = true; }},
        {"-dw", [&] { result_.compile_only = true; }},
        {"-dlink", [&] { result_.device_link = true; }},
        {"-shared", [&] { result_.shared = true; }},
        {"--fast", [&] { result_.trace = false; }},
        {"--strict", [&] { result_.strict = true; }},
        {"--schedules", [&] { result_.schedules = number(value(a)); }},
        {"--trace", [&] { result_.trace = true; }},
        {"-keep", [&] { result_.keep = true; }},
        {"-v", [&] { result_.verbose = true; }},
        {"-h", [&] { result_.help = true; }},
        {"--strict-command", [&] { result_.strict_command = true; }},
        {"--precompile", [&] { result_.precompile = true; }},
        {"-ccbin", [&] { result_.compiler = value(a); }},
        {"-x", [&] { all_are_cuda_ = value(a) == "cu"; }},
    };
    const auto found = known.find(a);
    if (found != known.end()) found->second();
    return found != known.end();
  }

  // Options whose value may be joined, follow, or be a list.
  bool split(const std::string& a) {
    if (a.starts_with("-std")) return result_.standard = standard_flag(joined(a, "-std=")), true;
    if (a.starts_with("-Xcompiler")) return spread(joined(a, "-Xcompiler="), result_.flags), true;
    if (a.starts_with("-Xlinker")) return linker(joined(a, "-Xlinker=")), true;
    if (a.starts_with("-ccbin=")) return result_.compiler = a.substr(7), true;
    if (a == "-isystem" && at_ < all_.size() && of_toolkit(all_[at_])) return ++at_, true;
    if (a == "-isystem" || a == "-include") return result_.flags.push_back(a), result_.flags.push_back(value(a)), true;
    if (a.starts_with("-I")) return include(joined(a, "-I")), true;
    if (a.starts_with("-D") || a.starts_with("-U"))
      return result_.flags.push_back(a.substr(0, 2) + joined(a, a.substr(0, 2))), true;
    if ((a.starts_with("-L") || a.starts_with("-l")) && !is_ignored(a))
      return result_.link.push_back(a.substr(0, 2) + joined(a, a.substr(0, 2))), true;
    return false;
  }

  void include(const std::string& folder) {
    if (!of_toolkit(folder)) result_.include.push_back(folder);
  }

  // NVIDIA's own headers, which ours stand in for.
  static bool of_toolkit(const fs::path& folder) {
    return fs::exists(folder / "cuda_runtime.h") && fs::exists(folder / "crt");
  }

  void linker(const std::string& list) {
    strings words;
    spread(list, words);
    for (const auto& w : words) result_.link.push_back("-Wl," + w);
  }

  void input(const std::string& a) {
    const auto extension = fs::path{a}.extension();
    if (!fs::exists(a)) throw usage_error{"no such file: " + a};
    if (extension == ".ptx" || extension == ".cubin" || extension == ".fatbin")
      throw usage_error{a + ": machine code for a GPU; the simulator compiles sources"};
    if (extension == ".cu" || (all_are_cuda_ && is_source(a)))
      result_.sources.push_back(a);
    else
      result_.others.push_back(a);
  }

  std::string value(const std::string& option) {
    if (at_ == all_.size()) throw usage_error{"option " + option + " needs a value"};
    return all_[at_++];
  }

  static unsigned number(const std::string& text) {
    unsigned n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size() || n == 0 || n > 1000)
      throw usage_error{"--schedules takes a number from 1 to 1000, not " + text};
    return n;
  }

  std::string joined(const std::string& a, const std::string& prefix) {
    return a.size() > prefix.size() && a.starts_with(prefix) ? a.substr(prefix.size()) : value(a);
  }

  static void spread(const std::string& list, strings& into) {
    std::istringstream parts{list};
    for (std::string part; std::getline(parts, part, ',');) {
      std::istringstream words{part};
      for (std::string word; words >> word;) into.push_back(word);
    }
  }

  const strings& all_;
  std::size_t at_ = 0;
  bool all_are_cuda_ = false;
  options result_;
};

}  // namespace

bool is_source(const fs::path& file) {
  const auto e = file.extension();
  return e == ".cpp" || e == ".cc" || e == ".cxx" || e == ".c++" || e == ".C" || e == ".c" || e == ".cu";
}

options parse(const std::vector<std::string>& arguments) { return parser{arguments}.run(); }

}  // namespace lab::sim
