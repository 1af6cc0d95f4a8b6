#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/common_flags.hpp"
#include "cli/lab_choice.hpp"
#include "cli/output/case_file.hpp"
#include "judge/session.hpp"
#include "judge/test_case.hpp"
#include "support/random_seed.hpp"

namespace lab::cli {

namespace {

struct case_request {
  std::string which, launcher, size, kind = "real", file;
  std::uint64_t seed = 0;
};

problem_size wanted_size(const case_request& request, const launcher_spec& launcher) {
  if (request.size.empty()) return launcher.check_sizes.back();
  const auto size = problem_size::parse(request.size);
  if (!size || size->axes() != launcher.axes.size())
    throw usage_error(fmt::format("--size {} does not fit {}; join {} positive numbers with x, such as {}",
                                  request.size, launcher.name, launcher.axes.size(),
                                  launcher.check_sizes.back().name()));
  return *size;
}

void generate(const case_request& request) {
  const auto& lab = chosen_lab(request.which);
  const auto& launcher = launcher_named(lab, request.launcher);
  const auto size = wanted_size(request, launcher);
  const auto kind = request.kind == "real" ? inputs::real : inputs::lattice;
  write_case(request.file, lab, {launcher, size, drawn(launcher, size, request.seed, kind)}, false);
  fmt::print("{}: {} {} from seed {}\nNext: ./lab run {} --input {} --output out.npz\n", request.file, launcher.name,
             size.name(), request.seed, lab.name.substr(0, 2), request.file);
}

}  // namespace

static void add_gen(command_line app, int&) {
  auto command = app.add_subcommand("gen", "Write the inputs of a test case to an .npz file for NumPy and ./lab run");
  auto request = std::make_shared<case_request>();
  command.add_option("lab", request->which, lab_argument).required().type_name("NN");
  command.add_option("--launcher", request->launcher, "name of the launcher (default: the lab's first)");
  command
      .add_option("--size", request->size, "problem size, such as 2000x33 (default: the largest that ./lab check uses)")
      .type_name("SIZE");
  auto seed = command.add_option("--seed", request->seed, "seed of the inputs (default: a new one for each run)");
  command
      .add_option("--kind", request->kind,
                  "floating-point inputs: real numbers, or small whole numbers, whose sums are exact (lattice)")
      .one_of({"real", "lattice"})
      .capture_default_str();
  command.add_option("-o,--output", request->file, "the .npz file to write").required().type_name("FILE");
  command.footer("Example: ./lab gen 08 --size 1000x777 --seed 1 -o case.npz");
  command.callback([request, seed] {
    if (seed.count() == 0) request->seed = fresh_seed();
    generate(*request);
  });
}

namespace {

const command_registration registered_gen{audience::learn, add_gen};

}  // namespace

}  // namespace lab::cli
