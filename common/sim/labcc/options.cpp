#include "options.hpp"

#include <functional>
#include <map>
#include <sstream>

namespace lab::sim {

namespace {

using strings = std::vector<std::string>;

// Options of nvcc's that say nothing to a CPU; those of the second list have a value.
const strings ignored = {"-lineinfo",
                         "--generate-line-info",
                         "-G",
                         "--device-debug",
                         "-use_fast_math",
                         "--use_fast_math",
                         "-m64",
                         "--extended-lambda",
                         "-extended-lambda",
                         "-rdc=true",
                         "-rdc=false",
                         "-dlto",
                         "-lcudart",
                         "-lcudart_static",
                         "-lcuda",
                         "-lcudadevrt",
                         "-res-usage",
                         "--resource-usage",
                         "-restrict",
                         "--restrict",
                         "--expt-relaxed-constexpr",
                         "--expt-extended-lambda",
                         "-expt-relaxed-constexpr",
                         "-expt-extended-lambda",
                         "-forward-unknown-to-host-compiler"};
const strings ignored_with_value = {"-arch",
                                    "--gpu-architecture",
                                    "-gencode",
                                    "--generate-code",
                                    "-code",
                                    "--gpu-code",
                                    "-Xptxas",
                                    "--ptxas-options",
                                    "-Xnvlink",
                                    "-Xcudafe",
                                    "-cudart",
                                    "--cudart",
                                    "-maxrregcount",
                                    "--maxrregcount",
                                    "-rdc",
                                    "--relocatable-device-code",
                                    "-default-stream",
                                    "--default-stream",
                                    "-diag-suppress",
                                    "--diag-suppress",
                                    "-t",
                                    "--threads",
                                    "-fmad",
                                    "--fmad",
                                    "-ftz",
                                    "--ftz",
                                    "-prec-div",
                                    "--prec-div",
                                    "-prec-sqrt",
                                    "--prec-sqrt"};
const strings impossible = {"-ptx",       "--ptx",   "-cubin",  "--cubin",  "-fatbin",    "--fatbin",   "-lcublas",
                            "-lcublasLt", "-lcudnn", "-lcufft", "-lcurand", "-lcusparse", "-lcusolver", "-lnccl"};

bool among(const strings& all, const std::string& one) {
  for (const auto& a : all)
    if (a == one) return true;
  return false;
}

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
    if (result_.help) return result_;
    if (result_.sources.empty() && result_.others.empty()) throw usage_error{"no input file"};
    const bool several = result_.sources.size() + result_.others.size() > 1;
    if (result_.compile_only && several && !result_.output.empty()) throw usage_error{"-o with -c takes one source"};
    return result_;
  }

 private:
  void take(const std::string& a) {
    if (a.empty()) throw usage_error{"an empty argument"};
    if (a[0] != '-') return input(a);
    if (own(a) || split(a)) return;
    const std::string name = a.substr(0, a.find('='));
    if (among(impossible, a)) throw usage_error{"option " + a + " is not possible on the simulator"};
    if (among(ignored, a)) return;
    if (among(ignored_with_value, name)) {
      if (name == a) value(a);
      return;
    }
    if (a.starts_with("-O")) return void(result_.level = a);
    const bool host = a.starts_with("-f") || a.starts_with("-W") || a.starts_with("-g") || a.starts_with("-M") ||
                      a.starts_with("-m") || a == "-w" || a == "-pthread" || a == "-pg" || a == "-E" || a == "-S";
    if (!host) throw usage_error{"unknown option " + a};
    result_.flags.push_back(a);
    if (a == "-MF" || a == "-MT" || a == "-MQ") result_.flags.push_back(value(a));
  }

  bool own(const std::string& a) {
    const std::map<std::string, std::function<void()>> known = {
        {"-o", [&] { result_.output = value(a); }},
        {"--output-file", [&] { result_.output = value(a); }},
        {"-c", [&] { result_.compile_only = true; }},
        {"-dc", [&] { result_.compile_only = true; }},
        {"--compile", [&] { result_.compile_only = true; }},
        {"-shared", [&] { result_.shared = true; }},
        {"--shared", [&] { result_.shared = true; }},
        {"--fast", [&] { result_.trace = false; }},
        {"--trace", [&] { result_.trace = true; }},
        {"--keep", [&] { result_.keep = true; }},
        {"-keep", [&] { result_.keep = true; }},
        {"-v", [&] { result_.verbose = true; }},
        {"--verbose", [&] { result_.verbose = true; }},
        {"-h", [&] { result_.help = true; }},
        {"--help", [&] { result_.help = true; }},
        {"-ccbin", [&] { result_.compiler = value(a); }},
        {"-x", [&] { value(a); }},
    };
    const auto found = known.find(a);
    if (found != known.end()) found->second();
    return found != known.end();
  }

  // Options whose value may be joined, follow, or be a list.
  bool split(const std::string& a) {
    for (const char* name : {"-std", "--std"})
      if (a.starts_with(name)) return result_.standard = standard_flag(joined(a, std::string{name} + "=")), true;
    for (const char* name : {"-Xcompiler", "--compiler-options"})
      if (a.starts_with(name)) return spread(joined(a, std::string{name} + "="), result_.flags), true;
    for (const char* name : {"-Xlinker", "--linker-options"})
      if (a.starts_with(name)) return result_.link.push_back("-Wl," + joined(a, std::string{name} + "=")), true;
    for (const char* name : {"-isystem", "-include"})
      if (a == name) return result_.flags.push_back(a), result_.flags.push_back(value(a)), true;
    if (a.starts_with("-I")) return result_.include.push_back(joined(a, "-I")), true;
    if (a.starts_with("-D") || a.starts_with("-U"))
      return result_.flags.push_back(a.substr(0, 2) + joined(a, a.substr(0, 2))), true;
    if ((a.starts_with("-L") || a.starts_with("-l")) && !among(ignored, a) && !among(impossible, a))
      return result_.link.push_back(a.substr(0, 2) + joined(a, a.substr(0, 2))), true;
    return false;
  }

  void input(const std::string& a) {
    const auto extension = fs::path{a}.extension();
    if (!fs::exists(a)) throw usage_error{"no such file: " + a};
    if (extension == ".cu")
      result_.sources.push_back(a);
    else
      result_.others.push_back(a);
  }

  std::string value(const std::string& option) {
    if (at_ == all_.size()) throw usage_error{"option " + option + " needs a value"};
    return all_[at_++];
  }

  std::string joined(const std::string& a, const std::string& prefix) {
    return a.size() > prefix.size() && a.starts_with(prefix) ? a.substr(prefix.size()) : value(a);
  }

  static void spread(const std::string& list, strings& into) {
    std::istringstream parts{list};
    for (std::string part; std::getline(parts, part, ',');)
      if (!part.empty()) into.push_back(part);
  }

  const strings& all_;
  std::size_t at_ = 0;
  options result_;
};

}  // namespace

options parse(const std::vector<std::string>& arguments) { return parser{arguments}.run(); }

}  // namespace lab::sim
