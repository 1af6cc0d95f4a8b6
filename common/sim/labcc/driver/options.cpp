#include "sim/labcc/driver/options.hpp"

#include <charconv>
#include <fstream>
#include <functional>
#include <iomanip>
#include <map>
#include <sstream>

#include "sim/labcc/driver/cccl.hpp"
#include "sim/labcc/driver/host_libraries.hpp"
#include "sim/labcc/driver/nvcc_options.hpp"

namespace lab::sim {

namespace {

using strings = std::vector<std::string>;

// Raises C++14 and older to the C++17 that the simulator's headers need.
std::string standard_flag(const std::string& wanted) {
  const auto digits = wanted.find_last_not_of("0123456789abcxyz");
  const std::string version = digits == wanted.npos ? wanted : wanted.substr(digits + 1);
  const bool old = version == "03" || version == "98" || version == "11" || version == "0x" || version == "14" ||
                   version == "1y" || version == "0" || version == "1";
  return old ? "-std=gnu++17" : "-std=" + wanted;
}

class parser {
 public:
  explicit parser(strings arguments) : all_{std::move(arguments)} {}

  options run() {
    while (at_ < all_.size()) take(std::string{all_[at_++]});
    if (result_.help || result_.version || result_.precompile || result_.strict_command) return result_;
    if (result_.sources.empty() && result_.others.empty()) throw usage_error{"no input file"};
    if (result_.schedules > 0 && !result_.trace) throw usage_error{"--schedules needs --trace"};
    const bool several = result_.sources.size() + result_.others.size() > 1;
    if (result_.output.empty() && !module_.empty())
      result_.output = fs::path{result_.sources.at(0)}.filename().replace_extension(module_).string();
    if (result_.compile_only && several && !result_.output.empty())
      throw usage_error{"-o with -c accepts one source only"};
    return result_;
  }

 private:
  void take(const std::string& given) {
    if (given.empty()) throw usage_error{"an argument is empty"};
    if (given[0] != '-') return input(given);
    const std::string a = short_form(given), name = a.substr(0, a.find('='));
    if (const auto why = impossible_option(a); !why.empty())
      throw usage_error{"option " + given + " is not supported: the simulator " + why};
    if (own(a) || split(a) || is_ignored(a)) return;
    if (is_ignored_with_value(name)) return architecture(name == a ? value(a) : a);
    if (a.starts_with("-O")) return void(result_.level = a == "-O" ? "-O" + value(a) : a);
    const bool host = a.starts_with("-f") || a.starts_with("-W") || a.starts_with("-g") || a.starts_with("-M") ||
                      a.starts_with("-m") || a.starts_with("--param=") || a == "-w" || a == "-pthread" || a == "-pg" ||
                      a == "-E" || a == "-S";
    if (!host) throw usage_error{"unknown option " + given};
    result_.flags.push_back(a);
    if (a == "-MF" || a == "-MT" || a == "-MQ") result_.flags.push_back(value(a));
  }

  bool own(const std::string& argument) {
    const std::map<std::string, std::function<void()>> known = {
        {"-o", [&] { result_.output = value(argument); }},
        {"-c", [&] { result_.compile_only = true; }},
        {"-dc", [&] { result_.compile_only = true; }},
        {"-dw", [&] { result_.compile_only = true; }},
        {"-dlink", [&] { result_.device_link = true; }},
        {"-shared", [&] { result_.shared = true; }},
        {"--fast", [&] { result_.trace = false; }},
        {"--strict", [&] { result_.strict = true; }},
        {"--check", [&] { result_.check_only = true; }},
        {"--schedules", [&] { result_.schedules = number(value(argument)); }},
        {"--trace", [&] { result_.trace = true; }},
        {"--no-thread-loops", [&] { result_.thread_loops = false; }},
        {"--no-libraries", [&] { result_.libraries = false; }},
        {"--countable", [&] { result_.countable = true; }},
        {"-keep", [&] { result_.keep = true; }},
        {"-v", [&] { result_.verbose = true; }},
        {"-h", [&] { result_.help = true; }},
        {"-V", [&] { result_.version = true; }},
        {"--strict-command", [&] { result_.strict_command = true; }},
        {"--precompile", [&] { result_.precompile = true; }},
        {"-ccbin", [&] { result_.compiler = value(argument); }},
        {"-x", [&] { all_are_cuda_ = value(argument) == "cu"; }},
        {"-ptx", [&] { module("ptx"); }},
        {"-cubin", [&] { module("cubin"); }},
        {"-fatbin", [&] { module("fatbin"); }},
        {"-cuda", [&] { result_.preprocess = true; }},
        {"-optf", [&] { options_of(value(argument)); }},
    };
    const auto found = known.find(argument);
    if (found != known.end()) found->second();
    return found != known.end();
  }

