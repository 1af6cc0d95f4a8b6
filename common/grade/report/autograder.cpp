#include "grade/report/autograder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "grade/collect/archive_writer.hpp"
#include "grade/report/portable_tree.hpp"
#include "support/installation.hpp"
#include "support/temporary_folder.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

namespace {

// What programs make in their tree while they run, and the runner for GPUs.
bool left_out(const fs::path& path) {
  constexpr std::string_view names[] = {"__pycache__", "precompiled", "kernels", gpu_runner};
  return std::ranges::find(names, path.filename().string()) != std::end(names);
}

void add_tree(archive_writer& zip, const fs::path& tree) {
  for (fs::recursive_directory_iterator at{tree}, end; at != end; ++at) {
    const bool skipped = left_out(at->path());
    if (skipped && at->is_directory()) at.disable_recursion_pending();
    if (skipped || !at->is_regular_file()) continue;
    const bool program = (at->status().permissions() & fs::perms::owner_exec) != fs::perms::none;
    zip.add("kernel-lab/" + fs::relative(at->path(), tree).string(), lab::read_whole(at->path()), program);
  }
}

}  // namespace

fs::path make_autograder(const fs::path& folder, const nlohmann::json& rules, const std::vector<std::string>& labs) {
  const temporary_folder scratch{"autograder"};
  const auto tree = portable_tree(scratch.path());
  require_fit_for_gradescope(tree);
  fs::create_directories(folder);
  const auto file = folder / "autograder.zip";
  const auto scripts = here().home / "common/grade/report/gradescope";
  archive_writer zip{file, archive_form::zip};
  for (const auto* script : {"setup.sh", "run_autograder"}) zip.add(script, lab::read_whole(scripts / script), true);
  zip.add("policy.json", rules.dump(1) + "\n");
  zip.add("labs", fmt::format("{}\n", fmt::join(labs, ",")));
  add_tree(zip, tree);
  zip.close();
  return file;
}

}  // namespace lab::grade
