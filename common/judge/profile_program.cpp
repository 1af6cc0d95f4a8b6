#include <fmt/format.h>
#include <unistd.h>

#include "judge/message.hpp"
#include "judge/process.hpp"
#include "judge/profile.hpp"
#include "judge/scratch.hpp"
#include "judge/text_file.hpp"
#include "judge/toolchain.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

constexpr double compiling_s = 60;

finished compile(const fs::path& source, const fs::path& program) {
  spawn_request r;
  r.arguments = {labcc().string(), "--trace", source.string(), "-o", program.string()};
  r.environment = clean_environment({"HOME", "LAB_CXX"});
  return run(r, compiling_s);
}

finished execute(const fs::path& program, const fs::path& report, double timeout_s, unsigned schedules) {
  spawn_request r;
  r.arguments = {program.string()};
  r.environment = clean_environment({"HOME", "LAB_SIM_SEED", "LAB_SIM_DEVICE", "LAB_SIM_LEAKS"});
  r.environment.push_back("LAB_SIM_JSON=" + report.string());
  r.environment.push_back("LAB_SIM_SCHEDULES=" + std::to_string(schedules));
  return run(r, timeout_s * schedules);
}

}  // namespace

profile_result profile_program(const fs::path& source, double timeout_s, unsigned schedules) {
  const scratch_folder folder{"profile"};
  const auto program = folder.path() / "program", report = folder.path() / "report.json";
  profile p{.launcher = source.filename().string()};
  if (const auto made = compile(source, program); !made.well()) {
    p.verdict = verdict::compile_error;
    p.message = made.output;
  } else {
    const auto end = execute(program, report, timeout_s, schedules);
    p.message = printed(end.output);
    if (const auto text = read_if_there(report); !text.empty())
      p.report = parse_report(text);
    else
      p.verdict = end.timed_out ? verdict::timeout : verdict::exited_early;
  }
  return {"", "file", backend::sim, {std::move(p)}};
}

}  // namespace lab::judge