  // Options whose value may be joined, follow as the next word, or be a list.
  bool split(const std::string& argument) {
    if (argument.starts_with("-std")) return result_.standard = standard_flag(joined(argument, "-std=")), true;
    if (argument.starts_with("-Xcompiler")) return spread(joined(argument, "-Xcompiler="), result_.flags), true;
    if (const auto* library = library_of_option(argument)) return link_with(*library), true;
    if (argument.starts_with("-Xlinker")) return linker(joined(argument, "-Xlinker=")), true;
    if (argument.starts_with("-ccbin=")) return result_.compiler = argument.substr(7), true;
    if (argument.starts_with("-isystem")) return system_include(joined(argument, "-isystem=")), true;
    if (argument == "-include")
      return result_.flags.push_back(argument), result_.flags.push_back(value(argument)), true;
    if (argument.starts_with("-I")) return include(joined(argument, "-I")), true;
    if (argument.starts_with("-D") || argument.starts_with("-U"))
      return result_.flags.push_back(argument.substr(0, 2) + joined(argument, argument.substr(0, 2))), true;
    if ((argument.starts_with("-L") || argument.starts_with("-l")) && !is_ignored(argument))
      return result_.link.push_back(argument.substr(0, 2) + joined(argument, argument.substr(0, 2))), true;
    return false;
  }

  void link_with(const host_library& library) {
    if (!library.present()) throw usage_error{"the simulator " + library.lacks()};
    result_.link.push_back(library.option());
  }

  void include(const std::string& folder) {
    if (holds_cccl(folder))
      result_.cccl = folder;
    else if (!of_toolkit(folder))
      result_.include.push_back(folder);
  }

  void system_include(const std::string& folder) {
    if (!of_toolkit(folder)) result_.flags.insert(result_.flags.end(), {"-isystem", folder});
  }

  // A folder of NVIDIA's headers, which the simulator's headers replace; or of those themselves.
  static bool of_toolkit(const fs::path& folder) {
    return fs::exists(folder / "cuda_runtime.h") && (fs::exists(folder / "crt") || fs::exists(folder / "lab_sim.h"));
  }

  // __CUDA_ARCH__ of the newest device in an option's value, as in arch=compute_80. The simulated warps are those of
  // sm_70 and newer, so an older one has no effect.
  void architecture(const std::string& text) {
    for (const std::string_view prefix : {"sm_", "compute_"})
      for (auto at = text.find(prefix); at != text.npos; at = text.find(prefix, at + 1)) {
        unsigned version = 0;
        const char* const digits = text.data() + at + prefix.size();
        std::from_chars(digits, text.data() + text.size(), version);
        if (version >= 70 && version * 10 > result_.architecture) result_.architecture = version * 10;
      }
  }

  void linker(const std::string& list) {
    strings words;
    spread(list, words);
    for (const auto& w : words) result_.link.push_back("-Wl," + w);
  }

  void input(const std::string& argument) {
    const auto extension = fs::path{argument}.extension();
    if (!fs::exists(argument)) throw usage_error{"no such file: " + argument};
    if (extension == ".ptx" || extension == ".cubin" || extension == ".fatbin")
      throw usage_error{argument + " is machine code for a GPU; the simulator compiles sources only"};
    if (extension == ".cu" || (all_are_cuda_ && is_source(argument)))
      result_.sources.push_back(argument);
    else
      result_.others.push_back(argument);
  }

  // What the driver API loads at run time is a library here.
  void module(const std::string& extension) {
    result_.shared = true;
    module_ = extension;
  }

  // Its words come in the place of the file's name.
  void options_of(const std::string& file) {
    std::ifstream in{file};
    if (!in) throw usage_error{"no such file: " + file};
    strings words;
    for (std::string word; in >> std::quoted(word);) words.push_back(word);
    all_.insert(all_.begin() + static_cast<std::ptrdiff_t>(at_), words.begin(), words.end());
  }

  std::string value(const std::string& option) {
    if (at_ == all_.size()) throw usage_error{"option " + option + " needs a value"};
    return all_[at_++];
  }

  static unsigned number(const std::string& text) {
    unsigned n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size() || n == 0 || n > 1000)
      throw usage_error{"--schedules needs a number from 1 to 1000, not " + text};
    return n;
  }

  std::string joined(const std::string& argument, const std::string& prefix) {
    return argument.size() > prefix.size() && argument.starts_with(prefix) ? argument.substr(prefix.size())
                                                                           : value(argument);
  }

  static void spread(const std::string& list, strings& into) {
    std::istringstream parts{list};
    for (std::string part; std::getline(parts, part, ',');) {
      std::istringstream words{part};
      for (std::string word; words >> word;) into.push_back(word);
    }
  }

  strings all_;
  std::size_t at_ = 0;
  bool all_are_cuda_ = false;
  std::string module_;
  options result_;
};

}  // namespace

bool is_source(const fs::path& file) {
  const auto e = file.extension();
  return e == ".cpp" || e == ".cc" || e == ".cxx" || e == ".c++" || e == ".C" || e == ".c" || e == ".cu";
}

options parse(const std::vector<std::string>& arguments) { return parser{arguments}.run(); }

}  // namespace lab::sim
