#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "build/availability.hpp"
#include "build/lab_builds.hpp"
#include "build/toolchain.hpp"
#include "cli/lab_choice.hpp"
#include "cli/output/machine_code_text.hpp"
#include "cli/shared_commands.hpp"
#include "protocol/runner_process.hpp"
#include "support/installation.hpp"
#include "support/random_seed.hpp"
#include "trace/profile.hpp"

namespace lab::cli {

namespace {

using judge::kernel_code;
using nlohmann::json;

constexpr auto without_gpu = "sm_90";  // of the H100 and the H200

struct asm_flags : common_flags {
  std::string architecture, only;
  bool ptx = false, brief = false, no_counts = false;
};

// What the simulator counted, or why it counted nothing.
struct counted_kernels {
  std::vector<counted_kernel> kernels;
  std::string why_none;
};

// The kernel that was chosen: of a lab, or of a program with its own main().
struct chosen_source {
  std::optional<kernel_job> job;
  std::filesystem::path source;
};

chosen_source source_of(const asm_flags& flags) {
  if (flags.which == "all") throw usage_error("asm works on one lab; name one lab instead of all");
  if (!flags.which.ends_with(".cu") || is_path_of_a_lab(flags.which)) {
    const auto job = chosen_jobs(flags).front();
    return {job, job.variant.source};
  }
  const auto source = std::filesystem::absolute(flags.which);
  if (!exists(source)) throw usage_error(fmt::format("{} does not exist", source.string()));
  return {std::nullopt, source.lexically_normal()};
}

void require_architecture(const std::string& name) {
  if (!std::regex_match(name, std::regex{"sm_[0-9]+[af]?"}))
    throw usage_error(fmt::format("--arch {} is no architecture, such as sm_80 or sm_90a", name));
}

// As for a check on this machine's GPU. Without a GPU the architecture is the one that the source names, or sm_90.
judge::build_request request_for(const chosen_source& chosen, const std::string& architecture) {
  judge::build_request request{.backend = backend_kind::cuda, .source = chosen.source, .device_only = true};
  if (chosen.job) request.include = {lab::here().root / "labs" / chosen.job->lab->name};
  request.architecture = architecture;
  if (!architecture.empty()) return request;
  const auto marked = judge::words_after("// arch:", chosen.source);
  const bool known = std::getenv("LAB_CUDA_ARCH") != nullptr || judge::probe(backend_kind::cuda).usable;
  request.architecture = !marked.empty() ? marked.front() : known ? "" : without_gpu;
  request.or_any = known && marked.size() > 1;
  return request;
}

judge::profile_result simulated_profile(const chosen_source& chosen, const asm_flags& flags, const terminal& out) {
  if (!chosen.job) return judge::profile_program(chosen.source, flags.timeout);
  judge::profile_options options;
  auto simulated = static_cast<const common_flags&>(flags);
  simulated.backend = "sim";
  fill(options, simulated);
  if (!options.seed) options.seed = fresh_seed();
  options.progress = [&](const std::string& what) { out.progress(fmt::format("{}: {}", chosen.job->lab->name, what)); };
  return judge::profile_kernel(*chosen.job->lab, chosen.job->variant, options);
}

bool runs_on_simulator(const chosen_source& chosen) {
  return !chosen.job || runs_on(*chosen.job->lab, backend_kind::sim);
}

// Of each kernel the first launcher and size that launch it. Instances of a template are one kernel to the simulator.
counted_kernels count_on_simulator(const chosen_source& chosen, const asm_flags& flags, const terminal& out) {
  if (flags.no_counts) return {};
  if (!runs_on_simulator(chosen)) return {{}, "the simulator cannot run this lab"};
  if (const auto can = judge::probe(backend_kind::sim); !can.usable) return {{}, can.reason};
  counted_kernels all;
  for (const auto& profile : simulated_profile(chosen, flags, out).profiles) {
    if (profile.verdict != verdict_kind::pass) {
      all.why_none = fmt::format("on the simulator the kernel ends with {}", word(profile.verdict));
      continue;
    }
    const auto where =
        profile.size.empty() ? profile.launcher : fmt::format("{} at {}", profile.launcher, profile.size);
    for (const auto& kernel : by_kernel(profile.report)) {
      const auto name = judge::plain_name(kernel.launches.front()->kernel);
      const auto known = std::ranges::find(all.kernels, name, &counted_kernel::name);
      if (known == all.kernels.end()) all.kernels.push_back({name, where, kernel.lines});
    }
  }
  out.clear_progress();
  return all;
}

const counted_kernel* counts_of(const counted_kernels& all, const kernel_code& kernel) {
  const auto at = std::ranges::find(all.kernels, judge::plain_name(kernel.name), &counted_kernel::name);
  return at == all.kernels.end() ? nullptr : &*at;
}

void keep_only(std::vector<kernel_code>& kernels, const std::string& name) {
  if (name.empty()) return;
  std::string known;
  for (const auto& kernel : kernels) known += (known.empty() ? "" : ", ") + kernel.name;
  std::erase_if(kernels, [&](const kernel_code& kernel) {
    return kernel.name != name && judge::plain_name(kernel.name) != name;
  });
  if (kernels.empty()) throw usage_error(fmt::format("there is no kernel {}; the source has: {}", name, known));
}

json to_json(const kernel_code& kernel, const counted_kernel* counts) {
  json instructions = json::array();
  for (const auto& one : kernel.instructions)
    instructions.push_back({{"address", one.address},
                            {"text", one.text},
                            {"label", one.label},
                            {"line", one.line},
                            {"elsewhere", one.elsewhere},
                            {"spill", one.spill}});
  json document{{"name", kernel.name},
                {"symbol", kernel.symbol},
                {"kernel", kernel.kernel},
                {"resources", json{}},
                {"counted", counts ? json(counts->where) : json{}},
                {"lines", counts ? judge::to_json(judge::launch{.lines = counts->lines})["lines"] : json::array()},
                {"instructions", instructions}};
  if (const auto& needs = kernel.resources)
    document["resources"] = {{"registers", needs->registers},
                             {"barriers", needs->barriers},
                             {"shared_bytes", needs->shared_bytes},
                             {"stack_bytes", needs->stack_bytes},
                             {"spill_store_bytes", needs->spill_store_bytes},
                             {"spill_load_bytes", needs->spill_load_bytes}};
  return document;
}

json document_of(const judge::machine_code& code, const chosen_source& chosen, bool ptx,
                 const counted_kernels& counts) {
  json kernels = json::array();
  for (const auto& kernel : code.kernels) kernels.push_back(to_json(kernel, counts_of(counts, kernel)));
  return json{{"schema", 1},
              {"version", lab::version()},
              {"lab", chosen.job ? chosen.job->lab->name : ""},
              {"variant", chosen.job ? chosen.job->variant.word : "file"},
              {"file", chosen.source.filename().string()},
              {"code", ptx ? "ptx" : "sass"},
              {"architecture", code.architecture},
              {"why_not_counted", counts.why_none},
              {"kernels", kernels}};
}

void print_text(const judge::machine_code& code, const chosen_source& chosen, const asm_flags& flags,
                const counted_kernels& counts, const terminal& out) {
  const auto language = flags.ptx ? judge::code_language::ptx : judge::code_language::sass;
  const listing_options options{language, flags.brief, std::max<std::size_t>(terminal_width(STDOUT_FILENO), 40)};
  for (const auto& kernel : code.kernels)
    out.print_unbroken(machine_code_text(code, kernel, chosen.source, counts_of(counts, kernel), options) + "\n");
  if (!counts.why_none.empty()) out.print(fmt::format("No counts for every kernel: {}", counts.why_none));
  if (!flags.brief && !flags.ptx)
    out.print(
        "The address is the instruction's offset in its kernel. --brief shows only how many instructions of each "
        "kind a line has.");
}

void list_machine_code(const asm_flags& flags, int& code) {
  const auto chosen = source_of(flags);
  if (!flags.architecture.empty()) require_architecture(flags.architecture);
  if (judge::nvcc().empty())
    throw machine_error(
        "nvcc is neither in PATH nor in /usr/local/cuda/bin; install the CUDA toolkit 12 or later, or set LAB_NVCC to "
        "the program. ./lab profile counts the traffic of each line without it");
  const terminal out{flags.json, flags.no_color};
  judge::machine_code listed;
  counted_kernels counts;
  try {
    listed = judge::list_code(request_for(chosen, flags.architecture),
                              flags.ptx ? judge::code_language::ptx : judge::code_language::sass);
    if (listed.built.verdict == verdict_kind::pass) counts = count_on_simulator(chosen, flags, out);
  } catch (const std::runtime_error& error) {
    throw machine_error(error.what());
  }
  if (listed.built.verdict != verdict_kind::pass) {
    fmt::print(stderr, "FAILED  {}: {}\n{}", judge::place_of({"", chosen.source}), word(listed.built.verdict),
               listed.built.log);
    code = listed.built.verdict == verdict_kind::infra_error ? lacking : failed;
    return;
  }
  if (listed.kernels.empty()) throw usage_error(fmt::format("{} has no kernel", chosen.source.string()));
  keep_only(listed.kernels, flags.only);
  if (flags.json) return fmt::print("{}\n", document_of(listed, chosen, flags.ptx, counts).dump(1));
  print_text(listed, chosen, flags, counts, out);
}

void add_asm(command_line app, int& code) {
  auto command = app.add_subcommand("asm", "Show the GPU's instructions below each line of a kernel; needs nvcc");
  auto flags = std::make_shared<asm_flags>();
  add_flags(command, *flags);
  command.get_option("lab").type_name("NN|FILE.cu").description(lab_argument + ", or a CUDA program");
  command.remove_option(command.get_option("--backend"));
  command.remove_option(command.get_option("--device"));
  command.add_flag("--ptx", flags->ptx, "show PTX, which nvcc makes, instead of SASS, which the GPU executes");
  command
      .add_option("--arch", flags->architecture,
                  "compile for this architecture (default: this machine's GPU, without one sm_90)")
      .type_name("sm_NN");
  command.add_option("--only", flags->only, "show only the kernel of this name").type_name("NAME");
  command.add_flag("--brief", flags->brief, "show only how many instructions of each kind a line has");
  command.add_flag("--no-counts", flags->no_counts, "do not count the traffic of each line on the simulator");
  command.footer("Example: ./lab asm 03 --brief\n         ./lab asm saxpy.cu --ptx --arch sm_80");
  command.callback([flags, &code] { list_machine_code(*flags, code); });
}

const command_registration registered_asm{audience::learn, add_asm};

}  // namespace

std::optional<nlohmann::json> machine_code_document(const kernel_job& job) {
  if (judge::nvcc().empty()) return std::nullopt;
  const chosen_source chosen{job, job.variant.source};
  // SASS needs nvdisasm, which a toolkit may lack; PTX does not.
  for (const auto language : {judge::code_language::sass, judge::code_language::ptx}) try {
      const auto listed = judge::list_code(request_for(chosen, ""), language);
      if (listed.built.verdict != verdict_kind::pass || listed.kernels.empty()) return std::nullopt;
      return document_of(listed, chosen, language == judge::code_language::ptx, {});
    } catch (const std::runtime_error&) {
    }
  return std::nullopt;
}

}  // namespace lab::cli
