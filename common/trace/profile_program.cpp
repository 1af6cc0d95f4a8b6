#include <fmt/format.h>
#include <unistd.h>

#include "build/toolchain.hpp"
#include "diagnosis/mismatch_message.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "text/printed_output.hpp"
#include "text/text_file.hpp"
#include "trace/profile.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

constexpr double compiling_s = 60;

finished compile(const fs::path& source, const fs::path& program) {
  spawn_request r;
  r.arguments = {labcc().string(), "--trace", source.string(), "-o", program.string()};
  r.environment = clean_environment({"HOME", "LAB_CXX"});
  return run_program(r, compiling_s);
}

finished execute(const fs::path& program, const fs::path& report, double timeout_s, unsigned schedules) {
  spawn_request r;
  r.arguments = {program.string()};
  r.environment = clean_environment({"HOME", "LAB_SIM_SEED", "LAB_SIM_DEVICE", "LAB_SIM_LEAKS"});
  r.environment.push_back("LAB_SIM_JSON=" + report.string());
  r.environment.push_back("LAB_SIM_SCHEDULES=" + std::to_string(schedules));
  return run_program(r, timeout_s * schedules);
}

}  // namespace

profile_result profile_program(const fs::path& source, double timeout_s, unsigned schedules) {
  const temporary_folder folder{"profile"};
  const auto program = folder.path() / "program", report = folder.path() / "report.json";
  profile p{.launcher = source.filename().string()};
  if (const auto made = compile(source, program); !made.well()) {
    p.verdict = verdict_kind::compile_error;
    p.message = made.output;
  } else {
    const auto end = execute(program, report, timeout_s, schedules);
    p.message = printed_output(end.output);
    if (const auto text = read_if_there(report); !text.empty())
      p.report = parse_report(text);
    else
      p.verdict = end.timed_out ? verdict_kind::timeout : verdict_kind::exited_early;
  }
  return {"", "file", backend_kind::sim, {std::move(p)}};
}

}  // namespace lab::judge
