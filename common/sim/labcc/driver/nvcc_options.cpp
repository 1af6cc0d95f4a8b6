#include "sim/labcc/driver/nvcc_options.hpp"

#include <map>
#include <set>

namespace lab::sim {

namespace {

const std::map<std::string, std::string> long_names = {
    {"--output-file", "-o"},
    {"--compile", "-c"},
    {"--device-c", "-dc"},
    {"--device-w", "-dw"},
    {"--device-link", "-dlink"},
    {"--shared", "-shared"},
    {"--keep", "-keep"},
    {"--verbose", "-v"},
    {"--help", "-h"},
    {"--version", "-V"},
    {"--compiler-bindir", "-ccbin"},
    {"--x", "-x"},
    {"--ptx", "-ptx"},
    {"--cubin", "-cubin"},
    {"--fatbin", "-fatbin"},
    {"--cuda", "-cuda"},
    {"--options-file", "-optf"},
    {"--std", "-std"},
    {"--compiler-options", "-Xcompiler"},
    {"--linker-options", "-Xlinker"},
    {"--system-include", "-isystem"},
    {"--pre-include", "-include"},
    {"--include-path", "-I"},
    {"--define-macro", "-D"},
    {"--undefine-macro", "-U"},
    {"--library-path", "-L"},
    {"--library", "-l"},
    {"--optimize", "-O"},
    {"--debug", "-g"},
    {"--profile", "-pg"},
    {"--preprocess", "-E"},
    {"--generate-dependencies", "-M"},
    {"--generate-dependencies-with-compile", "-MD"},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD"},
    {"--dependency-output", "-MF"},
    {"--disable-warnings", "-w"},
};

const std::set<std::string> without_value = {
    "lineinfo",
    "generate-line-info",
    "G",
    "device-debug",
    "use_fast_math",
    "m64",
    "extended-lambda",
    "expt-extended-lambda",
    "expt-relaxed-constexpr",
    "dlto",
    "dlink-time-opt",
    "res-usage",
    "resource-usage",
    "restrict",
    "forward-unknown-to-host-compiler",
    "forward-unknown-to-host-linker",
    "extra-device-vectorization",
    "source-in-ptx",
    "src-in-ptx",
    "keep-device-functions",
    "display-error-number",
    "err-no",
    "no-display-error-number",
    "no-compress",
    "no-exceptions",
    "noprof",
    "allow-unsupported-compiler",
    "no-host-device-initializer-list",
    "nohdinitlist",
    "no-host-device-move-forward",
    "nohdmoveforward",
    "qpp-config",
    "Wno-deprecated-gpu-targets",
    "Wreorder",
    "Wdefault-stream-launch",
    "Wmissing-launch-bounds",
    "Wext-lambda-captures-this",
    "lcudart",
    "lcudart_static",
    "lcuda",
    "lcudadevrt",
    "lnvToolsExt",
    "lculibos",
    "jump-table-density",
    "device-int128",
    "clean-targets",
};

const std::set<std::string> with_value = {
    "arch",
    "gpu-architecture",
    "gencode",
    "generate-code",
    "code",
    "gpu-code",
    "Xptxas",
    "ptxas-options",
    "Xnvlink",
    "nvlink-options",
    "Xcudafe",
    "Xfatbin",
    "fatbin-options",
    "Xarchive",
    "archive-options",
    "cudart",
    "cudadevrt",
    "maxrregcount",
    "rdc",
    "relocatable-device-code",
    "default-stream",
    "diag-suppress",
    "diag-error",
    "diag-warn",
    "t",
    "threads",
    "fmad",
    "ftz",
    "prec-div",
    "prec-sqrt",
    "keep-dir",
    "machine",
    "m",
    "split-compile",
    "Ofc",
    "Ofast-compile",
    "Werror",
    "target-directory",
    "time",
    "objdir-as-tempdir",
    "libdevice-directory",
    "static-global-template-stub",
};

const std::map<std::string, std::string> not_here = {
    {"optix-ir", "makes no machine code for a GPU"},
    {"lib", "builds no libraries; use ar on the objects"},
    {"run", "only compiles; start the program yourself"},
    {"lcublasLt", "has no cuBLASLt"},
    {"lcudnn", "has no cuDNN"},
    {"lcusolver", "has no cuSOLVER"},
    {"lnccl", "has no NCCL"},
    {"lnvrtc", "has no run-time compilation"},
};

std::string without_dashes(const std::string& option) {
  const auto begin = option.find_first_not_of('-');
  return begin == option.npos ? "" : option.substr(begin);
}

}  // namespace

std::string short_form(const std::string& option) {
  const auto equals = option.find('=');
  const auto at = long_names.find(option.substr(0, equals));
  if (at == long_names.end()) return option;
  if (equals == option.npos) return at->second;
  const bool joins = at->second.size() == 2 && at->second != "-o" && at->second != "-x";  // -Idir, but -std=c++20
  return at->second + option.substr(equals + joins);
}

bool is_ignored(const std::string& option) { return without_value.contains(without_dashes(option)); }

bool is_ignored_with_value(const std::string& name) { return with_value.contains(without_dashes(name)); }

std::string impossible_option(const std::string& option) {
  const auto at = not_here.find(without_dashes(option));
  return at == not_here.end() ? "" : at->second;
}

}  // namespace lab::sim
